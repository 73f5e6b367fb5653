//! The host's answers: each key with its answer, the call that asks for it, and
//! what went wrong.

use std::mem;
use std::sync::Arc;

use super::ages::{Ages, Entry};
use super::records::Texts;
use super::{Obstacle, Problem};
use crate::certain::{Certain, impossible};
use crate::error::{Error, Failure, Fault};
use crate::json::{Document, Origin, Writer, shown};
use crate::lookup::{Lookup, NationwideMode};
use crate::rules::{DiscountResult, NationwideRate, PriceRecord, VoucherRecord};

/// Every fact that an order or a basket has ever needed.
#[derive(Debug, Default)]
pub struct Facts {
    list: Vec<Fact>,
    /// The places in `list` of the facts with keys, sorted by these. `None`: the
    /// facts of a single order. It names each key once, so nobody looks for a key
    /// again.
    places: Option<Vec<usize>>,
    /// The places in `list` that hold no fact.
    free: Vec<usize>,
    /// The answers that can become too old.
    aging: Ages,
    /// The facts that may go.
    spare: Ages,
    /// The places of the facts that have changed since somebody took this list.
    news: Vec<usize>,
}

/// What a fact is about. Sorted by the number first, which tells most keys
/// apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) number: i64,
    pub(crate) source: Source,
    pub(crate) text: Arc<str>,
}

/// The kind of a fact, and its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// A price; the key is the branch and the product code.
    Price,
    /// A nationwide rate; the key is the postcode and the mode.
    Rate,
    /// A voucher; the key is its id in the form of `canonical` (D29), and 0.
    Voucher,
    /// The delivery zones that are not known; the key is empty. Only the calls
    /// and their failures are kept: the zones belong to the pricer.
    Zones,
    /// The result of the coupons; the number is that of the products in the
    /// request, and the owner of the fact keeps the request.
    Coupons,
    /// No fact: its place is free.
    Nothing,
}

/// What the host has found.
#[derive(Clone, Debug)]
pub(crate) enum Record {
    Price(PriceRecord),
    Rate(Arc<NationwideRate>),
    Voucher(Arc<VoucherRecord>),
    Coupons(Arc<DiscountResult>),
}

/// `None`: the host has not answered yet. `Ok(None)`: it found nothing.
type Answer = Option<Result<Option<Record>, Failure>>;

/// The answer to one question, and its calls. Calls have numbers in the
/// sequence in which they begin.
#[derive(Debug)]
pub(crate) struct Fact {
    pub(crate) key: Key,
    answer: Answer,
    /// Whether it must be asked again. Until then its record counts.
    is_stale: bool,
    /// The call that asks now.
    pub(crate) call: Option<u32>,
    /// The last call, if it failed.
    failed: Option<Arc<FailedCall>>,
    /// Whether a failure or a wrong record is asked for no more, until
    /// [`Fact::ask_again`].
    is_held: bool,
    /// The number of the first call after the last refresh: the answer of an
    /// earlier one is old.
    refreshed: u32,
    /// How many orders name it.
    pub(crate) names: u32,
    /// How many of them need it: one without products needs nothing.
    pub(crate) needs: u32,
    /// When it was answered, in ms since 1970.
    pub(crate) at: f64,
    /// Where it stands in [`Facts::news`].
    news: Option<usize>,
}

/// The facts that an order names.
#[derive(Debug, Default)]
pub(crate) struct Needs {
    pub(crate) places: Vec<usize>,
    /// Whether the order has no products yet.
    pub(crate) is_idle: bool,
}

impl Needs {
    pub(super) fn count(&self) -> u32 {
        u32::from(!self.is_idle)
    }
}

/// A call that failed.
#[derive(Debug)]
pub(crate) struct FailedCall {
    /// Its number.
    pub(crate) call: u32,
    pub(crate) failure: Failure,
}

