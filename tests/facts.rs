//! A fact store: what it is given, asked and told to forget, and what becomes too old.

#![allow(clippy::expect_used, clippy::indexing_slicing)]

mod random;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use order_cost::{
    Basket, Calculation, Conversation, Document, Draft, Failure, Limits, Lookup, Origin, Policy,
    Records,
};
use serde_json::{Value, json};

use random::{Random, cases, each_seed};

const MAX_AGE: f64 = 100.0;

const ORDER: &str = r#"{"productList":[{"cprcode":1,"productName":"a","quantity":1},{"cprcode":2,"productName":"b","quantity":1}],"shipping":{"shippingType":"DELIVERY","scheduleList":[{"nationwideMode":"FRESH"}]},"voucherId":["V"]}"#;

/// What the order names; all but the voucher can be given.
const KEYS: [(&str, &str); 4] = [
    ("prices", "1/1000"),
    ("prices", "2/1000"),
    ("rates", "10110/FRESH"),
    ("vouchers", "V"),
];
const RATE: usize = 2;
const VOUCHER: usize = 3;

#[test]
fn random_lives_of_a_store_are_those_of_a_map() {
    each_seed(cases(1_000), |seed| {
        let mut random = Random::new(seed);
        let mut life = Life::default();
        for turn in 1..40 {
            life.turn = turn;
            life.act(&mut random);
            life.check();
        }
    });
}

#[derive(Default)]
struct Life {
    store: Store,
    facts: BTreeMap<usize, Fact>,
    orders: Vec<Begun>,
    now: f64,
    turn: u32,
}

/// What the store should know of a key.
#[derive(Default)]
struct Fact {
    answer: Option<String>,
    is_stale: bool,
    at: f64,
    refreshed: u32,
}

/// An order that is being priced: how many of the keys it shares with the store, what it knows and when that was
/// answered, and since which turn.
type Begun = (Calculation, usize, BTreeMap<usize, (String, f64)>, u32);

impl Fact {
    fn fresh(&self) -> Option<&String> {
        self.answer.as_ref().filter(|_| !self.is_stale)
    }

    fn know(&mut self, answer: String, at: f64) {
        (self.answer, self.is_stale, self.at) = (Some(answer), false, at);
    }

    fn refresh(&mut self, turn: u32) {
        (self.is_stale, self.refreshed) = (self.answer.is_some(), turn);
    }
}

impl Life {
    fn act(&mut self, random: &mut Random) {
        match random.below(12) {
            0..=2 => self.pass(random.pick(&[1.0, 10.0, 50.0, 99.0, 100.0, -120.0])),
            3..=5 => self.give(random),
            6..=7 => self.begin(random),
            8..=9 => self.tell(),
            10 if random.one_in(2) => {
                // A basket that names nothing refreshes all that none names.
                assert_eq!(self.store.basket("{}").refresh(None), Ok(()));
                for fact in self.facts.values_mut() {
                    fact.refresh(self.turn);
                }
            }
            10 => {
                self.store.0.borrow_mut().clear();
                for fact in self.facts.values_mut() {
                    (fact.answer, fact.is_stale) = (None, false);
                }
            }
            _ => {
                let times = self.facts.values().map(|fact| fact.at);
                let times = Vec::from_iter(times.chain([self.now]));
                let at = random.pick(&times);
                self.facts.retain(|_, fact| fact.at > at);
                self.store.0.borrow_mut().limit(self.facts.len());
            }
        }
    }

    fn pass(&mut self, time: f64) {
        self.now += time;
        let next = self.store.0.borrow_mut().tick(self.now);
        if self.age() {
            return assert_eq!(next, self.now);
        }
        assert!(next > self.now);
    }

    /// Whether anything is too old now. A time in the future is now.
    fn age(&mut self) -> bool {
        let mut is_any = false;
        for fact in self.facts.values_mut() {
            fact.at = fact.at.min(self.now);
            if fact.fresh().is_some() && fact.at + MAX_AGE <= self.now {
                fact.refresh(self.turn);
                is_any = true;
            }
        }
        is_any
    }

