//! The slots of a basket: deliveries among which its customer may choose, and
//! what each costs. Each is a basket of its own, without products.

use super::shown::ShownPart;
use super::{Basket, read};
use crate::error::{Error, Expected, Fault};
use crate::json::{Document, Origin, Writer};
use crate::money::Amount;
use crate::quote::Problem;

impl Basket {
    /// Replaces the slots: shippings as JSON texts, each followed by a NUL, at most
    /// `limits.max_schedules`. Changes nothing if one is wrong.
    pub fn set_slots(&mut self, slots: &Document) -> Result<(), Error> {
        if slots.text.len() > self.limits.max_body_bytes {
            return Err(Error::BodyTooLarge(self.limits.max_body_bytes));
        }
        let shippings = slots.text.split_terminator('\0').enumerate();
        let slots = shippings.map(|(index, shipping)| self.slot(index, shipping, slots.origin));
        self.slots = slots.collect::<Result<_, _>>()?;
        self.shown.all_changed();
        Ok(())
    }

    fn slot(&self, index: usize, shipping: &str, origin: Origin) -> Result<Self, Error> {
        if index == self.limits.max_schedules {
            let fault = Fault::expected(Expected::AtMost(index, "slots"));
            return Err(Error::InvalidOrder(fault.under_key("slots")));
        }
        let text = [r#"{"shipping":"#, shipping, "}"].concat();
        let order = read(&Document { text, origin }, &self.limits);
        let order = order.map_err(|error| error.of_slot(index))?;
        let zones = self.zones.clone();
        let (policy, limits) = (self.policy, self.limits);
        let conversation = &self.conversation;
        Ok(Self::of(order, true, policy, limits, zones, conversation))
    }

    /// The first that is known to be wrong with it.
    pub(super) fn first_problem(&self) -> Option<Problem> {
        self.problems().into_iter().next()
    }

    /// What a slot costs; `None` until all its fees are known.
    fn cost(&self) -> Option<Amount> {
        let is_known = self.state.has_fees && !self.state.has_overflows();
        is_known.then_some(self.state.totals.grand_total)
    }

    /// Writes each slot. Its problem is the number of it among those of the slots.
    pub(super) fn write_slots(&self, out: &mut Writer) {
        let mut problems = 0;
        out.list(&self.slots, |out, slot| {
            let shipping = slot.part(ShownPart::Shipping);
            out.raw(r#"{"shipping":"#).bytes(&shipping);
            out.raw(r#","cost":"#);
            match slot.cost() {
                Some(cost) => out.amount(cost),
                None => out.raw("null"),
            };
            if slot.first_problem().is_some() {
                out.raw(r#","problem":"#).integer(problems);
                problems += 1;
            }
            out.raw("}");
        });
    }
}
