//! A basket, and the conversation that its answers go to.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::Arc;

use order_cost::{Basket, Conversation, Document, Error, Failure, Limits, Policy, Records, Zones};

pub(crate) struct Live {
    basket: Basket,
    store: Rc<RefCell<Conversation>>,
}

impl Live {
    pub(crate) fn new(
        order: &Document,
        policy: Policy,
        limits: Limits,
        zones: Option<Arc<Zones>>,
    ) -> Result<Self, Error> {
        let store = Rc::new(RefCell::new(Conversation::lasting(f64::INFINITY)));
        let basket = Basket::new(order, policy, limits, zones, &store)?;
        Ok(Self { basket, store })
    }

    pub(crate) fn answer(&mut self, call: u32, answer: Result<Records, Failure>) {
        self.store.borrow_mut().answer(call, answer);
        self.basket.follow();
    }

    /// The zones that the basket asked for have come.
    pub(crate) fn answer_zones(&mut self, call: u32, zones: Arc<Zones>) {
        self.store.borrow_mut().end(call);
        self.basket.set_zones(zones);
    }

    pub(crate) fn useless(&mut self) -> Vec<u32> {
        self.basket.follow();
        self.store.borrow_mut().useless()
    }
}

impl Deref for Live {
    type Target = Basket;

    fn deref(&self) -> &Basket {
        &self.basket
    }
}

impl DerefMut for Live {
    fn deref_mut(&mut self) -> &mut Basket {
        &mut self.basket
    }
}
