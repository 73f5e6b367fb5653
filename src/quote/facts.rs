//! The host's answers that outlive one calculation, each with what a live
//! basket has yet to ask about it.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::answers::Answer;
use crate::error::Failure;
use crate::rules::{NationwideRate, PriceRecord, VoucherRecord};

/// Every fact that a basket has ever needed.
#[derive(Debug, Default)]
pub struct Facts {
    /// The places of the facts in `list`, by text and number for each source.
    places: [BTreeMap<Rc<str>, BTreeMap<i64, usize>>; 4],
    list: Vec<Fact>,
}

/// The kind of a fact, and its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A price; the key is the branch and the product code.
    Price,
    /// A nationwide rate; the key is the postcode and the mode.
    Rate,
    /// A voucher; the key is its id in the form of `identity` (D29), and 0.
    Voucher,
    /// The delivery zones that are not known; the key is empty. A basket notes
    /// only its calls and their failures: the zones belong to the pricer.
    Zones,
}

/// What the host has found.
#[derive(Clone, Debug)]
pub(crate) enum Record {
    Price(PriceRecord),
    Rate(Rc<NationwideRate>),
    Voucher(Rc<VoucherRecord>),
}

/// The answer to one question, and its calls. Calls have numbers in the
/// sequence in which they begin.
#[derive(Debug)]
pub(crate) struct Fact {
    pub(crate) source: Source,
    pub(crate) text: Rc<str>,
    pub(crate) number: i64,
    answer: Answer<Record>,
    /// Whether it must be asked again. Until then its record counts.
    is_stale: bool,
    /// The call that asks now.
    pub(crate) call: Option<u32>,
    /// The last call, if it failed.
    failed: Option<Rc<FailedCall>>,
    /// Whether a failure or a wrong record waits until somebody asks again.
    rests: bool,
    /// Calls before this one began before the last refresh.
    refreshed: u32,
    /// The number of the plan that last needed the fact.
    pub(crate) plan: u32,
}

/// A call that failed.
#[derive(Debug)]
pub(crate) struct FailedCall {
    /// Its number.
    pub(crate) call: u32,
    pub(crate) failure: Failure,
}

/// What is known to be wrong with a fact.
#[derive(Debug)]
pub(crate) enum FactProblem<'a> {
    /// Its call failed.
    Call(&'a FailedCall),
    /// The host found nothing (`None`), or its record is wrong.
    Record(Option<&'a Failure>),
}

impl Facts {
    /// The place of a fact, which is new if the basket has never needed it.
    pub(crate) fn place(&mut self, source: Source, text: &Rc<str>, number: i64) -> usize {
        let next = self.list.len();
        let Some(places) = self.places.get_mut(source as usize) else {
            return next;
        };
        if !places.contains_key(text) {
            places.insert(Rc::clone(text), BTreeMap::new());
        }
        let of_text = places.get_mut(text);
        let place = of_text.map_or(next, |places| *places.entry(number).or_insert(next));
        if place == next {
            self.list.push(Fact::new(source, text, number));
        }
        place
    }

    /// The fact at a place.
    pub(crate) fn get(&self, place: usize) -> Option<&Fact> {
        self.list.get(place)
    }

    /// The facts at these places.
    pub(crate) fn at(&self, places: &[usize]) -> impl Iterator<Item = &Fact> {
        places.iter().filter_map(|place| self.list.get(*place))
    }

    /// Changes the facts at these places.
    pub(crate) fn change(&mut self, places: &[usize], mut change: impl FnMut(&mut Fact)) {
        for place in places {
            if let Some(fact) = self.list.get_mut(*place) {
                change(fact);
            }
        }
    }

    /// All facts.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Fact> {
        self.list.iter_mut()
    }

    /// What is known for a plan. A stale record counts until it is asked again,
    /// any other stale answer does not.
    pub(crate) fn answer(&self, source: Source, text: &str, number: i64) -> Answer<&Record> {
        let places = self.places.get(source as usize)?.get(text)?;
        let fact = self.list.get(*places.get(&number)?)?;
        match fact.answer.as_ref()? {
            Ok(Some(record)) => Some(Ok(Some(record))),
            _ if fact.is_stale => None,
            Ok(None) => Some(Ok(None)),
            Err(failure) => Some(Err(failure.clone())),
        }
    }
}

