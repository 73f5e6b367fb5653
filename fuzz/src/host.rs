//! A host that answers from texts, and an order's way through the pipeline with it.

use std::collections::BTreeMap;
use std::rc::Rc;

use order_cost::{
    DiscountResult, Document, Draft, Error, Facts, Failure, Limits, NationwideMode, Origin,
    Planned, Policy, Priced, Records, Resolved, Sink, Step, Sum, Zones, decode,
};

use super::json::Node;

/// The host's facts, each as JSON text or as broken text; `null` if it knows nothing.
pub(crate) struct Host {
    pub(crate) prices: BTreeMap<i64, String>,
    /// By the specification's word for the mode. A missing one is a function that throws.
    pub(crate) rates: BTreeMap<&'static str, String>,
    pub(crate) vouchers: BTreeMap<String, String>,
    /// `None`: a function that throws.
    pub(crate) coupons: Option<String>,
}

/// The message that a host function throws.
pub(crate) const THROWN: &str = "The service is down";

/// Two overlapping zones and a third one: branch, box and fee.
pub(crate) const ZONES: [(i64, [f64; 4], &str); 3] = [
    (1000, [100.0, 13.0, 101.0, 14.0], "40"),
    (1000, [100.5, 13.0, 102.0, 15.0], "60.50"),
    (2000, [0.0, 0.0, 1.0, 1.0], "79228162514264337593543950335"),
];

/// [`ZONES`] as GeoJSON.
pub(crate) fn zones() -> Zones {
    let features = ZONES.map(|(brcode, [left, bottom, right, top], fee)| {
        format!(
            r#"{{"type":"Feature","geometry":{{"type":"Polygon","coordinates":[[[{left},{bottom}],[{right},{bottom}],[{right},{top}],[{left},{top}],[{left},{bottom}]]]}},"properties":{{"brcode":{brcode},"deliveryFee":{fee}}}}}"#
        )
    });
    let text = format!(
        r#"{{"type":"FeatureCollection","features":[{}]}}"#,
        features.join(",")
    );
    Zones::read(&document(text)).expect("the zones are good")
}

pub(crate) fn document(text: String) -> Document {
    Document {
        text,
        origin: Origin::Wire,
    }
}

/// Prices a body. The steps of a priced order add up to the grand total.
pub(crate) fn price(body: &[u8], host: &Host, policy: &Policy) -> Result<Priced, Error> {
    let draft = Draft::read(body, Origin::Wire, &Limits::default())?;
    let mut planned = draft.plan(Some(&zones()), &Facts::default());
    host.answer(&mut planned);
    let coupons = |resolved: &Resolved| {
        assert_is_asked_json(resolved);
        resolved.read_coupons(answer(host.coupons.as_ref()))
    };
    finish(planned, coupons, policy)
}

/// Prices an order whose look-ups have answered.
pub(crate) fn finish(
    planned: Planned,
    coupons: impl FnOnce(&Resolved) -> Result<Rc<DiscountResult>, Error>,
    policy: &Policy,
) -> Result<Priced, Error> {
    let mut ledger = Ledger::default();
    let resolved = planned.resolve(policy, &mut ledger)?;
    let resolved = resolved.expect("every look-up has answered");
    let coupons = resolved.asks_coupons().then(|| coupons(&resolved));
    let coupons = coupons.transpose()?;
    let priced = resolved.price(coupons, policy, &mut ledger)?;
    assert_eq!(ledger.0.total(), Some(priced.totals().grand_total));
    Ok(priced)
}

fn assert_is_asked_json(resolved: &Resolved) {
    let request = resolved.coupon_request().expect("coupons are asked");
    for part in [&request.head[..], &request.product_list] {
        let text = str::from_utf8(part).expect("it is UTF-8");
        assert!(Node::read(text).is_some(), "{text}");
    }
}

#[derive(Default)]
struct Ledger(Sum);

impl Sink for Ledger {
    fn is_kept(&self) -> bool {
        true
    }

    fn step(&mut self, step: &Step<'_>) {
        if step.counts {
            self.0.merge(step.amount);
        }
    }
}

impl Host {
    /// Answers every look-up except the coupons.
    pub(crate) fn answer(&self, planned: &mut Planned) {
        if planned.cprcodes().next().is_some() {
            planned.answer_prices(Ok(self.price_records(planned)));
        }
        if planned.voucher_ids_json().next().is_some() {
            planned.answer_vouchers(Ok(self.voucher_records(planned)));
        }
        for mode in Vec::from_iter(planned.nationwide_modes()) {
            planned.answer_rate(mode, self.rate(mode));
        }
    }

    pub(crate) fn price_records(&self, planned: &Planned) -> Records {
        records(planned.cprcodes(), &self.prices)
    }

    pub(crate) fn voucher_records(&self, planned: &Planned) -> Records {
        let ids = planned.voucher_ids_json();
        records(ids.map(|id| decode(id).into_owned()), &self.vouchers)
    }

    pub(crate) fn rate(&self, mode: NationwideMode) -> Result<Document, Failure> {
        answer(self.rates.get(mode.word()))
    }
}

fn answer(text: Option<&String>) -> Result<Document, Failure> {
    match text {
        Some(text) => Ok(document(text.clone())),
        None => Err(Failure::Threw(Some(THROWN.to_owned()))),
    }
}

fn records<K: Ord>(keys: impl Iterator<Item = K>, known: &BTreeMap<K, String>) -> Records {
    let texts = keys.map(|key| known.get(&key).map_or("null", String::as_str));
    // A NUL would end a text; JSON cannot contain one.
    let texts: Vec<_> = texts.map(|text| text.replace('\0', "\u{1}")).collect();
    Records {
        texts: Some(texts.join("\0")),
        origin: Origin::Wire,
    }
}
