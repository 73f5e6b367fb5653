//! Random lives of a basket. Its host answers in any sequence, fails and errs while the basket is edited. The basket
//! always asks, knows and shows what the naive model says, and what it shows is what its changes add up to.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod naive;
mod random;

use std::collections::BTreeMap;
use std::sync::Arc;

use order_cost::{
    Document, Error, Failure, Limits, Lookup, NEW, Origin, Part, Pending, Policy, PriceKey,
    Records, Word, Zones,
};
use serde_json::{Value, json};

use naive::{Answer, Key, Live, Naive, Problem, TOTALS, apply, argument, records, wire, zones};
use random::{Random, cases, each_seed};

#[test]
fn random_lives_show_what_the_naive_model_says() {
    let lives = cases(400);
    let mut counts = BTreeMap::<&str, u64>::new();
    each_seed(lives, |seed| Life::new(seed, &mut counts).live());
    for (what, count) in &counts {
        println!("{count:>7} {what}");
    }
    for (what, least) in [
        ("answers", lives / 3 * 3),
        ("appended products", lives / 5),
        ("compared with a fresh basket", lives / 2),
        ("compared with the error of an order", lives / 2),
        ("compared with the response of an order", lives / 2),
        ("coupon answers", lives / 5),
        ("coupons of another basket that still count", lives / 5),
        ("edits that change nothing", lives / 5),
        ("edits that count", lives / 3 * 6),
        ("edits while a call is out", lives / 2),
        ("failed calls", lives / 8),
        ("an overflow", lives / 5),
        ("a problem of a call", lives / 5),
        ("a problem of a record", lives / 2),
        ("refreshes while a call is out", lives / 30),
        ("useless calls", lives / 30),
        ("wrong edits", lives / 3),
    ] {
        let count = counts.get(what).copied().unwrap_or_default();
        assert!(count >= least, "{what}: {count} of {least}");
    }
}

struct Life<'a> {
    random: Random,
    basket: Live,
    naive: Naive,
    next_id: u32,
    /// What the changes add up to.
    shown: Value,
    counts: &'a mut BTreeMap<&'static str, u64>,
}

const ORDERS: [&str; 5] = [
    r#"{"productList":[]}"#,
    "{}",
    r#"{"productList":[{"cprcode":1,"productName":"a","quantity":2}],"couponCodeList":["A"]}"#,
    r#"{"foo":[1],"productList":[{"cprcode":2,"productName":"b","quantity":1e1},{"quantity":3,"cprcode":1,"productName":"a"}],"voucherId":["V1","V1"],"ownerId":"malee","couponCodeList":["B","B"]}"#,
    r#"{"shipping":{"shippingType":"DELIVERY","scheduleList":[{"mode":"EXPRESS"},{"mode":"NATIONWIDE","nationwideMode":"FRESH"}],"shippingLat":13.5,"shippingLon":100.5},"productList":[{"cprcode":4,"productName":"c","quantity":3}],"couponCodeList":["A"]}"#,
];

/// Two of the same product are frequent: only their places and identities tell them apart.
const PRODUCTS: [&str; 9] = [
    r#"{"cprcode":1,"productName":"a","quantity":2}"#,
    r#"{"cprcode":1,"productName":"a","quantity":2}"#,
    r#"{"cprcode":1,"productName":"a","quantity":1}"#,
    r#"{"productName":"\"}","remark":null,"quantity":20e-1,"cprcode":2}"#,
    r#"{"cprcode":3,"productName":"ข้าว","quantity":-4,"price":1,"foo":["x"]}"#,
    r#"{"cprcode":5,"productName":"noise","quantity":3,"scheduleId":2}"#,
    r#"{"cprcode":6,"productName":"huge","quantity":12}"#,
    r#"{"cprcode":6,"productName":"huge","quantity":0}"#,
    r#"{"cprcode":7,"productName":"rarely found","quantity":1}"#,
];