impl Fact {
    fn new(source: Source, text: &Rc<str>, number: i64) -> Self {
        Self {
            source,
            text: Rc::clone(text),
            number,
            answer: None,
            is_stale: false,
            call: None,
            failed: None,
            rests: false,
            refreshed: 0,
            plan: 0,
        }
    }

    /// Whether the host has yet to answer. A failure is not pending: it is a
    /// problem.
    pub(crate) fn is_pending(&self) -> bool {
        self.failed.is_none() && (self.answer.is_none() || self.is_stale)
    }

    /// Whether the record is known and up to date. It is asked again only if it
    /// is stale, so no call for it has failed.
    pub(crate) fn is_settled(&self) -> bool {
        !self.is_stale && self.has_record()
    }

    /// Whether the next call should ask for it.
    pub(crate) fn is_wanted(&self) -> bool {
        let is_open = self.is_stale || matches!(self.answer, None | Some(Err(_)));
        is_open && !self.rests && self.call.is_none()
    }

    /// What is known to be wrong.
    pub(crate) fn problem(&self) -> Option<FactProblem<'_>> {
        match (&self.failed, &self.answer) {
            (Some(failed), _) => Some(FactProblem::Call(failed)),
            _ if self.is_stale => None,
            (None, Some(Ok(None))) => Some(FactProblem::Record(None)),
            (None, Some(Err(failure))) => Some(FactProblem::Record(Some(failure))),
            _ => None,
        }
    }

    /// Learns the answer of a call.
    pub(crate) fn learn(&mut self, call: u32, answer: Result<Option<Record>, Failure>) {
        self.call = None;
        self.failed = None;
        // A call that began before a refresh does not answer the refresh: a
        // record is shown until the next answer, anything else is no news.
        let is_old = call < self.refreshed;
        self.rests = answer.is_err() && !is_old;
        if !is_old || matches!(answer, Ok(Some(_))) {
            self.answer = Some(answer);
        }
        self.is_stale = is_old && self.answer.is_some();
    }

    /// Learns that a call failed.
    pub(crate) fn fail(&mut self, failed: &Rc<FailedCall>) {
        self.call = None;
        if failed.call >= self.refreshed {
            self.failed = Some(Rc::clone(failed));
            self.rests = true;
        }
    }

    /// Makes the next round ask again; `next_call` is the number of the next
    /// call.
    pub(crate) fn refresh(&mut self, next_call: u32) {
        self.refreshed = next_call;
        self.is_stale = self.answer.is_some();
        self.failed = None;
        self.rests = false;
    }

    /// Lets a failure or a wrong record be asked for again.
    pub(crate) fn renew(&mut self, retryable_only: bool) {
        let is_retryable = |failed: &Rc<FailedCall>| failed.is_retryable();
        if !retryable_only || self.failed.as_ref().is_some_and(is_retryable) {
            self.rests = false;
        }
    }

    /// Forgets everything but a record: the order does not need the fact.
    pub(crate) fn forget_problems(&mut self) {
        self.failed = None;
        self.rests = false;
        if !self.has_record() {
            self.answer = None;
            self.is_stale = false;
        }
    }

    fn has_record(&self) -> bool {
        matches!(self.answer, Some(Ok(Some(_))))
    }
}

