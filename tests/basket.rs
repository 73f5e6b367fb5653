//! Random lives of a basket. The host answers in any order while the basket is edited. The basket always equals what
//! pricing its order gives.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

#[allow(dead_code, reason = "a basket is answered one look-up at a time")]
mod scripted;

use std::collections::BTreeMap;
use std::rc::Rc;

use order_cost::{
    Basket, Document, Draft, Error, ExpressSurcharge, Facts, Failure, FreeShipping, Limits, Lookup,
    Origin, Planned, Policy, Priced, Resolved, Round, RowTotal, Zones, replace_lone_surrogates,
};
use scripted::{Host, whole};
use serde_json::{Value, json};

const SEQUENCES: u64 = 3_000;

#[test]
fn random_lives_end_as_an_order_of_the_same_text() {
    let mut counts = BTreeMap::<&str, u64>::new();
    for seed in 1..=SEQUENCES {
        Life::new(seed, &mut counts).live();
    }
    for (what, count) in &counts {
        println!("{count:>7} {what}");
    }
    for what in ["edited while answers were outstanding", "priced in the end"] {
        assert!(counts[what] >= SEQUENCES / 2, "{what}: {}", counts[what]);
    }
    for what in ["failed in the end", "an overflow", "dropped rounds"] {
        assert!(counts[what] >= SEQUENCES / 50, "{what}: {}", counts[what]);
    }
}

/// Seeded (xorshift64*): the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// A running round of look-ups.
struct Flight {
    round: Round,
    revision: u32,
    /// Whether a look-up failed although the facts would answer it.
    is_disturbed: bool,
    stage: Stage,
}

enum Stage {
    Planned(Box<Planned>, Vec<Lookup>),
    Coupons(Box<Resolved>),
}

struct Life<'a> {
    random: Random,
    basket: Basket,
    policy: Policy,
    zones: Rc<Zones>,
    facts: Value,
    flight: Option<Flight>,
    is_edited_in_flight: bool,
    has_overflowed: bool,
    counts: &'a mut BTreeMap<&'static str, u64>,
}

/// Orders in the styles of people, libraries and bugs.
const ORDERS: [&str; 6] = [
    r#"{"productList":[]}"#,
    "{}",
    r#"{"productList":[{"cprcode":1,"productName":"a","quantity":2}],"couponCodeList":["A"]}"#,
    "\u{feff} { \"foo\" : [1] , \"productList\" : [ {\"quantity\":9,\"cprcode\":2,\"quantity\":1e1,\"productName\":\"\\ud83d\"} ] , \"branchId\":\"1000\",\"branchId\":\"2000\" } ",
    r#"{"productList":[{"cprcode":3,"productName":"old","quantity":1}],"productList":[{"cprcode":1,"productName":"{\"quantity\":7}","quantit\u0079":2.0,"x":{"quantity":5}},{"cprcode":2,"productName":"b","quantity":-1}],"voucherId":["V1","V\u0031"],"ownerId":"malee"}"#,
    r#"{"shipping":null,"product\u004cist":[{"cprcode":4,"productName":"c","quantity":3}],"couponCodeList":["B","B"],"productList":null}"#,
];

const PRODUCTS: [&str; 8] = [
    r#"{"cprcode":1,"productName":"a","quantity":1}"#,
    r#" {"productName":"\"}","remark":null , "quantity":20e-1,"cprcode":2} "#,
    r#"{"cprcode":3,"productName":"ข้าว","quantity":-4,"price":NaN,"foo":[NaN,"NaN"]}"#,
    r#"{"quantity":1,"cprcode":4,"productName":"","quantity":5,"scheduleId":2}"#,
    r#"{"cprcode":5,"productName":"noise","quantity":3}"#,
    r#"{"cprcode":6,"productName":"huge","quantity":12}"#,
    r#"{"cprcode":6,"productName":"huge","quantity":0}"#,
    r#"{"cprcode":7,"productName":"never found","quantity":1}"#,
];