impl Record {
    /// Reads a price; `None` if the host found nothing.
    pub(super) fn price(text: &str, origin: Origin) -> Result<Option<Self>, Fault> {
        let found = PriceRecord::from_text(text, origin)?;
        Ok(found.map(Self::Price))
    }

    /// Reads a voucher; `None` if the host found nothing.
    #[inline(never)]
    pub(super) fn voucher(key: &Key, text: &str, origin: Origin) -> Result<Option<Self>, Fault> {
        let found = VoucherRecord::read(text, origin, &shown(&key.text))?;
        Ok(found.map(|voucher| Self::Voucher(Arc::new(voucher))))
    }

    /// Reads the next record of a list look-up.
    pub(super) fn next(
        key: &Key,
        texts: &mut Texts<'_>,
        origin: Origin,
    ) -> Result<Option<Self>, Failure> {
        let record = match key.source {
            Source::Voucher => Self::voucher(key, texts.next(), origin),
            Source::Price => match texts.read(|rest| PriceRecord::leading(rest, origin)) {
                Ok(found) => Ok(found.map(Self::Price)),
                Err(text) => Self::price(text, origin),
            },
            Source::Rate | Source::Zones | Source::Coupons | Source::Nothing => impossible(),
        };
        record.map_err(Failure::InvalidRecord)
    }

    /// Reads a nationwide rate; `None` if the host found nothing.
    pub(super) fn rate(answer: Document) -> Result<Option<Self>, Fault> {
        let found = NationwideRate::from_answer(answer)?;
        Ok(found.map(|rate| Self::Rate(Arc::new(rate))))
    }

    /// The fields of a price or a rate as JSON text.
    pub(super) fn text(&self) -> String {
        let mut out = Writer::with_capacity(128);
        match self {
            Self::Price(price) => price.write(&mut out),
            Self::Rate(rate) => rate.write(&mut out),
            Self::Voucher(_) | Self::Coupons(_) => {}
        }
        String::from_utf8(out.into_bytes()).unwrap_or_default()
    }
}

impl Source {
    /// The name of the function that answers it.
    pub(crate) fn function(self) -> &'static str {
        let lookup = match self {
            Self::Price => Lookup::Prices,
            Self::Rate => Lookup::NationwideRate(NationwideMode::Dry),
            Self::Voucher => Lookup::Vouchers,
            Self::Zones => Lookup::Zones,
            Self::Coupons => Lookup::Coupons,
            Self::Nothing => return "",
        };
        lookup.row().function
    }

    /// Whether its facts have keys.
    fn has_key(self) -> bool {
        !matches!(self, Self::Coupons | Self::Nothing)
    }

    /// Whether its facts leave a store. A voucher may be another customer's (D30).
    fn leaves(self) -> bool {
        matches!(self, Self::Price | Self::Rate)
    }

    /// Whether its facts can be too old. The zones and the results of coupons
    /// are not a store's.
    fn ages(self) -> bool {
        self.leaves() || self == Self::Voucher
    }

    /// Whether a calculation shares its facts with a store.
    pub(crate) fn is_shared(self, with_vouchers: bool) -> bool {
        self.leaves() || (with_vouchers && self == Self::Voucher)
    }
}

impl Facts {
    /// Facts that outlive an order: each key has one place.
    pub fn kept() -> Self {
        Self {
            places: Some(Vec::new()),
            ..Self::default()
        }
    }

