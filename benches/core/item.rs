//! An order of the benchmark's work, and its pricing without a binding.

use std::collections::HashMap;
use std::hint::black_box;

use order_cost::{Document, Draft, Facts, Limits, Origin, Policy, Records, Zones};
use serde_json::Value;

/// Zones, in the format of benches/write-work.mjs.
pub fn zones(text: String) -> Zones {
    Zones::read(&document(text)).expect("valid zones")
}

/// An order and the host's answers.
pub struct Item {
    body: String,
    prices: String,
    rates: HashMap<String, String>,
    vouchers: String,
    coupons: String,
}

impl Item {
    /// A set of orders, in the format of benches/write-work.mjs.
    pub fn set(text: &[u8]) -> Vec<Self> {
        let items: Vec<Value> = serde_json::from_slice(text).expect("a list");
        items.iter().map(Self::new).collect()
    }

    fn new(item: &Value) -> Self {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let list = |value: &Value| {
            let texts = value.as_array().expect("a list").iter().map(text);
            texts.collect::<Vec<_>>().join("\0")
        };
        let rates = item["rates"].as_object().expect("rates").iter();
        Self {
            body: text(&item["body"]),
            prices: list(&item["prices"]),
            rates: rates
                .map(|(mode, rate)| (mode.clone(), text(rate)))
                .collect(),
            vouchers: list(&item["vouchers"]),
            coupons: text(&item["coupons"]),
        }
    }

    /// The response.
    pub fn price(&self, zones: &Zones) -> Vec<u8> {
        let policy = Policy::default();
        let draft = Draft::read(self.body.as_bytes(), Origin::Wire, &Limits::default());
        let mut planned = draft
            .expect("a valid order")
            .plan(Some(zones), &Facts::default());
        planned.answer_prices(Ok(records(&self.prices)));
        for mode in Vec::from_iter(planned.nationwide_modes()) {
            planned.answer_rate(mode, Ok(document(self.rates[mode.word()].clone())));
        }
        if planned.voucher_ids_json().next().is_some() {
            planned.answer_vouchers(Ok(records(&self.vouchers)));
        }
        let resolved = planned.resolve(&policy, &mut ()).expect("a good order");
        let resolved = resolved.expect("every answer");
        let coupons = resolved.coupon_request().map(|request| {
            black_box(request);
            let answer = Ok(document(self.coupons.clone()));
            resolved.read_coupons(answer).expect("a good answer")
        });
        let priced = resolved.price(coupons, &policy, &mut ());
        priced.expect("a priced order").write()
    }
}

fn records(texts: &str) -> Records {
    Records {
        texts: Some(texts.to_owned()),
        origin: Origin::Wire,
    }
}

fn document(text: String) -> Document {
    Document {
        text,
        origin: Origin::Wire,
    }
}