const MEMBERS: [(&str, &[&str]); 5] = [
    (
        r#""shipping""#,
        &[
            "null",
            r#"{"shippingType":"DELIVERY","scheduleList":[{"mode":"EXPRESS"},{"mode":"NATIONWIDE","nationwideMode":"FRESH"}],"shippingLat":13.5,"shippingLon":100.5}"#,
            r#"{"shippingType":"DELIVERY","scheduleList":[{},{"nationwideMode":"MIX"}],"shippingPostcode":"50000"}"#,
            r#"{"shippingType":"DELIVERY","scheduleList":[{"mode":"REGULAR"}],"shippingLat":1,"shippingLon":1}"#,
            r#"{"scheduleList":[{"mode":"REGULAR"}],"x":NaN}"#,
        ],
    ),
    (
        r#""couponCodeList""#,
        &[
            "[]",
            r#"["A"]"#,
            r#"["A","B","A"]"#,
            r#"["\u0041"]"#,
            r#"["B","none"]"#,
            "null",
        ],
    ),
    (
        r#""voucherId""#,
        &["[]", r#"["V1"]"#, r#"["V2","V1"]"#, r#"["V\u0031","V9"]"#],
    ),
    (r#""ownerId""#, &[r#""malee""#, r#""""#, "null"]),
    (
        r#""branchId""#,
        &[r#""1000""#, r#""2000""#, "null", r#""\ud83d""#],
    ),
];

/// Wrong values, each with the part that gets it.
const WRONG: [(&str, &str); 9] = [
    ("product", ""),
    ("product", "{"),
    (
        "product",
        r#"{"cprcode":1,"productName":"a","quantity":1},{"cprcode":1,"productName":"a","quantity":1}"#,
    ),
    (
        "product",
        r#"{"cprcode":1,"productName":"a","quantity":NaN}"#,
    ),
    ("product", "null"),
    (r#""shipping""#, ""),
    (r#""shipping""#, r#"null,"productList":[]"#),
    (r#""couponCodeList""#, r#"["A",null]"#),
    (r#""ownerId""#, "NaN"),
];

impl<'a> Life<'a> {
    fn new(seed: u64, counts: &'a mut BTreeMap<&'static str, u64>) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let policy = Policy {
            row_total: random.pick(&[RowTotal::Effective, RowTotal::List]),
            free_shipping: random.pick(&[FreeShipping::AsStated, FreeShipping::WaivesDelivery]),
            express_surcharge: random.pick(&[
                ExpressSurcharge::FirstSchedule,
                ExpressSurcharge::FirstExpress,
            ]),
        };
        let zones = zones(40);
        let order = wire(random.pick(&ORDERS));
        let basket = Basket::new(&order, policy, Limits::default(), Rc::clone(&zones));
        let mut life = Self {
            basket: basket.expect("it is an order"),
            facts: facts(&mut random),
            random,
            policy,
            zones,
            flight: None,
            is_edited_in_flight: false,
            has_overflowed: false,
            counts,
        };
        life.check();
        life
    }

    fn live(mut self) {
        for _ in 0..6 + self.random.below(18) {
            match self.random.below(10) {
                0..=4 => self.edit(),
                5 => self.wrong_edit(),
                6..=7 => self.begin(),
                _ => self.deliver(true),
            }
            self.check();
        }
        self.finish();
        for (happened, what) in [
            (
                self.is_edited_in_flight,
                "edited while answers were outstanding",
            ),
            (self.has_overflowed, "an overflow"),
        ] {
            *self.counts.entry(what).or_default() += u64::from(happened);
        }
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn edit(&mut self) {
        self.count("edits");
        self.is_edited_in_flight |= self.flight.is_some();
        let lines = self.lines();
        let accepted = match self.random.below(10) {
            0..=2 if lines > 0 => {
                let line = self.random.below(lines) as f64;
                let quantity =
                    self.random
                        .pick(&[0.0, 1.0, 2.0, 7.0, -3.0, 12.0, 9_007_199_254_740_991.0]);
                self.basket.set_quantity(line, quantity)
            }
            3 if lines > 0 => self.basket.remove_product(self.random.below(lines) as f64),
            0..=4 => {
                let product = object(self.random.pick(&PRODUCTS));
                self.basket.add_product(&product)
            }
            5..=7 => {
                let (key, values) = self.random.pick(&MEMBERS);
                self.basket.set(key, &object(self.random.pick(values)))
            }
            8 => {
                self.zones = zones(self.random.pick(&[40, 55]));
                self.basket.set_zones(Rc::clone(&self.zones));
                Ok(())
            }
            _ => {
                self.basket.forget();
                self.facts = facts(&mut self.random);
                Ok(())
            }
        };
        accepted.expect("the edit is right");
    }

    /// A refused edit changes nothing.
    fn wrong_edit(&mut self) {
        self.count("wrong edits");
        let before = self.shown();
        let lines = self.lines() as f64;
        let refused = match self.random.below(3) {
            0 => {
                let line = self
                    .random
                    .pick(&[-1.0, 0.5, f64::NAN, f64::INFINITY, lines]);
                self.basket
                    .set_quantity(line, 1.0)
                    .or_else(|_| self.basket.remove_product(line))
            }
            1 if lines > 0.0 => {
                let quantity =
                    self.random
                        .pick(&[0.5, f64::NAN, f64::NEG_INFINITY, 9_007_199_254_740_992.0]);
                self.basket.set_quantity(0.0, quantity)
            }
            _ => match self.random.pick(&WRONG) {
                ("product", product) => self.basket.add_product(&object(product)),
                (key, value) => self.basket.set(key, &object(value)),
            },
        };
        assert!(refused.is_err());
        assert_eq!(self.shown(), before);
    }

    fn shown(&self) -> (Vec<u8>, Vec<u8>, String, u32, u32) {
        let basket = &self.basket;
        let totals = format!("{:?} {:?}", basket.totals(), basket.unknown());
        (
            basket.order_text(),
            basket.rows(),
            totals,
            basket.revision(),
            basket.version(),
        )
    }

    fn lines(&self) -> usize {
        parsed(&self.basket.rows()).as_array().map_or(0, Vec::len)
    }

    fn begin(&mut self) {
        if self.flight.is_some() {
            return;
        }
        let Ok((planned, round)) = self.basket.begin() else {
            assert_eq!(self.lines(), 0);
            return;
        };
        let mut open = Vec::new();
        if planned.cprcodes().next().is_some() {
            open.push(Lookup::Prices);
        }
        open.extend(planned.nationwide_modes().map(Lookup::NationwideRate));
        if planned.voucher_ids_json().next().is_some() {
            open.push(Lookup::Vouchers);
        }
        let revision = self.basket.revision();
        self.advance(Flight {
            round,
            revision,
            is_disturbed: false,
            stage: Stage::Planned(Box::new(planned), open),
        });
    }

    /// Delivers one of the outstanding answers, chosen at random.
    fn deliver(&mut self, may_fail: bool) {
        let Some(mut flight) = self.flight.take() else {
            return;
        };
        let fails = may_fail && self.random.one_in(12);
        flight.is_disturbed |= fails;
        let failure = || Failure::Threw(Some("closed".to_owned()));
        match flight.stage {
            Stage::Planned(ref mut planned, ref mut open) => {
                let question = open.swap_remove(self.random.below(open.len()));
                let host = Host {
                    facts: &self.facts,
                    deadline_ms: 0,
                };
                match question {
                    _ if fails => planned.answer(question, Err(failure())),
                    Lookup::Prices => planned.answer_prices(host.prices(planned)),
                    Lookup::NationwideRate(mode) => planned.answer_rate(mode, host.rate(mode)),
                    Lookup::Vouchers => planned.answer_vouchers(host.vouchers(planned)),
                    Lookup::Coupons => unreachable!("they are asked later"),
                }
                self.basket.learn(&flight.round, planned, question);
                self.advance(flight);
            }
            Stage::Coupons(resolved) => {
                let asked = resolved.coupon_request().expect("it is asked");
                let (request, answer) = (asked.to_bytes(), coupons(&whole(asked)));
                let answer = if fails { Err(failure()) } else { Ok(answer) };
                let priced = resolved.read_coupons(answer).and_then(|coupons| {
                    let said = Some(Rc::clone(&coupons));
                    let priced = resolved.price(said, &self.policy, &mut ())?;
                    self.basket.learn_coupons(&flight.round, request, coupons);
                    Ok(priced)
                });
                self.over(flight.round, flight.revision, flight.is_disturbed, priced);
            }
        }
    }

    /// Advances as far as the answers allow.
    fn advance(&mut self, flight: Flight) {
        let Flight {
            round,
            revision,
            is_disturbed,
            stage,
        } = flight;
        let Stage::Planned(planned, open) = stage else {
            return;
        };
        match planned.resolve(&self.policy, &mut ()) {
            Ok(Err(planned)) => {
                self.flight = Some(Flight {
                    round,
                    revision,
                    is_disturbed,
                    stage: Stage::Planned(planned, open),
                });
            }
            Err(error) => self.over(round, revision, is_disturbed, Err(error)),
            Ok(Ok(resolved)) => {
                let known = resolved
                    .coupon_request()
                    .map(|request| self.basket.known_coupons(&request));
                match known {
                    None => {
                        let priced = resolved.price(None, &self.policy, &mut ());
                        self.over(round, revision, is_disturbed, priced);
                    }
                    Some(Some(known)) => {
                        let priced = resolved.price(Some(known), &self.policy, &mut ());
                        self.over(round, revision, is_disturbed, priced);
                    }
                    Some(None) => {
                        self.flight = Some(Flight {
                            round,
                            revision,
                            is_disturbed,
                            stage: Stage::Coupons(Box::new(resolved)),
                        });
                    }
                }
            }
        }
    }

    /// A round that priced the current basket must agree with the reference.
    fn over(
        &mut self,
        _round: Round,
        revision: u32,
        is_disturbed: bool,
        outcome: Result<Priced, Error>,
    ) {
        if revision != self.basket.revision() {
            return self.count("dropped rounds");
        }
        match (outcome, self.reference()) {
            (Ok(priced), Ok(reference)) => {
                assert_eq!(text(priced.write()), text(reference.write()));
                assert!(!self.basket.unknown().any(), "{:?}", self.basket.unknown());
                assert_eq!(self.basket.totals().amounts(), priced.totals().amounts());
            }
            (Err(error), Err(reference)) if !is_disturbed => assert_eq!(error, reference),
            (Err(_), _) if is_disturbed => self.count("disturbed rounds"),
            (outcome, reference) => panic!("{outcome:?} is not {reference:?}"),
        }
    }

    /// The result of pricing the basket's text as an order.
    fn reference(&self) -> Result<Priced, Error> {
        let order = Draft::read(&self.basket.order_text(), Origin::Wire, &Limits::default())?;
        let mut planned = order.plan(&self.zones, &Facts::default());
        self.host().answer(&mut planned);
        let resolved = planned.resolve(&self.policy, &mut ())?;
        let resolved = resolved.expect("every look-up has answered");
        let answer = resolved
            .coupon_request()
            .map(|asked| resolved.read_coupons(Ok(coupons(&whole(asked)))));
        resolved.price(answer.transpose()?, &self.policy, &mut ())
    }

    fn host(&self) -> Host<'_> {
        Host {
            facts: &self.facts,
            deadline_ms: 0,
        }
    }

    fn check(&mut self) {
        self.has_overflowed |= self.basket.overflow().is_some();
        let unknown = self.basket.unknown();
        if let Ok((planned, _)) = self.basket.begin() {
            let asks_prices = planned.cprcodes().next().is_some();
            let asks_vouchers = planned.voucher_ids_json().next().is_some();
            assert_eq!(unknown.prices, asks_prices);
            assert_eq!(unknown.vouchers, asks_vouchers);
            assert!(unknown.delivery || planned.nationwide_modes().next().is_none());
        } else {
            assert!(!unknown.any());
            assert!(
                self.basket
                    .totals()
                    .amounts()
                    .iter()
                    .all(|amount| *amount == order_cost::Amount::ZERO)
            );
            return;
        }
        if unknown.any() {
            return;
        }
        match (self.basket.overflow(), self.reference()) {
            (None, Ok(reference)) => {
                self.count("known baskets compared with an order");
                assert_eq!(self.basket.totals().amounts(), reference.totals().amounts());
                assert_eq!(
                    self.basket.totals().is_free_shipping,
                    reference.totals().is_free_shipping
                );
                let response = text(reference.write());
                let rows = text(self.basket.rows());
                assert!(
                    response.contains(&format!(r#""productList":{rows},"#)),
                    "{rows} is not in {response}"
                );
            }
            (Some(_), Err(Error::Overflow(_))) => {}
            (overflow, reference) => panic!("{overflow:?} is not {reference:?}"),
        }
    }

    /// Delivers all answers and settles the basket once more.
    fn finish(&mut self) {
        for _ in 0..2 {
            while self.flight.is_some() {
                self.deliver(false);
                self.check();
            }
            self.begin();
        }
        while self.flight.is_some() {
            self.deliver(false);
        }
        let unknown = self.basket.unknown();
        match self.reference() {
            Ok(reference) => {
                self.count("priced in the end");
                assert!(!unknown.any() && self.basket.overflow().is_none());
                assert_eq!(self.basket.totals().amounts(), reference.totals().amounts());
            }
            Err(_) => {
                self.count("failed in the end");
                assert!(unknown.any() || self.basket.overflow().is_some() || self.lines() == 0);
            }
        }
    }
}

/// What the host knows; different on each call.
fn facts(random: &mut Random) -> Value {
    let mut amount = |most: usize| random.below(most * 100) as f64 / 100.0;
    json!({
        "prices": {
            "1/1000": { "price": amount(500), "originalPrice": amount(600) },
            "1": { "price": amount(500) },
            "2": { "price": amount(90), "isControlledProduct": true, "weight": amount(3) },
            "3": { "price": amount(90), "settlementPrice": amount(9) },
            "4": format!(r#"{{"price":{},"weight":1e-9}}"#, amount(70)),
            "5": r#"{"price":0.30000000000000004,"weight":0.1234567890123456789}"#,
            "6": { "price": 7e27, "weight": 0 },
        },
        "rates": { "DRY": { "deliveryFee": amount(90) }, "FRESH": { "deliveryFee": amount(90), "nationwideConfig": "cold" }, "MIX": { "deliveryFee": amount(90) } },
        "vouchers": {
            "V1": { "ownerId": "malee", "value": amount(90), "isActive": true, "isUsed": false },
            "V2": { "ownerId": "malee", "value": amount(90), "isActive": amount(2) > 0.5, "isUsed": false },
        },
    })
}

/// The coupon service: its answer depends on the whole request.
fn coupons(request: &str) -> Document {
    let asked: Value = serde_json::from_str(request).expect("the request is JSON");
    let last = asked["productList"]
        .as_array()
        .map_or(0, |products| products.len() - 1);
    let codes = asked["couponCodeList"].as_array().expect("a list").iter();
    let discounts: Vec<Value> = codes
        .filter(|code| *code != "none")
        .map(|code| {
            let discount = request.bytes().map(u64::from).sum::<u64>() % 4000;
            let lines = json!([{ "line": last, "discount": discount / 200 }, { "line": 0, "discount": 1 }]);
            json!({ "coupon": code, "discount": discount / 100, "freeshipping": code == "B", "shippingDiscount": 5, "lines": lines })
        })
        .collect();
    wire(&json!({ "discounts": discounts, "failedCoupons": ["x"] }).to_string())
}

fn zones(fee: u32) -> Rc<Zones> {
    let ring = [[100, 13], [101, 13], [101, 14], [100, 14], [100, 13]];
    let zone = json!({ "type": "Feature", "properties": { "brcode": 1000, "deliveryFee": fee }, "geometry": { "type": "Polygon", "coordinates": [ring] } });
    let zones = json!({ "type": "FeatureCollection", "features": [zone] });
    Rc::new(Zones::read(&wire(&zones.to_string())).expect("they are zones"))
}

fn wire(text: &str) -> Document {
    Document {
        text: text.to_owned(),
        origin: Origin::Wire,
    }
}

/// A document that JavaScript writes from an object: `NaN` where JSON has no number.
fn object(text: &str) -> Document {
    Document {
        text: text.to_owned(),
        origin: Origin::Object,
    }
}

/// Parses JSON with lone surrogates replaced, because `serde_json` refuses them.
fn parsed(json: &[u8]) -> Value {
    serde_json::from_slice(&replace_lone_surrogates(json)).expect("it is JSON")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("it is UTF-8")
}

#[test]
fn d10_a_byte_order_mark_is_no_fault() {
    let order = wire(
        "\u{feff}{\"orderId\":\"o\",\"productList\":[{\"cprcode\":1,\"productName\":\"a\",\"quantity\":2}]}",
    );
    let basket = open(&order, Limits::default());
    assert_eq!(
        text(basket.order_text()),
        order.text.trim_start_matches('\u{feff}')
    );
}

#[test]
fn a_part_that_is_no_json_by_itself_is_refused() {
    let mut basket = open(&wire("{}"), Limits::default());
    for part in [
        "",
        " ",
        "1,2",
        "{},{}",
        r#"{"cprcode":1,"productName":"a","quantity":1},"#,
    ] {
        assert_eq!(
            basket.add_product(&wire(part)),
            Err(Error::InvalidJson),
            "{part}"
        );
        assert_eq!(
            basket.set(r#""ownerId""#, &wire(part)),
            Err(Error::InvalidJson),
            "{part}"
        );
    }
    assert_eq!(text(basket.order_text()), r#"{"productList":[]}"#);
    assert_eq!(
        basket.set(r#""ownerId""#, &wire(r#""a","branchId":"b""#)),
        Err(Error::InvalidJson)
    );
    assert_eq!(basket.revision(), 0);
}

#[test]
fn no_edit_makes_more_bytes_than_the_limit() {
    let order = r#"{"a":1,"productList":[{"cprcode":1,"productName":"a","quantity":10e-1}]}"#;
    let limits = Limits {
        max_body_bytes: order.len(),
        ..Limits::default()
    };
    let mut basket = open(&wire(order), limits);
    let too_large = Err(Error::BodyTooLarge(order.len()));
    basket.set_quantity(0.0, 12_345.0).expect("five digits");
    assert_eq!(basket.set_quantity(0.0, 123_456.0), too_large);
    assert_eq!(basket.set_quantity(0.0, -12_345.0), too_large);
    assert_eq!(basket.set(r#""x""#, &wire("1")), too_large);
    // The placeholder for a NaN is longer.
    basket.set_quantity(0.0, 1_234.0).expect("four digits");
    assert_eq!(basket.set(r#""a""#, &object("NaN")), too_large);
    basket.set_quantity(0.0, 12.0).expect("two digits");
    assert_eq!(basket.set(r#""a""#, &object("NaN")), Ok(()));
    assert_eq!(basket.order_text().len(), order.len());
    assert_eq!(basket.set_quantity(0.0, 123.0), too_large);
    assert!(basket.begin().is_ok());
}

fn open(order: &Document, limits: Limits) -> Basket {
    Basket::new(order, Policy::default(), limits, Rc::default()).expect("it is an order")
}
