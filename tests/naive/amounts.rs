//! What a basket should show, by the pipeline that prices a single order. There, what the basket does not know is free.

use std::sync::Arc;

use order_cost::{
    Basket, Calculation, Document, Draft, Error, Limits, Lookup, Next, Origin, Policy, Question,
    Records, Zones, replace_lone_surrogates,
};
use serde_json::{Value, json};

use super::live::Live;
use super::{Answer, Expected, History, Key, Naive, asked_keys};

impl Naive {
    /// Prices the order up to its coupons, if it has products; what the basket does not know is free.
    pub(super) fn resolve(&self) -> Option<Result<Advanced, Error>> {
        if self.products().is_empty() {
            return None;
        }
        let mut calculation = self.calculation(&self.zones_everywhere);
        self.answer(&mut calculation, |history, free| {
            history.found().unwrap_or(free).to_owned()
        });
        Some(advanced(calculation))
    }

    fn calculation(&self, zones: &Arc<Zones>) -> Calculation {
        calculation(&self.order, zones, self.policy)
    }

    fn answer(&self, calculation: &mut Calculation, text: impl Fn(&History, &str) -> String) {
        for question in calculation.ask(true) {
            let free = match question.lookup {
                Lookup::Prices => FREE_PRICE,
                Lookup::NationwideRate(_) => FREE_RATE,
                _ => FREE_VOUCHER,
            };
            let keys = asked_keys(&question, calculation.conversation());
            let texts = keys.iter().map(|key| text(self.history(key), free));
            let answer = records(&Vec::from_iter(texts));
            calculation.answer(question.call, Ok(answer));
        }
    }

    pub(super) fn calculate(&self, resolved: Option<Result<Advanced, Error>>) -> Expected {
        let mut expected = Expected {
            is_large_before_coupons: matches!(resolved, Some(Err(_))),
            ..Expected::default()
        };
        let priced = resolved.map(|resolved| resolved.and_then(|resolved| self.price(resolved)));
        expected.shown = priced.map(|calculation| {
            let (calculation, _) = calculation?;
            let response = calculation.priced().expect("it is done").write();
            let shown = self.with_gaps(parsed(&response));
            expected.response = Some(response);
            Ok(shown)
        });
        expected
    }

    fn price(&self, (mut calculation, questions): Advanced) -> Result<Advanced, Error> {
        for question in questions {
            let answer = records(&[self.counting_coupons().to_string()]);
            calculation.answer(question.call, Ok(answer));
        }
        advanced(calculation)
    }

    /// The last answer of the coupon service, as far as it still counts.
    fn counting_coupons(&self) -> Value {
        let Some((asked, answer)) = &self.discounts else {
            return json!({});
        };
        let listed = self.list("couponCodeList");
        let mut answer = answer.clone();
        let is_whole = asked.codes.iter().all(|code| listed.contains(code));
        let is_kept = |coupon: &Value| {
            let coupon = coupon.as_str().expect("a code").to_owned();
            if is_whole {
                return !self.lost.contains(&coupon);
            }
            listed.contains(&coupon) && asked.codes.contains(&coupon)
        };
        let discounts = answer["discounts"].as_array_mut().expect("a list");
        discounts.retain(|discount| is_kept(&discount["coupon"]));
        if let Some(failed) = answer["failedCoupons"].as_array_mut() {
            failed.retain(is_kept);
        }
        for discount in answer["discounts"].as_array_mut().expect("a list") {
            let lines = discount["lines"].as_array_mut().expect("a list");
            for line in &mut *lines {
                let index = line["line"].as_u64().expect("an index") as usize;
                let place = self.ids.iter().position(|id| *id == asked.ids[index]);
                line["line"] = place.into();
            }
            lines.retain(|line| !line["line"].is_null());
        }
        answer
    }

    /// What a basket shows of a response, with `null` for what it does not know.
    fn with_gaps(&self, mut response: Value) -> Value {
        let totals = TOTALS.map(|key| (key.to_owned(), response[key].take()));
        let mut shown = json!({});
        shown["totals"] = Value::Object(totals.into_iter().collect());
        shown["rows"] = response["productList"].take();
        for part in [
            "shipping",
            "validVouchers",
            "invalidVouchers",
            "discountResult",
        ] {
            shown[part] = response[part].take();
        }
        self.make_gaps(&mut shown);
        shown
    }

