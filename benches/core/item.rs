//! An order of the benchmark's work, and its pricing without a binding.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;

use order_cost::{Calculation, Draft, Limits, Lookup, Next, Origin, Policy, Records, Zones};
use serde_json::Value;

/// Zones, in the format of benches/write-work.mjs.
pub fn zones(text: String) -> Arc<Zones> {
    Arc::new(text.parse().expect("valid zones"))
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
    pub fn price(&self, zones: &Arc<Zones>) -> Vec<u8> {
        let draft = Draft::read(self.body.as_bytes(), Origin::Wire, &Limits::default());
        let draft = draft.expect("a valid order");
        let mut calculation = Calculation::new(draft, Some(Arc::clone(zones)), Policy::default());
        loop {
            for question in calculation.ask(true) {
                let answer = match question.lookup {
                    Lookup::Prices => &self.prices,
                    Lookup::NationwideRate(mode) => &self.rates[mode.word()],
                    Lookup::Vouchers => &self.vouchers,
                    Lookup::Coupons => {
                        black_box(calculation.coupon_rows());
                        &self.coupons
                    }
                    Lookup::Zones => unreachable!("the zones are known"),
                };
                calculation.answer(question.call, Ok(records(answer)));
            }
            match calculation.advance(&mut ()).expect("a good order") {
                Next::Ask => {}
                Next::Wait => unreachable!("every answer is there"),
                Next::Done => return calculation.priced().expect("it is done").write(),
            }
        }
    }
}

fn records(texts: &str) -> Records {
    Records {
        texts: Some(texts.to_owned()),
        origin: Origin::Wire,
    }
}
