//! The basket's calls of the host: what to ask, and what the answers mean.
//!
//! A fact for which one call asks is not asked again before that call has
//! ended.

use std::mem;
use std::rc::Rc;

use super::Basket;
use crate::error::{Error, Failure};
use crate::json::{Origin, Writer, identity, members, shown};
use crate::lookup::Lookup;
use crate::quote::{
    Fact, FailedCall, Record, Records, Source, read_price, read_rate, read_voucher, texts,
};
use crate::rules::Zones;

/// The calls that are out.
#[derive(Debug, Default)]
pub(super) struct Calls {
    out: Vec<Call>,
    /// The number of the next call.
    next: u32,
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
    /// The argument of the host's function, as JSON text.
    pub argument: Vec<u8>,
    /// The number of records that a list look-up must return, else 0.
    pub keys: usize,
}

impl Basket {
    /// Begins the calls that the basket needs now, with or without the coupon
    /// service. That one is asked last, when every other call has ended and no
    /// price and no fee is missing.
    pub fn ask(&mut self, with_coupons: bool) -> Vec<Question> {
        if self.ids.is_empty() {
            return Vec::new();
        }
        let mut questions = Vec::new();
        let prices = self.wanted(Source::Price);
        if !prices.is_empty() {
            questions.push(self.begin(Lookup::Prices, prices));
        }
        let rates = self.wanted(Source::Rate);
        for mode in Vec::from_iter(self.planned.rates.keys().copied()) {
            let is_of_mode = |fact: &Fact| fact.number == mode as i64;
            let mut rates = rates.iter().copied();
            let rate = rates.find(|rate| self.facts.get(*rate).is_some_and(is_of_mode));
            if let Some(rate) = rate {
                questions.push(self.begin(Lookup::NationwideRate(mode), vec![rate]));
            }
        }
        let zones = self.wanted(Source::Zones);
        if !zones.is_empty() {
            questions.push(self.begin(Lookup::Zones, zones));
        }
        let vouchers = self.wanted(Source::Voucher);
        if !vouchers.is_empty() {
            questions.push(self.begin(Lookup::Vouchers, vouchers));
        }
        if with_coupons
            && self.calls.out.is_empty()
            && self.has_prices_and_fees()
            && self.coupons.are_wanted()
        {
            questions.push(self.begin(Lookup::Coupons, Vec::new()));
        }
        questions
    }

    fn wanted(&self, source: Source) -> Vec<usize> {
        let is_wanted = |fact: &Fact| fact.source == source && fact.is_wanted();
        let named = self.named.iter().copied();
        let wanted = named.filter(|place| self.facts.get(*place).is_some_and(is_wanted));
        wanted.collect()
    }

    fn begin(&mut self, lookup: Lookup, facts: Vec<usize>) -> Question {
        let number = self.calls.next;
        self.calls.next = number.wrapping_add(1);
        let argument = self.argument(lookup, &facts);
        let asked = |fact: &mut Fact| fact.call = Some(number);
        self.facts.change(&facts, asked);
        let question = Question {
            call: number,
            lookup,
            argument,
            keys: keys(lookup, &facts),
        };
        self.calls.out.push(Call {
            number,
            lookup,
            facts,
        });
        question
    }

    fn argument(&mut self, lookup: Lookup, facts: &[usize]) -> Vec<u8> {
        let mut out = Writer::default();
        match lookup {
            Lookup::Prices => {
                _ = out.list(self.facts.at(facts), |out, fact| {
                    members!(out.raw, {
                        "cprcode": integer(fact.number),
                        "branchId": string(&fact.text)
                    });
                })
            }
            Lookup::NationwideRate(mode) => {
                members!(out.raw, {
                    "shippingPostcode": string(&self.order().shipping_postcode()),
                    "nationwideMode": word(mode.word())
                });
            }
            Lookup::Vouchers => {
                _ = out.list(self.facts.at(facts), |out, fact| {
                    out.string(&shown(&fact.text));
                })
            }
            Lookup::Zones => _ = out.raw("null"),
            Lookup::Coupons => return self.coupons.ask(&self.ids),
        }
        out.into_bytes()
    }

    /// The number of records that a call must return, if it is a list look-up.
    pub fn keys(&self, call: u32) -> Option<usize> {
        let call = self.calls.out.iter().find(|out| out.number == call)?;
        Some(keys(call.lookup, &call.facts)).filter(|keys| *keys > 0)
    }

    /// Learns the outcome of a call, unless the basket no longer waits for it.
    pub fn answer(&mut self, call: u32, answer: Result<Records, Failure>) {
        let Some(Call { lookup, facts, .. }) = self.end(call) else {
            return;
        };
        if lookup == Lookup::Coupons {
            self.coupons.learn(call, answer.map(Records::into_document));
            self.rebuild();
            return;
        }
        match self.read_records(lookup, &facts, answer) {
            Ok(records) => {
                let mut records = records.into_iter();
                self.facts.change(&facts, |fact| {
                    if let Some(record) = records.next() {
                        fact.learn(call, record);
                    }
                });
            }
            Err(failure) => {
                let failed = Rc::new(FailedCall { call, failure });
                self.facts.change(&facts, |fact| fact.fail(&failed));
            }
        }
        self.plan_again();
    }