    /// Puts `null` where the basket knows nothing, and takes unknown vouchers out.
    pub(crate) fn make_gaps(&self, shown: &mut Value) {
        for line in 0..self.products().len() {
            if self.history(&self.price_key(line)).found().is_none() {
                shown["rows"][line]["price"] = Value::Null;
                shown["rows"][line]["originalPrice"] = Value::Null;
            }
        }
        let unknown = self.rate_keys().into_iter();
        let unknown = unknown.filter(|(_, key)| self.history(key).found().is_none());
        let zones = self.zone_errors().into_iter().map(|(schedule, _)| schedule);
        for schedule in unknown.map(|(schedule, _)| schedule).chain(zones) {
            shown["shipping"]["scheduleList"][schedule]["deliveryFee"] = Value::Null;
        }
        for list in ["validVouchers", "invalidVouchers"] {
            let vouchers = shown[list].as_array_mut().expect("a list");
            vouchers.retain(|voucher| {
                let id = voucher["voucherId"].as_str().expect("an id").to_owned();
                self.history(&Key::Voucher(id)).found().is_some()
            });
        }
    }

    /// A fresh basket with this order gets the same answers; what this one does not know is free there.
    pub(crate) fn fresh(&self) -> Option<Value> {
        let order = wire(self.order.to_string());
        let zones = Arc::clone(&self.zones_everywhere);
        let fresh = Live::new(&order, self.policy, Limits::default(), Some(zones));
        let mut fresh = fresh.expect("an order");
        let needed = |kind: fn(&Key) -> bool, free| {
            let texts = self.of(kind);
            Vec::from_iter(texts.map(|(_, history)| history.found().unwrap_or(free).to_owned()))
        };
        let postcode = self.order["shipping"]["shippingPostcode"].as_str();
        let postcode = postcode.unwrap_or("10110").to_owned();
        for question in fresh.ask(true) {
            let records = match question.lookup {
                Lookup::Prices => records(&needed(|key| matches!(key, Key::Price(..)), FREE_PRICE)),
                Lookup::Vouchers => {
                    records(&needed(|key| matches!(key, Key::Voucher(..)), FREE_VOUCHER))
                }
                Lookup::NationwideRate(mode) => {
                    let rate = self.history(&Key::Rate(mode.word(), postcode.clone()));
                    records(&[rate.found().unwrap_or(FREE_RATE).to_owned()])
                }
                Lookup::Coupons | Lookup::Zones => unreachable!("only prices are asked"),
            };
            fresh.answer(question.call, Ok(records));
        }
        if let Some((asked, answer)) = &self.discounts
            && !self.list("couponCodeList").is_empty()
        {
            let mut questions = fresh.ask(true);
            let question = questions.pop()?;
            if coupon_request(&question, &fresh) != asked.request {
                return None; // an answer to another basket counts
            }
            fresh.answer(question.call, Ok(records(&[answer.to_string()])));
        }
        let mut shown = Value::Null;
        apply(&mut shown, &fresh.changes(), &[], self.products().len());
        self.make_gaps(&mut shown);
        Some(shown)
    }

    /// The error of pricing the order with the same facts, and whether a call's failure stands at its place; `None`:
    /// something is unknown, or nothing is wrong.
    pub(crate) fn error(&self) -> Option<Error> {
        let mut facts = self.of(|key| !matches!(key, Key::Coupons(_)));
        if self.products().is_empty() || facts.any(|(_, history)| history.is_pending()) {
            return None;
        }
        let mut calculation = self.calculation(&self.zones);
        self.answer(&mut calculation, |history, _| match history.current() {
            // A single order's call fails for all of its keys: a wrong record stands for it.
            _ if history.failed().is_some() => FAILED.to_owned(),
            Some(Answer::Found(record)) => record.clone(),
            Some(Answer::Wrong(record, _)) => (*record).to_owned(),
            _ => "null".to_owned(),
        });
        let (mut calculation, questions) = match advanced(calculation) {
            Ok(advanced) => advanced,
            Err(error) => return Some(error),
        };
        let coupons = self.coupons();
        if coupons.is_none_or(|coupons| coupons.failed().is_none()) {
            return self.price((calculation, questions)).err();
        }
        for question in questions {
            calculation.answer(question.call, Ok(records(&[FAILED.to_owned()])));
        }
        advanced(calculation).err()
    }
}

