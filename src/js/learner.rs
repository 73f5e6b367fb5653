//! What the live basket hears of the calculation that settles it.

use std::cell::RefCell;
use std::rc::Rc;

use crate::basket::{Basket, Round};
use crate::discount::DiscountResult;
use crate::lookup::Lookup;
use crate::quote::{Planned, Resolved};

/// Tells a basket what its host answered.
#[derive(Debug)]
pub(super) struct Learner {
    pub(super) basket: Rc<RefCell<Basket>>,
    pub(super) round: Round,
}

impl Learner {
    /// A look-up has answered.
    pub(super) fn learn(&self, planned: &Planned, lookup: Lookup) {
        let mut basket = self.basket.borrow_mut();
        basket.learn(&self.round, planned, lookup);
    }

    /// What the coupon service has said to this request before.
    pub(super) fn known_coupons(&self, resolved: &Resolved) -> Option<Rc<DiscountResult>> {
        let request = resolved.coupon_request()?;
        self.basket.borrow().known_coupons(&request)
    }

    /// The coupon service has answered, and well.
    pub(super) fn learn_coupons(&self, request: Vec<u8>, answer: Rc<DiscountResult>) {
        let mut basket = self.basket.borrow_mut();
        basket.learn_coupons(&self.round, request, answer);
    }
}