    /// What is newer stays, and something wrong withdraws all.
    fn give(&mut self, random: &mut Random) {
        let key = random.below(VOUCHER);
        let (record, is_wrong) = (record(key, random), random.one_in(5));
        let at = self.now + random.pick(&[-100.0, -99.0, -1.0, 0.0, 50.0]);
        let offered = self.store.offer(KEYS[key], &record, at);
        assert_eq!(offered, Ok(()));
        if is_wrong {
            let offered = self.store.offer(("prices", "1"), "null", at);
            offered.expect_err("the key has no branch");
        }
        self.store.0.borrow_mut().take_offers(self.now);
        self.age();
        if !is_wrong {
            let fact = self.facts.entry(key).or_default();
            if fact.answer.is_none() || fact.at <= at.min(self.now) {
                fact.know(record, at.min(self.now));
            }
        }
    }

    /// An order takes what the store knows, and asks the host for the rest.
    fn begin(&mut self, random: &mut Random) {
        let draft = Draft::read(ORDER.as_bytes(), Origin::Wire, &Limits::default());
        let (draft, zones) = (draft.expect("an order"), Some(Arc::default()));
        let mut calculation = Calculation::new(draft, zones, Policy::default());
        let shared = random.pick(&[VOUCHER, KEYS.len()]);
        calculation.recall(&mut self.store.0.borrow_mut(), shared > VOUCHER);
        let facts = self.facts.range(..shared);
        let known = facts.filter_map(|(key, fact)| Some((*key, (fact.fresh()?.clone(), fact.at))));
        let mut known = BTreeMap::from_iter(known);
        for question in calculation.ask(true) {
            let asked = match question.lookup {
                Lookup::Prices => {
                    let codes = calculation.conversation().cprcodes(question.call);
                    codes.map(|code| code as usize - 1).collect()
                }
                Lookup::Vouchers => vec![VOUCHER],
                _ => vec![RATE],
            };
            let records = asked.iter().map(|key| record(*key, random));
            let records = Vec::from_iter(records);
            let answer = records.iter().map(Some).collect();
            let conversation = calculation.conversation_mut();
            conversation.answer(question.call, Ok(answer));
            for (key, record) in asked.into_iter().zip(records) {
                let before = known.insert(key, (record, self.now));
                assert_eq!(before, None, "{key} is known, and asked");
            }
        }
        assert_eq!(known.len(), KEYS.len(), "the rest is asked");
        self.orders.push((calculation, shared, known, self.turn));
    }

    /// An order tells the store what it has got and when, unless that was to be asked again since it began.
    fn tell(&mut self) {
        let Some((calculation, shared, mut known, turn)) = self.orders.pop() else {
            return;
        };
        calculation.tell(&mut self.store.0.borrow_mut());
        known.retain(|key, _| *key < shared);
        for (key, (record, at)) in known {
            let fact = self.facts.entry(key).or_default();
            if fact.fresh().is_none() && turn >= fact.refreshed {
                fact.know(record, at.min(self.now));
            }
        }
    }

    fn check(&self) {
        let known = self.facts.range(..VOUCHER).filter_map(|(key, fact)| {
            let record = fact.answer.as_ref()?;
            Some(told(KEYS[*key], record, fact.at))
        });
        assert_eq!(self.store.known(), Vec::from_iter(known));
        assert_eq!(self.store.0.borrow().count(), self.facts.len());
    }
}

