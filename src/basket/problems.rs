//! What a basket has yet to know, and all that is known to be wrong with it.

use super::Basket;
use crate::distinct::Distinct;
use crate::error::Error;
use crate::quote::{Obstacle, Problem};

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

impl Pending {
    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        let parts = [
            self.prices.then_some("prices"),
            self.delivery.then_some("delivery"),
            self.coupons.then_some("coupons"),
            self.vouchers.then_some("vouchers"),
        ];
        parts.into_iter().flatten()
    }
}

impl Basket {
    /// What the host has yet to answer. What is known to be wrong is not
    /// pending, and neither are coupons that wait for somebody to mend it.
    pub fn pending(&self) -> Pending {
        Pending {
            coupons: self.lacks_coupons() && !self.is_blocked(),
            ..self.state.pending
        }
    }

    /// Whether the coupon service is not asked while a price or a fee is wrong.
    pub fn is_blocked(&self) -> bool {
        let has_large_subtotals = !self.state.subtotal_overflows.is_empty();
        self.lacks_coupons() && (has_large_subtotals || self.has_wrong_prices_or_fees())
    }

    /// Whether any price or fee is known to be wrong.
    pub(super) fn has_wrong_prices_or_fees(&self) -> bool {
        let (planned, facts) = (&self.planned, &self.conversation.borrow().facts);
        let prices = planned.price_obstacles(facts);
        let mut obstacles = prices.chain(planned.fee_obstacles(facts));
        obstacles.any(|obstacle| matches!(obstacle, Obstacle::Problem(_)))
    }

    fn lacks_coupons(&self) -> bool {
        let coupons = self.coupons.obstacle(&self.conversation.borrow().facts);
        !self.ids.is_empty() && matches!(coupons, Some(Obstacle::Open))
    }

    /// What the host has yet to answer, without the coupons.
    pub(super) fn pending_facts(&self) -> Pending {
        if self.is_idle() {
            return Pending::default();
        }
        let (planned, facts) = (&self.planned, &self.conversation.borrow().facts);
        let is_open = |obstacle| matches!(obstacle, Obstacle::Open);
        Pending {
            prices: planned.price_obstacles(facts).any(is_open),
            delivery: planned.fee_obstacles(facts).any(is_open),
            coupons: false,
            vouchers: planned.voucher_obstacles(facts).any(is_open),
        }
    }

    /// Whether every price and every fee is known and up to date.
    pub(super) fn has_prices_and_fees(&self) -> bool {
        let (planned, facts) = (&self.planned, &self.conversation.borrow().facts);
        let prices = planned.price_obstacles(facts);
        prices.chain(planned.fee_obstacles(facts)).next().is_none()
    }

    /// All that is known to be wrong, in the order of D42: at most one for each
    /// failed call, and else one for each row, schedule and voucher.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.is_idle() {
            return problems;
        }
        let facts = &self.conversation.borrow().facts;
        add(&mut problems, self.planned.obstacles(facts));
        add_overflows(&mut problems, &self.state.subtotal_overflows);
        add(&mut problems, self.coupons.obstacle(facts));
        add_overflows(&mut problems, &self.state.total_overflows);
        problems
    }
}

/// Adds the problems among these obstacles, but a failed call only once.
fn add(problems: &mut Vec<Problem>, obstacles: impl IntoIterator<Item = Obstacle>) {
    let found = Vec::from_iter(obstacles.into_iter().filter_map(Obstacle::problem));
    let calls = found
        .iter()
        .map(|problem| problem.call.map_or(-1, i64::from));
    let calls = Distinct::new(calls);
    let mut told = 0;
    for (problem, call) in found.into_iter().zip(calls.of) {
        // The calls are numbered as they are met.
        if problem.call.is_none() || call == told {
            problems.push(problem);
        }
        told = told.max(call + 1);
    }
}

fn add_overflows(problems: &mut Vec<Problem>, overflows: &[Error]) {
    problems.extend(overflows.iter().cloned().map(Problem::from));
}
