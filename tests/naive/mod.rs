//! What a basket should know and ask, by plain rules. `amounts` says what it should show.

mod amounts;

use std::collections::BTreeMap;
use std::rc::Rc;

use order_cost::{Error, Lookup, NationwideMode, NoZone, Policy, Resolved, Zones, decode};
use serde_json::{Value, json};

use super::scripted::whole;
pub(crate) use amounts::{TOTALS, apply, records, wire, zones};
use amounts::{everywhere, plan};

/// A fact and its key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Price(i64, String),
    Rate(&'static str, String),
    Voucher(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    Found(String),
    NotFound,
    /// A wrong record, and what is wrong with it.
    Wrong(&'static str, &'static str),
}

/// How a call failed.
#[derive(Clone, Debug)]
pub(crate) struct Failed {
    pub(crate) call: u32,
    pub(crate) message: String,
    pub(crate) is_retryable: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Fact {
    pub(crate) answer: Option<Answer>,
    is_stale: bool,
    rests: bool,
    call: Option<u32>,
    failed: Option<Failed>,
    refreshed: u32,
}

impl Fact {
    fn found(&self) -> Option<&str> {
        match &self.answer {
            Some(Answer::Found(record)) => Some(record),
            _ => None,
        }
    }

    fn is_pending(&self) -> bool {
        self.failed.is_none() && (self.answer.is_none() || self.is_stale)
    }

    fn is_wanted(&self) -> bool {
        let is_open = self.is_stale || matches!(self.answer, None | Some(Answer::Wrong(..)));
        is_open && !self.rests && self.call.is_none()
    }

    fn is_settled(&self) -> bool {
        self.found().is_some() && !self.is_stale && self.failed.is_none()
    }
}

/// A call that is out.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) number: u32,
    pub(crate) lookup: Lookup,
    pub(crate) keys: Vec<Key>,
}

/// A coupon request, with the codes and the identities of the products in it.
#[derive(Clone, Debug)]
struct Asked {
    request: String,
    codes: Vec<String>,
    ids: Vec<u32>,
}

#[derive(Default)]
struct Coupons {
    asked: Option<Asked>,
    /// The last answer, and whether it must be asked again.
    answered: Option<(Asked, Value, bool)>,
    /// The failure of a request, and whether it waits.
    failed: Option<(String, Failed, bool)>,
    refreshed: u32,
}

/// The basket as it should be.
pub(crate) struct Naive {
    pub(crate) order: Value,
    /// The identity of each product.
    pub(crate) ids: Vec<u32>,
    zones: Rc<Zones>,
    /// The same zones; around them, delivery is free.
    zones_everywhere: Rc<Zones>,
    policy: Policy,
    facts: BTreeMap<Key, Fact>,
    pub(crate) out: Vec<Call>,
    coupons: Coupons,
    next_call: u32,
    /// What the order needs, in the order of D42.
    needed: Vec<Key>,
    pub(crate) expected: Expected,
}

/// What follows from the order and the facts.
#[derive(Default)]
pub(crate) struct Expected {
    /// The parts that a basket shows, or the first overflow.
    pub(crate) shown: Option<Result<Value, Error>>,
    /// The response, if everything is known.
    pub(crate) response: Option<Vec<u8>>,
    /// The coupon request.
    request: Option<String>,
}

/// A problem, as far as a test can name it.
#[derive(Debug, PartialEq)]
pub(crate) struct Problem {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) call: Option<u32>,
    pub(crate) line: Option<usize>,
    pub(crate) schedule: Option<usize>,
    pub(crate) voucher_id: Option<String>,
}

impl Naive {
    pub(crate) fn new(order: Value, zones: &Value, policy: Policy) -> Self {
        let mut naive = Self {
            order,
            ids: Vec::new(),
            zones: Rc::default(),
            zones_everywhere: Rc::default(),
            policy,
            facts: BTreeMap::new(),
            out: Vec::new(),
            coupons: Coupons::default(),
            next_call: 0,
            needed: Vec::new(),
            expected: Expected::default(),
        };
        naive.ids = (0..naive.products().len()).map(|id| id as u32).collect();
        naive.set_zones(zones);
        naive
    }

    pub(crate) fn set_zones(&mut self, zones: &Value) {
        self.zones = self::zones(zones);
        let mut zones_everywhere = zones.clone();
        let features = zones_everywhere["features"].as_array_mut().expect("a list");
        features.extend([1000, 2000].map(everywhere));
        self.zones_everywhere = self::zones(&zones_everywhere);
        self.edited();
    }

