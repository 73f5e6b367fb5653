//! The conversation with the host: what to ask, and what the answers mean. An
//! order and a basket have the same one.
//!
//! A fact for which one call asks is not asked again before that call has
//! ended.

use std::mem;
use std::rc::Rc;

use super::facts::{Fact, FailedCall, Key, Record, Source};
use super::{Facts, Planned, Records};
use crate::certain::{Certain, impossible};
use crate::error::{Expected, Failure, Fault};
use crate::json::{Document, Origin, Writer, members, shown};
use crate::lookup::Lookup;
use crate::rules::{DiscountResult, NationwideRate, PriceRecord, VoucherRecord};

/// The facts that the host has told, and the calls that ask for more.
#[derive(Debug, Default)]
pub struct Conversation {
    pub(crate) facts: Facts,
    /// The calls that are out.
    out: Vec<Call>,
    /// The number of the next call.
    next_call: u32,
    /// The number of plans so far, see [`Fact::plan`].
    plans: u32,
}

#[derive(Debug)]
struct Call {
    number: u32,
    lookup: Lookup,
    /// The places of the facts that it asks for.
    facts: Vec<usize>,
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

impl Conversation {
    /// A conversation about an order that may change.
    pub(crate) fn lasting() -> Self {
        Self {
            facts: Facts::kept(),
            ..Self::default()
        }
    }

    /// Begins the calls that a plan needs now, without the coupon service.
    pub(crate) fn ask(&mut self, planned: &Planned) -> Vec<Question> {
        let mut questions = Vec::new();
        questions.extend(self.ask_for(Lookup::Prices, planned.prices.iter().copied()));
        for (mode, place) in &planned.rates {
            questions.extend(self.ask_for(Lookup::NationwideRate(*mode), [*place]));
        }
        questions.extend(self.ask_for(Lookup::Zones, planned.zones));
        questions.extend(self.ask_for(Lookup::Vouchers, planned.voucher_places()));
        questions
    }

    /// Begins a call for those of the facts that should be asked for.
    fn ask_for(
        &mut self,
        lookup: Lookup,
        places: impl IntoIterator<Item = usize>,
    ) -> Option<Question> {
        let places = places.into_iter();
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
            Lookup::Vouchers => {
                let ids = wanted.iter().map(|place| &self.facts.at(*place).key.text);
                _ = out.list(ids, |out, id| _ = out.string(&shown(id)));
            }
            Lookup::Zones | Lookup::Coupons => _ = out.raw("null"),
        }
        Some(self.begin(lookup, wanted, out.into_bytes()))
    }

