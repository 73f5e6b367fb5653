//! The conversation with the host: what to ask, and what the answers mean. An
//! order and a basket have the same one, and several baskets may share one.
//!
//! A fact for which one call asks is not asked again before that call has
//! ended.

use std::mem;
use std::sync::{Arc, Weak};

use super::facts::{Fact, FailedCall, Key, Needs, Record};
use super::known::Offer;
use super::{Clock, Facts, Planned, Records};
use crate::certain::{Certain, impossible};
use crate::error::{Expected, Failure, Fault};
use crate::json::{Writer, members, shown};
use crate::lookup::Lookup;
use crate::options::{FoldedDiscounts, Policy};
use crate::rules::DiscountResult;
use crate::shelf::{Found, Shelf};

/// The facts that the host has told, and the calls that ask for more.
#[derive(Debug, Default)]
pub struct Conversation {
    pub(crate) facts: Facts,
    /// The calls that are out.
    out: Vec<Call>,
    /// The number of the next call.
    next_call: u32,
    /// How often the facts have changed: baskets follow them.
    pub(crate) changes: u32,
    pub(super) clock: Clock,
    /// The calls that have failed. One that no fact has any more is over.
    failed: Vec<Weak<FailedCall>>,
    /// What somebody gives, but not for good yet.
    pub(super) offers: Vec<Offer>,
}

#[derive(Debug)]
struct Call {
    number: u32,
    lookup: Lookup,
    /// The places of the facts that it asks for.
    facts: Vec<usize>,
    /// Of coupons: what the order's policy folds.
    folds: FoldedDiscounts,
}

/// A question to the host.
#[derive(Debug)]
pub struct Question {
    /// The number of its call.
    pub call: u32,
    /// The look-up.
    pub lookup: Lookup,
    /// The number of records that a list look-up must return, else 0.
    pub keys: usize,
    /// The argument of the host's function, as JSON text. Two arguments have a
    /// part that is faster in another form: that of `lookupPrices` is the
    /// branch, and `cprcodes` gives the product codes; that of
    /// `validateCoupons` lacks `productList`, which `coupon_rows` gives.
    pub argument: Vec<u8>,
}

impl Question {
    /// The whole argument of `validateCoupons`. `rows`: its `productList`.
    pub fn coupon_request(&self, rows: &[u8]) -> String {
        let head = self.argument.strip_suffix(b"}").unwrap_or_default();
        let request = [head, br#","productList":"#, rows, b"}"].concat();
        String::from_utf8(request).ok().certain()
    }
}

impl Conversation {
    /// A conversation of baskets, whose answers count for so many ms.
    pub fn lasting(max_age: f64) -> Self {
        Self {
            facts: Facts::kept(),
            clock: Clock::new(max_age),
            ..Self::default()
        }
    }

    /// Begins the calls that a plan needs now, without the coupon service.
    pub(crate) fn ask(&mut self, planned: &Planned) -> Vec<Question> {
        let mut questions = Vec::new();
        planned.for_each_look_up(|lookup, places| questions.extend(self.ask_for(lookup, places)));
        questions
    }

    /// Takes the prices that a version on a shelf has, for those of the facts at
    /// these places that should be asked for: all of one branch. `with_old`: also
    /// in place of what is out of date. Returns how many it has.
    pub(crate) fn stock(
        &mut self,
        prices: &[usize],
        shelf: &Shelf,
        version: &str,
        with_old: bool,
    ) -> u32 {
        let is_wanted = |place: &usize| {
            let fact = self.facts.at(*place);
            fact.is_wanted() && (with_old || !fact.is_known())
        };
        let wanted = Vec::from_iter(prices.iter().copied().filter(is_wanted));
        let key = |place: usize| &self.facts.at(place).key;
        let branch_id = wanted.first().map(|place| Arc::clone(&key(*place).text));
        let Some(branch) = branch_id.and_then(|id| shelf.branch(version, &id)) else {
            return 0;
        };
        let now = self.clock.now();
        let mut count = 0;
        for place in wanted {
            let fact = self.facts.at_mut(place);
            if let Found::Read(record) = shelf.find(branch, fact.key.number) {
                let record = record.map(|found| found.map(Record::Price));
                fact.know(record.map_err(Failure::InvalidRecord), now);
                self.renewed(place);
                count += 1;
            }
        }
        if count > 0 {
            self.changed();
        }
        count
    }

