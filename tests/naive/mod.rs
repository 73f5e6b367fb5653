//! What a basket should know and ask, by plain rules. `amounts` says what it should show.

mod amounts;
mod history;
mod live;

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use order_cost::{Conversation, Error, Lookup, NationwideMode, NoZone, Policy, Question, Zones};
use serde_json::{Value, json};

use amounts::{Advanced, calculation, everywhere};
pub(crate) use amounts::{TOTALS, apply, records, wire, zones};
use history::{Event, History};
pub(crate) use live::Live;

/// What the host is asked about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Price(i64, String),
    Rate(&'static str, String),
    Voucher(String),
    /// A coupon request.
    Coupons(String),
}

impl Key {
    fn function(&self) -> &'static str {
        match self {
            Self::Price(..) => "lookupPrices",
            Self::Rate(..) => "nationwideRate",
            Self::Voucher(_) => "lookupVouchers",
            Self::Coupons(_) => "validateCoupons",
        }
    }
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

/// The basket as it should be.
pub(crate) struct Naive {
    pub(crate) order: Value,
    /// The identity of each product.
    pub(crate) ids: Vec<u32>,
    zones: Arc<Zones>,
    /// The same zones; around them, delivery is free.
    zones_everywhere: Arc<Zones>,
    policy: Policy,
    histories: BTreeMap<Key, History>,
    pub(crate) out: Vec<Call>,
    /// The coupon request that is out.
    asked: Option<Asked>,
    /// The last answer of the coupon service, and the request that it answered.
    discounts: Option<(Asked, Value)>,
    /// The codes of the order, and those that it has lost since that answer or since it had none.
    codes: Vec<String>,
    lost: Vec<String>,
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
    /// Whether an amount of the request to the coupon service is too large.
    pub(crate) is_large_before_coupons: bool,
    /// The response, if everything is known.
    pub(crate) response: Option<Vec<u8>>,
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
            zones: Arc::default(),
            zones_everywhere: Arc::default(),
            policy,
            histories: BTreeMap::new(),
            out: Vec::new(),
            asked: None,
            discounts: None,
            codes: Vec::new(),
            lost: Vec::new(),
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

    fn history(&self, key: &Key) -> &History {
        &self.histories[key]
    }

    fn price_key(&self, line: usize) -> Key {
        let cprcode = self.products()[line]["cprcode"].as_i64();
        let branch = self.order["branchId"].as_str().unwrap_or("1000");
        Key::Price(cprcode.expect("an integer"), branch.to_owned())
    }

    fn of(&self, is_kind: fn(&Key) -> bool) -> impl Iterator<Item = (&Key, &History)> {
        let keys = self.needed.iter().filter(move |key| is_kind(key));
        keys.map(|key| (key, self.history(key)))
    }

    fn note(&mut self, key: &Key, event: Event) {
        let history = self.histories.entry(key.clone()).or_default();
        history.0.push(event);
    }

    /// Follows an edit: names what the order needs.
    pub(crate) fn edited(&mut self) {
        self.needed = self.needs();
        self.follow();
    }

    /// Follows any change: calculates what the answers give.
    fn follow(&mut self) {
        self.needed.retain(|key| !matches!(key, Key::Coupons(_)));
        for key in &self.needed {
            self.histories.entry(key.clone()).or_default();
        }
        let codes = self.list("couponCodeList");
        self.lost
            .extend(mem::replace(&mut self.codes, codes.clone()));
        self.lost.retain(|code| !codes.contains(code));
        if codes.is_empty() {
            self.lost.clear();
        }
        // The request decides which answer of the coupon service counts.
        let resolved = self.resolve();
        if let Some(request) = self.request(resolved.as_ref()) {
            if let Some((asked, _)) = &mut self.discounts
                && asked.request == request
            {
                asked.ids.clone_from(&self.ids);
                self.lost.clear();
            }
            self.needed.push(Key::Coupons(request));
        }
        for key in &self.needed {
            self.histories.entry(key.clone()).or_default();
        }
        for (key, history) in &mut self.histories {
            if !self.needed.contains(key) {
                history.0.push(Event::Unneeded);
            }
        }
        self.expected = self.calculate(resolved);
    }