    /// Begins a call.
    pub(crate) fn begin(
        &mut self,
        lookup: Lookup,
        facts: Vec<usize>,
        argument: Vec<u8>,
    ) -> Question {
        let number = self.next_call;
        self.next_call = number.wrapping_add(1);
        self.facts.change(&facts, |fact| fact.call = Some(number));
        let keys = if lookup.is_list() { facts.len() } else { 0 };
        self.out.push(Call {
            number,
            lookup,
            facts,
        });
        Question {
            call: number,
            lookup,
            keys,
            argument,
        }
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

    /// The number of records that a call must return, if it is a list look-up.
    pub fn keys(&self, call: u32) -> Option<usize> {
        let call = self.call(call).filter(|call| call.lookup.is_list());
        call.map(|call| call.facts.len())
    }

    /// Learns the outcome of a call. Returns its look-up; `None`: nobody waits
    /// for the answer.
    pub(crate) fn answer(&mut self, call: u32, answer: Result<Records, Failure>) -> Option<Lookup> {
        let Call { lookup, facts, .. } = self.take(call)?;
        if let Err(failure) = answer.and_then(|answer| self.learn(call, lookup, &facts, answer)) {
            let failed = Rc::new(FailedCall { call, failure });
            self.facts.change(&facts, |fact| fact.fail(&failed));
        }
        Some(lookup)
    }

    /// Ends a call whose answer goes elsewhere.
    pub(crate) fn end(&mut self, call: u32) {
        if let Some(ended) = self.take(call) {
            self.facts.change(&ended.facts, |fact| fact.call = None);
        }
    }

    fn take(&mut self, call: u32) -> Option<Call> {
        let place = self.out.iter().position(|out| out.number == call)?;
        Some(self.out.remove(place))
    }

    /// Learns the records of an answer. Fails if it is wrong as a whole.
    fn learn(
        &mut self,
        call: u32,
        lookup: Lookup,
        facts: &[usize],
        answer: Records,
    ) -> Result<(), Failure> {
        let origin = answer.origin;
        if lookup.is_list() {
            let wrong = || Failure::InvalidAnswer(Fault::expected(Expected::ArrayOf(facts.len())));
            let mut texts = answer.list(facts.len()).ok_or_else(wrong)?;
            self.facts.change(facts, |fact| {
                let text = texts.next().certain();
                fact.learn(call, read(&fact.key, text, origin));
            });
            return Ok(());
        }
        let place = facts.first().copied().certain();
        let document = answer.into_document();
        let record = match lookup {
            Lookup::Coupons => {
                let products = self.facts.at(place).key.number as usize;
                let result = DiscountResult::from_answer(document, products)
                    .map_err(Failure::InvalidAnswer)?;
                Ok(Some(Record::Coupons(Rc::new(result))))
            }
            Lookup::NationwideRate(_) => read_rate(document),
            Lookup::Prices | Lookup::Vouchers | Lookup::Zones => impossible(),
        };
        self.facts.at_mut(place).learn(call, record);
        Ok(())
    }

    /// Notes which facts the order needs now, and forgets the problems of
    /// others.
    pub(crate) fn need(&mut self, planned: &Planned) {
        self.plans = self.plans.wrapping_add(1);
        for place in planned.places() {
            self.facts.at_mut(place).plan = self.plans;
        }
        // The basket's coupons have a request, which they follow themselves.
        let is_other =
            |fact: &&mut Fact| fact.plan != self.plans && fact.key.source != Source::Coupons;
        let others = self.facts.iter_mut().filter(is_other);
        others.for_each(Fact::forget_problems);
    }

    /// Forgets the calls of which nothing is needed any more, and returns their
    /// numbers. `coupons`: the place of the result that is needed.
    pub(crate) fn useless(&mut self, coupons: Option<usize>) -> Vec<u32> {
        let is_needed = |place: &usize| match self.facts.at(*place) {
            fact if fact.key.source == Source::Coupons => Some(*place) == coupons,
            fact => fact.plan == self.plans,
        };
        let out = mem::take(&mut self.out).into_iter();
        let (needed, useless) = out.partition(|call| call.facts.iter().any(is_needed));
        self.out = needed;
        self.forget(useless)
    }

    /// Forgets all calls: their answers will not come. Returns their numbers.
    pub(crate) fn forget_calls(&mut self) -> Vec<u32> {
        let out = mem::take(&mut self.out);
        self.forget(out)
    }

    fn forget(&mut self, calls: Vec<Call>) -> Vec<u32> {
        for call in &calls {
            self.facts.change(&call.facts, |fact| fact.call = None);
        }
        calls.iter().map(|call| call.number).collect()
    }

    /// Makes the next round ask again for everything, or only for the fact at
    /// this place. Until it is answered, old records count.
    pub(crate) fn refresh(&mut self, only: Option<usize>) {
        let next = self.next_call;
        match only {
            Some(place) => self.facts.at_mut(place).refresh(next),
            None => self.facts.iter_mut().for_each(|fact| fact.refresh(next)),
        }
    }

    /// Lets the next round ask again for what failed, or only for what may
    /// succeed if it is asked again.
    pub(crate) fn ask_again(&mut self, retryable_only: bool) {
        let facts = self.facts.iter_mut();
        facts.for_each(|fact| fact.ask_again(retryable_only));
    }
}

/// Reads a record of a list look-up.
fn read(key: &Key, text: &str, origin: Origin) -> Result<Option<Record>, Failure> {
    let record = match key.source {
        Source::Voucher => VoucherRecord::read(text, origin, &shown(&key.text))
            .map(|found| found.map(|voucher| Record::Voucher(Rc::new(voucher)))),
        _ => PriceRecord::from_text(text, origin).map(|found| found.map(Record::Price)),
    };
    record.map_err(Failure::InvalidRecord)
}

fn read_rate(answer: Document) -> Result<Option<Record>, Failure> {
    let found = NationwideRate::from_answer(answer).map_err(Failure::InvalidRecord)?;
    Ok(found.map(|rate| Record::Rate(Rc::new(rate))))
}