    /// Begins a call for those of the facts that should be asked for.
    fn ask_for(
        &mut self,
        lookup: Lookup,
        places: &mut dyn Iterator<Item = usize>,
    ) -> Option<Question> {
        let mut wanted = Vec::with_capacity(places.size_hint().0);
        wanted.extend(places.filter(|place| self.facts.at(*place).is_wanted()));
        let key = &self.facts.at(*wanted.first()?).key;
        let mut out = Writer::with_capacity(64);
        match lookup {
            Lookup::Prices => _ = out.string(&key.text),
            Lookup::NationwideRate(mode) => {
                members!(out.raw, {
                    "shippingPostcode": string(&key.text),
                    "nationwideMode": word(mode.word())
                });
            }
            _ if lookup.is_list() => {
                let ids = wanted.iter().map(|place| &self.facts.at(*place).key.text);
                _ = out.list(ids, |out, id| _ = out.string(&shown(id)));
            }
            _ => _ = out.raw("null"),
        }
        Some(self.begin(lookup, wanted, out.into_bytes(), FoldedDiscounts::None))
    }

    /// Begins a call of the coupon service, whose answer goes to a place.
    pub(crate) fn ask_coupons(&mut self, place: usize, head: Vec<u8>, policy: &Policy) -> Question {
        self.begin(Lookup::Coupons, vec![place], head, policy.folded_discounts)
    }

    fn begin(
        &mut self,
        lookup: Lookup,
        facts: Vec<usize>,
        argument: Vec<u8>,
        folds: FoldedDiscounts,
    ) -> Question {
        let number = self.count_call();
        self.facts.change(&facts, |fact| fact.call = Some(number));
        self.announce(&facts);
        let keys = if lookup.is_list() { facts.len() } else { 0 };
        self.out.push(Call {
            number,
            lookup,
            facts,
            folds,
        });
        Question {
            call: number,
            lookup,
            keys,
            argument,
        }
    }

    /// The number of a call that begins now.
    pub(super) fn count_call(&mut self) -> u32 {
        let number = self.next_call;
        self.next_call += 1;
        number
    }

    fn call(&self, call: u32) -> Option<&Call> {
        self.out.iter().find(|out| out.number == call)
    }

    /// Whether any call is out.
    pub(crate) fn is_out(&self) -> bool {
        !self.out.is_empty()
    }

    /// The product codes whose prices a call asks for.
    pub fn cprcodes(&self, call: u32) -> impl Iterator<Item = i64> {
        let call = self.call(call).filter(|call| call.lookup == Lookup::Prices);
        let facts = call.map_or(&[][..], |call| &call.facts);
        facts.iter().map(|place| self.facts.at(*place).key.number)
    }

    /// The keys that a call asks for.
    pub(crate) fn keys_of(&self, call: u32) -> impl Iterator<Item = &Key> {
        let facts = self.call(call).map_or(&[][..], |call| &call.facts);
        facts.iter().map(|place| &self.facts.at(*place).key)
    }

    /// The number of records that a call must return, if it is a list look-up.
    pub fn keys(&self, call: u32) -> Option<usize> {
        let call = self.call(call).filter(|call| call.lookup.is_list());
        call.map(|call| call.facts.len())
    }

    /// Learns the outcome of a call. Returns its look-up; `None`: nobody waits
    /// for the answer.
    pub fn answer(&mut self, call: u32, answer: Result<Records, Failure>) -> Option<Lookup> {
        let ended = self.take(call)?;
        if let Err(failure) = answer.and_then(|answer| self.learn(&ended, answer)) {
            let failed = Arc::new(FailedCall { call, failure });
            self.facts.change(&ended.facts, |fact| fact.fail(&failed));
            self.failed.retain(|other| other.strong_count() > 0);
            self.failed.push(Arc::downgrade(&failed));
        }
        self.facts.tidy(&ended.facts);
        for place in &ended.facts {
            self.renewed(*place);
        }
        self.changed();
        Some(ended.lookup)
    }