/// A calculation, advanced to its coupons or its end, and the question for the coupons.
pub(super) type Advanced = (Calculation, Vec<Question>);

fn advanced(mut calculation: Calculation) -> Result<Advanced, Error> {
    match calculation.advance(&mut ()) {
        Ok(Next::Wait) => panic!("every look-up has answered"),
        Ok(Next::Ask | Next::Done) => {
            let questions = calculation.ask(true);
            Ok((calculation, questions))
        }
        Err(problem) => Err(problem.error),
    }
}

/// The coupon request of a basket as one text.
pub(crate) fn coupon_request(question: &Question, basket: &Basket) -> String {
    question.coupon_request(&basket.coupon_rows())
}

/// Applies the changes of a basket with `count` products to what was shown before; `origins`: where each row was.
pub(crate) fn apply(shown: &mut Value, changes: &[u8], origins: &[Option<usize>], count: usize) {
    let Value::Object(mut changes) = parsed(changes) else {
        panic!("the changes are no object")
    };
    let mut before = shown["rows"].take();
    let row = |place: usize| {
        let origin = origins.get(place).copied().flatten();
        origin.map_or(Value::Null, |origin| before[origin].take())
    };
    let mut rows = Vec::from_iter((0..count).map(row));
    for change in changes["rows"].as_array_mut().expect("a list") {
        rows[change[0].as_u64().expect("an index") as usize] = change[1].take();
    }
    changes["rows"] = rows.into();
    // The problems have a call of their own.
    changes.shift_remove("problems");
    match shown {
        Value::Object(shown) => {
            let is_new = |(part, value): (&String, &Value)| {
                ["isOut", "areSlotsOpen"].contains(&part.as_str()) || shown.get(part) != Some(value)
            };
            assert!(
                changes.iter().all(is_new),
                "only what has changed: {changes:?}"
            );
            shown.extend(changes);
        }
        _ => *shown = changes.into(),
    }
}

pub(crate) const TOTALS: [&str; 17] = [
    "isFreeShipping",
    "subTotal",
    "grandTotal",
    "totalExcludeControlledProducts",
    "totalWeight",
    "deliveryFee",
    "discountedDeliveryFee",
    "expressShippingCost",
    "shippingFee",
    "shippingPrice",
    "cartDiscount",
    "bogoDiscount",
    "two4Discount",
    "percentageDiscount",
    "shippingDiscount",
    "voucherDiscount",
    "totalDiscount",
];

const FREE_PRICE: &str = r#"{"price":0,"weight":0}"#;
const FREE_RATE: &str = r#"{"deliveryFee":0}"#;
const FREE_VOUCHER: &str = r#"{"ownerId":"nobody","value":0,"isActive":true,"isUsed":false}"#;
const FAILED: &str = "5";

/// A zone of a branch that covers the earth and is free.
pub(super) fn everywhere(brcode: i64) -> Value {
    let ring = [[-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]];
    json!({ "type": "Feature", "properties": { "brcode": brcode, "deliveryFee": 0 }, "geometry": { "type": "Polygon", "coordinates": [ring] } })
}

pub(super) fn calculation(order: &Value, zones: &Arc<Zones>, policy: Policy) -> Calculation {
    let body = order.to_string();
    let draft = Draft::read(body.as_bytes(), Origin::Wire, &Limits::default());
    let draft = draft.expect("an order");
    Calculation::new(draft, Some(Arc::clone(zones)), policy)
}

pub(crate) fn zones(zones: &Value) -> Arc<Zones> {
    Arc::new(Zones::read(&wire(zones.to_string())).expect("zones"))
}

pub(crate) fn records(texts: &[String]) -> Records {
    Records {
        texts: Some(texts.join("\0")),
        origin: Origin::Wire,
    }
}

pub(crate) fn wire(text: String) -> Document {
    Document {
        text,
        origin: Origin::Wire,
    }
}

/// Parses JSON with lone surrogates replaced, because `serde_json` refuses them.
pub(crate) fn parsed(json: &[u8]) -> Value {
    serde_json::from_slice(&replace_lone_surrogates(json)).expect("it is JSON")
}
