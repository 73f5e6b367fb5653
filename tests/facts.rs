//! A fact store: what it is given, told and asked, what becomes too old, and what goes.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing
)]

mod random;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use order_cost::{
    Basket, Calculation, Conversation, Document, Draft, Limits, Lookup, Origin, Policy, Records,
};
use serde_json::{Value, json};

use random::{Random, cases, each_seed};

const MAX_AGE: f64 = 100.0;

/// What an order may name; all but the voucher can be given and become too old.
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
        let mut life = Life::default();
        let mut random = Random::new(seed);
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

/// What the store should know of a key. `Some(None)`: there is no record.
#[derive(Clone, Copy, Default)]
struct Fact {
    answer: Option<Option<u32>>,
    is_stale: bool,
    at: f64,
    refreshed: u32,
}

/// An order that is being priced: what it knows, and since which turn.
struct Begun {
    calculation: Calculation,
    with_vouchers: bool,
    known: BTreeMap<usize, Option<u32>>,
    turn: u32,
}

impl Fact {
    fn fresh(&self) -> Option<Option<u32>> {
        self.answer.filter(|_| !self.is_stale)
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
                // It names nothing itself.
                let refreshed = self.store.basket("{}").refresh(None);
                assert_eq!(refreshed, Ok(()));
                let facts = self.facts.values_mut();
                facts.for_each(|fact| fact.refresh(self.turn));
            }
            10 => {
                self.store.0.borrow_mut().clear();
                for fact in self.facts.values_mut() {
                    (fact.answer, fact.is_stale) = (None, false);
                }
            }
            _ if self.facts.is_empty() => {}
            _ => {
                let times = Vec::from_iter(self.facts.values().map(|fact| fact.at));
                let at = random.pick(&times);
                self.store.0.borrow_mut().evict(at, times.len());
                self.facts.retain(|_, fact| fact.at > at);
            }
        }
    }

    fn pass(&mut self, time: f64) {
        self.now += time;
        let next = self.store.0.borrow_mut().tick(self.now);
        if self.age() {
            return assert_eq!(next, self.now);
        }
        let fresh = self.facts.range(..VOUCHER).map(|(_, fact)| fact);
        let fresh = fresh.filter(|fact| fact.fresh().is_some());
        let soonest = fresh.map(|fact| fact.at + MAX_AGE);
        let soonest = soonest.fold(f64::INFINITY, f64::min);
        assert!(self.now < next && next <= soonest, "{next} {soonest}");
    }

    /// Whether anything is too old now. A time in the future is now.
    fn age(&mut self) -> bool {
        let mut is_any = false;
        for (_, fact) in self.facts.range_mut(..VOUCHER) {
            if fact.fresh().is_some() {
                fact.at = fact.at.min(self.now);
                if fact.at + MAX_AGE <= self.now {
                    fact.refresh(self.turn);
                    is_any = true;
                }
            }
        }
        is_any
    }

    /// What is newer stays, and something wrong withdraws all.
    fn give(&mut self, random: &mut Random) {
        let (key, amount) = (random.below(VOUCHER), amount(random));
        let at = self.now + random.pick(&[-100.0, -99.0, -1.0, 0.0, 50.0]);
        let (kind, name) = KEYS[key];
        let offered = self.store.offer(kind, name, &record(key, amount), at);
        assert_eq!(offered, Ok(()));
        let is_wrong = random.one_in(5);
        if is_wrong {
            let offered = self.store.offer("prices", "1", "null", at);
            offered.expect_err("the key has no branch");
        }
        self.store.0.borrow_mut().take_offers(self.now);
        self.age();
        let at = at.min(self.now);
        let fact = self.facts.get(&key).copied().unwrap_or_default();
        if !is_wrong && (fact.answer.is_none() || fact.at <= at) {
            let (answer, is_stale) = (Some(amount), false);
            self.facts.insert(
                key,
                Fact {
                    answer,
                    is_stale,
                    at,
                    ..fact
                },
            );
        }
    }

    /// An order takes what the store knows, and asks the host for the rest.
    fn begin(&mut self, random: &mut Random) {
        let keys = (0..KEYS.len()).filter(|key| *key == 0 || random.one_in(2));
        let (keys, with_vouchers) = (Vec::from_iter(keys), random.one_in(2));
        let limits = Limits::default();
        let draft = Draft::read(order(&keys).as_bytes(), Origin::Wire, &limits);
        let (draft, zones) = (draft.expect("an order"), Some(Arc::default()));
        let mut calculation = Calculation::new(draft, zones, Policy::default());
        calculation.recall(&mut self.store.0.borrow_mut(), with_vouchers);
        let known = |key: &usize| {
            let is_shared = with_vouchers || *key < VOUCHER;
            let fact = self.facts.get(key).filter(|_| is_shared);
            Some((*key, fact?.fresh()?))
        };
        let mut known = BTreeMap::from_iter(keys.iter().filter_map(known));
        for question in calculation.ask(true) {
            let asked = match question.lookup {
                Lookup::Prices => {
                    let codes = calculation.conversation().cprcodes(question.call);
                    codes.map(|code| code as usize - 1).collect()
                }
                Lookup::Vouchers => vec![VOUCHER],
                _ => vec![RATE],
            };
            let answer = Vec::from_iter(asked.into_iter().map(|key| (key, amount(random))));
            let records = answer
                .iter()
                .map(|(key, amount)| Some(record(*key, *amount)));
            calculation.answer(question.call, Ok(records.collect()));
            for (key, amount) in answer {
                assert_eq!(known.insert(key, amount), None, "{key} is known, and asked");
            }
        }
        assert!(keys.iter().eq(known.keys()), "the rest is asked");
        let turn = self.turn;
        self.orders.push(Begun {
            calculation,
            with_vouchers,
            known,
            turn,
        });
    }

    /// An order tells the store what it has got, unless that was to be asked again since it began.
    fn tell(&mut self) {
        let Some(order) = self.orders.pop() else {
            return;
        };
        order.calculation.tell(&mut self.store.0.borrow_mut());
        for (key, amount) in order.known {
            if order.with_vouchers || key < VOUCHER {
                let fact = self.facts.entry(key).or_default();
                if fact.fresh().is_none() && order.turn >= fact.refreshed {
                    (fact.answer, fact.is_stale, fact.at) = (Some(amount), false, self.now);
                }
            }
        }
    }

    fn check(&self) {
        let facts = self.facts.range(..VOUCHER);
        let known = facts.filter_map(|(key, fact)| {
            let (kind, name) = KEYS[*key];
            Some(json!([kind, name, fact.answer?, fact.at as i64]))
        });
        let mut told = self.store.known();
        for fact in &mut told {
            let amounts = fact[2].as_str().map(|text| text.split([':', ',', '}']));
            let amount = amounts.and_then(|mut amounts| amounts.nth(1)?.parse::<u32>().ok());
            fact[2] = amount.into();
        }
        assert_eq!(told, Vec::from_iter(known));
        let mut evictable = self.store.0.borrow().evictable();
        let mut times = Vec::from_iter(self.facts.values().map(|fact| fact.at));
        evictable.sort_by(f64::total_cmp);
        times.sort_by(f64::total_cmp);
        assert_eq!(evictable, times);
        assert_eq!(self.store.0.borrow().count(), times.len());
    }
}