    /// The calls whose failures are known to some fact.
    pub fn failed_calls(&self) -> Vec<u32> {
        let failed = self.failed.iter().filter_map(Weak::upgrade);
        failed.map(|failed| failed.call).collect()
    }

    /// The places of the facts that have changed since the last call, and which
    /// some order names.
    pub fn take_news(&mut self) -> Vec<usize> {
        self.facts.take_news()
    }

    fn announce(&mut self, places: &[usize]) {
        for place in places {
            self.facts.announce(*place);
        }
    }

    /// Follows a fact that may have another answer.
    pub(super) fn renewed(&mut self, place: usize) {
        if self.clock.ages() {
            self.facts.queue_aging(place);
        }
        self.facts.queue_spare(place);
        self.facts.announce(place);
    }

    /// Copies what a store knows of the facts that an order needs, and its time.
    pub(super) fn recall(&mut self, store: &Self, with_vouchers: bool) {
        self.tick(store.clock.now());
        let facts = self.facts.iter_mut();
        for fact in facts.filter(|fact| fact.key.source.is_shared(with_vouchers)) {
            let known = store.facts.find(&fact.key);
            let known = known.map(|place| store.facts.at(place));
            if let Some(known) = known
                && let Some(record) = known.fresh()
            {
                fact.know(Ok(record.clone()), known.at);
            }
        }
    }

    /// Takes what an order has got of the facts that are not known, with the
    /// times of the answers. It knows the store since the call `since`.
    pub(super) fn hear(&mut self, order: &Facts, with_vouchers: bool, since: u32) {
        let facts = order.iter();
        for fact in facts.filter(|fact| fact.key.source.is_shared(with_vouchers)) {
            if let Some(record) = fact.fresh() {
                let Key {
                    number,
                    source,
                    text,
                } = &fact.key;
                let place = self.facts.place(*source, text, *number);
                let at = self.clock.dated(fact.at);
                if self.facts.at_mut(place).hear(record, since, at) {
                    self.renewed(place);
                }
            }
        }
        self.changed();
    }

    pub(super) fn changed(&mut self) {
        self.changes += 1;
    }

    /// Answers a call for one fact with what was answered at this time. What is
    /// wrong counts as not answered.
    pub(crate) fn restore(&mut self, call: u32, answer: String, at: f64) {
        let place = self.call(call).and_then(|call| call.facts.first().copied());
        self.answer(call, Ok(Records::one(Some(answer))));
        if let Some(place) = place {
            let fact = self.facts.at_mut(place);
            fact.at = at;
            if fact.record().is_none() {
                fact.forget();
            }
        }
    }

    /// Ends a call whose answer goes elsewhere.
    pub fn end(&mut self, call: u32) {
        if let Some(ended) = self.take(call) {
            self.forget(vec![ended]);
        }
    }

    fn take(&mut self, call: u32) -> Option<Call> {
        let place = self.out.iter().position(|out| out.number == call)?;
        Some(self.out.remove(place))
    }

    /// Learns the records of an answer. Fails if it is wrong as a whole.
    fn learn(&mut self, call: &Call, answer: Records) -> Result<(), Failure> {
        let Call {
            number,
            lookup,
            ref facts,
            folds,
        } = *call;
        let origin = answer.origin;
        if lookup.is_list() {
            let wrong = || Failure::InvalidAnswer(Fault::expected(Expected::ArrayOf(facts.len())));
            let mut texts = answer.list(facts.len()).ok_or_else(wrong)?;
            let now = self.clock.now();
            self.facts.change(facts, |fact| {
                let record = Record::next(&fact.key, &mut texts, origin);
                fact.learn(number, record, now);
            });
            return Ok(());
        }
        let place = facts.first().copied().certain();
        let document = answer.into_document();
        let record = match lookup {
            Lookup::Coupons => {
                let products = self.facts.at(place).key.number as usize;
                let result = DiscountResult::from_answer(document, products, folds)
                    .map_err(Failure::InvalidAnswer)?;
                Ok(Some(Record::Coupons(Arc::new(result))))
            }
            Lookup::NationwideRate(_) => Record::rate(document).map_err(Failure::InvalidRecord),
            _ => impossible(),
        };
        let now = self.clock.now();
        self.facts.at_mut(place).learn(number, record, now);
        Ok(())
    }

