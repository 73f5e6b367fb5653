//! The live basket: an order that is being edited, the known facts, and the
//! amounts that follow from both.
//!
//! The same rules price a basket and a single order: [`Row`], [`Subtotals`] and
//! [`Totals`] know nothing of baskets. Nothing here waits or keeps time: the
//! driver takes the questions of [`Basket::ask`] to a host, and brings the
//! answers back.
//!
//! [`Row`]: crate::rules::Row
//! [`Subtotals`]: crate::rules::Subtotals
//! [`Totals`]: crate::rules::Totals

mod coupons;
mod problems;
mod questions;
mod shown;
mod state;

pub use problems::Pending;

use std::mem;
use std::rc::Rc;

use crate::certain::Certain;
use crate::error::{Error, Expected, Fault};
use crate::json::{Document, MAX_INTEGER};
use crate::options::{Limits, Policy};
use crate::order::Order;
use crate::quote::{Conversation, Draft, Planned, Priced, echo};
use crate::rules::{Totals, Zones};
use coupons::Coupons;
use shown::Shown;
use state::State;

/// An order that is being edited.
#[derive(Debug)]
pub struct Basket {
    policy: Policy,
    limits: Limits,
    /// `None`: the pricer does not know them yet.
    zones: Option<Rc<Zones>>,
    /// The length of the order's text in bytes.
    text_bytes: usize,
    /// The order, and the places of its facts.
    planned: Planned,
    /// For each product an id that no other product has ever had.
    ids: Vec<u32>,
    next_id: u32,
    conversation: Conversation,
    coupons: Coupons,
    state: State,
    shown: Shown,
}

/// The origin of each product of an edited order: its index before the edit, or
/// [`NEW`].
pub type Origins = [u32];

/// The product is new.
pub const NEW: u32 = u32::MAX;

impl Basket {
    /// Reads an order, which may have no products yet.
    pub fn new(
        order: &Document,
        policy: Policy,
        limits: Limits,
        zones: Option<Rc<Zones>>,
    ) -> Result<Self, Error> {
        let mut conversation = Conversation::lasting();
        let empty = Draft::new(Order::default());
        let mut basket = Self {
            policy,
            limits,
            text_bytes: 0,
            planned: empty.plan(zones.as_deref(), &mut conversation.facts),
            ids: Vec::new(),
            next_id: 0,
            zones,
            conversation,
            coupons: Coupons::default(),
            state: State::default(),
            shown: Shown::default(),
        };
        let read = basket.read(order)?;
        let origins = vec![NEW; read.fields.products.len()];
        basket.take(read, order.text.len(), &origins);
        Ok(basket)
    }

    /// Replaces the order. Returns false and changes nothing if the new order
    /// counts the same, defaults included.
    pub fn edit(&mut self, order: &Document, origins: &Origins) -> Result<bool, Error> {
        #[cfg(faults)]
        crate::quote::faults::strike(self.order(), "basket");
        let read = self.read(order)?;
        let indices = 0..self.ids.len();
        let is_in_place = indices.eq(origins.iter().map(|origin| *origin as usize));
        if is_in_place && echo(&read) == echo(self.order()) {
            return Ok(false);
        }
        self.take(read, order.text.len(), origins);
        Ok(true)
    }

    /// Sets the quantity of a product. Takes JavaScript's doubles, and refuses
    /// a double that is no index or no quantity. Returns false if the product
    /// has this quantity.
    pub fn set_quantity(&mut self, line: f64, quantity: f64) -> Result<bool, Error> {
        #[cfg(faults)]
        crate::quote::faults::strike(self.order(), "basket");
        let index = self.index_of(line)?;
        let quantity = integer(quantity).ok_or_else(|| {
            let fault = Fault::expected(Expected::A("an integer")).under_key("quantity");
            Error::invalid_order(fault.at_index(index).under_key("productList"))
        })?;
        let products = &mut self.planned.order.fields.products;
        let product = products.get_mut(index).certain();
        let before = product.quantity;
        if before == quantity {
            return Ok(false);
        }
        let rest = self.text_bytes.saturating_sub(digits(before));
        let text_bytes = rest.saturating_add(digits(quantity));
        if text_bytes > self.limits.max_body_bytes {
            return Err(Error::BodyTooLarge(self.limits.max_body_bytes));
        }
        self.text_bytes = text_bytes;
        product.set_quantity(quantity);
        self.state.unprice(index, before);
        let facts = &self.conversation.facts;
        self.state.price(index, &self.planned, facts, &self.policy);
        self.add_up(Some(index));
        Ok(true)
    }

    /// The index of a line, if the order has that line.
    pub fn index_of(&self, line: f64) -> Result<usize, Error> {
        let index = integer(line).and_then(|line| usize::try_from(line).ok());
        index
            .filter(|index| *index < self.ids.len())
            .ok_or_else(|| {
                let expected = Expected::A("a line of the order");
                Error::invalid_order(Fault::expected(expected).under_key("line"))
            })
    }