/// `None`: there is no record.
fn amount(random: &mut Random) -> Option<u32> {
    let amount = random.below(1_000_000) as u32;
    (!random.one_in(6)).then_some(amount)
}

fn record(key: usize, amount: Option<u32>) -> String {
    let record = amount.map(|amount| match key {
        RATE => json!({ "deliveryFee": amount }),
        VOUCHER => json!({ "value": amount, "isActive": true, "isUsed": false }),
        _ => json!({ "price": amount }),
    });
    json!(record).to_string()
}

fn order(keys: &[usize]) -> String {
    let prices = keys.iter().filter(|key| **key < RATE);
    let product = |key| json!({ "cprcode": key + 1, "productName": "", "quantity": 1 });
    let mut order = json!({ "productList": Vec::from_iter(prices.map(product)) });
    if keys.contains(&RATE) {
        let schedules = [json!({ "nationwideMode": "FRESH" })];
        order["shipping"] = json!({ "shippingType": "DELIVERY", "scheduleList": schedules });
    }
    if keys.contains(&VOUCHER) {
        order["voucherId"] = json!(["V"]);
    }
    order.to_string()
}

struct Store(Rc<RefCell<Conversation>>);

impl Default for Store {
    fn default() -> Self {
        Self(Rc::new(RefCell::new(Conversation::lasting(MAX_AGE))))
    }
}