    /// Notes that an order needs these facts, or only names them.
    pub(crate) fn need(&mut self, needs: &Needs) {
        self.facts.change(&needs.places, |fact| {
            fact.names += 1;
            fact.needs += needs.count();
        });
    }

    /// Notes that it no longer does. Problems go with the last order that names
    /// a fact.
    pub(crate) fn leave(&mut self, needs: &Needs) {
        self.facts.change(&needs.places, |fact| {
            fact.names -= 1;
            fact.needs -= needs.count();
        });
        self.facts.tidy(&needs.places);
    }

    /// Forgets the calls of which nothing is needed any more, and returns their
    /// numbers.
    pub fn useless(&mut self) -> Vec<u32> {
        let out = mem::take(&mut self.out).into_iter();
        let (needed, useless) = out.partition(|call| {
            let mut facts = call.facts.iter().map(|place| self.facts.at(*place));
            facts.any(|fact| fact.needs > 0 && fact.awaits(call.number))
        });
        self.out = needed;
        self.forget(useless)
    }

    /// Forgets a fact, and the call that asks for it.
    pub(crate) fn drop_fact(&mut self, place: usize) {
        if let Some(call) = self.facts.at(place).call {
            self.end(call);
        }
        self.facts.remove_own(place);
    }

    /// Forgets all calls: their answers will not come.
    pub fn forget_calls(&mut self) {
        let out = mem::take(&mut self.out);
        self.forget(out);
    }

    fn forget(&mut self, calls: Vec<Call>) -> Vec<u32> {
        for call in &calls {
            self.facts
                .change(&call.facts, |fact| fact.drop_call(call.number));
            self.facts.tidy(&call.facts);
            self.announce(&call.facts);
        }
        calls.iter().map(|call| call.number).collect()
    }

    /// Makes the next round ask again for the fact at this place. Until it is
    /// answered, an old record counts.
    pub(crate) fn refresh(&mut self, place: usize) {
        self.facts.at_mut(place).refresh(self.next_call);
        self.facts.announce(place);
        self.changed();
    }

    /// The same for these facts, and for all that no order names.
    pub(crate) fn refresh_all(&mut self, places: &[usize]) {
        let next = self.next_call;
        self.facts.change(places, |fact| fact.refresh(next));
        let others = self.facts.iter_mut().filter(|fact| fact.names == 0);
        others.for_each(|fact| fact.refresh(next));
        self.announce(places);
        self.changed();
    }

    /// Lets the next round ask again for those of these facts whose call failed
    /// or whose record is wrong; with the name of a look-up only for its facts
    /// that may succeed if they are asked again.
    pub(crate) fn ask_again(&mut self, places: &[usize], lookup: Option<&str>) {
        let is_meant = |fact: &Fact| lookup.is_none_or(|name| fact.key.source.function() == name);
        for place in places {
            let fact = self.facts.at_mut(*place);
            if is_meant(fact) && fact.ask_again(lookup.is_some()) {
                self.facts.announce(*place);
            }
        }
    }

    /// Follows the time, in ms since 1970. What is older than it may be is asked
    /// again as after a refresh. Returns when the next fact will be too old: now
    /// if one has become so.
    pub fn tick(&mut self, now: f64) -> f64 {
        if self.clock.follow(now) {
            self.facts.set_back(now);
        }
        let mut has_aged = false;
        loop {
            let oldest = self.facts.oldest_fresh();
            let end = oldest.map_or(f64::INFINITY, |oldest| self.clock.end_of(oldest.at));
            match oldest {
                Some(oldest) if end <= now => self.refresh(oldest.place),
                _ if has_aged => return now,
                _ => return end,
            }
            has_aged = true;
        }
    }
}
