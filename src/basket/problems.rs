//! What a basket has yet to know, and all that is known to be wrong with it.

use super::Basket;
use crate::error::{Error, Failure, Part};
use crate::json::shown;
use crate::lookup::Lookup;
use crate::quote::{Fact, FactProblem, Source, voucher_error, zones_error};
use crate::rules::FeeSource;

/// A reason why the basket cannot be priced as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The reason.
    pub error: Error,
    /// The number of the call that failed, if a call failed.
    pub call: Option<u32>,
}

/// The parts of a basket that the host has yet to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// The price of some product.
    pub prices: bool,
    /// The fee of some schedule.
    pub delivery: bool,
    /// The result of the coupons for the basket as it is now.
    pub coupons: bool,
    /// The record of some voucher.
    pub vouchers: bool,
}

impl Basket {
    /// What the host has yet to answer. What is known to be wrong is not
    /// pending.
    pub fn pending(&self) -> Pending {
        Pending {
            coupons: !self.ids.is_empty() && self.coupons.are_pending(),
            ..self.state.pending
        }
    }

    /// What the host has yet to answer, without the coupons.
    pub(super) fn pending_facts(&self) -> Pending {
        if self.ids.is_empty() {
            return Pending::default();
        }
        let any = |source| self.facts(source).any(Fact::is_pending);
        Pending {
            prices: any(Source::Price),
            delivery: any(Source::Rate) || any(Source::Zones),
            coupons: false,
            vouchers: any(Source::Voucher),
        }
    }

    /// Whether every price and every fee is known and up to date.
    pub(super) fn has_prices_and_fees(&self) -> bool {
        let all = |source| self.facts(source).all(Fact::is_settled);
        all(Source::Price) && all(Source::Rate) && self.planned.has_fees() == Ok(true)
    }

    /// All that is known to be wrong, in the order of D42: at most one for each
    /// failed call, and else one for each row, schedule and voucher.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Problems::default();
        if self.ids.is_empty() {
            return problems.0;
        }
        let planned = &self.planned;
        let prices = Vec::from_iter(self.facts(Source::Price).map(Fact::problem));
        if prices.iter().any(Option::is_some) {
            for (line, place) in planned.price_of().enumerate() {
                let problem = prices.get(place).and_then(Option::as_ref);
                problems.take(problem, |failure| planned.price_error(line, failure));
            }
        }
        let rates = Vec::from_iter(self.facts(Source::Rate));
        let zones = self.facts(Source::Zones).find_map(Fact::problem);
        for (schedule, source) in planned.fee_sources().enumerate() {
            match source {
                FeeSource::Zone(Err(reason)) => {
                    problems.add(planned.zone_error(schedule, *reason), None);
                }
                FeeSource::UnknownZones => {
                    // Zones cannot be missing: `null` is a wrong answer.
                    problems.take(zones.as_ref(), |failure| {
                        zones_error(failure.unwrap_or(&Failure::Threw(None)))
                    });
                }
                FeeSource::Nationwide(mode) => {
                    let rate = rates.iter().find(|rate| rate.number == *mode as i64);
                    let problem = rate.and_then(|rate| rate.problem());
                    problems.take(problem.as_ref(), |failure| {
                        planned.rate_error(schedule, *mode, failure)
                    });
                }
                _ => {}
            }
        }
        for fact in self.facts(Source::Voucher) {
            problems.take(fact.problem().as_ref(), |failure| {
                voucher_error(shown(&fact.text).into_owned(), failure)
            });
        }
        problems.overflows(&self.state.subtotal_overflows);
        if let Some(failed) = self.coupons.failed() {
            let failure = failed.failure.clone();
            let error = Error::LookupFailed(Lookup::Coupons, failure, Part::Order);
            problems.add(error, Some(failed.call));
        }
        if self.coupons.are_known() {
            problems.overflows(&self.state.total_overflows);
        }
        problems.0
    }
}

#[derive(Default)]
struct Problems(Vec<Problem>);

impl Problems {
    fn add(&mut self, error: Error, call: Option<u32>) {
        self.0.push(Problem { error, call });
    }

    fn overflows(&mut self, overflows: &[Error]) {
        for overflow in overflows {
            self.add(overflow.clone(), None);
        }
    }

    /// Adds the problem of a fact, unless it is a call that is listed already.
    fn take(
        &mut self,
        problem: Option<&FactProblem<'_>>,
        error: impl FnOnce(Option<&Failure>) -> Error,
    ) {
        match problem {
            None => {}
            Some(FactProblem::Record(failure)) => self.add(error(*failure), None),
            Some(FactProblem::Call(failed)) => {
                let call = Some(failed.call);
                if self.0.iter().all(|other| other.call != call) {
                    self.add(error(Some(&failed.failure)), call);
                }
            }
        }
    }
}
