//! A host that answers from texts, and an order's way through the pipeline with it.

use std::collections::BTreeMap;
use std::sync::Arc;

use order_cost::{
    Calculation, Conversation, Document, Draft, Error, Failure, Limits, Lookup, Next, Origin,
    Policy, Priced, Question, Records, Sink, Step, Sum, Zones,
};

use super::json::{Node, Value};

/// The host's facts, each as JSON text or as broken text; `null` if it knows nothing.
pub(crate) struct Host {
    pub(crate) prices: BTreeMap<i64, String>,
    /// By the specification's word for the mode. A missing one is a function that throws.
    pub(crate) rates: BTreeMap<&'static str, String>,
    pub(crate) vouchers: BTreeMap<String, String>,
    /// `None`: a function that throws.
    pub(crate) coupons: Option<String>,
}

/// Two overlapping zones and a third one.
pub(crate) fn zones() -> Zones {
    let zones = [
        (1000, [100.0, 13.0, 101.0, 14.0], "40"),
        (1000, [100.5, 13.0, 102.0, 15.0], "60.50"),
        (2000, [0.0, 0.0, 1.0, 1.0], "79228162514264337593543950335"),
    ];
    let features = zones.map(|(brcode, [left, bottom, right, top], fee)| {
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

/// Prices a body with what a host knows. Returns the response, or the error's message.
pub(crate) fn price(body: &[u8], host: &Host, policy: &Policy) -> Result<String, String> {
    let answer = |question: &Question, argument: &str| host.answer(question, argument);
    let calculation = calculate(body, Arc::new(zones()), policy, answer);
    let calculation = calculation.map_err(|error| error.to_string())?;
    Ok(text(&priced(&calculation).write()).to_owned())
}

/// Prices a body; `answer` gets each question with its whole argument. The steps of a priced order add up to the grand
/// total.
pub(crate) fn calculate(
    body: &[u8],
    zones: Arc<Zones>,
    policy: &Policy,
    mut answer: impl FnMut(&Question, &str) -> Result<Records, Failure>,
) -> Result<Calculation, Error> {
    let draft = Draft::read(body, Origin::Wire, &Limits::default())?;
    let mut calculation = Calculation::new(draft, Some(zones), *policy);
    let mut ledger = Ledger::default();
    loop {
        for question in calculation.ask(true) {
            let rows = calculation.coupon_rows();
            let argument = argument(&question, calculation.conversation(), &rows);
            assert!(Node::read(&argument).is_some(), "{argument}");
            calculation.answer(question.call, answer(&question, &argument));
        }
        let next = calculation.advance(&mut ledger);
        match next.map_err(|problem| problem.error)? {
            Next::Ask => {}
            Next::Wait => panic!("every look-up has answered"),
            Next::Done => break,
        }
    }
    let grand_total = priced(&calculation).totals().grand_total;
    assert_eq!(ledger.0.total(), Some(grand_total));
    Ok(calculation)
}

pub(crate) fn priced(calculation: &Calculation) -> &Priced {
    calculation.priced().expect("it is done")
}

/// The whole argument of a host's function, as JSON text. `rows`: `productList` of the coupon request.
pub(crate) fn argument(question: &Question, conversation: &Conversation, rows: &[u8]) -> String {
    let stated = text(&question.argument);
    match question.lookup {
        Lookup::Prices => {
            let codes = conversation.cprcodes(question.call);
            let keys = codes.map(|code| format!(r#"{{"cprcode":{code},"branchId":{stated}}}"#));
            format!("[{}]", Vec::from_iter(keys).join(","))
        }
        Lookup::Coupons => question.coupon_request(rows),
        _ => stated.to_owned(),
    }
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("it is UTF-8")
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
    /// The answer to a question with this whole argument.
    pub(crate) fn answer(&self, question: &Question, argument: &str) -> Result<Records, Failure> {
        let known = match question.lookup {
            Lookup::NationwideRate(mode) => self.rates.get(mode.word()),
            Lookup::Coupons => self.coupons.as_ref(),
            _ => return Ok(records(Some(self.list(question.lookup, argument)))),
        };
        match known {
            Some(text) => Ok(records(Some(text.clone()))),
            None => Err(Failure::Threw(Some("The service is down".to_owned()))),
        }
    }

    /// The records of a list look-up.
    fn list(&self, lookup: Lookup, argument: &str) -> String {
        let keys = Node::read(argument).expect("a question is JSON");
        let Value::Array(keys) = &keys.value else {
            panic!("{argument} is no list")
        };
        let texts = keys.iter().map(|key| self.record(lookup, key));
        // A NUL would end a text; JSON cannot contain one.
        let texts = texts.map(|text| text.replace('\0', "\u{1}"));
        Vec::from_iter(texts).join("\0")
    }

    /// The record of a key, `null` if the host knows nothing.
    pub(crate) fn record(&self, lookup: Lookup, key: &Node<'_>) -> &str {
        let record = match lookup {
            Lookup::Prices => {
                let code = key.get("cprcode").and_then(|code| code.text.parse().ok());
                code.and_then(|code: i64| self.prices.get(&code))
            }
            Lookup::NationwideRate(mode) => self.rates.get(mode.word()),
            _ => key.string().and_then(|id| self.vouchers.get(id)),
        };
        record.map_or("null", String::as_str)
    }
}

pub(crate) fn records(texts: Option<String>) -> Records {
    Records {
        texts,
        origin: Origin::Wire,
    }
}
