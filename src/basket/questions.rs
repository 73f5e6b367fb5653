//! What a basket asks the host, and what it does with the answers.

use std::borrow::Cow;
use std::rc::Rc;

use super::Basket;
use crate::certain::Certain;
use crate::error::{Error, Failure};
use crate::lookup::Lookup;
use crate::quote::{Conversation, Question, Records};
use crate::rules::Zones;

impl Basket {
    /// Begins the calls that the basket needs now, with or without the coupon
    /// service. That one is asked last, when every other call has ended and no
    /// price and no fee is missing.
    pub fn ask(&mut self, with_coupons: bool) -> Vec<Question> {
        if self.ids.is_empty() {
            return Vec::new();
        }
        let mut questions = self.conversation.ask(&self.planned);
        if with_coupons && !self.conversation.is_out() && self.has_prices_and_fees() {
            let (coupons, conversation) = (&mut self.coupons, &mut self.conversation);
            questions.extend(coupons.ask(&self.ids, conversation));
        }
        questions
    }

    /// The conversation: what the questions ask for.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// `productList` of the coupon request that is out.
    pub fn coupon_rows(&self) -> Cow<'_, [u8]> {
        Cow::Owned(self.coupons.asked_rows())
    }

    /// Learns the outcome of a call, unless the basket no longer waits for it.
    pub fn answer(&mut self, call: u32, answer: Result<Records, Failure>) {
        let Some(lookup) = self.conversation.answer(call, answer) else {
            return;
        };
        if lookup == Lookup::Coupons {
            self.coupons.answered(&self.conversation.facts);
        }
        self.rebuild();
    }

    /// Learns the outcome of a call for the delivery zones.
    pub fn answer_zones(&mut self, call: u32, zones: Result<Rc<Zones>, Failure>) {
        match zones {
            Ok(zones) => {
                self.conversation.end(call);
                self.set_zones(zones);
            }
            Err(failure) => self.answer(call, Err(failure)),
        }
    }

    /// Forgets all calls: their answers will not come.
    pub fn forget_calls(&mut self) {
        self.conversation.forget_calls();
    }

    /// Forgets the calls of which nothing is needed any more, and returns their
    /// numbers.
    pub fn useless(&mut self) -> Vec<u32> {
        if self.ids.is_empty() {
            return self.conversation.forget_calls();
        }
        self.conversation.useless(self.coupons.place)
    }

    /// Makes the next round ask again for one row's price, or for everything.
    /// Until it is answered, old values count.
    pub fn refresh(&mut self, line: Option<f64>) -> Result<(), Error> {
        let line = line.map(|line| self.index_of(line)).transpose()?;
        let price = line.map(|line| *self.planned.price_of.get(line).certain());
        self.conversation.refresh(price);
        self.rebuild();
        Ok(())
    }

    /// Lets the next round ask again for what failed, or only for what may
    /// succeed if it is asked again.
    pub fn ask_again(&mut self, retryable_only: bool) {
        self.conversation.ask_again(retryable_only);
    }
}