    /// Replaces the delivery zones.
    pub fn set_zones(&mut self, zones: Rc<Zones>) {
        self.planned.set_zones(&zones);
        self.zones = Some(zones);
        self.need();
    }

    /// The totals of the known facts.
    pub fn totals(&self) -> &Totals {
        &self.state.totals
    }

    /// Prices the order; `None`: an answer is missing.
    pub fn price(&self) -> Result<Option<Priced>, Error> {
        self.order().check_finished()?;
        if let Some(problem) = self.problems().into_iter().next() {
            return Err(problem.error);
        }
        let is_current = self.pending() == Pending::default();
        Ok(is_current.then(|| self.state.priced(self.order().clone())))
    }

    /// The order.
    pub(crate) fn order(&self) -> &Order {
        &self.planned.order
    }

    fn read(&self, order: &Document) -> Result<Order, Error> {
        Order::read_unfinished(order.text.as_bytes(), order.origin, &self.limits)
    }

    fn take(&mut self, order: Order, text_bytes: usize, origins: &Origins) {
        let mut before = mem::take(&mut self.ids);
        let indices = 0..order.fields.products.len();
        let ids = indices.map(|index| {
            let origin = origins.get(index).copied().unwrap_or(NEW);
            // An id moves to one product only; 0 is none.
            let id = before.get_mut(origin as usize).map(mem::take);
            id.filter(|id| *id > 0).unwrap_or_else(|| {
                self.next_id = self.next_id.wrapping_add(1);
                self.next_id
            })
        });
        self.ids = ids.collect();
        self.text_bytes = text_bytes;
        self.shown.move_rows(self.ids.len(), origins);
        self.plan(order);
    }

    fn plan(&mut self, order: Order) {
        let facts = &mut self.conversation.facts;
        self.planned = Draft::new(order).plan(self.zones.as_deref(), facts);
        self.need();
    }

    /// Follows a new plan.
    fn need(&mut self) {
        self.conversation.need(&self.planned);
        self.rebuild();
    }

    /// Recalculates everything that follows from the plan.
    fn rebuild(&mut self) {
        let pending = self.pending_facts();
        let facts = &self.conversation.facts;
        self.state = State::of(&self.planned, facts, pending, &self.policy);
        for index in 0..self.ids.len() {
            self.state.price(index, &self.planned, facts, &self.policy);
        }
        self.add_up(None);
    }

    /// Adds up the priced rows, and applies the coupons as far as they count
    /// for the basket as it is now. `changed`: only this row has changed.
    fn add_up(&mut self, changed: Option<usize>) {
        let order = &self.planned.order;
        let facts = &mut self.conversation.facts;
        let has_moved = self
            .coupons
            .follow(&self.state, order, &self.ids, changed, facts);
        match changed.filter(|_| !has_moved) {
            Some(index) => {
                self.state.discount_row(order, index);
                self.shown.row_changed(index);
            }
            None => {
                let (coupons, by_line) = self.coupons.apply(&self.ids, &self.conversation.facts);
                self.state.discount(order, coupons, by_line);
                self.shown.all_changed();
            }
        }
        self.state.calculate(&self.policy);
    }
}

/// The integer value of a double, if it is exact in JavaScript (D8).
fn integer(double: f64) -> Option<i64> {
    (double.trunc() == double && double.abs() <= MAX_INTEGER as f64).then_some(double as i64)
}

/// The length of an integer in JSON text.
fn digits(integer: i64) -> usize {
    let digits = integer.unsigned_abs().checked_ilog10().unwrap_or_default() as usize;
    digits
        .saturating_add(1)
        .saturating_add(usize::from(integer < 0))
}

#[cfg(test)]
mod tests {
    use super::{digits, integer};

    #[test]
    fn digits_are_those_of_the_json_text() {
        for number in [
            0,
            1,
            -1,
            9,
            10,
            -10,
            99,
            100,
            9_007_199_254_740_991,
            -9_007_199_254_740_991,
            i64::MIN,
        ] {
            assert_eq!(digits(number), number.to_string().len(), "{number}");
        }
    }

    #[test]
    fn d8_an_integer_is_exact_in_javascript() {
        let largest = 9_007_199_254_740_991.0;
        for (double, expected) in [
            (0.0, Some(0)),
            (-0.0, Some(0)),
            (-3.0, Some(-3)),
            (largest, Some(9_007_199_254_740_991)),
            (-largest, Some(-9_007_199_254_740_991)),
            (largest + 1.0, None),
            (0.5, None),
            (f64::NAN, None),
            (f64::INFINITY, None),
        ] {
            assert_eq!(integer(double), expected, "{double}");
        }
    }
}