    pub(crate) fn products(&self) -> &[Value] {
        self.order["productList"]
            .as_array()
            .map_or(&[], Vec::as_slice)
    }

    fn list(&self, key: &str) -> Vec<String> {
        let strings = self.order[key].as_array().into_iter().flatten();
        strings
            .map(|string| string.as_str().expect("a string").to_owned())
            .collect()
    }

    fn fact(&self, key: &Key) -> &Fact {
        &self.facts[key]
    }

    fn price_key(&self, line: usize) -> Key {
        let cprcode = self.products()[line]["cprcode"].as_i64();
        let branch = self.order["branchId"].as_str().unwrap_or("1000");
        Key::Price(cprcode.expect("an integer"), branch.to_owned())
    }

    fn of(&self, is_kind: fn(&Key) -> bool) -> impl Iterator<Item = (&Key, &Fact)> {
        let keys = self.needed.iter().filter(move |key| is_kind(key));
        keys.map(|key| (key, self.fact(key)))
    }

    /// Follows an edit: names the facts that the order needs.
    pub(crate) fn edited(&mut self) {
        self.needed = self.needs();
        for key in &self.needed {
            self.facts.entry(key.clone()).or_default();
        }
        self.follow();
    }

    /// Follows any change: calculates what the facts give.
    fn follow(&mut self) {
        for (key, fact) in &mut self.facts {
            if !self.needed.contains(key) {
                fact.failed = None;
                fact.rests = false;
                if fact.found().is_none() {
                    fact.answer = None;
                    fact.is_stale = false;
                }
            }
        }
        // The request decides which answer of the coupon service counts.
        let resolved = self.resolve();
        let request = self.request(resolved.as_ref());
        if let Some((failed, ..)) = &self.coupons.failed
            && Some(failed) != request.as_ref()
        {
            self.coupons.failed = None;
        }
        if let Some((answered, ..)) = &mut self.coupons.answered
            && Some(&answered.request) == request.as_ref()
        {
            answered.ids.clone_from(&self.ids);
        }
        self.expected = self.calculate(resolved);
        self.expected.request = request;
    }

    fn needs(&self) -> Vec<Key> {
        // An order without products has the needs of its other parts.
        let mut order = self.order.clone();
        let is_empty = self.products().is_empty();
        if is_empty {
            order["productList"] = json!([{ "cprcode": 0, "productName": "", "quantity": 0 }]);
        }
        let planned = plan(&order, &self.zones);
        let branch = planned.order().branch_id().into_owned();
        let postcode = planned.order().shipping_postcode().into_owned();
        let prices = planned.cprcodes().filter(|_| !is_empty);
        let prices = prices.map(|code| Key::Price(code, branch.clone()));
        let rates = planned.nationwide_modes();
        let rates = rates.map(|mode| Key::Rate(mode.word(), postcode.clone()));
        let vouchers = planned.voucher_ids_json();
        let vouchers = vouchers.map(|id| Key::Voucher(decode(id).into_owned()));
        prices.chain(rates).chain(vouchers).collect()
    }

    /// Why no zone delivers, for each schedule that needs one.
    fn zone_errors(&self) -> Vec<(usize, NoZone)> {
        let shipping = &self.order["shipping"];
        if shipping["shippingType"] != "DELIVERY" {
            return Vec::new();
        }
        let number = |key: &str| shipping[key].as_f64().unwrap_or_default();
        let brcode = shipping["brcode"].as_i64().unwrap_or(1000);
        let fee = self
            .zones
            .fee_at(brcode, number("shippingLon"), number("shippingLat"));
        let schedules = schedules(shipping).iter().enumerate();
        schedules
            .filter(|(_, schedule)| schedule["mode"] == "REGULAR" || schedule["mode"] == "EXPRESS")
            .filter_map(|(index, _)| Some((index, fee.err()?)))
            .collect()
    }

    /// The rate of each nationwide schedule.
    fn rate_keys(&self) -> Vec<(usize, Key)> {
        let shipping = &self.order["shipping"];
        if shipping["shippingType"] != "DELIVERY" {
            return Vec::new();
        }
        let postcode = shipping["shippingPostcode"].as_str().unwrap_or("10110");
        let is_nationwide =
            |schedule: &Value| schedule.get("mode").is_none() || schedule["mode"] == "NATIONWIDE";
        let key = |schedule: &Value| {
            let modes = [
                NationwideMode::Dry,
                NationwideMode::Fresh,
                NationwideMode::Mix,
            ];
            let sent = schedule["nationwideMode"].as_str().unwrap_or("DRY");
            let mode = modes.iter().find(|mode| mode.word() == sent);
            Key::Rate(mode.expect("a mode").word(), postcode.to_owned())
        };
        let schedules = schedules(shipping).iter().enumerate();
        schedules
            .filter(|(_, schedule)| is_nationwide(schedule))
            .map(|(index, schedule)| (index, key(schedule)))
            .collect()
    }