impl Store {
    fn offer(&self, kind: &str, name: &str, record: &str, at: f64) -> Result<(), String> {
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

/// Kind, name, what is given, what is told.
const TOLD: &str = r#"
prices | -7/a/b  | {"price":0.10000000000000000555,"cost":3,"weight":1e-7} | {"price":0.10000000000000000555,"originalPrice":0.10000000000000000555,"weight":0.0000001,"isControlledProduct":false}
prices | 1/      | {"price":30.10,"isControlledProduct":true,"settlementPrice":29.95} | {"price":30.1,"originalPrice":30.1,"weight":0.25,"isControlledProduct":true,"settlementPrice":29.95}
rates  | 1/2/DRY | {"deliveryFee":60.50,"nationwideConfig":"cold","margin":1} | {"deliveryFee":60.5,"nationwideConfig":"cold"}
rates  | 1/2/MIX | {"deliveryFee":4} | {"deliveryFee":4}"#;

#[test]
fn what_is_given_is_told_exactly_and_can_be_given_again() {
    let (first, second) = (Store::default(), Store::default());
    let mut told = Vec::new();
    for (line, at) in TOLD.lines().skip(1).zip(1..) {
        let mut cells = line.split('|').map(str::trim);
        let [kind, name, given, text] = [(); 4].map(|()| cells.next().expect("a cell"));
        assert_eq!(first.offer(kind, name, given, at.into()), Ok(()));
        assert_eq!(second.offer(kind, name, text, at.into()), Ok(()));
        told.push(json!([kind, name, text, at]));
    }
    for store in [first, second] {
        assert_eq!(store.known(), [Value::Null; 0], "nothing is taken yet");
        store.0.borrow_mut().take_offers(9.0);
        assert_eq!(store.known(), told);
    }
}

/// Kind, name, what is given, why it is refused.
const REFUSED: &str = r#"
prices | 1001      | null               | prices.1001: expected the key <cprcode>/<branchId>
prices | a/1000    | null               | prices["a/1000"]: expected the key <cprcode>/<branchId>
rates  | 10110/WET | null               | rates["10110/WET"]: expected the key <postcode>/<mode> with DRY, FRESH or MIX
rates  | DRY       | null               | rates.DRY: expected the key <postcode>/<mode> with DRY, FRESH or MIX
prices | 1/7       | {                  | prices["1/7"]: expected a record as JSON
prices | 1/7       | {"price":-1}       | prices["1/7"].price: expected an amount of 0 or more
rates  | 7/DRY     | {"deliveryFee":""} | rates["7/DRY"].deliveryFee: expected an amount of 0 or more"#;

#[test]
fn what_is_wrong_is_refused_with_its_place() {
    for line in REFUSED.lines().skip(1) {
        let mut cells = line.split('|').map(str::trim);
        let [kind, name, given, fault] = [(); 4].map(|()| cells.next().expect("a cell"));
        let refused = Store::default().offer(kind, name, given, 0.0);
        assert_eq!(refused, Err(format!("Invalid facts: {fault}")));
    }
}

#[test]
fn no_more_go_than_are_too_many_and_their_places_are_taken_again() {
    let store = Store::default();
    let give = |codes: [u32; 3], at: f64| {
        for code in codes {
            assert_eq!(
                store.offer("prices", &format!("{code}/7"), "null", at),
                Ok(())
            );
        }
        store.0.borrow_mut().take_offers(9.0);
    };
    give([1, 2, 3], 1.0);
    give([4, 5, 6], 2.0);
    for (at, most, left) in [
        (0.9, 9, 6),
        (1.0, 2, 4),
        (9.0, 0, 4),
        (1.0, 9, 3),
        (9.0, 9, 0),
    ] {
        store.0.borrow_mut().evict(at, most);
        assert_eq!(
            (store.0.borrow().count(), store.known().len()),
            (left, left)
        );
        assert_eq!(store.0.borrow().evictable().len(), left);
    }
    give([1, 2, 7], 3.0);
    assert_eq!(store.0.borrow().count(), 3);
}

#[test]
fn what_a_basket_names_or_a_call_asks_for_stays() {
    let store = Store::default();
    let left = || {
        store.0.borrow_mut().evict(f64::INFINITY, 9);
        store.0.borrow().count()
    };
    let (mut first, mut second) = (store.basket(&order(&[0, 1])), store.basket(&order(&[1])));
    let call = first.ask(true)[0].call;
    let records = [5, 7].map(|price| Some(record(0, Some(price))));
    store
        .0
        .borrow_mut()
        .answer(call, Ok(Records::from_iter(records)));
    assert_eq!(left(), 2);
    // What only another basket names is not asked anew.
    assert_eq!(second.refresh(None), Ok(()));
    let call = first.ask(true)[0].call;
    assert!(first.conversation().cprcodes(call).eq([2]));
    drop(first);
    assert_eq!(left(), 1);
    assert_eq!(store.0.borrow_mut().useless(), [0; 0]);
    drop(second);
    assert_eq!(left(), 1);
    assert_eq!(store.0.borrow_mut().useless(), [call]);
    assert_eq!(left(), 0);
    let mut third = store.basket(&order(&[0]));
    assert_eq!(third.ask(true).len(), 1);
    store.0.borrow_mut().forget_calls();
    let call = third.ask(true)[0].call;
    let records = Records::from_iter([None::<&str>]);
    store.0.borrow_mut().answer(call, Ok(records));
    assert_eq!(store.known().len(), 1);
    drop(third);
    assert_eq!(
        store.known().len(),
        0,
        "that there is no record is forgotten with who names it"
    );
}