    /// Learns the outcome of a call for the delivery zones.
    pub fn answer_zones(&mut self, call: u32, zones: Result<Rc<Zones>, Failure>) {
        match zones {
            Ok(zones) => {
                self.end(call);
                self.set_zones(zones);
            }
            Err(failure) => self.answer(call, Err(failure)),
        }
    }

    fn end(&mut self, call: u32) -> Option<Call> {
        let place = self.calls.out.iter().position(|out| out.number == call)?;
        Some(self.calls.out.remove(place))
    }

    fn read_records(
        &self,
        lookup: Lookup,
        facts: &[usize],
        answer: Result<Records, Failure>,
    ) -> Result<Vec<Result<Option<Record>, Failure>>, Failure> {
        if let Lookup::NationwideRate(_) = lookup {
            let rate = read_rate(answer?.into_document());
            return Ok(vec![rate.map(|rate| rate.map(Record::Rate))]);
        }
        let (texts, origin) = texts(&answer, facts.len())?;
        let records = self.facts.at(facts).zip(texts);
        Ok(records
            .map(|(fact, text)| read(fact, text, origin))
            .collect())
    }

    /// Forgets all calls: their answers will not come.
    pub fn forget_calls(&mut self) {
        for call in mem::take(&mut self.calls.out) {
            self.facts.change(&call.facts, |fact| fact.call = None);
        }
    }

    /// Forgets the calls of which nothing is needed any more, and returns their
    /// numbers.
    pub fn useless(&mut self) -> Vec<u32> {
        let out = mem::take(&mut self.calls.out);
        let mut useless = Vec::new();
        for call in out {
            if self.is_needed(&call) {
                self.calls.out.push(call);
                continue;
            }
            self.facts.change(&call.facts, |fact| fact.call = None);
            useless.push(call.number);
        }
        useless
    }

    fn is_needed(&self, call: &Call) -> bool {
        let mut facts = self.facts.at(&call.facts);
        let is_needed = match call.lookup {
            Lookup::Coupons => self.coupons.are_needed(),
            _ => facts.any(|fact| fact.plan == self.plans),
        };
        is_needed && !self.ids.is_empty()
    }

    /// Makes the next round ask again for one row's price, or for everything.
    /// Until it is answered, old values count.
    pub fn refresh(&mut self, line: Option<f64>) -> Result<(), Error> {
        let next = self.calls.next;
        if let Some(line) = line {
            let line = self.place(line)?;
            let price = self.planned.price_of().nth(line);
            let place = price.and_then(|price| self.named.get(price).copied());
            let price = Vec::from_iter(place);
            self.facts.change(&price, |fact| fact.refresh(next));
        } else {
            self.facts.iter_mut().for_each(|fact| fact.refresh(next));
            self.coupons.refresh(next);
        }
        self.plan_again();
        Ok(())
    }

    /// Lets the next round ask again for what failed, or only for what may
    /// succeed if it is asked again.
    pub fn renew(&mut self, retryable_only: bool) {
        let facts = self.facts.iter_mut();
        facts.for_each(|fact| fact.renew(retryable_only));
        self.coupons.renew(retryable_only);
    }

    /// Notes which facts the plan needs, and forgets the problems of others.
    pub(super) fn name_facts(&mut self) {
        self.plans = self.plans.wrapping_add(1);
        let (facts, planned) = (&mut self.facts, &self.planned);
        let order = planned.order();
        let branch_id = order.branch_id().into();
        let prices = planned.prices.keys();
        let mut named =
            Vec::from_iter(prices.map(|code| facts.place(Source::Price, &branch_id, *code)));
        let postcode = order.shipping_postcode().into();
        let rates = planned.rates.keys();
        named.extend(rates.map(|mode| facts.place(Source::Rate, &postcode, *mode as i64)));
        let zones = planned.needs_zones().then_some(());
        named.extend(zones.map(|()| facts.place(Source::Zones, &"".into(), 0)));
        let ids = planned.vouchers.keys();
        let ids = ids.map(|id| identity(id.of(&order.text)).into());
        named.extend(ids.map(|id| facts.place(Source::Voucher, &id, 0)));
        facts.change(&named, |fact| fact.plan = self.plans);
        let others = facts.iter_mut().filter(|fact| fact.plan != self.plans);
        others.for_each(Fact::forget_problems);
        self.named = named;
    }

    /// The facts that the plan needs from a source, in the order of the plan.
    pub(super) fn facts(&self, source: Source) -> impl Iterator<Item = &Fact> {
        let named = self.facts.at(&self.named);
        named.filter(move |fact| fact.source == source)
    }
}

/// The number of records that a list look-up must return, else 0.
fn keys(lookup: Lookup, facts: &[usize]) -> usize {
    match lookup {
        Lookup::Prices | Lookup::Vouchers => facts.len(),
        Lookup::NationwideRate(_) | Lookup::Zones | Lookup::Coupons => 0,
    }
}

fn read(fact: &Fact, text: &str, origin: Origin) -> Result<Option<Record>, Failure> {
    match fact.source {
        Source::Voucher => {
            let found = read_voucher(text, origin, &shown(&fact.text))?;
            Ok(found.map(Record::Voucher))
        }
        _ => Ok(read_price(text, origin)?.map(Record::Price)),
    }
}