    /// The coupon request; `None` if something in it is unknown or too large.
    fn request(&self, resolved: Option<&Result<Resolved, Error>>) -> Option<String> {
        let mut before_coupons = self.of(|key| !matches!(key, Key::Voucher(_)));
        if before_coupons.any(|(_, fact)| fact.found().is_none()) || !self.zone_errors().is_empty()
        {
            return None;
        }
        resolved?.as_ref().ok()?.coupon_request().map(whole)
    }

    /// What the basket has yet to know.
    pub(crate) fn pending(&self) -> Vec<&'static str> {
        if self.products().is_empty() {
            return Vec::new();
        }
        let any = |kind: fn(&Key) -> bool| self.of(kind).any(|(_, fact)| fact.is_pending());
        let coupons = &self.coupons;
        let are_coupons_pending = !self.list("couponCodeList").is_empty()
            && coupons.failed.is_none()
            && !self.are_coupons_answered();
        let parts = [
            (any(|key| matches!(key, Key::Price(..))), "prices"),
            (any(|key| matches!(key, Key::Rate(..))), "delivery"),
            (are_coupons_pending, "coupons"),
            (any(|key| matches!(key, Key::Voucher(..))), "vouchers"),
        ];
        let parts = parts.into_iter().filter(|(is_pending, _)| *is_pending);
        parts.map(|(_, name)| name).collect()
    }

    /// Whether the coupon service has answered the current request.
    pub(crate) fn are_coupons_answered(&self) -> bool {
        let answered = self.coupons.answered.as_ref();
        answered.is_some_and(|(asked, _, is_stale)| {
            !is_stale && Some(&asked.request) == self.expected.request.as_ref()
        })
    }

    /// Whether nothing is left to ask the coupon service about this order, even if its answer is out of date.
    pub(crate) fn are_coupons_known(&self) -> bool {
        let answered = self.coupons.answered.as_ref();
        self.list("couponCodeList").is_empty()
            || answered
                .is_some_and(|(asked, ..)| Some(&asked.request) == self.expected.request.as_ref())
    }

    /// All that is wrong, without overflows.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.products().is_empty() {
            return problems;
        }
        for line in 0..self.products().len() {
            let key = self.price_key(line);
            let place = (Some(line), None, None);
            problems.extend(self.problem_of(&key, Lookup::Prices, place));
        }
        let shipping = &self.order["shipping"];
        let brcode = shipping["brcode"].as_i64().unwrap_or(1000);
        let mut schedules = Vec::new();
        for (schedule, reason) in self.zone_errors() {
            let (code, message) = match reason {
                NoZone::OfBranch => (
                    "BRANCH_NOT_AVAILABLE",
                    format!("Branch {brcode} is not available"),
                ),
                NoZone::AtAddress => (
                    "BRANCH_NOT_IN_POLYGON",
                    format!("Branch {brcode} not in polygon"),
                ),
            };
            schedules.push(Problem {
                code,
                message,
                call: None,
                line: None,
                schedule: Some(schedule),
                voucher_id: None,
            });
        }
        for (schedule, key) in self.rate_keys() {
            let lookup = Lookup::NationwideRate(NationwideMode::Dry);
            let place = (None, Some(schedule), None);
            schedules.extend(self.problem_of(&key, lookup, place));
        }
        schedules.sort_by_key(|problem| problem.schedule);
        problems.extend(schedules);
        for (key, _) in self.of(|key| matches!(key, Key::Voucher(..))) {
            let Key::Voucher(id) = key else { continue };
            let place = (None, None, Some(id.clone()));
            problems.extend(self.problem_of(key, Lookup::Vouchers, place));
        }
        if let Some((_, failed, _)) = &self.coupons.failed {
            problems.push(failed_call(failed, Lookup::Coupons, None));
        }
        // A call that failed is listed once.
        let mut calls = Vec::new();
        problems.retain(|problem| {
            let is_first = problem.call.is_none() || !calls.contains(&problem.call);
            calls.push(problem.call);
            is_first
        });
        problems
    }

    fn problem_of(
        &self,
        key: &Key,
        lookup: Lookup,
        (line, schedule, voucher_id): (Option<usize>, Option<usize>, Option<String>),
    ) -> Option<Problem> {
        let fact = self.fact(key);
        if let Some(failed) = &fact.failed {
            return Some(failed_call(failed, lookup, schedule));
        }
        let (code, message) = match fact.answer.as_ref().filter(|_| !fact.is_stale)? {
            Answer::Found(_) => return None,
            Answer::NotFound => match key {
                Key::Voucher(id) => ("VOUCHER_NOT_FOUND", format!("Voucher {id} not found")),
                Key::Rate(mode, postcode) => (
                    "NATIONWIDE_RATE_NOT_FOUND",
                    format!("No nationwide rate for {postcode}/{mode}"),
                ),
                _ => (
                    "PRODUCT_PRICE_NOT_FOUND",
                    format!("No price for {}", key.name()),
                ),
            },
            Answer::Wrong(_, what) => {
                let function = lookup.function();
                let name = key.name();
                let colon = if name.is_empty() { "" } else { ": " };
                let message = format!("Invalid answer from {function}: {name}{colon}{what}");
                (lookup.failed_code(), message)
            }
        };
        Some(Problem {
            code,
            message,
            call: None,
            line,
            schedule,
            voucher_id,
        })
    }

    /// The questions that the basket should ask now: the look-up, its argument and the number of records.
    pub(crate) fn ask(&mut self) -> Vec<(u32, Lookup, Value, usize)> {
        if self.products().is_empty() {
            return Vec::new();
        }
        let wanted = |kind: fn(&Key) -> bool| {
            let wanted = self.of(kind).filter(|(_, fact)| fact.is_wanted());
            Vec::from_iter(wanted.map(|(key, _)| key.clone()))
        };
        let prices = wanted(|key| matches!(key, Key::Price(..)));
        let rates = wanted(|key| matches!(key, Key::Rate(..)));
        let vouchers = wanted(|key| matches!(key, Key::Voucher(..)));
        let mut questions = Vec::new();
        if !prices.is_empty() {
            let argument = prices.iter().map(Key::argument).collect();
            let count = prices.len();
            questions.push((
                self.call(Lookup::Prices, prices),
                Lookup::Prices,
                argument,
                count,
            ));
        }
        for rate in rates {
            let Key::Rate(word, _) = rate else { continue };
            let modes = [
                NationwideMode::Dry,
                NationwideMode::Fresh,
                NationwideMode::Mix,
            ];
            let mode = modes.into_iter().find(|mode| mode.word() == word);
            let lookup = Lookup::NationwideRate(mode.expect("a mode"));
            let argument = rate.argument();
            questions.push((self.call(lookup, vec![rate]), lookup, argument, 0));
        }
        if !vouchers.is_empty() {
            let argument = vouchers.iter().map(Key::argument).collect();
            let count = vouchers.len();
            let number = self.call(Lookup::Vouchers, vouchers);
            questions.push((number, Lookup::Vouchers, argument, count));
        }
        let rests = self.coupons.failed.as_ref().is_some_and(|failed| failed.2);
        let mut before_coupons = self.of(|key| !matches!(key, Key::Voucher(_)));
        let are_settled = before_coupons.all(|(_, fact)| fact.is_settled());
        drop(before_coupons);
        if let Some(request) = self.expected.request.clone()
            && self.out.is_empty()
            && are_settled
            && !rests
            && !self.are_coupons_answered()
        {
            let argument = serde_json::from_str(&request).expect("a request is JSON");
            self.coupons.asked = Some(Asked {
                request,
                codes: self.list("couponCodeList"),
                ids: self.ids.clone(),
            });
            let number = self.call(Lookup::Coupons, Vec::new());
            questions.push((number, Lookup::Coupons, argument, 0));
        }
        questions
    }

    fn call(&mut self, lookup: Lookup, keys: Vec<Key>) -> u32 {
        let number = self.next_call;
        self.next_call += 1;
        for key in &keys {
            let fact = self.facts.get_mut(key).expect("a needed fact");
            assert_eq!(fact.call, None, "{key:?} is asked already");
            fact.call = Some(number);
        }
        self.out.push(Call {
            number,
            lookup,
            keys,
        });
        number
    }

    /// The number of products in the coupon request that is out.
    pub(crate) fn asked_lines(&self) -> usize {
        self.coupons
            .asked
            .as_ref()
            .map_or(0, |asked| asked.ids.len())
    }

    /// The calls of which nothing is needed any more.
    pub(crate) fn useless(&mut self) -> Vec<u32> {
        let is_empty = self.products().is_empty();
        let asked = self.coupons.asked.as_ref().map(|asked| &asked.request);
        let are_coupons_needed = asked.is_some() && asked == self.expected.request.as_ref();
        let (needed, mut useless) = (&self.needed, Vec::new());
        let facts = &mut self.facts;
        self.out.retain(|call| {
            let is_needed = match call.lookup {
                Lookup::Coupons => are_coupons_needed,
                _ => call.keys.iter().any(|key| needed.contains(key)),
            };
            if is_needed && !is_empty {
                return true;
            }
            for key in &call.keys {
                facts.get_mut(key).expect("a fact").call = None;
            }
            useless.push(call.number);
            false
        });
        useless
    }

    fn end(&mut self, number: u32) -> Option<Call> {
        let place = self.out.iter().position(|call| call.number == number)?;
        Some(self.out.remove(place))
    }

    pub(crate) fn answered(&mut self, number: u32, answers: Vec<Answer>) {
        let Some(call) = self.end(number) else { return };
        for (key, answer) in call.keys.iter().zip(answers) {
            let fact = self.facts.get_mut(key).expect("a fact");
            let is_old = number < fact.refreshed;
            fact.rests = matches!(answer, Answer::Wrong(..)) && !is_old;
            // Before a refresh, only a record is news.
            if !is_old || matches!(answer, Answer::Found(..)) {
                fact.answer = Some(answer);
            }
            fact.is_stale = is_old && fact.answer.is_some();
            fact.call = None;
            fact.failed = None;
        }
        self.follow();
    }

    pub(crate) fn coupons_answered(&mut self, number: u32, answer: Value) {
        if self.end(number).is_some() {
            let asked = self.coupons.asked.take().expect("coupons were asked");
            let is_stale = number < self.coupons.refreshed;
            self.coupons.answered = Some((asked, answer, is_stale));
            self.coupons.failed = None;
            self.follow();
        }
    }

    pub(crate) fn failed(&mut self, number: u32, message: String, is_retryable: bool) {
        let Some(call) = self.end(number) else { return };
        let failed = Failed {
            call: number,
            message,
            is_retryable,
        };
        for key in &call.keys {
            let fact = self.facts.get_mut(key).expect("a fact");
            fact.call = None;
            if number >= fact.refreshed {
                fact.failed = Some(failed.clone());
                fact.rests = true;
            }
        }
        if call.lookup == Lookup::Coupons {
            let asked = self.coupons.asked.take().expect("coupons were asked");
            if number >= self.coupons.refreshed {
                self.coupons.failed = Some((asked.request, failed, true));
            }
        }
        self.follow();
    }

    pub(crate) fn refresh(&mut self, line: Option<usize>) {
        let key = line.map(|line| self.price_key(line));
        for (other, fact) in &mut self.facts {
            if key.as_ref().is_none_or(|key| key == other) {
                fact.refreshed = self.next_call;
                fact.is_stale = fact.answer.is_some();
                fact.failed = None;
                fact.rests = false;
            }
        }
        if key.is_none() {
            self.coupons.refreshed = self.next_call;
            self.coupons.failed = None;
            if let Some((.., is_stale)) = &mut self.coupons.answered {
                *is_stale = true;
            }
        }
        self.follow();
    }

    pub(crate) fn renew(&mut self, retryable_only: bool) {
        let may = |failed: &Failed| !retryable_only || failed.is_retryable;
        for fact in self.facts.values_mut() {
            if fact.failed.as_ref().map_or(!retryable_only, may) {
                fact.rests = false;
            }
        }
        if let Some((_, failed, rests)) = &mut self.coupons.failed
            && may(failed)
        {
            *rests = false;
        }
    }
}

impl Key {
    /// The name in an error's message; a rate has none.
    fn name(&self) -> String {
        match self {
            Self::Price(cprcode, branch) => format!("{cprcode}/{branch}"),
            Self::Rate(..) => String::new(),
            Self::Voucher(id) => id.clone(),
        }
    }

    /// What a host is asked.
    fn argument(&self) -> Value {
        match self {
            Self::Price(cprcode, branch) => json!({ "cprcode": cprcode, "branchId": branch }),
            Self::Rate(mode, postcode) => {
                json!({ "shippingPostcode": postcode, "nationwideMode": mode })
            }
            Self::Voucher(id) => id.as_str().into(),
        }
    }
}

fn failed_call(failed: &Failed, lookup: Lookup, schedule: Option<usize>) -> Problem {
    Problem {
        code: lookup.failed_code(),
        message: failed.message.clone(),
        call: Some(failed.call),
        line: None,
        schedule,
        voucher_id: None,
    }
}

fn schedules(shipping: &Value) -> &[Value] {
    shipping["scheduleList"]
        .as_array()
        .map_or(&[], Vec::as_slice)
}
