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
mod kept;
mod problems;
mod questions;
mod shown;
mod slots;
mod state;

pub use problems::Pending;

use std::cell::RefCell;
use std::mem;
use std::rc::Rc;
use std::sync::Arc;

use crate::certain::Certain;
use crate::error::{Error, Expected, Fault};
use crate::explain::Sink;
use crate::json::{Document, MAX_INTEGER};
use crate::options::{Limits, Policy};
use crate::order::Order;
use crate::quote::{Conversation, Draft, Needs, Planned, Priced, echo};
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
    zones: Option<Arc<Zones>>,
    /// The length of the order's text in bytes.
    text_bytes: usize,
    /// The order, and the places of its facts.
    planned: Planned,
    /// For each slot a basket of nothing but that delivery.
    slots: Vec<Basket>,
    /// Whether it is one of them: it needs no products.
    is_slot: bool,
    /// For each product an id that no other product has ever had.
    ids: Vec<u32>,
    next_id: u32,
    /// Several baskets may share it.
    conversation: Rc<RefCell<Conversation>>,
    /// The facts that the order names.
    needs: Needs,
    /// What it has told of the facts that it names.
    named: Vec<usize>,
    /// How often the facts had changed when the amounts were calculated.
    seen: u32,
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
    /// Reads an order, which may have no products yet. Baskets with one
    /// conversation share its facts.
    pub fn new(
        order: &Document,
        policy: Policy,
        limits: Limits,
        zones: Option<Arc<Zones>>,
        conversation: &Rc<RefCell<Conversation>>,
    ) -> Result<Self, Error> {
        let text_bytes = order.text.len();
        let order = read(order, &limits)?;
        let mut basket = Self::of(order, false, policy, limits, zones, conversation);
        basket.text_bytes = text_bytes;
        Ok(basket)
    }

    fn of(
        order: Order,
        is_slot: bool,
        policy: Policy,
        limits: Limits,
        zones: Option<Arc<Zones>>,
        conversation: &Rc<RefCell<Conversation>>,
    ) -> Self {
        let count = order.fields.products.len();
        let planned =
            Draft::new(order).plan(zones.as_deref(), &mut conversation.borrow_mut().facts);
        let mut basket = Self {
            policy,
            limits,
            zones,
            text_bytes: 0,
            planned,
            slots: Vec::new(),
            is_slot,
            ids: Vec::new(),
            next_id: 0,
            conversation: Rc::clone(conversation),
            needs: Needs::default(),
            named: Vec::new(),
            seen: 0,
            coupons: Coupons::default(),
            state: State::default(),
            shown: Shown::default(),
        };
        basket.add_products(count);
        basket.need();
        basket
    }

    /// Replaces the order. Returns false and changes nothing if the new order
    /// counts the same, defaults included.
    pub fn edit(&mut self, order: &Document, origins: &Origins) -> Result<bool, Error> {
        #[cfg(faults)]
        crate::quote::faults::strike(self.order(), "basket");
        let read = read(order, &self.limits)?;
        let indices = 0..self.ids.len();
        let is_in_place = indices.eq(origins.iter().map(|origin| *origin as usize));
        if is_in_place && echo(&read) == self.echo() {
            return Ok(false);
        }
        self.take(read, order.text.len(), origins);
        Ok(true)
    }

    /// Appends products, which stand alone in an order. Returns false and changes
    /// nothing if it is not that simple, or if they are wrong: then
    /// [`Basket::edit`] does it, or says why not.
    ///
    /// INVARIANT: what a new plan and a rebuild would give is the same.
    pub fn append(&mut self, products: &Document) -> bool {
        self.follow();
        let Ok(added) = read(products, &self.limits) else {
            return false;
        };
        let first = self.ids.len();
        let count = first + added.fields.products.len();
        let text_bytes = products.text.len() - r#"{"productList":[]}"#.len();
        let text_bytes = self.text_bytes + text_bytes + 1;
        let limits = &self.limits;
        if first == 0 || count > limits.max_products || text_bytes > limits.max_body_bytes {
            return false;
        }
        self.text_bytes = text_bytes;
        let mut conversation = self.conversation.borrow_mut();
        let places = self.planned.append(added, &mut conversation.facts);
        conversation.need(&Needs {
            places: places.clone(),
            is_idle: false,
        });
        drop(conversation);
        self.needs.places.extend(places);
        self.add_products(count);
        self.state.add_lines(count);
        for index in first..count {
            self.price_row(index);
        }
        self.state.pending = self.pending_facts();
        self.add_up_new(first);
        true
    }

    /// Sets the quantity of a product. Takes JavaScript's doubles, and refuses
    /// a double that is no index or no quantity. Returns false if the product
    /// has this quantity.
    pub fn set_quantity(&mut self, line: f64, quantity: f64) -> Result<bool, Error> {
        #[cfg(faults)]
        crate::quote::faults::strike(self.order(), "basket");
        self.follow();
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
        let rest = self.text_bytes - digits(before);
        let text_bytes = rest + digits(quantity);
        if text_bytes > self.limits.max_body_bytes {
            return Err(Error::BodyTooLarge(self.limits.max_body_bytes));
        }
        self.text_bytes = text_bytes;
        product.set_quantity(quantity);
        self.state.unprice(index, before);
        self.price_row(index);
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
    pub fn set_zones(&mut self, zones: Arc<Zones>) {
        self.planned.set_zones(&zones);
        for slot in &mut self.slots {
            slot.set_zones(Arc::clone(&zones));
        }
        self.zones = Some(zones);
        self.need();
    }

    /// The totals of the known facts.
    pub fn totals(&self) -> &Totals {
        &self.state.totals
    }

    /// Prices the order; `None`: an answer is missing.
    pub fn price(&mut self) -> Result<Option<Priced>, Error> {
        self.follow();
        self.order().check_finished()?;
        if let Some(problem) = self.problems().into_iter().next() {
            return Err(problem.error);
        }
        let is_current = self.pending() == Pending::default();
        Ok(is_current.then(|| self.state.priced(self.order().clone())))
    }

    /// Gives up what it needs: nobody answers it any more.
    pub fn leave(&mut self) {
        self.slots.clear();
        let mut conversation = self.conversation.borrow_mut();
        conversation.leave(&mem::take(&mut self.needs));
        self.coupons.need(None, &mut conversation);
    }

    /// Reports the steps that lead to the totals, as far as they are known.
    pub fn report(&mut self, sink: &mut dyn Sink) {
        self.follow();
        if self.ids.is_empty() {
            return;
        }
        if let Some(zones) = &self.zones {
            self.planned.report_zones(zones, sink);
        }
        let obstacle = self.coupons.obstacle(&self.conversation.borrow().facts);
        let has_coupons = obstacle.is_none();
        self.state
            .report(&self.planned, &self.policy, has_coupons, sink);
    }

    /// The order as it was read, with its defaults, as JSON text.
    pub fn echo(&self) -> Vec<u8> {
        echo(self.order())
    }

    /// Whether it has nothing to price yet.
    fn is_idle(&self) -> bool {
        self.ids.is_empty() && !self.is_slot
    }

    /// The order.
    pub(crate) fn order(&self) -> &Order {
        &self.planned.order
    }

    /// Follows an order with `count` products, of which the last are new.
    fn add_products(&mut self, count: usize) {
        for _ in self.ids.len()..count {
            self.next_id += 1;
            self.ids.push(self.next_id);
        }
        self.shown.add_rows(count);
    }

    fn take(&mut self, order: Order, text_bytes: usize, origins: &Origins) {
        let mut before = mem::take(&mut self.ids);
        let indices = 0..order.fields.products.len();
        let ids = indices.map(|index| {
            let origin = origins.get(index).copied().unwrap_or(NEW);
            // An id moves to one product only; 0 is none.
            let id = before.get_mut(origin as usize).map(mem::take);
            id.filter(|id| *id > 0).unwrap_or_else(|| {
                self.next_id += 1;
                self.next_id
            })
        });
        self.ids = ids.collect();
        self.text_bytes = text_bytes;
        self.shown.move_rows(self.ids.len(), origins);
        self.plan(order);
    }

    fn plan(&mut self, order: Order) {
        let mut conversation = self.conversation.borrow_mut();
        let facts = &mut conversation.facts;
        self.planned = Draft::new(order).plan(self.zones.as_deref(), facts);
        drop(conversation);
        self.need();
    }

    /// Follows a new plan.
    fn need(&mut self) {
        let needs = Needs {
            places: self.planned.places(),
            is_idle: self.is_idle(),
        };
        let mut conversation = self.conversation.borrow_mut();
        conversation.need(&needs);
        conversation.leave(&mem::replace(&mut self.needs, needs));
        drop(conversation);
        self.rebuild();
    }

    /// Follows the facts, which other baskets and answers have changed.
    pub fn follow(&mut self) {
        for slot in &mut self.slots {
            slot.follow();
        }
        if self.conversation.borrow().changes != self.seen {
            self.rebuild();
        }
    }

    /// Recalculates everything that follows from the plan.
    fn rebuild(&mut self) {
        let pending = self.pending_facts();
        let conversation = self.conversation.borrow();
        let facts = &conversation.facts;
        self.seen = conversation.changes;
        self.coupons.learn(facts);
        self.state = State::of(&self.planned, facts, pending, &self.policy);
        drop(conversation);
        for index in 0..self.ids.len() {
            self.price_row(index);
        }
        self.add_up(None);
    }

    fn price_row(&mut self, index: usize) {
        let facts = &self.conversation.borrow().facts;
        self.state.price(index, &self.planned, facts, &self.policy);
    }

    /// Adds up the rows, of which those from `first` on are new.
    fn add_up_new(&mut self, first: usize) {
        let order = &self.planned.order;
        let has_coupons = !order.fields.coupon_codes.is_empty();
        if has_coupons || self.has_wrong_prices_or_fees() {
            return self.add_up(None);
        }
        for index in first..self.ids.len() {
            self.state.discount_row(order, index);
            self.shown.row_changed(index);
        }
        self.state.calculate(&self.policy);
    }

    /// Adds up the priced rows, and applies the coupons as far as they count
    /// for the basket as it is now. `changed`: only this row has changed.
    fn add_up(&mut self, changed: Option<usize>) {
        let order = &self.planned.order;
        let mut conversation = self.conversation.borrow_mut();
        let has_moved =
            self.coupons
                .follow(&self.state, order, &self.ids, changed, &mut conversation);
        match changed.filter(|_| !has_moved) {
            Some(index) => {
                self.state.discount_row(order, index);
                self.shown.row_changed(index);
            }
            None => {
                let (coupons, by_line) = self.coupons.apply(&self.ids, &conversation.facts);
                self.state.discount(order, coupons, by_line);
                self.shown.all_changed();
            }
        }
        if !self.is_idle() {
            self.state.calculate(&self.policy);
        }
    }
}

impl Drop for Basket {
    fn drop(&mut self) {
        self.leave();
        self.coupons
            .drop_results(&mut self.conversation.borrow_mut());
    }
}

fn read(order: &Document, limits: &Limits) -> Result<Order, Error> {
    Order::read_unfinished(order.text.as_bytes(), order.origin, limits)
}

/// The integer value of a double, if it is exact in JavaScript (D8).
fn integer(double: f64) -> Option<i64> {
    (double.trunc() == double && double.abs() <= MAX_INTEGER as f64).then_some(double as i64)
}

/// The length of an integer in JSON text.
fn digits(integer: i64) -> usize {
    let digits = integer.unsigned_abs().checked_ilog10().unwrap_or_default() as usize;
    digits + 1 + usize::from(integer < 0)
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
