//! What the live basket hears of the calculation that settles it.

use std::cell::RefCell;
use std::rc::Rc;

use crate::basket::{Basket, Round};
use crate::error::Failure;
use crate::facts::Facts;
use crate::json::Document;
use crate::quote::Resolved;

/// Tells a basket what its host answered.
#[derive(Debug)]
pub(super) struct Learner {
    pub(super) basket: Rc<RefCell<Basket>>,
    pub(super) round: Round,
}

/// An answer of the coupon service, and to what.
pub(super) struct Said {
    request: Vec<u8>,
    answer: Document,
}

impl Learner {
    /// Puts a good answer into the facts.
    pub(super) fn learn(&self, learn: impl FnOnce(&mut Facts)) {
        self.basket.borrow_mut().learn(&self.round, learn);
    }

    /// What the coupon service has said to this request before.
    pub(super) fn known_coupons(&self, resolved: &Resolved) -> Option<Document> {
        let request = resolved.coupon_request()?;
        self.basket.borrow().known_coupons(&request)
    }

    /// An answer that may turn out to be good.
    pub(super) fn said(resolved: &Resolved, answer: &Result<Document, Failure>) -> Option<Said> {
        Some(Said {
            request: resolved.coupon_request()?.to_bytes(),
            answer: answer.as_ref().ok()?.clone(),
        })
    }

    /// Keeps an answer that was good.
    pub(super) fn learn_coupons(&self, said: Said) {
        let mut basket = self.basket.borrow_mut();
        basket.learn_coupons(&self.round, said.request, said.answer);
    }
}