/// Members of an order with their values; the first value is the default.
const MEMBERS: [(&str, &[&str]); 6] = [
    (
        "shipping",
        &[
            "null",
            r#"{"shippingType":"DELIVERY","scheduleList":[{"mode":"EXPRESS"},{"mode":"NATIONWIDE","nationwideMode":"FRESH"}],"shippingLat":13.5,"shippingLon":100.5}"#,
            r#"{"shippingType":"DELIVERY","scheduleList":[{},{"nationwideMode":"MIX","nationwideConfig":"own"},{"mode":"PICKUP"},{"nationwideMode":"DRY"}],"shippingPostcode":"50000"}"#,
            r#"{"shippingType":"DELIVERY","scheduleList":[{"mode":"REGULAR"},{}],"shippingLat":1,"shippingLon":1}"#,
            r#"{"shippingType":"DELIVERY","scheduleList":[{"mode":"REGULAR"}],"brcode":2000}"#,
            r#"{"scheduleList":[{"mode":"REGULAR"}],"x":[]}"#,
        ],
    ),
    (
        "couponCodeList",
        &[
            "[]",
            r#"["A"]"#,
            r#"["A","B","A"]"#,
            r#"["B","none"]"#,
            r#"["A","B"]"#,
        ],
    ),
    (
        "voucherId",
        &["[]", r#"["V1"]"#, r#"["V2","V1"]"#, r#"["V1","V9","V1"]"#],
    ),
    ("ownerId", &[r#""""#, r#""malee""#, r#""other""#]),
    ("branchId", &[r#""1000""#, r#""2000""#]),
    ("x", &["null", "1", r#"{"__proto__":1}"#]),
];

/// Wrong values by member.
const WRONG: [(&str, &str); 6] = [
    ("productList", "5"),
    (
        "productList",
        r#"[{"cprcode":1,"productName":"a","quantity":1.5}]"#,
    ),
    ("productList", "[null]"),
    ("couponCodeList", r#"["A",null]"#),
    ("ownerId", "5"),
    (
        "shipping",
        r#"{"shippingType":"DELIVERY","scheduleList":[{"mode":"FAST"}]}"#,
    ),
];

/// Wrong records of every look-up but the coupons, and what is wrong.
const WRONG_RECORDS: [(&str, &str); 3] = [
    ("5", "expected an object"),
    ("{\"", "expected JSON"),
    ("[]", "expected an object"),
];

impl<'a> Life<'a> {
    fn new(seed: u64, counts: &'a mut BTreeMap<&'static str, u64>) -> Self {
        let mut random = Random::new(seed);
        // D48: each statement of the specification.
        let policy = Policy {
            row_total: random.pick(Word::ALL),
            free_shipping: random.pick(Word::ALL),
            express_surcharge: random.pick(Word::ALL),
            sub_total: random.pick(Word::ALL),
            discounted_row_total: random.pick(Word::ALL),
            settlement_price: random.pick(Word::ALL),
            exclude_controlled: random.pick(Word::ALL),
            folded_discounts: random.pick(Word::ALL),
        };
        let order: Value = json_of(random.pick(&ORDERS));
        let document = wire(order.to_string());
        let fees = zones_of(40);
        let basket = Live::new(&document, policy, Limits::default(), Some(zones(&fees)));
        let naive = Naive::new(order, &fees, policy);
        let mut life = Self {
            random,
            basket: basket.expect("it is an order"),
            next_id: naive.ids.len() as u32,
            naive,
            shown: Value::Null,
            counts,
        };
        life.show(&[]);
        life
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn live(mut self) {
        for _ in 0..6 + self.random.below(12) {
            match self.random.below(25) {
                0..=9 => self.edit(),
                10 => self.wrong_edit(),
                11 => self.refresh(),
                12 => self.renew(),
                13 => self.drop_useless(),
                14..=17 => self.ask(),
                18 => self.settle(),
                _ => self.answer(true),
            }
        }
        self.settle();
    }

    /// Asks and answers until nothing is left to ask.
    fn settle(&mut self) {
        self.basket.ask_again(None);
        self.naive.renew(None);
        for _ in 0..20 {
            self.ask();
            if self.naive.out.is_empty() {
                break;
            }
            while !self.naive.out.is_empty() {
                self.answer(false);
            }
        }
        assert!(self.naive.out.is_empty(), "it never comes to rest");
        if self.naive.problems().is_empty() && self.naive.expected.shown.is_some() {
            let has_overflow = matches!(self.naive.expected.shown, Some(Err(_)));
            assert!(has_overflow || self.naive.pending().is_empty());
        }
    }

    fn edit(&mut self) {
        if !self.naive.out.is_empty() {
            self.count("edits while a call is out");
        }
        self.make_edit();
        // The package does so after each edit.
        if self.random.one_in(2) {
            self.drop_useless();
        }
    }

    fn make_edit(&mut self) {
        let lines = self.naive.products().len();
        match self.random.below(10) {
            0..=2 if lines > 0 => {
                let line = self.random.below(lines);
                let quantity = self.random.pick(&[
                    0.0,
                    1.0,
                    2.0,
                    2.0,
                    7.0,
                    -3.0,
                    12.0,
                    9_007_199_254_740_991.0,
                ]);
                let before = self.naive.products()[line]["quantity"].clone();
                let is_changed = self.basket.set_quantity(line as f64, quantity);
                let is_other = before.as_f64() != Some(quantity);
                assert_eq!(is_changed, Ok(is_other));
                self.naive.order["productList"][line]["quantity"] = (quantity as i64).into();
                self.naive.edited();
                self.show_in_place();
            }
            8 => self.append(),
            9 => {
                let fees = zones_of(self.random.pick(&[40, 55]));
                self.basket.set_zones(zones(&fees));
                self.naive.set_zones(&fees);
                self.show_in_place();
            }
            _ => {
                let (order, origins) = self.next_order();
                self.replace(order, &origins);
            }
        }
    }

    fn append(&mut self) {
        let count = 1 + self.random.below(3);
        let products = (0..count).map(|_| json_of(self.random.pick(&PRODUCTS)));
        let products = Vec::from_iter(products);
        let document = wire(json!({ "productList": products }).to_string());
        let before = self.naive.products().len();
        if !self.basket.append(&document) {
            assert_eq!(before, 0, "only the first products take the long way");
            return;
        }
        self.count("appended products");
        self.count("edits that count");
        let mut order = self.naive.order.clone();
        let list = order["productList"].as_array_mut().expect("a list");
        list.extend(products);
        let origins = (0..before).map(Some).chain((0..count).map(|_| None));
        let origins = Vec::from_iter(origins);
        self.replaced(order, &origins);
    }

    /// The order after an edit, and the origin of each of its products.
    fn next_order(&mut self) -> (Value, Vec<Option<usize>>) {
        let random = &mut self.random;
        let mut order = self.naive.order.clone();
        let mut products = self.naive.products().to_vec();
        let mut origins = Vec::from_iter((0..products.len()).map(Some));
        let place = random.below(products.len() + 1);
        let product = json_of(random.pick(&PRODUCTS));
        match random.below(10) {
            0..=2 => {
                products.insert(place, product);
                origins.insert(place, None);
            }
            3 if place < products.len() => {
                products.remove(place);
                origins.remove(place);
            }
            4 if place < products.len() => {
                products[place] = product;
            }
            // Removed and added again: the same product with another identity.
            7 if place < products.len() => {
                let product = products.remove(place);
                products.push(product);
                origins.remove(place);
                origins.push(None);
            }
            5 if place < products.len() => {
                let to = random.below(products.len());
                products.swap(place, to);
                origins.swap(place, to);
            }
            6 => {
                products.truncate(place);
                origins.truncate(place);
            }
            _ => {
                let (key, values) = random.pick(&MEMBERS);
                order[key] = json_of(random.pick(values));
                return (order, origins);
            }
        }
        order["productList"] = products.into();
        (order, origins)
    }

    fn replace(&mut self, order: Value, origins: &[Option<usize>]) {
        let numbers = origins
            .iter()
            .map(|origin| origin.map_or(NEW, |origin| origin as u32));
        let numbers = Vec::from_iter(numbers);
        let is_in_place = numbers.iter().copied().eq(0..self.naive.ids.len() as u32);
        let is_changed = self.basket.edit(&wire(order.to_string()), &numbers);
        let is_changed = is_changed.expect("the edit is right");
        if is_in_place && order == self.naive.order {
            assert!(!is_changed);
        }
        if is_in_place && !is_changed {
            self.count("edits that change nothing");
        } else {
            assert!(is_changed);
            self.count("edits that count");
        }
        self.replaced(order, origins);
    }

    fn replaced(&mut self, order: Value, origins: &[Option<usize>]) {
        let ids = origins.iter().map(|origin| match origin {
            Some(origin) => self.naive.ids[*origin],
            None => {
                self.next_id += 1;
                self.next_id
            }
        });
        self.naive.ids = ids.collect();
        self.naive.order = order;
        self.naive.edited();
        self.show(origins);
    }

    /// A refused edit changes nothing.
    fn wrong_edit(&mut self) {
        self.count("wrong edits");
        let lines = self.naive.products().len() as f64;
        let line = [-1.0, 0.5, f64::NAN, f64::INFINITY, lines];
        let line = self.random.pick(&line);
        let refused = match self.random.below(4) {
            0 => self.basket.set_quantity(line, 1.0).err(),
            1 => self.basket.refresh(Some(line)).err(),
            2 if lines > 0.0 => {
                let quantities = [0.5, f64::NAN, f64::NEG_INFINITY, 9_007_199_254_740_992.0];
                let quantity = self.random.pick(&quantities);
                self.basket.set_quantity(0.0, quantity).err()
            }
            _ => {
                let (key, value) = self.random.pick(&WRONG);
                let mut order = self.naive.order.clone();
                order[key] = json_of(value);
                let order = wire(order.to_string());
                self.basket.edit(&order, &[NEW, 0, 0, 7]).err()
            }
        };
        assert_eq!(refused.expect("a refusal").code(), "VALIDATION_ERROR");
        self.assert_shown();
    }

    fn refresh(&mut self) {
        let lines = self.naive.products().len();
        let line = (lines > 0 && self.random.one_in(2)).then(|| self.random.below(lines));
        let refreshed = self.basket.refresh(line.map(|line| line as f64));
        assert_eq!(refreshed, Ok(()));
        self.naive.refresh(line);
        if !self.naive.out.is_empty() {
            self.count("refreshes while a call is out");
        }
        self.show_in_place();
    }

    fn renew(&mut self) {
        let lookups = [
            None,
            Some("lookupPrices"),
            Some("nationwideRate"),
            Some("lookupVouchers"),
            Some("validateCoupons"),
        ];
        let lookup = self.random.pick(&lookups);
        self.basket.ask_again(lookup);
        self.naive.renew(lookup);
        self.assert_shown();
    }

    fn drop_useless(&mut self) {
        let useless = self.naive.useless();
        assert_eq!(self.basket.useless(), useless);
        for call in useless {
            self.count("useless calls");
            // Nobody waits for it: the answer changes nothing.
            self.basket.answer(call, Ok(records(&["5".to_owned()])));
        }
        self.assert_shown();
    }

    fn ask(&mut self) {
        self.drop_useless();
        let expected = self.naive.ask();
        let asked = self.basket.ask(true).into_iter();
        let asked = asked.map(|question| {
            let rows = self.basket.coupon_rows();
            let argument = argument(&question, &self.basket.conversation(), &rows);
            (question.call, question.lookup, argument, question.keys)
        });
        let asked: Vec<(u32, Lookup, Value, usize)> = asked.collect();
        assert_eq!(asked, expected);
        for (call, _, _, keys) in &asked {
            assert_eq!(
                self.basket.conversation().keys(*call),
                Some(*keys).filter(|keys| *keys > 0)
            );
        }
        assert!(self.basket.ask(true).is_empty(), "it asks twice");
        self.assert_shown();
    }

    /// One of the calls that are out ends.
    fn answer(&mut self, may_fail: bool) {
        if self.naive.out.is_empty() {
            return;
        }
        let call = self.random.below(self.naive.out.len());
        let call = self.naive.out[call].clone();
        if may_fail && self.random.one_in(3) {
            self.fail(call.number, call.lookup, call.keys.len());
        } else if call.lookup == Lookup::Coupons {
            self.count("coupon answers");
            let answer = self.coupons();
            let text = answer.to_string();
            self.basket.answer(call.number, Ok(records(&[text])));
            self.naive.coupons_answered(call.number, answer);
        } else {
            self.count("answers");
            let answers = call.keys.iter().map(|key| self.record(key));
            let answers = Vec::from_iter(answers);
            let texts = answers.iter().map(|answer| match answer {
                Answer::Found(record) => record.clone(),
                Answer::NotFound => "null".to_owned(),
                Answer::Wrong(record, _) => (*record).to_owned(),
            });
            let texts = Vec::from_iter(texts);
            self.basket.answer(call.number, Ok(records(&texts)));
            self.naive.answered(call.number, &answers);
        }
        self.show_in_place();
    }

    fn fail(&mut self, call: u32, lookup: Lookup, keys: usize) {
        self.count("failed calls");
        let function = lookup.row().function;
        let message = "It is closed".to_owned();
        let (failure, message) = match self.random.below(5) {
            0 => (Err(Failure::Threw(Some(message.clone()))), message),
            1 if self.random.one_in(2) => (Err(Failure::Refused(Some(message.clone()))), message),
            1 => (Err(Failure::Threw(None)), format!("{function} failed")),
            2 => {
                let message = format!("{function} did not answer within 7 ms");
                (Err(Failure::Late(7)), message)
            }
            3 => {
                let message = format!("The host does not supply {function}");
                (Err(Failure::NotSupplied), message)
            }
            _ => {
                let (texts, what) = match lookup {
                    Lookup::Coupons => (Some("[]".to_owned()), "an object".to_owned()),
                    Lookup::NationwideRate(_) => return self.answer(false),
                    _ if self.random.one_in(2) => (None, format!("an array of {keys}")),
                    _ => (Some("{}\0".repeat(keys)), format!("an array of {keys}")),
                };
                let message = format!("Invalid answer from {function}: expected {what}");
                let origin = Origin::Wire;
                (Ok(Records { texts, origin }), message)
            }
        };
        let is_retryable = matches!(failure, Err(Failure::Threw(_) | Failure::Late(_)));
        self.basket.answer(call, failure);
        self.naive.failed(call, &message, is_retryable);
    }

    /// What the host answers for a key; different on each call.
    fn record(&mut self, key: &Key) -> Answer {
        let random = &mut self.random;
        if random.one_in(12) {
            let (record, what) = random.pick(&WRONG_RECORDS);
            return Answer::Wrong(record, what);
        }
        let is_rare = matches!(key, Key::Price(7, _));
        if random.one_in(if is_rare { 2 } else { 12 }) {
            return Answer::NotFound;
        }
        let mut amount = |most: usize| random.below(most * 100) as f64 / 100.0;
        let record = match key {
            Key::Price(1, _) => json!({ "price": amount(500), "originalPrice": amount(600) }),
            Key::Price(2, _) => {
                json!({ "price": amount(90), "isControlledProduct": true, "weight": amount(3) })
            }
            Key::Price(5, _) => {
                return Answer::Found(
                    r#"{"price":0.30000000000000004,"weight":0.1234567890123456789}"#.to_owned(),
                );
            }
            Key::Price(6, _) => json!({ "price": 7e27, "weight": 0 }),
            Key::Price(..) => json!({ "price": amount(90), "settlementPrice": amount(9) }),
            Key::Rate("FRESH", _) => {
                json!({ "deliveryFee": amount(90), "nationwideConfig": "cold" })
            }
            Key::Rate(..) => json!({ "deliveryFee": amount(90) }),
            Key::Voucher(id) => {
                let is_active = amount(4) > 0.5;
                let value = if amount(10) > 0.5 { amount(90) } else { 7e28 };
                json!({ "ownerId": "malee", "value": value, "isActive": is_active, "isUsed": id == "V9" })
            }
            Key::Coupons(_) => unreachable!("the coupon service has its own answers"),
        };
        Answer::Found(record.to_string())
    }

    /// What the coupon service answers: its discounts fall on the first and the last line.
    fn coupons(&mut self) -> Value {
        let random = &mut self.random;
        let codes = json_of(random.pick(&[r#"["A"]"#, r#"["A","B"]"#, r#"["B","PROMO"]"#]));
        let last = self.naive.asked_lines() - 1;
        let discounts = codes.as_array().expect("a list").iter().map(|code| {
            let huge = if random.one_in(20) { 7e28 } else { 0.0 };
            let [first, second] = [random.below(200), random.below(20)];
            let lines = [(last, first), (0, second)];
            let lines = lines.map(|(line, discount)| json!({ "line": line, "discount": discount }));
            json!({ "coupon": code, "discount": second, "bogoDiscount": huge, "freeshipping": code == "B", "shippingDiscount": 5, "lines": Value::from(lines.to_vec()) })
        });
        let discounts = Vec::from_iter(discounts);
        json!({ "discounts": discounts, "failedCoupons": ["x"] })
    }

    fn show_in_place(&mut self) {
        let origins = (0..self.naive.products().len()).map(Some);
        self.show(&Vec::from_iter(origins));
    }

    /// Applies what has changed. Right afterwards nothing has.
    fn show(&mut self, origins: &[Option<usize>]) {
        let count = self.naive.products().len();
        apply(&mut self.shown, &self.basket.changes(), origins, count);
        self.assert_shown();
        self.check();
    }

    /// Nothing has changed since the last call of `changes`.
    fn assert_shown(&mut self) {
        let is_out = self.basket.is_out();
        let nothing = format!(r#"{{"rows":[],"areSlotsOpen":false,"isOut":{is_out}}}"#);
        assert_eq!(self.basket.changes(), nothing.as_bytes());
        assert_eq!(is_out, self.naive.awaits_any());
    }

    fn check(&mut self) {
        assert_eq!(self.shown["pending"], json!(self.naive.pending()));
        let blocked = if self.naive.is_blocked() {
            json!(["coupons"])
        } else {
            json!([])
        };
        assert_eq!(self.shown["blocked"], blocked);
        self.check_problems();
        self.check_amounts();
        let is_known = self.naive.pending().is_empty() && self.basket.problems().is_empty();
        match self.basket.price() {
            Err(error) if self.naive.products().is_empty() => {
                assert_eq!(error.path().as_deref(), Some("productList"));
            }
            Ok(Some(priced)) if is_known => {
                self.count("compared with the response of an order");
                let expected = self.naive.expected.response.as_ref();
                assert_eq!(Some(&priced.write()), expected);
            }
            outcome => assert!(!is_known, "{outcome:?}"),
        }
    }

    fn check_problems(&mut self) {
        let problems = self.basket.problems();
        assert_eq!(problems, self.basket.shown_problems());
        let is_overflow = |error: &Error| matches!(error, Error::Overflow(..));
        let named = problems
            .iter()
            .filter(|problem| !is_overflow(&problem.error));
        let named = named.map(|problem| {
            let subject = problem.error.subject().expect("it is about the order");
            let mut named = Problem {
                code: problem.error.code(),
                message: problem.error.to_string(),
                call: problem.call,
                line: None,
                schedule: None,
                voucher_id: None,
            };
            match subject.part {
                Part::Order => {}
                Part::Price(key) => named.line = Some(key.line),
                Part::Schedule(schedule) => named.schedule = Some(schedule),
                Part::Voucher(id) => named.voucher_id = Some(id),
            }
            named
        });
        let named = Vec::from_iter(named);
        assert_eq!(named, self.naive.problems());
        for problem in &named {
            self.count(match problem.call {
                Some(_) => "a problem of a call",
                None => "a problem of a record",
            });
        }
        let ranks = problems.iter().filter_map(|problem| match &problem.error {
            Error::NoPrice(_) | Error::LookupFailed(Lookup::Prices, ..) => Some(0),
            Error::NoZone { .. }
            | Error::NoRate { .. }
            | Error::LookupFailed(Lookup::NationwideRate(_), ..) => Some(1),
            Error::VoucherNotFound(_) | Error::LookupFailed(Lookup::Vouchers, ..) => Some(2),
            // Before the coupons or after them.
            Error::Overflow(field, _) if is_discounted_row(field) => None,
            Error::Overflow(field, _) if is_before_coupons(field) => Some(3),
            Error::LookupFailed(Lookup::Coupons, ..) => Some(4),
            _ => Some(5),
        });
        assert!(ranks.is_sorted(), "{problems:?}");
        let overflow = problems.iter().find(|problem| is_overflow(&problem.error));
        let expected = self.naive.expected.shown.as_ref();
        let expected = expected.and_then(|shown| shown.as_ref().err());
        assert_eq!(overflow.map(|problem| &problem.error), expected);

        // D42: the first problem is the error of an order with the same facts.
        if !problems.is_empty()
            && let Some(error) = self.naive.error()
        {
            self.count("compared with the error of an order");
            let first = &problems[0];
            match first.call {
                None => assert_eq!(first.error, error),
                Some(_) => assert_eq!(first.error.code(), error.code()),
            }
        }
    }

    fn check_amounts(&mut self) {
        match &self.naive.expected.shown {
            None => {
                assert_eq!(self.shown["rows"], json!([]));
                for total in &TOTALS[1..] {
                    assert_eq!(self.shown["totals"][total], json!(0), "{total}");
                }
            }
            Some(Ok(expected)) => {
                assert_same(&self.shown, expected);
                let discounts = &self.shown["discountResult"]["discounts"];
                if *discounts != json!([]) && !self.naive.are_coupons_answered() {
                    self.count("coupons of another basket that still count");
                }
            }
            Some(Err(_)) => {
                for problem in self.basket.problems() {
                    self.check_overflow(&problem.error);
                }
                self.count("an overflow");
            }
        }
        if self.naive.expected.shown.is_some()
            && self.random.one_in(8)
            && let Some(fresh) = self.naive.fresh()
        {
            self.count("compared with a fresh basket");
            assert_same(&self.shown, &fresh);
        }
    }

    /// An amount that overflows shows 0 (D19).
    fn check_overflow(&self, error: &Error) {
        let Error::Overflow(field, part) = error else {
            return;
        };
        let amount = match part {
            Part::Price(PriceKey { line, .. }) => {
                // A total that is too large for one row shows in that row.
                let of_row = field
                    .split_once("].")
                    .map_or("rowTotal", |(_, field)| field);
                &self.shown["rows"][line][of_row]
            }
            _ => &self.shown["totals"][field],
        };
        assert_eq!(*amount, json!(0), "{field}");
    }
}

/// Whether an order with this overflow asks for no coupons (D42).
fn is_discounted_row(field: &str) -> bool {
    field.ends_with("].discountedRowTotal")
}

fn is_before_coupons(field: &str) -> bool {
    let subtotals = [
        "subTotal",
        "totalWeight",
        "deliveryFee",
        "expressShippingCost",
    ];
    subtotals.contains(&field) || field.ends_with("].rowTotal")
}

fn assert_same(shown: &Value, expected: &Value) {
    for part in [
        "rows",
        "totals",
        "shipping",
        "validVouchers",
        "invalidVouchers",
        "discountResult",
    ] {
        assert_eq!(shown[part], expected[part], "{part}");
    }
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

fn zones_of(fee: u32) -> Value {
    let ring = [[100, 13], [101, 13], [101, 14], [100, 14], [100, 13]];
    let zone = json!({ "type": "Feature", "properties": { "brcode": 1000, "deliveryFee": fee }, "geometry": { "type": "Polygon", "coordinates": [ring] } });
    json!({ "type": "FeatureCollection", "features": [zone] })
}

fn open(order: &Document, limits: Limits) -> Live {
    Live::new(order, Policy::default(), limits, Some(Default::default())).expect("it is an order")
}

#[test]
fn d10_a_byte_order_mark_is_no_fault() {
    let order = r#"{"orderId":"o","productList":[{"cprcode":1,"productName":"a","quantity":2}]}"#;
    let mut basket = open(&wire(format!("\u{feff}{order}")), Limits::default());
    assert_eq!(basket.edit(&wire(order.to_owned()), &[0]), Ok(false));
}

#[test]
fn d45_appended_products_count_as_the_whole_order() {
    let order = |count: usize| {
        let product = json!({ "cprcode": 1, "productName": "a", "quantity": 2 });
        wire(json!({ "productList": vec![product; count] }).to_string())
    };
    let limits = Limits {
        max_products: 3,
        max_body_bytes: order(2).text.len(),
        ..Limits::default()
    };
    let mut basket = open(&order(1), limits);
    assert!(!basket.append(&order(2)), "more bytes");
    assert!(basket.append(&order(1)));
    assert!(!basket.append(&order(1)), "more bytes");
    let limits = Limits {
        max_body_bytes: 1_000,
        ..limits
    };
    let mut basket = open(&order(1), limits);
    assert!(basket.append(&order(2)));
    assert!(!basket.append(&order(1)), "more products");
    assert!(!basket.append(&wire(r#"{"productList":[{}]}"#.to_owned())));
    // The next edit is compared with all of them.
    assert_eq!(basket.edit(&order(3), &[0, 1, 2]), Ok(false));
}

#[test]
fn no_edit_makes_more_bytes_than_the_limit() {
    let order = |quantity: &str| {
        wire(format!(
            r#"{{"productList":[{{"cprcode":1,"productName":"a","quantity":{quantity}}}]}}"#
        ))
    };
    let limits = Limits {
        max_body_bytes: order("12345").text.len(),
        ..Limits::default()
    };
    let mut basket = open(&order("1"), limits);
    let too_large = Err(Error::BodyTooLarge(limits.max_body_bytes));
    assert_eq!(basket.set_quantity(0.0, 12_345.0), Ok(true));
    answer_next(&mut basket, Ok(r#"{"price":1}"#));
    assert!(
        matches!(basket.price(), Ok(Some(_))),
        "it is not above the limit"
    );
    assert_eq!(basket.set_quantity(0.0, 123_456.0), too_large);
    assert_eq!(basket.set_quantity(0.0, -12_345.0), too_large);
    assert_eq!(basket.set_quantity(0.0, -1_234.0), Ok(true));
    assert_eq!(basket.edit(&order("123456"), &[0]), too_large);
    assert_eq!(basket.edit(&order("12345"), &[0]), Ok(true));
    assert_eq!(basket.set_quantity(0.0, 0.0), Ok(true));
    assert_eq!(basket.set_quantity(0.0, 123_456.0), too_large);
}

/// The answer for one request counts for the very lines of the next equal one (D25).
#[test]
fn d25_a_line_without_a_discount_of_its_own_shows_none() {
    let order = |quantities: &[i64]| {
        let product =
            |quantity: &i64| json!({ "cprcode": 1, "productName": "a", "quantity": quantity });
        let products = Vec::from_iter(quantities.iter().map(product));
        wire(json!({ "productList": products, "couponCodeList": ["A"] }).to_string())
    };
    let mut basket = open(&order(&[2, 2]), Limits::default());
    let answer = |basket: &mut Live, text: &str| {
        let call = basket.ask(true)[0].call;
        basket.answer(call, Ok(records(&[text.to_owned()])));
    };
    answer(&mut basket, r#"{"price":10}"#);
    let discount = r#"{"discounts":[{"coupon":"A","lines":[{"line":1,"discount":5}]}]}"#;
    answer(&mut basket, discount);
    let mut shown = Value::Null;
    let mut rows = |basket: &mut Live, origins: &[Option<usize>]| {
        apply(&mut shown, &basket.changes(), origins, 2);
        [0, 1].map(|row| shown["rows"][row]["discountedRowTotal"].clone())
    };
    assert_eq!(rows(&mut basket, &[]), [json!(20), json!(15)]);
    // The discounted product is now the first one.
    assert_eq!(basket.edit(&order(&[2, 3]), &[1, NEW]), Ok(true));
    assert_eq!(rows(&mut basket, &[Some(1), None]), [json!(15), json!(30)]);
    assert!(matches!(basket.price(), Ok(None)));
    // With the same request as before, the discount falls on the second row again.
    assert_eq!(basket.set_quantity(1.0, 2.0), Ok(true));
    assert_eq!(
        rows(&mut basket, &[Some(0), Some(1)]),
        [json!(20), json!(15)]
    );
}

/// A basket of one line at 7e28 and a voucher of as much, whose grandTotal fits
/// and whose totalDiscount does not once a coupon of as much counts.
fn huge_basket() -> Live {
    let order = json!({
        "productList": [{ "cprcode": 1, "productName": "a", "quantity": 1 }],
        "ownerId": "malee",
        "voucherId": ["V1"],
        "couponCodeList": ["A"],
    });
    let mut basket = open(&wire(order.to_string()), Limits::default());
    let voucher = r#"{"ownerId":"malee","value":7e28,"isActive":true,"isUsed":false}"#;
    for (question, answer) in basket.ask(true).iter().zip([r#"{"price":7e28}"#, voucher]) {
        basket.answer(question.call, Ok(records(&[answer.to_owned()])));
    }
    basket
}

/// Asks, and answers the first question.
fn answer_next(basket: &mut Live, answer: Result<&str, Failure>) {
    let call = basket.ask(true)[0].call;
    basket.answer(call, answer.map(|text| records(&[text.to_owned()])));
}

fn messages(basket: &Live) -> Vec<String> {
    let problems = basket.problems();
    problems
        .iter()
        .map(|problem| problem.error.to_string())
        .collect()
}

#[test]
fn d42_an_overflow_after_the_coupons_hides_no_failure_of_theirs() {
    let mut basket = huge_basket();
    answer_next(
        &mut basket,
        Ok(r#"{"discounts":[{"coupon":"A","discount":7e28}]}"#),
    );
    assert_eq!(messages(&basket), ["Overflow: totalDiscount is too large"]);
    // What is left of the old answer still counts: the total that shows 0 for it has a problem.
    assert_eq!(basket.set_quantity(0.0, 0.0), Ok(true));
    assert_eq!(messages(&basket), ["Overflow: totalDiscount is too large"]);
    assert!(basket.pending().coupons);
    answer_next(&mut basket, Err(Failure::Late(5)));
    assert_eq!(
        messages(&basket),
        [
            "validateCoupons did not answer within 5 ms",
            "Overflow: totalDiscount is too large"
        ]
    );
    assert!(basket.problems()[0].error.retryable());
    basket.ask_again(Some("validateCoupons"));
    answer_next(
        &mut basket,
        Ok(r#"{"discounts":[{"coupon":"A","discount":7e28}]}"#),
    );
    assert_eq!(messages(&basket), ["Overflow: totalDiscount is too large"]);
}

#[test]
fn d19_a_weight_that_fits_again_is_no_overflow() {
    let product = r#"{"productList":[{"cprcode":1,"productName":"a","quantity":1}]}"#;
    let mut basket = open(&wire(product.to_owned()), Limits::default());
    answer_next(&mut basket, Ok(r#"{"price":1,"weight":7e28}"#));
    for _ in 0..2 {
        assert_eq!(basket.set_quantity(0.0, 2.0), Ok(true));
        assert_eq!(messages(&basket), ["Overflow: totalWeight is too large"]);
        assert_eq!(basket.set_quantity(0.0, 1.0), Ok(true));
        assert_eq!(messages(&basket), [""; 0]);
    }
}

#[test]
fn d25_coupons_are_not_asked_with_a_fee_that_could_not_be_refreshed() {
    let order = json!({
        "productList": [{ "cprcode": 1, "productName": "a", "quantity": 1 }],
        "shipping": { "shippingType": "DELIVERY", "scheduleList": [{}] },
        "couponCodeList": ["A"],
    });
    let mut basket = open(&wire(order.to_string()), Limits::default());
    let prices_and_rate = |basket: &mut Live, rate: Result<&str, Failure>| {
        let [prices, dry] = &basket.ask(true)[..] else {
            panic!("the prices and the rate are asked");
        };
        basket.answer(prices.call, Ok(records(&[r#"{"price":9}"#.to_owned()])));
        basket.answer(dry.call, rate.map(|rate| records(&[rate.to_owned()])));
    };
    prices_and_rate(&mut basket, Ok(r#"{"deliveryFee":40}"#));
    answer_next(&mut basket, Ok("{}"));
    assert_eq!(basket.refresh(None), Ok(()));
    prices_and_rate(&mut basket, Err(Failure::Late(5)));
    assert!(basket.ask(true).is_empty());
    basket.ask_again(Some("nationwideRate"));
    answer_next(&mut basket, Ok(r#"{"deliveryFee":40}"#));
    assert_eq!(basket.ask(true)[0].lookup, Lookup::Coupons);
}

#[test]
fn d25_a_result_with_free_delivery_is_none_with_a_fee_that_is_not_known() {
    let order = |mode: &str| {
        let order = json!({
            "productList": [{ "cprcode": 1, "productName": "a", "quantity": 1 }],
            "shipping": { "shippingType": "DELIVERY", "scheduleList": [{ "nationwideMode": mode }] },
            "couponCodeList": ["A"],
        });
        wire(order.to_string())
    };
    let mut basket = open(&order("DRY"), Limits::default());
    let answers = [r#"{"price":9}"#, r#"{"deliveryFee":0}"#];
    for (question, answer) in basket.ask(true).iter().zip(answers) {
        basket.answer(question.call, Ok(records(&[answer.to_owned()])));
    }
    answer_next(&mut basket, Ok("{}"));
    assert_eq!(basket.pending(), Pending::default());
    assert_eq!(basket.edit(&order("MIX"), &[0]), Ok(true));
    assert!(basket.pending().coupons);
}

#[test]
fn d25_a_refresh_forgets_that_the_coupon_service_failed() {
    let order =
        r#"{"productList":[{"cprcode":1,"productName":"a","quantity":1}],"couponCodeList":["A"]}"#;
    let mut basket = open(&wire(order.to_owned()), Limits::default());
    answer_next(&mut basket, Ok(r#"{"price":10}"#));
    answer_next(&mut basket, Err(Failure::Late(5)));
    assert_eq!(messages(&basket).len(), 1);
    assert_eq!(basket.refresh(None), Ok(()));
    assert_eq!(messages(&basket), [""; 0]);
    answer_next(&mut basket, Ok(r#"{"price":10}"#));
    let [coupons] = &basket.ask(true)[..] else {
        panic!("the coupons are asked again");
    };
    // What was asked before a refresh says nothing about it.
    assert_eq!(basket.refresh(None), Ok(()));
    basket.answer(coupons.call, Err(Failure::Late(5)));
    assert_eq!(messages(&basket), [""; 0]);
    answer_next(&mut basket, Ok(r#"{"price":10}"#));
    answer_next(&mut basket, Ok("{}"));
    assert_eq!(basket.pending(), Pending::default());
}

#[test]
fn a_refresh_of_a_line_asks_for_its_price_alone() {
    let order = r#"{"productList":[{"cprcode":1,"productName":"a","quantity":1},{"cprcode":2,"productName":"b","quantity":1}]}"#;
    let mut basket = open(&wire(order.to_owned()), Limits::default());
    let call = basket.ask(true)[0].call;
    let price = r#"{"price":10}"#.to_owned();
    basket.answer(call, Ok(records(&[price.clone(), price])));
    for (line, code) in [(1.0, 2), (0.0, 1)] {
        assert_eq!(basket.refresh(Some(line)), Ok(()));
        let call = basket.ask(true)[0].call;
        assert_eq!(Vec::from_iter(basket.conversation().cprcodes(call)), [code]);
        assert_eq!(basket.conversation().keys(call), Some(1));
    }
}

#[test]
fn d42_a_failure_is_forgotten_with_what_needed_it() {
    let product = r#"{"cprcode":1,"productName":"a","quantity":1}"#;
    let order = |products: &str, comment: &str| {
        wire(format!(
            r#"{{"specialComment":"{comment}","productList":[{products}],"couponCodeList":["A"]}}"#
        ))
    };
    let mut basket = open(&order(product, ""), Limits::default());
    answer_next(&mut basket, Err(Failure::Late(5)));
    assert_eq!(messages(&basket).len(), 1);
    assert_eq!(basket.edit(&order("", ""), &[]), Ok(true));
    assert_eq!(basket.edit(&order(product, ""), &[NEW]), Ok(true));
    assert_eq!(messages(&basket), [""; 0]);
    answer_next(&mut basket, Ok(r#"{"price":10}"#));
    // That of the coupons stays with their request, which knows no comment.
    answer_next(&mut basket, Err(Failure::Late(5)));
    assert_eq!(basket.edit(&order(product, "quick"), &[0]), Ok(true));
    assert_eq!(messages(&basket).len(), 1);
    assert_eq!(basket.set_quantity(0.0, 2.0), Ok(true));
    assert_eq!(messages(&basket), [""; 0]);
}

#[test]
fn d29_two_ids_with_lone_surrogates_are_two() {
    let order = |ids: &str| {
        wire(format!(
            r#"{{"ownerId":"o","voucherId":{ids},"productList":[{{"cprcode":1,"productName":"a","quantity":1}}]}}"#
        ))
    };
    let mut basket = open(&order(r#"["\ud800\\","\udfff\\"]"#), Limits::default());
    let [prices, vouchers] = &basket.ask(true)[..] else {
        panic!("prices and vouchers are asked");
    };
    let expected = json!(["\u{fffd}\\", "\u{fffd}\\"]);
    let asked: Value = serde_json::from_slice(&vouchers.argument).expect("it is JSON");
    assert_eq!(asked, expected);
    let record =
        |value: u32| format!(r#"{{"ownerId":"o","value":{value},"isActive":true,"isUsed":false}}"#);
    basket.answer(prices.call, Ok(records(&[r#"{"price":90}"#.to_owned()])));
    basket.answer(vouchers.call, Ok(records(&[record(5), record(30)])));
    assert_eq!(basket.totals().voucher_discount.to_string(), "35");
    // Each is known by itself.
    assert_eq!(basket.edit(&order(r#"["\udfff\\"]"#), &[0]), Ok(true));
    assert_eq!(basket.totals().voucher_discount.to_string(), "30");
    assert_eq!(basket.pending(), Pending::default());
}

#[test]
fn d41_a_basket_asks_for_zones_that_are_not_known_until_it_has_them() {
    let order = wire(
        json!({
            "productList": [{ "cprcode": 1, "productName": "a", "quantity": 1 }],
            "couponCodeList": ["A"],
            "shipping": { "shippingType": "DELIVERY", "shippingLon": 100.5, "shippingLat": 13.5, "scheduleList": [{ "mode": "REGULAR" }, { "mode": "EXPRESS" }] },
        })
        .to_string(),
    );
    let basket = Live::new(&order, Policy::default(), Limits::default(), None);
    let mut basket = basket.expect("it is an order");
    let asked = |basket: &mut Live| {
        let questions = basket.ask(true).into_iter();
        Vec::from_iter(questions.map(|question| (question.call, question.lookup)))
    };
    assert!(basket.pending().delivery);
    let [(prices, _), (zones, Lookup::Zones)] = asked(&mut basket)[..] else {
        panic!("prices and zones are asked");
    };
    basket.answer(prices, Ok(records(&[r#"{"price":7}"#.to_owned()])));
    assert_eq!(asked(&mut basket), []);
    basket.answer(zones, Err(Failure::Late(5)));
    // One call for both schedules, so one problem.
    let problems = basket.problems();
    let [problem] = &problems[..] else {
        panic!("the zones are the only problem");
    };
    assert_eq!(problem.error.code(), "DELIVERY_ZONES_FAILED");
    assert!(!basket.pending().delivery);
    assert_eq!(asked(&mut basket), []);

    basket.ask_again(Some("deliveryZones"));
    let [(zones, Lookup::Zones)] = asked(&mut basket)[..] else {
        panic!("the zones are asked again");
    };
    let known = Zones::read(&wire(zones_of(30).to_string())).expect("they are right");
    basket.answer_zones(zones, Arc::new(known));
    assert_eq!(basket.problems(), []);
    // Only now the fees are known, which the coupon service is told.
    answer_next(&mut basket, Ok("{}"));
    assert_eq!(basket.pending(), Pending::default());
    assert_eq!(asked(&mut basket), []);
    // It is not asked again, not even by a refresh.
    basket.refresh(None).expect("it refreshes everything");
    let [(_, Lookup::Prices)] = asked(&mut basket)[..] else {
        panic!("only the prices are asked");
    };
}