    /// Makes room for so many facts: without it, they move while they grow.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.list.reserve(count);
    }

    /// The place of a fact, which is new if it is not kept.
    pub(crate) fn place(&mut self, source: Source, text: &Arc<str>, number: i64) -> usize {
        let key = Key {
            number,
            source,
            text: Arc::clone(text),
        };
        match self.search(&key) {
            Ok(at) => self.sorted(at).certain(),
            Err(at) => {
                let place = self.insert(Fact::new(key));
                if let Some(places) = &mut self.places {
                    places.insert(at, place);
                }
                place
            }
        }
    }

    /// The place of a fact that somebody needs or has needed.
    pub(crate) fn find(&self, key: &Key) -> Option<usize> {
        self.sorted(self.search(key).ok()?)
    }

    fn sorted(&self, at: usize) -> Option<usize> {
        self.places.as_ref()?.get(at).copied()
    }

    /// Where a key stands in `places`, or would stand. `BTreeMap` does not move
    /// the keys behind a new one, but 10,000 move in a microsecond or two, and it
    /// is 4 kB larger.
    fn search(&self, key: &Key) -> Result<usize, usize> {
        let places = self.places.as_deref().unwrap_or_default();
        places.binary_search_by(|place| self.at(*place).key.cmp(key))
    }

    /// A place for a fact that only its owner looks for.
    pub(crate) fn own_place(&mut self, source: Source, number: i64) -> usize {
        let text = Arc::from("");
        self.insert(Fact::new(Key {
            number,
            source,
            text,
        }))
    }

    fn insert(&mut self, fact: Fact) -> usize {
        if let Some(place) = self.free.pop() {
            *self.at_mut(place) = fact;
            return place;
        }
        self.list.push(fact);
        self.list.len() - 1
    }

    /// Forgets the problems of those of these facts that no order names. They
    /// may go.
    pub(crate) fn tidy(&mut self, places: &[usize]) {
        if self.places.is_none() {
            return;
        }
        for place in places {
            let fact = self.at_mut(*place);
            if fact.names == 0 {
                fact.forget_problems();
                self.queue_spare(*place);
            }
        }
    }

    /// Forgets a fact that only its owner looks for.
    pub(crate) fn remove_own(&mut self, place: usize) {
        self.withdraw(place);
        *self.at_mut(place) = Fact::new(Key::nothing());
        self.free.push(place);
    }

    /// Forgets the oldest fact that may go. Returns whether there is one.
    pub(crate) fn remove_oldest(&mut self) -> bool {
        let list = &self.list;
        let is_spare = |entry: Entry| holds(list, entry, Fact::is_spare);
        let Some(Entry { place, .. }) = self.spare.oldest(is_spare) else {
            return false;
        };
        let found = self.search(&self.at(place).key);
        if let (Ok(at), Some(places)) = (found, &mut self.places) {
            places.remove(at);
        }
        self.remove_own(place);
        true
    }

    /// The oldest answer that can become too old.
    pub(crate) fn oldest_fresh(&mut self) -> Option<Entry> {
        let list = &self.list;
        self.aging.oldest(|entry| holds(list, entry, Fact::can_age))
    }

    /// Notes that a fact has an answer that can become too old.
    pub(crate) fn queue_aging(&mut self, place: usize) {
        let fact = self.at(place);
        if fact.can_age() {
            let at = fact.at;
            self.aging.push(Entry { at, place });
            self.shorten();
        }
    }

    /// Notes that a fact may go, if it may.
    pub(crate) fn queue_spare(&mut self, place: usize) {
        let fact = self.at(place);
        if fact.is_spare() {
            let at = fact.at;
            self.spare.push(Entry { at, place });
            self.shorten();
        }
    }

    fn shorten(&mut self) {
        let count = self.list.len();
        if self.aging.is_long(count) || self.spare.is_long(count) {
            self.queue_all();
        }
    }

    fn queue_all(&mut self) {
        let entries = |is_meant: fn(&Fact) -> bool| {
            let facts = self.list.iter().enumerate();
            let meant = facts.filter(move |(_, fact)| is_meant(fact));
            meant.map(|(place, fact)| Entry { at: fact.at, place })
        };
        let (aging, spare) = (entries(Fact::can_age), entries(Fact::is_spare));
        (self.aging, self.spare) = (aging.collect(), spare.collect());
    }

    /// Follows a clock that was set back: the time of no fact is in the future.
    pub(crate) fn set_back(&mut self, now: f64) {
        for fact in &mut self.list {
            fact.at = fact.at.min(now);
        }
        self.queue_all();
    }

    /// Notes that who names this fact has something to follow.
    pub(crate) fn announce(&mut self, place: usize) {
        let at = self.news.len();
        let fact = self.at_mut(place);
        if fact.names > 0 && fact.news.is_none() {
            fact.news = Some(at);
            self.news.push(place);
        }
    }

    /// Takes a fact out of the news. The last of them moves to its place.
    fn withdraw(&mut self, place: usize) {
        let Some(at) = self.at_mut(place).news.take() else {
            return;
        };
        self.news.swap_remove(at);
        if let Some(moved) = self.news.get(at).copied() {
            self.at_mut(moved).news = Some(at);
        }
    }

    /// The places of the facts that have changed since the last call.
    pub(crate) fn take_news(&mut self) -> Vec<usize> {
        let news = mem::take(&mut self.news);
        self.change(&news, |fact| fact.news = None);
        news
    }

    /// The fact at a place.
    #[inline]
    pub(crate) fn at(&self, place: usize) -> &Fact {
        self.list.get(place).certain()
    }

    /// The fact at a place, to change it.
    pub(crate) fn at_mut(&mut self, place: usize) -> &mut Fact {
        self.list.get_mut(place).certain()
    }

    /// Changes the facts at these places.
    pub(crate) fn change(&mut self, places: &[usize], mut change: impl FnMut(&mut Fact)) {
        for place in places {
            change(self.at_mut(*place));
        }
    }

    /// All facts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.list.iter()
    }

    /// How many places there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// All facts, to change them.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Fact> {
        self.list.iter_mut()
    }

    /// How many facts have a key.
    pub(crate) fn count(&self) -> usize {
        self.places.as_ref().map_or(0, Vec::len)
    }
}