    fn needs(&self) -> Vec<Key> {
        // An order without products has the needs of its other parts.
        let mut order = self.order.clone();
        let is_empty = self.products().is_empty();
        if is_empty {
            order["productList"] = json!([{ "cprcode": 0, "productName": "", "quantity": 0 }]);
        }
        let mut calculation = calculation(&order, &self.zones, self.policy);
        let questions = calculation.ask(true);
        let mut asked = Vec::new();
        for question in &questions {
            asked.extend(asked_keys(question, calculation.conversation()));
        }
        if is_empty {
            asked.retain(|key| !matches!(key, Key::Price(..)));
        }
        asked
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
            let sent = schedule["nationwideMode"].as_str().unwrap_or("DRY");
            Key::Rate(mode(sent).word(), postcode.to_owned())
        };
        let schedules = schedules(shipping).iter().enumerate();
        schedules
            .filter(|(_, schedule)| is_nationwide(schedule))
            .map(|(index, schedule)| (index, key(schedule)))
            .collect()
    }

    /// The coupon request; `None` if something in it is unknown or too large.
    fn request(&self, resolved: Option<&Result<Advanced, Error>>) -> Option<String> {
        let mut before_coupons = self.before_coupons();
        let is_missing = before_coupons.any(|history| history.found().is_none());
        if is_missing || !self.zone_errors().is_empty() {
            return None;
        }
        let (calculation, questions) = resolved?.as_ref().ok()?;
        Some(
            questions
                .first()?
                .coupon_request(&calculation.coupon_rows()),
        )
    }

    /// What the coupon service learns, directly or through the totals.
    fn before_coupons(&self) -> impl Iterator<Item = &History> {
        self.of(|key| matches!(key, Key::Price(..) | Key::Rate(..)))
            .map(|(_, history)| history)
    }

    fn coupons(&self) -> Option<&History> {
        let mut coupons = self.of(|key| matches!(key, Key::Coupons(_)));
        coupons.next().map(|(_, history)| history)
    }

    /// What the basket has yet to know.
    pub(crate) fn pending(&self) -> Vec<&'static str> {
        if self.products().is_empty() {
            return Vec::new();
        }
        let any = |kind: fn(&Key) -> bool| self.of(kind).any(|(_, history)| history.is_pending());
        let are_coupons_pending = self.lacks_coupons() && !self.is_blocked();
        let parts = [
            (any(|key| matches!(key, Key::Price(..))), "prices"),
            (any(|key| matches!(key, Key::Rate(..))), "delivery"),
            (are_coupons_pending, "coupons"),
            (any(|key| matches!(key, Key::Voucher(..))), "vouchers"),
        ];
        let parts = parts.into_iter().filter(|(is_pending, _)| *is_pending);
        parts.map(|(_, name)| name).collect()
    }

    /// Whether the coupons wait until a price or a fee is right.
    pub(crate) fn is_blocked(&self) -> bool {
        let problems = self.problems();
        let is_before = |problem: &Problem| !problem.code.starts_with("VOUCHER");
        self.lacks_coupons()
            && (self.expected.is_large_before_coupons || problems.iter().any(is_before))
    }

    fn lacks_coupons(&self) -> bool {
        let is_listed = !self.products().is_empty() && !self.list("couponCodeList").is_empty();
        is_listed && self.coupons().is_none_or(History::is_pending)
    }

    /// Whether the coupon service has answered the current request.
    pub(crate) fn are_coupons_answered(&self) -> bool {
        let coupons = self.coupons();
        coupons.is_some_and(|history| history.current().is_some())
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
        if let Some(failed) = self.coupons().and_then(History::failed) {
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
        let history = self.history(key);
        if let Some(failed) = history.failed() {
            return Some(failed_call(failed, lookup, schedule));
        }
        let (code, message) = match history.current()? {
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
                let function = lookup.row().function;
                let name = key.name();
                let colon = if name.is_empty() { "" } else { ": " };
                let message = format!("Invalid answer from {function}: {name}{colon}{what}");
                (lookup.row().failed, message)
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
        let mut questions = Vec::new();
        if self.products().is_empty() {
            return questions;
        }
        let wanted = |kind: fn(&Key) -> bool| {
            let wanted = self.of(kind).filter(|(_, history)| history.is_wanted());
            Vec::from_iter(wanted.map(|(key, _)| key.clone()))
        };
        let prices = wanted(|key| matches!(key, Key::Price(..)));
        let rates = wanted(|key| matches!(key, Key::Rate(..)));
        let vouchers = wanted(|key| matches!(key, Key::Voucher(..)));
        let coupons = wanted(|key| matches!(key, Key::Coupons(_)));
        let are_settled = self.before_coupons().all(History::is_settled);
        questions.extend(self.ask_list(Lookup::Prices, prices));
        for rate in rates {
            let Key::Rate(word, _) = rate else { continue };
            questions.push(self.ask_one(Lookup::NationwideRate(mode(word)), rate));
        }
        questions.extend(self.ask_list(Lookup::Vouchers, vouchers));
        for coupons in coupons {
            if !self.awaits_any() && are_settled {
                questions.push(self.ask_one(Lookup::Coupons, coupons));
            }
        }
        questions
    }

    fn ask_list(&mut self, lookup: Lookup, keys: Vec<Key>) -> Option<(u32, Lookup, Value, usize)> {
        if keys.is_empty() {
            return None;
        }
        let (argument, count) = (keys.iter().map(Key::argument).collect(), keys.len());
        Some((self.call(lookup, keys), lookup, argument, count))
    }

    fn ask_one(&mut self, lookup: Lookup, key: Key) -> (u32, Lookup, Value, usize) {
        let argument = key.argument();
        (self.call(lookup, vec![key]), lookup, argument, 0)
    }

    fn call(&mut self, lookup: Lookup, keys: Vec<Key>) -> u32 {
        let number = self.next_call;
        self.next_call += 1;
        for key in &keys {
            self.note(key, Event::Asked);
            if let Key::Coupons(request) = key {
                self.asked = Some(Asked {
                    request: request.clone(),
                    codes: self.list("couponCodeList"),
                    ids: self.ids.clone(),
                });
            }
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
        self.asked.as_ref().map_or(0, |asked| asked.ids.len())
    }

    /// The calls whose answers are no longer needed.
    /// Whether a call is out that the basket needs.
    pub(crate) fn awaits_any(&self) -> bool {
        self.out.iter().any(|call| self.is_needed(call))
    }

    fn is_needed(&self, call: &Call) -> bool {
        let is_needed = |key| self.needed.contains(key);
        !self.products().is_empty() && call.keys.iter().any(is_needed)
    }

    pub(crate) fn useless(&mut self) -> Vec<u32> {
        let useless = self.out.iter().filter(|call| !self.is_needed(call));
        let useless = Vec::from_iter(useless.map(|call| call.number));
        for call in &useless {
            self.end(*call, |_| Event::Dropped);
        }
        useless
    }

    /// Ends a call; `event` tells what that means to the key at an index.
    fn end(&mut self, number: u32, event: impl Fn(usize) -> Event) {
        let place = self.out.iter().position(|call| call.number == number);
        let call = self.out.remove(place.expect("the call is out"));
        for (index, key) in call.keys.iter().enumerate() {
            self.note(key, event(index));
        }
    }

    pub(crate) fn answered(&mut self, number: u32, answers: &[Answer]) {
        self.end(number, |index| Event::Answered(answers[index].clone()));
        self.follow();
    }

    pub(crate) fn coupons_answered(&mut self, number: u32, answer: Value) {
        let asked = self.asked.take().expect("coupons were asked");
        // Only the last answer is kept.
        self.histories
            .retain(|key, _| !matches!(key, Key::Coupons(request) if *request != asked.request));
        self.discounts = Some((asked, answer));
        self.lost.clear();
        self.answered(number, &[Answer::Found(String::new())]);
    }

    pub(crate) fn failed(&mut self, number: u32, message: &str, is_retryable: bool) {
        self.end(number, |_| {
            Event::Failed(Failed {
                call: number,
                message: message.to_owned(),
                is_retryable,
            })
        });
        self.follow();
    }

    pub(crate) fn refresh(&mut self, line: Option<usize>) {
        let price = line.map(|line| self.price_key(line));
        self.note_all(&Event::Refreshed, |key| {
            price.as_ref().is_none_or(|price| price == key)
        });
        self.follow();
    }

    /// `lookup`: only its keys are asked again, and only those that may succeed then.
    pub(crate) fn renew(&mut self, lookup: Option<&str>) {
        let retryable_only = lookup.is_some();
        let is_about = |key: &Key| lookup.is_none_or(|name| key.function() == name);
        self.note_all(&Event::Renewed { retryable_only }, is_about);
    }

    fn note_all(&mut self, event: &Event, is_about: impl Fn(&Key) -> bool) {
        let histories = self.histories.iter_mut();
        for (_, history) in histories.filter(|(key, _)| is_about(key)) {
            history.0.push(event.clone());
        }
    }
}

/// The whole argument of a host's function. `rows`: `productList` of the coupon request.
pub(crate) fn argument(question: &Question, conversation: &Conversation, rows: &[u8]) -> Value {
    let stated = || serde_json::from_slice::<Value>(&question.argument).expect("it is JSON");
    match question.lookup {
        Lookup::Prices => {
            let branch_id = stated();
            let codes = conversation.cprcodes(question.call);
            let key = |code: i64| json!({ "cprcode": code, "branchId": branch_id });
            codes.map(key).collect()
        }
        Lookup::Coupons => {
            serde_json::from_str(&question.coupon_request(rows)).expect("the request is JSON")
        }
        _ => stated(),
    }
}

/// The keys that a question asks for.
pub(crate) fn asked_keys(question: &Question, conversation: &Conversation) -> Vec<Key> {
    let argument = argument(question, conversation, &[]);
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    match question.lookup {
        Lookup::NationwideRate(mode) => {
            vec![Key::Rate(mode.word(), text(&argument["shippingPostcode"]))]
        }
        Lookup::Prices => {
            let keys = argument.as_array().into_iter().flatten();
            let key = |key: &Value| {
                let code = key["cprcode"].as_i64().expect("an integer");
                Key::Price(code, text(&key["branchId"]))
            };
            keys.map(key).collect()
        }
        _ => {
            let ids = argument.as_array().into_iter().flatten();
            ids.map(|id| Key::Voucher(text(id))).collect()
        }
    }
}

impl Key {
    /// The name in an error's message; a rate has none.
    fn name(&self) -> String {
        match self {
            Self::Price(cprcode, branch) => format!("{cprcode}/{branch}"),
            Self::Rate(..) | Self::Coupons(_) => String::new(),
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
            Self::Coupons(request) => serde_json::from_str(request).expect("a request is JSON"),
        }
    }
}

fn failed_call(failed: &Failed, lookup: Lookup, schedule: Option<usize>) -> Problem {
    Problem {
        code: lookup.row().failed,
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

fn mode(word: &str) -> NationwideMode {
    let modes = [
        NationwideMode::Dry,
        NationwideMode::Fresh,
        NationwideMode::Mix,
    ];
    let mode = modes.into_iter().find(|mode| mode.word() == word);
    mode.expect("a mode")
}
