//! The slots of a basket: deliveries among which its customer may choose, and
//! what each costs. That takes no product.

use super::Basket;
use crate::error::{Error, Expected, Fault, Part};
use crate::json::{Document, Writer};
use crate::money::{Amount, Sum};
use crate::order::Order;
use crate::quote::{Draft, Found, Obstacle, Planned, Problem, write_shipping};
use crate::rules::ScheduleFee;

impl Basket {
    /// Replaces the slots: shippings as JSON texts, each followed by a NUL, at most
    /// `limits.max_schedules`. Changes nothing if one is wrong.
    pub fn set_slots(&mut self, slots: &Document) -> Result<(), Error> {
        let orders = self.read_slots(slots)?;
        let mut conversation = self.conversation.borrow_mut();
        self.slots.clear();
        for order in orders {
            let plan = Draft::new(order).plan(self.zones.as_deref(), &mut conversation.facts);
            self.slots.push(plan);
        }
        drop(conversation);
        self.need();
        Ok(())
    }

    /// Reads them as orders of nothing but a shipping.
    fn read_slots(&self, slots: &Document) -> Result<Vec<Order>, Error> {
        let limits = &self.limits;
        if slots.text.len() > limits.max_body_bytes {
            return Err(Error::BodyTooLarge(limits.max_body_bytes));
        }
        let mut orders = Vec::new();
        for (index, shipping) in slots.text.split_terminator('\0').enumerate() {
            if index == limits.max_schedules {
                let fault = Fault::expected(Expected::AtMost(index, "slots"));
                return Err(Error::InvalidOrder(fault.under_key("slots")));
            }
            let text = [r#"{"shipping":"#, shipping, "}"].concat();
            let read = Order::read_unfinished(text.as_bytes(), slots.origin, limits);
            orders.push(read.map_err(|error| error.of_slot(index))?);
        }
        Ok(orders)
    }

    /// Whether the host has yet to answer anything about the slots.
    pub(super) fn are_slots_open(&self) -> bool {
        let facts = &self.conversation.borrow().facts;
        let is_open = |obstacle| matches!(obstacle, Obstacle::Open);
        let mut slots = self.slots.iter();
        slots.any(|slot| slot.fee_obstacles(facts).any(is_open))
    }

    /// The first that is known to be wrong with a slot.
    pub(super) fn slot_problem(&self, slot: &Planned) -> Option<Problem> {
        let facts = &self.conversation.borrow().facts;
        let mut problems = slot.fee_obstacles(facts).filter_map(Obstacle::problem);
        problems.next().or_else(|| {
            let (_, fees) = self.fees_of(slot);
            let too_large = || Error::Overflow("deliveryFee".to_owned(), Part::Order);
            total(&fees).is_none().then(|| too_large().into())
        })
    }

    /// Writes each slot with its fees. The sum is null until all are known, and its
    /// problem is the number of it among those of the slots.
    pub(super) fn write_slots(&self, out: &mut Writer) {
        let facts = &self.conversation.borrow().facts;
        let mut problems = 0;
        out.list(&self.slots, |out, slot| {
            let (found, fees) = self.fees_of(slot);
            let has_fee = |index| slot.has_fee(index, facts);
            out.raw(r#"{"shipping":"#);
            write_shipping(out, &slot.order, &found.rates, &fees, &has_fee);
            out.raw(r#","cost":"#);
            match total(&fees).filter(|_| slot.has_fees(facts)) {
                Some(cost) => out.amount(cost),
                None => out.raw("null"),
            };
            if self.slot_problem(slot).is_some() {
                out.raw(r#","problem":"#).integer(problems);
                problems += 1;
            }
            out.raw("}");
        });
    }

    #[inline(never)]
    fn fees_of(&self, slot: &Planned) -> (Found, Vec<ScheduleFee>) {
        let found = slot.found(&self.conversation.borrow().facts);
        let fees = slot.fees(&found.rates, &self.policy, &mut ());
        (found, fees)
    }
}

/// `deliveryFee` + `expressShippingCost` of an order with these fees; `None` if
/// that does not fit an amount.
fn total(fees: &[ScheduleFee]) -> Option<Amount> {
    let mut sum = Sum::default();
    for fee in fees {
        sum.add(fee.delivery_fee);
        sum.add(fee.surcharge);
    }
    sum.total()
}