/// Whether an entry holds: its fact has this time, and is meant.
fn holds(list: &[Fact], entry: Entry, is_meant: impl Fn(&Fact) -> bool) -> bool {
    let fact = list.get(entry.place);
    fact.is_some_and(|fact| fact.at == entry.at && is_meant(fact))
}

impl Key {
    /// That of a free place.
    fn nothing() -> Self {
        Self {
            number: 0,
            source: Source::Nothing,
            text: Arc::from(""),
        }
    }
}

impl Fact {
    fn new(key: Key) -> Self {
        Self {
            key,
            answer: None,
            is_stale: false,
            call: None,
            failed: None,
            is_held: false,
            refreshed: 0,
            names: 0,
            needs: 0,
            at: 0.0,
            news: None,
        }
    }

    /// The record, which may be out of date.
    #[inline]
    pub(crate) fn record(&self) -> Option<&Record> {
        match &self.answer {
            Some(Ok(record)) => record.as_ref(),
            _ => None,
        }
    }

    /// Whether the host has yet to answer. A failure is not pending: it is a
    /// problem.
    fn is_pending(&self) -> bool {
        self.failed.is_none() && (self.answer.is_none() || self.is_stale)
    }

    /// Whether the next call should ask for it.
    pub(crate) fn is_wanted(&self) -> bool {
        let is_open = self.is_stale || matches!(self.answer, None | Some(Err(_)));
        is_open && !self.is_held && self.call.is_none()
    }

    /// What keeps an order from being priced with this fact. `error` makes the
    /// error of a failure; without a failure, the host found nothing.
    #[inline]
    pub(crate) fn obstacle(
        &self,
        error: impl FnOnce(Option<&Failure>) -> Error,
    ) -> Option<Obstacle> {
        let (failure, call) = match (&self.failed, &self.answer) {
            _ if self.is_pending() => return Some(Obstacle::Open),
            (Some(failed), _) => (Some(&failed.failure), Some(failed.call)),
            (None, Some(Err(failure))) => (Some(failure), None),
            (None, Some(Ok(None))) => (None, None),
            (None, _) => return None,
        };
        let error = error(failure);
        Some(Obstacle::Problem(Problem { error, call }))
    }