fn record(key: usize, random: &mut Random) -> String {
    let amount = random.below(1_000);
    match key {
        _ if random.one_in(6) => "null".to_owned(),
        RATE => format!(r#"{{"deliveryFee":{amount}}}"#),
        VOUCHER => format!(r#"{{"value":{amount},"isActive":true,"isUsed":false}}"#),
        _ => format!(
            r#"{{"price":{amount},"originalPrice":2,"weight":3,"isControlledProduct":false}}"#
        ),
    }
}

fn told((kind, name): (&str, &str), record: &str, at: f64) -> Value {
    let record = Some(record).filter(|record| *record != "null");
    json!([kind, name, record, at as i64])
}

struct Store(Rc<RefCell<Conversation>>);

impl Default for Store {
    fn default() -> Self {
        Self(Rc::new(RefCell::new(Conversation::lasting(MAX_AGE))))
    }
}

impl Store {
    fn offer(&self, (kind, name): (&str, &str), record: &str, at: f64) -> Result<(), String> {
        let offered = self.0.borrow_mut().offer(kind, name, &wire(record), at);
        offered.map_err(|error| error.to_string())
    }

    /// All that it tells of its facts, sorted by kind and name.
    fn known(&self) -> Vec<Value> {
        let known = serde_json::from_slice(&self.0.borrow().known());
        let mut known: Vec<Value> = known.expect("it is JSON");
        known.sort_by_key(Value::to_string);
        known
    }

    fn basket(&self, order: &str) -> Basket {
        let (policy, limits, zones) = (Policy::default(), Limits::default(), Arc::default());
        let basket = Basket::new(&wire(order), policy, limits, Some(zones), &self.0);
        basket.expect("an order")
    }
}

fn wire(text: &str) -> Document {
    let (text, origin) = (text.to_owned(), Origin::Wire);
    Document { text, origin }
}

/// The lines of a table of kinds, names, records that are given, and what comes of them.
fn lines(table: &str) -> impl Iterator<Item = ((&str, &str), &str, &str)> {
    table.trim().lines().map(|line| {
        let mut cells = line.split(" | ").map(str::trim);
        let mut next = || cells.next().expect("a cell");
        ((next(), next()), next(), next())
    })
}

#[test]
fn what_is_given_is_told_exactly_and_can_be_given_again() {
    let table = r#"
prices | -7/a/b  | {"price":0.10000000000000000555,"cost":3,"weight":1e-7} | {"price":0.10000000000000000555,"originalPrice":0.10000000000000000555,"weight":0.0000001,"isControlledProduct":false}
prices | 1/      | {"price":30.10,"isControlledProduct":true,"settlementPrice":29.95} | {"price":30.1,"originalPrice":30.1,"weight":0.25,"isControlledProduct":true,"settlementPrice":29.95}
rates | 1/2/DRY  | {"deliveryFee":60.50,"nationwideConfig":"cold","margin":1} | {"deliveryFee":60.5,"nationwideConfig":"cold"}
rates | 1/2/MIX  | {"deliveryFee":4} | {"deliveryFee":4}"#;
    let (first, second) = (Store::default(), Store::default());
    let mut expected = Vec::new();
    for (key, given, text) in lines(table) {
        assert_eq!(first.offer(key, given, 5.0), Ok(()));
        assert_eq!(second.offer(key, text, 5.0), Ok(()));
        expected.push(told(key, text, 5.0));
    }
    for store in [first, second] {
        assert_eq!(store.known(), [Value::Null; 0], "nothing is taken yet");
        store.0.borrow_mut().take_offers(9.0);
        assert_eq!(store.known(), expected);
    }
}

#[test]
fn what_is_wrong_is_refused_with_its_place() {
    let table = r#"
prices | 1001      | null | prices.1001: expected the key <cprcode>/<branchId> such as 1001/1000
prices | a/1000    | null | prices["a/1000"]: expected the key <cprcode>/<branchId> such as 1001/1000
prices | 1.0/1000  | null | prices["1.0/1000"]: expected the key <cprcode>/<branchId> such as 1001/1000
prices | 1e3/1000  | null | prices["1e3/1000"]: expected the key <cprcode>/<branchId> such as 1001/1000
prices | -0/1000   | null | prices["-0/1000"]: expected the key <cprcode>/<branchId> such as 1001/1000
rates  | 10110/WET | null | rates["10110/WET"]: expected the key <postcode>/<mode> with DRY, FRESH or MIX
rates  | DRY       | null | rates.DRY: expected the key <postcode>/<mode> with DRY, FRESH or MIX
prices | 1/7       | {    | prices["1/7"]: expected a record as JSON
prices | 1/7       | {"price":-1} | prices["1/7"].price: expected an amount of 0 or more
rates  | 7/DRY     | {"deliveryFee":""} | rates["7/DRY"].deliveryFee: expected an amount as a JSON number, such as 12.5"#;
    for (key, given, fault) in lines(table) {
        let refused = Store::default().offer(key, given, 0.0);
        assert_eq!(refused, Err(format!("Invalid facts: {fault}")));
    }
}

#[test]
fn no_more_go_than_are_too_many_and_their_places_are_taken_again() {
    let store = Store::default();
    let give = |names: [&str; 3], at: f64| {
        for name in names {
            assert_eq!(store.offer(("prices", name), "null", at), Ok(()));
        }
        store.0.borrow_mut().take_offers(9.0);
    };
    give(["1/7", "2/7", "3/7"], 1.0);
    give(["4/7", "5/7", "6/7"], 2.0);
    for (most, left) in [(7, 6), (6, 6), (4, 4), (3, 3), (0, 0)] {
        store.0.borrow_mut().limit(most);
        assert_eq!(store.0.borrow().count(), left);
        assert_eq!(store.known().len(), left);
        let is_young = |fact: &Value| fact[3] == 2;
        assert_eq!(
            store.known().into_iter().filter(is_young).count(),
            left.min(3)
        );
    }
    give(["1/7", "2/7", "7/7"], 3.0);
    assert_eq!(store.0.borrow().count(), 3);
}

#[test]
fn however_often_facts_come_and_go_the_oldest_go_first() {
    // So many that a walk over all of them for each would take minutes.
    const MOST: usize = 5_000;
    const TURNS: usize = 50_000;
    let store = Store::default();
    let name = |fact: usize| format!("{fact}/7");
    for turn in 0..TURNS {
        // A fact that is given again is young again.
        for fact in [turn, turn % 5] {
            let offered = store.offer(("prices", &name(fact)), "null", turn as f64);
            assert_eq!(offered, Ok(()));
        }
        store.0.borrow_mut().take_offers(turn as f64);
        store.0.borrow_mut().limit(MOST);
        assert_eq!(store.0.borrow().count(), MOST.min(turn + 1));
    }
    let known = store.known();
    let known = Vec::from_iter(known.iter().map(|fact| fact[1].as_str().expect("a name")));
    let mut expected = Vec::from_iter((0..5).chain(TURNS + 5 - MOST..TURNS).map(name));
    expected.sort();
    assert_eq!(known, expected);
}

#[test]
fn what_a_basket_names_or_a_call_asks_for_stays() {
    let store = Store::default();
    let left = || {
        store.0.borrow_mut().limit(0);
        store.0.borrow().count()
    };
    let answer = |call: u32, records: &[&str]| {
        let records = Records::from_iter(records.iter().map(Some));
        store.0.borrow_mut().answer(call, Ok(records))
    };
    let one =
        r#"{"productList":[{"cprcode":1,"productName":"a","quantity":1}],"couponCodeList":["A"]}"#;
    let (mut first, mut second) = (store.basket(ORDER), store.basket(one));
    let calls = Vec::from_iter(first.ask(true).iter().map(|question| question.call));
    // What is given while a call is out stays.
    let given = store.offer(KEYS[1], r#"{"price":9}"#, 0.0);
    assert_eq!(given, Ok(()));
    store.0.borrow_mut().take_offers(0.0);
    answer(calls[0], &[r#"{"price":1}"#, r#"{"price":1}"#]);
    first.follow();
    assert_eq!(first.totals().grand_total.to_string(), "10");
    answer(calls[1], &["null"]);
    assert_eq!((left(), store.known().len()), (4, 3));
    // What only another basket names is not asked anew.
    assert_eq!(second.refresh(None), Ok(()));
    let call = first.ask(true)[0].call;
    assert!(first.conversation().cprcodes(call).eq([1]));
    drop(first);
    // That there is no record is forgotten with the last basket that names it.
    assert_eq!((left(), store.known().len()), (2, 1));
    assert_eq!(store.0.borrow_mut().useless(), calls[2..]);
    assert_eq!(left(), 1);
    answer(call, &[r#"{"price":1}"#]);
    let coupons = second.ask(true)[0].call;
    drop(second);
    assert_eq!(
        answer(coupons, &["{}"]),
        None,
        "they belong to their basket"
    );
    assert_eq!(left(), 0);
    let mut third = store.basket(one);
    third.ask(true);
    store.0.borrow_mut().forget_calls();
    let call = third.ask(true)[0].call;
    third.leave();
    assert_eq!(left(), 1);
    store.0.borrow_mut().answer(call, Err(Failure::Late(5)));
    assert_eq!(left(), 0);
}
