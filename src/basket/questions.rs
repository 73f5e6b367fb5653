//! What a basket asks the host, and what it does with the answers.

use std::borrow::Cow;
use std::cell::Ref;

use super::Basket;
use crate::certain::Certain;
use crate::error::Error;
use crate::quote::{Conversation, Question};
use crate::shelf::Shelf;

impl Basket {
    /// Begins the calls that the basket needs now, with or without the coupon
    /// service. That one is asked last, when every other call that the order
    /// needs has ended and no price and no fee is missing.
    pub fn ask(&mut self, with_coupons: bool) -> Vec<Question> {
        self.follow();
        let mut questions = Vec::new();
        if !self.is_idle() {
            questions = self.conversation.borrow_mut().ask(&self.planned);
        }
        for slot in &mut self.slots {
            questions.append(&mut slot.ask(false));
        }
        if with_coupons && !self.is_order_out() && self.has_prices_and_fees() {
            let mut conversation = self.conversation.borrow_mut();
            questions.extend(self.coupons.ask(&self.ids, &self.policy, &mut conversation));
        }
        questions
    }

    /// Takes the prices that a version on a shelf has; `with_old`: also in place of
    /// what is out of date. Returns how many.
    pub fn stock(&mut self, shelf: &Shelf, version: &str, with_old: bool) -> u32 {
        let mut conversation = self.conversation.borrow_mut();
        let prices = &self.planned.prices;
        let count = conversation.stock(prices, shelf, version, with_old);
        drop(conversation);
        self.follow();
        count
    }

    /// Whether a call is out that the basket needs.
    pub fn is_out(&self) -> bool {
        self.is_order_out() || self.slots.iter().any(Self::is_out)
    }

    fn is_order_out(&self) -> bool {
        let is_out =
            self.are_out(&self.needs.places) || self.are_out(self.coupons.place.as_slice());
        is_out && !self.needs.is_idle
    }

    fn are_out(&self, places: &[usize]) -> bool {
        let conversation = self.conversation.borrow();
        let is_asked = |place: &usize| conversation.facts.at(*place).call.is_some();
        conversation.is_out() && places.iter().any(is_asked)
    }

    /// The conversation: what the questions ask for.
    pub fn conversation(&self) -> Ref<'_, Conversation> {
        self.conversation.borrow()
    }

    /// `productList` of the coupon request that is out.
    pub fn coupon_rows(&self) -> Cow<'_, [u8]> {
        Cow::Owned(self.coupons.asked_rows())
    }

    /// Makes the next round ask again for one row's price, or for everything.
    /// Until it is answered, old values count.
    pub fn refresh(&mut self, line: Option<f64>) -> Result<(), Error> {
        let line = line.map(|line| self.index_of(line)).transpose()?;
        let mut conversation = self.conversation.borrow_mut();
        match line {
            Some(line) => conversation.refresh(*self.planned.price_of.get(line).certain()),
            None => conversation.refresh_all(&self.places()),
        }
        drop(conversation);
        self.rebuild();
        Ok(())
    }

    /// Lets the next round ask again for what failed or is wrong; with the name
    /// of a look-up only for what may succeed there if it is asked again. A
    /// basket without products needs only its slots: what else failed rests.
    pub fn ask_again(&mut self, lookup: Option<&str>) {
        if !self.is_idle() {
            let places = self.places();
            self.conversation.borrow_mut().ask_again(&places, lookup);
        }
        for slot in &mut self.slots {
            slot.ask_again(lookup);
        }
    }

    /// The places of the facts that it names, if they are not those of the last
    /// call.
    pub fn changed_names(&mut self) -> Option<Vec<usize>> {
        let names = self.places();
        if names == self.named {
            return None;
        }
        self.named.clone_from(&names);
        Some(names)
    }

    /// The places of all that it knows or needs.
    fn places(&self) -> Vec<usize> {
        let mut places = [&*self.needs.places, &self.coupons.places()].concat();
        for slot in &self.slots {
            places.append(&mut slot.places());
        }
        places
    }
}