    /// Whether it is a price or a rate that was answered, though it may be old.
    pub(crate) fn is_known(&self) -> bool {
        self.key.source.leaves() && matches!(self.answer, Some(Ok(_)))
    }

    /// Whether it has an answer that can become too old.
    fn can_age(&self) -> bool {
        self.key.source.ages() && self.fresh().is_some()
    }

    /// Whether no order names it and no call asks for it.
    pub(crate) fn is_spare(&self) -> bool {
        self.key.source.has_key() && self.names == 0 && self.call.is_none()
    }

    /// Forgets the answer.
    pub(crate) fn forget(&mut self) {
        self.answer = None;
        self.is_stale = false;
        self.failed = None;
        self.is_held = false;
    }

    /// The answer, if it is up to date and no failure.
    pub(crate) fn fresh(&self) -> Option<&Option<Record>> {
        match &self.answer {
            Some(Ok(record)) if !self.is_stale => Some(record),
            _ => None,
        }
    }

    /// Whether it waits for the answer of this call.
    pub(crate) fn awaits(&self, call: u32) -> bool {
        self.call == Some(call)
    }

    /// Takes an answer that somebody else has got. It waits for no other one.
    pub(crate) fn know(&mut self, answer: Result<Option<Record>, Failure>, at: f64) {
        self.forget();
        self.call = None;
        self.is_held = answer.is_err();
        self.answer = Some(answer);
        self.at = at;
    }

    /// Takes an answer of an order that knows the store since the call `since`,
    /// unless it is known or came before a refresh. Returns whether it does.
    pub(crate) fn hear(&mut self, record: &Option<Record>, since: u32, at: f64) -> bool {
        let is_new = self.fresh().is_none() && since >= self.refreshed;
        if is_new {
            self.know(Ok(record.clone()), at);
        }
        is_new
    }

    /// Learns the answer of a call, unless it waits for another or for none.
    pub(crate) fn learn(&mut self, call: u32, answer: Result<Option<Record>, Failure>, now: f64) {
        if !self.awaits(call) {
            return;
        }
        self.call = None;
        self.at = now;
        self.failed = None;
        // A call that began before a refresh does not answer the refresh: a
        // record is shown until the next answer, anything else is ignored.
        let is_old = call < self.refreshed;
        self.is_held = answer.is_err() && !is_old;
        if !is_old || matches!(answer, Ok(Some(_))) {
            self.answer = Some(answer);
        }
        self.is_stale = is_old && self.answer.is_some();
    }

    /// The same for a call that failed.
    pub(crate) fn fail(&mut self, failed: &Arc<FailedCall>) {
        if !self.awaits(failed.call) {
            return;
        }
        self.call = None;
        if failed.call >= self.refreshed {
            self.failed = Some(Arc::clone(failed));
            self.is_held = true;
        }
    }

    /// The same for a call that has ended without an answer: what failed before
    /// rests again.
    pub(crate) fn drop_call(&mut self, call: u32) {
        if !self.awaits(call) {
            return;
        }
        self.call = None;
        let is_wrong = matches!(self.answer, Some(Err(_))) && !self.is_stale;
        self.is_held = self.failed.is_some() || is_wrong;
    }

    /// Makes the next round ask again; `next_call` is the number of the next
    /// call.
    pub(crate) fn refresh(&mut self, next_call: u32) {
        self.refreshed = next_call;
        self.is_stale = self.answer.is_some();
        self.failed = None;
        self.is_held = false;
    }

    /// Lets a failure or a wrong record be asked for again. Returns whether it
    /// was not.
    pub(crate) fn ask_again(&mut self, retryable_only: bool) -> bool {
        let is_retryable = |failed: &Arc<FailedCall>| failed.failure.is_retryable();
        let is_meant = !retryable_only || self.failed.as_ref().is_some_and(is_retryable);
        is_meant && mem::take(&mut self.is_held)
    }