impl FailedCall {
    /// Whether the same call may succeed later.
    pub(crate) fn is_retryable(&self) -> bool {
        self.failure.is_retryable()
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::{Fact, FactProblem, Facts, FailedCall, Record, Source};
    use crate::error::{Failure, Fault};
    use crate::json::Origin;
    use crate::quote::read_price;

    fn found() -> Result<Option<Record>, Failure> {
        let price = read_price(r#"{"price":1}"#, Origin::Wire);
        price.map(|price| price.map(Record::Price))
    }

    fn wrong() -> Result<Option<Record>, Failure> {
        Err(Failure::record(Fault::syntax()))
    }

    fn fact() -> Fact {
        Fact::new(Source::Price, &"1000".into(), 1)
    }

    fn failed(call: u32, failure: Failure) -> Rc<FailedCall> {
        Rc::new(FailedCall { call, failure })
    }

    /// Whether it is pending, settled, wanted and wrong.
    fn state(fact: &Fact) -> [bool; 4] {
        [
            fact.is_pending(),
            fact.is_settled(),
            fact.is_wanted(),
            fact.problem().is_some(),
        ]
    }

    #[test]
    fn a_fact_has_one_place_by_source_text_and_number() {
        let mut facts = Facts::default();
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
        facts.change(&[first], |fact| fact.learn(0, found()));
        assert!(facts.answer(Source::Price, "1000", 1).is_some());
        assert!(facts.answer(Source::Price, "1000", 2).is_none());
        assert!(facts.answer(Source::Price, "2000", 1).is_none());
        assert!(facts.answer(Source::Rate, "1000", 1).is_none());
    }

    #[test]
    fn only_a_found_record_settles_a_fact() {
        let mut fact = fact();
        assert_eq!(state(&fact), [true, false, true, false]);
        fact.call = Some(0);
        assert_eq!(state(&fact), [true, false, false, false]);
        fact.learn(0, found());
        assert_eq!(state(&fact), [false, true, false, false]);
        fact.learn(1, Ok(None));
        assert_eq!(state(&fact), [false, false, false, true]);
        // A wrong record rests until somebody asks again.
        fact.learn(2, wrong());
        assert_eq!(state(&fact), [false, false, false, true]);
        fact.renew(true);
        assert_eq!(state(&fact), [false, false, false, true]);
        fact.renew(false);
        assert_eq!(state(&fact), [false, false, true, true]);
    }

    #[test]
    fn what_is_stale_is_asked_again_and_counts_until_then_if_it_was_found() {
        let mut facts = Facts::default();
        let text = "1000".into();
        let place = facts.place(Source::Price, &text, 1);
        let answers = [(found(), true), (Ok(None), false), (wrong(), false)];
        for (call, (answer, still_counts)) in (0..).zip(answers) {
            facts.change(&[place], |fact| {
                fact.learn(call, answer.clone());
                fact.refresh(call + 1);
                assert_eq!(state(fact), [true, false, true, false]);
            });
            let known = facts.answer(Source::Price, &text, 1);
            assert_eq!(known.is_some(), still_counts);
        }
    }

    #[test]
    fn a_call_that_began_before_a_refresh_does_not_answer_it() {
        let mut fact = fact();
        fact.call = Some(4);
        fact.refresh(5);
        fact.learn(4, found());
        assert_eq!(state(&fact), [true, false, true, false]);
        fact.call = Some(4);
        fact.fail(&failed(4, Failure::Late(1)));
        assert_eq!(state(&fact), [true, false, true, false]);
        fact.learn(5, found());
        assert_eq!(state(&fact), [false, true, false, false]);
        // It found nothing: that is no news, and the record counts.
        fact.refresh(6);
        fact.learn(5, Ok(None));
        assert_eq!(state(&fact), [true, false, true, false]);
        assert!(fact.has_record());
    }

    #[test]
    fn a_failed_call_rests_and_leaves_the_record() {
        for (failure, is_retryable) in [(Failure::Late(1), true), (Failure::NotSupplied, false)] {
            let mut fact = fact();
            fact.learn(0, found());
            fact.refresh(1);
            fact.fail(&failed(1, failure));
            assert_eq!(state(&fact), [false, false, false, true]);
            assert!(matches!(fact.problem(), Some(FactProblem::Call(failed)) if failed.call == 1));
            fact.renew(true);
            assert_eq!(fact.is_wanted(), is_retryable);
            fact.renew(false);
            assert_eq!(state(&fact), [false, false, true, true]);
            // The order no longer needs it: only its record stays, still stale.
            fact.forget_problems();
            assert_eq!(state(&fact), [true, false, true, false]);
        }
    }

    #[test]
    fn what_was_not_found_is_forgotten_with_the_last_product_that_names_it() {
        for answer in [Ok(None), wrong()] {
            let mut fact = fact();
            fact.learn(0, answer);
            fact.forget_problems();
            assert_eq!(state(&fact), [true, false, true, false]);
        }
        let mut fact = fact();
        fact.learn(0, found());
        fact.forget_problems();
        assert_eq!(state(&fact), [false, true, false, false]);
    }
}
