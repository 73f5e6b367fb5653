//! The slots of a basket: deliveries among which its customer may choose, and
//! what each costs. That takes no product.

use super::Basket;
use crate::error::{Error, Part};
use crate::json::{Document, Reader, Writer};
use crate::money::{Amount, Sum};
use crate::options::Limits;
use crate::order::{Order, Shipping};
use crate::quote::{Draft, Found, Obstacle, Planned, Problem, echo, write_shipping};
use crate::rules::ScheduleFee;

impl Basket {
    /// Replaces the slots, a list of shippings: at most `limits.max_schedules`.
    /// Returns false and changes nothing if they count the same.
    pub fn set_slots(&mut self, slots: &Document) -> Result<bool, Error> {
        let orders = read(slots, &self.limits)?;
        let before = self.slots.iter().map(|slot| echo(&slot.order));
        if before.eq(orders.iter().map(echo)) {
            return Ok(false);
        }
        let mut conversation = self.conversation.borrow_mut();
        let zones = self.zones.as_deref();
        let slots = orders.into_iter().map(Draft::new);
        let slots = slots.map(|slot| slot.plan(zones, &mut conversation.facts));
        self.slots = slots.collect();
        drop(conversation);
        self.need();
        Ok(true)
    }

    /// Whether the host has yet to answer anything about the slots.
    pub(super) fn are_slots_open(&self) -> bool {
        let facts = &self.conversation.borrow().facts;
        let mut obstacles = self.slots.iter().flat_map(|slot| slot.fee_obstacles(facts));
        obstacles.any(|obstacle| matches!(obstacle, Obstacle::Open))
    }

    /// What is known to be wrong with each slot.
    pub(super) fn slot_problems(&self) -> Vec<Option<Problem>> {
        let slots = self.slots.iter();
        slots.map(|slot| self.slot_problem(slot)).collect()
    }

    fn slot_problem(&self, slot: &Planned) -> Option<Problem> {
        let facts = &self.conversation.borrow().facts;
        let mut problems = slot.fee_obstacles(facts).filter_map(Obstacle::problem);
        problems.next().or_else(|| {
            let (_, fees) = self.fees_of(slot);
            let too_large = Error::Overflow("deliveryFee".to_owned(), Part::Order);
            total(&fees).is_none().then(|| too_large.into())
        })
    }

    /// Writes each slot with its fees: the sum is null until all are known.
    pub(super) fn write_slots(&self, out: &mut Writer) {
        let facts = &self.conversation.borrow().facts;
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
            out.raw("}");
        });
    }

    fn fees_of(&self, slot: &Planned) -> (Found, Vec<ScheduleFee>) {
        let found = slot.found(&self.conversation.borrow().facts);
        let fees = slot.fees(&found.rates, &self.policy, &mut ());
        (found, fees)
    }
}

/// `deliveryFee` + `expressShippingCost` of an order with these fees; `None` if
/// that does not fit an amount.
fn total(fees: &[ScheduleFee]) -> Option<Amount> {
    let amounts = fees
        .iter()
        .flat_map(|fee| [fee.delivery_fee, fee.surcharge]);
    Sum::from_iter(amounts).total()
}

/// Reads orders of nothing but a shipping.
fn read(slots: &Document, limits: &Limits) -> Result<Vec<Order>, Error> {
    let Document { text, origin } = slots;
    if text.len() > limits.max_body_bytes {
        return Err(Error::BodyTooLarge(limits.max_body_bytes));
    }
    let most = limits.max_schedules;
    let slot = |json: &mut Reader<'_>| json.spanned(|json| Shipping::read(json, most));
    let read = Reader::document(text, *origin, |json| json.list_up_to(most, "slots", slot));
    let spans = read.map_err(|fault| Error::invalid_order(fault.under_key("slots")))?;
    let orders = spans.iter().map(|(span, _)| {
        // A text of its own: each would keep that of all.
        let order = format!(r#"{{"shipping":{}}}"#, span.of(text));
        Order::read_unfinished(order.as_bytes(), *origin, limits)
    });
    orders.collect()
}