    /// Forgets everything but a record: the order does not need the fact.
    pub(crate) fn forget_problems(&mut self) {
        self.failed = None;
        self.is_held = false;
        if self.record().is_none() {
            self.answer = None;
            self.is_stale = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Fact, Facts, FailedCall, Key, Obstacle, PriceRecord, Problem, Record, Source};
    use crate::error::{Error, Failure, Fault};
    use crate::json::Origin;

    fn found() -> Result<Option<Record>, Failure> {
        let price = PriceRecord::from_text(r#"{"price":1}"#, Origin::Wire);
        let price = price.map_err(Failure::InvalidRecord)?;
        Ok(price.map(Record::Price))
    }

    fn wrong() -> Result<Option<Record>, Failure> {
        Err(Failure::InvalidRecord(Fault::syntax()))
    }

    fn fact() -> Fact {
        Fact::new(Key {
            number: 1,
            source: Source::Price,
            text: "1000".into(),
        })
    }

    fn failed(call: u32, failure: Failure) -> Arc<FailedCall> {
        Arc::new(FailedCall { call, failure })
    }

    /// A call ends, which is out.
    fn learn(fact: &mut Fact, call: u32, answer: Result<Option<Record>, Failure>) {
        fact.call = Some(call);
        fact.learn(call, answer, 0.0);
    }

    fn fail(fact: &mut Fact, failed: Arc<FailedCall>) {
        fact.call = Some(failed.call);
        fact.fail(&failed);
    }

    fn obstacle(fact: &Fact) -> Option<Obstacle> {
        fact.obstacle(|_| Error::InvalidJson)
    }

    /// Whether it is pending, settled, wanted and wrong.
    fn state(fact: &Fact) -> [bool; 4] {
        let obstacle = obstacle(fact);
        let is_pending = matches!(obstacle, Some(Obstacle::Open));
        assert_eq!(fact.is_pending(), is_pending);
        [
            is_pending,
            obstacle.is_none(),
            fact.is_wanted(),
            matches!(obstacle, Some(Obstacle::Problem(_))),
        ]
    }

    #[test]
    fn a_fact_has_one_place_by_source_text_and_number() {
        let mut facts = Facts::kept();
        let (here, there) = ("1000".into(), "2000".into());
        let first = facts.place(Source::Price, &here, 1);
        assert_eq!(facts.place(Source::Price, &here, 1), first);
        for (source, text, number) in [
            (Source::Price, &here, 2),
            (Source::Price, &there, 1),
            (Source::Voucher, &here, 1),
        ] {
            assert_ne!(facts.place(source, text, number), first);
        }
    }

    #[test]
    fn a_place_of_its_own_is_found_by_no_key() {
        let mut facts = Facts::kept();
        let own = facts.own_place(Source::Coupons, 2);
        assert_ne!(facts.place(Source::Coupons, &"".into(), 2), own);
        facts.change(&[own], |fact| learn(fact, 0, found()));
        facts.remove_own(own);
        assert_eq!(
            facts.own_place(Source::Coupons, 3),
            own,
            "the place is spare"
        );
        assert!(facts.at(own).record().is_none());
        assert_eq!(facts.at(own).key.number, 3);
    }

    #[test]
    fn what_is_removed_is_no_news_and_neither_is_what_takes_its_place() {
        let mut facts = Facts::kept();
        let places = [1, 2, 3].map(|number| facts.own_place(Source::Coupons, number));
        facts.change(&places, |fact| fact.names = 1);
        for place in [0, 2, 1, 0].map(|index: usize| places[index]) {
            facts.announce(place);
        }
        facts.remove_own(places[1]);
        assert_eq!(facts.own_place(Source::Coupons, 4), places[1]);
        assert_eq!(facts.take_news(), [places[0], places[2]]);
        assert!(facts.take_news().is_empty());
    }

    #[test]
    fn only_a_found_record_settles_a_fact() {
        let mut fact = fact();
        assert_eq!(state(&fact), [true, false, true, false]);
        fact.call = Some(0);
        assert_eq!(state(&fact), [true, false, false, false]);
        learn(&mut fact, 0, found());
        assert_eq!(state(&fact), [false, true, false, false]);
        learn(&mut fact, 1, Ok(None));
        assert_eq!(state(&fact), [false, false, false, true]);
        // A wrong record is held until somebody asks again.
        learn(&mut fact, 2, wrong());
        assert_eq!(state(&fact), [false, false, false, true]);
        fact.ask_again(true);
        assert_eq!(state(&fact), [false, false, false, true]);
        fact.ask_again(false);
        assert_eq!(state(&fact), [false, false, true, true]);
    }

    #[test]
    fn what_is_stale_is_asked_again_and_counts_until_then_if_it_was_found() {
        let mut fact = fact();
        let answers = [(found(), true), (Ok(None), false), (wrong(), false)];
        for (call, (answer, still_counts)) in (0..).zip(answers) {
            learn(&mut fact, call, answer);
            fact.refresh(call + 1);
            assert_eq!(state(&fact), [true, false, true, false]);
            assert_eq!(fact.record().is_some(), still_counts);
        }
    }

    #[test]
    fn a_call_that_began_before_a_refresh_does_not_answer_it() {
        let mut fact = fact();
        fact.call = Some(4);
        fact.refresh(5);
        learn(&mut fact, 4, found());
        assert_eq!(state(&fact), [true, false, true, false]);
        fact.call = Some(4);
        fail(&mut fact, failed(4, Failure::Late(1)));
        assert_eq!(state(&fact), [true, false, true, false]);
        learn(&mut fact, 5, found());
        assert_eq!(state(&fact), [false, true, false, false]);
        // It found nothing, or what is wrong: both are ignored, and the record counts.
        for answer in [Ok(None), wrong()] {
            fact.refresh(6);
            learn(&mut fact, 5, answer);
            assert_eq!(state(&fact), [true, false, true, false]);
        }
        assert!(fact.record().is_some());
    }

    #[test]
    fn a_failed_call_rests_and_leaves_the_record() {
        for (failure, is_retryable) in [(Failure::Late(1), true), (Failure::NotSupplied, false)] {
            let mut fact = fact();
            learn(&mut fact, 0, found());
            fact.refresh(1);
            fail(&mut fact, failed(1, failure));
            assert_eq!(state(&fact), [false, false, false, true]);
            let call = Some(1);
            assert!(
                matches!(obstacle(&fact), Some(Obstacle::Problem(Problem { call: of, .. })) if of == call)
            );
            fact.ask_again(true);
            assert_eq!(fact.is_wanted(), is_retryable);
            fact.ask_again(false);
            assert_eq!(state(&fact), [false, false, true, true]);
            // The order no longer needs it: only its record stays, still stale.
            fact.forget_problems();
            assert_eq!(state(&fact), [true, false, true, false]);
        }
    }

    #[test]
    fn what_failed_rests_again_if_the_next_call_is_dropped() {
        let mut failing = fact();
        fail(&mut failing, failed(0, Failure::Late(1)));
        let mut misread = fact();
        learn(&mut misread, 0, wrong());
        for mut fact in [failing, misread] {
            fact.ask_again(false);
            fact.call = Some(1);
            fact.drop_call(1);
            assert_eq!(state(&fact), [false, false, false, true]);
            fact.refresh(2);
            fact.call = Some(2);
            fact.drop_call(2);
            assert_eq!(state(&fact), [true, false, true, false]);
        }
    }

    #[test]
    fn what_was_not_found_is_forgotten_with_the_last_product_that_names_it() {
        for answer in [Ok(None), wrong()] {
            let mut fact = fact();
            learn(&mut fact, 0, answer);
            fact.forget_problems();
            assert_eq!(state(&fact), [true, false, true, false]);
        }
        let mut fact = fact();
        learn(&mut fact, 0, found());
        fact.forget_problems();
        assert_eq!(state(&fact), [false, true, false, false]);
    }
}
