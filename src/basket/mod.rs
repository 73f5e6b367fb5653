//! The live basket: an order that is being edited, the known facts, and the
//! totals that follow from both.
//!
//! The same rules price a basket and a single order: [`Row`], [`Subtotals`] and
//! [`Totals`] know nothing of baskets. Nothing here asks or waits: the order
//! that [`Basket::begin`] returns is priced like any other, and the basket
//! learns from its answers.

mod state;
mod text;

pub use state::Unknown;

use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

use crate::error::{Error, Expected, Fault};
use crate::json::{Document, MAX_INTEGER, Reader, Writer, decode, nulled, without_lone_surrogates};
use crate::lookup::Lookup;
use crate::options::{Limits, Policy};
use crate::order::Order;
use crate::quote::{
    CouponRequest, Draft, Facts, Planned, coupon_request_head, size_hint, write_rows,
};
use crate::rules::{DiscountResult, Row, Subtotals, Totals, Zones};
use state::{Line, State};
use text::OrderText;

/// An order that is being edited.
#[derive(Debug)]
pub struct Basket {
    policy: Policy,
    limits: Limits,
    zones: Rc<Zones>,
    text: OrderText,
    /// The length of the written `text` in bytes.
    text_bytes: usize,
    /// The order in `text`, with the answers that are known from `facts`.
    planned: Planned,
    facts: Facts,
    coupon_answer: Option<CouponAnswer>,
    revision: u32,
    version: u32,
    generation: u32,
    state: State,
}

/// An answer of the coupon service, with the request that it answers.
#[derive(Debug)]
struct CouponAnswer {
    request: Vec<u8>,
    round: Round,
    answer: Rc<DiscountResult>,
}

/// A basket that waits for answers.
#[derive(Debug)]
pub struct Learner {
    /// The basket.
    pub basket: Rc<RefCell<Basket>>,
    /// The state of the basket when it asked.
    pub round: Round,
}

/// The state of a basket when it asked its questions.
#[derive(Clone, Debug)]
pub struct Round {
    generation: u32,
    codes: Vec<String>,
    /// The ids of the products.
    products: Vec<u32>,
}

impl Basket {
    /// Reads an order, which may have no products yet.
    pub fn new(
        order: &Document,
        policy: Policy,
        limits: Limits,
        zones: Rc<Zones>,
    ) -> Result<Self, Error> {
        let read = Order::read_unfinished(order.text.as_bytes(), order.origin, &limits)?;
        let text = OrderText::new(&nulled(order));
        let facts = Facts::default();
        let mut basket = Self {
            policy,
            limits,
            text_bytes: text.write().len(),
            text,
            planned: Draft::new(read).plan(&zones, &facts),
            zones,
            facts,
            coupon_answer: None,
            revision: 0,
            version: 0,
            generation: 0,
            state: State::default(),
        };
        basket.rebuild();
        Ok(basket)
    }

    /// The order as JSON text.
    pub fn order_text(&self) -> Vec<u8> {
        self.text.write()
    }

    /// The totals as far as the facts are known. If [`Basket::overflow`] has an
    /// error, they are the last totals that could be calculated.
    pub fn totals(&self) -> &Totals {
        &self.state.totals
    }

    /// The reason why the current totals cannot be calculated.
    pub fn overflow(&self) -> Option<&Error> {
        self.state.overflow.as_ref()
    }

    /// Changes whenever pending answers become outdated.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// Changes whenever the basket shows something else.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The open questions. With coupons, this scans the whole basket.
    pub fn unknown(&self) -> Unknown {
        Unknown {
            coupons: self.awaits_coupons(),
            ..self.state.unknown
        }
    }

    /// The priced products as JSON text, as the response shows them. A price is
    /// `null` until it is known, and its row counts as 0.
    pub fn rows(&self) -> Vec<u8> {
        let order = self.order();
        let mut out = Writer::with_capacity(size_hint(order));
        let products = order.fields.products.iter();
        out.list(
            products.zip(&self.state.lines),
            |out, (product, line)| match line.row() {
                Some(row) => row.write(out, order, product),
                None => Row::write_unpriced(out, order, product),
            },
        );
        out.into_bytes()
    }

    /// Sets the quantity of a product. Takes JavaScript's doubles, and refuses
    /// a double that is no index or no quantity.
    pub fn set_quantity(&mut self, line: f64, quantity: f64) -> Result<(), Error> {
        #[cfg(faults)]
        crate::quote::planted::strike(self.order(), "basket");
        let place = self.place(line)?;
        let quantity = integer(quantity).ok_or_else(|| {
            let fault = Fault::expected(Expected::A("an integer")).under_key("quantity");
            Error::invalid_order(fault.at_index(place).under_key("productList"))
        })?;
        let (Some(product), Some(text)) = (
            self.planned.order.fields.products.get_mut(place),
            self.text.products.get_mut(place),
        ) else {
            return Ok(());
        };
        if product.quantity == quantity {
            return Ok(());
        }
        let rest = self.text_bytes.saturating_sub(text.bytes());
        let before = text.quantity.replace(quantity);
        let text_bytes = rest.saturating_add(text.bytes());
        if text_bytes > self.limits.max_body_bytes {
            text.quantity = before;
            return Err(Error::BodyTooLarge(self.limits.max_body_bytes));
        }
        self.text_bytes = text_bytes;
        self.state.unprice(place, product.quantity);
        product.set_quantity(quantity);
        self.state.price(place, &self.planned, &self.policy);
        self.revise();
        self.add_up();
        self.recognise_products();
        Ok(())
    }

    /// Appends a product.
    pub fn add_product(&mut self, product: &Document) -> Result<(), Error> {
        is_json(product)?;
        self.edit(product, |text, product| text.add_product(product))
    }

    /// Removes a product.
    pub fn remove_product(&mut self, line: f64) -> Result<(), Error> {
        let place = self.place(line)?;
        self.edit(&Document::default(), |text, _| {
            text.products.remove(place);
        })
    }

    /// Replaces a member of the order; `key` has its quotes.
    pub fn set(&mut self, key: &str, value: &Document) -> Result<(), Error> {
        is_json(value)?;
        self.edit(value, |text, value| text.set(key, value))
    }

    /// Replaces the delivery zones.
    pub fn set_zones(&mut self, zones: Rc<Zones>) {
        self.zones = zones;
        self.revise();
        self.plan_again();
    }

    /// Forgets the facts, so that all of them must be asked again.
    pub fn forget(&mut self) {
        self.facts = Facts::default();
        self.coupon_answer = None;
        self.generation = self.generation.wrapping_add(1);
        self.revise();
        self.plan_again();
    }

    /// Begins to price the current order with the known facts.
    pub fn begin(&self) -> Result<(Planned, Round), Error> {
        self.order().check_finished(&self.limits, self.text_bytes)?;
        let round = Round {
            generation: self.generation,
            codes: self.codes(),
            products: self.product_ids(),
        };
        Ok((self.planned.clone(), round))
    }

    /// Learns a host's answer to a look-up of this round, unless the basket has
    /// forgotten its facts since it asked.
    pub fn learn(&mut self, round: &Round, planned: &Planned, lookup: Lookup) {
        if round.generation == self.generation {
            planned.teach(lookup, &mut self.facts);
            self.plan_again();
        }
    }

    /// The coupon service's answer to exactly this request (D25), if known.
    pub fn known_coupons(&self, request: &CouponRequest<'_>) -> Option<Rc<DiscountResult>> {
        let known = self.coupon_answer.as_ref()?;
        (known.request == request.to_bytes()).then(|| Rc::clone(&known.answer))
    }

    /// Learns the coupon service's answer to a request of this round.
    pub fn learn_coupons(&mut self, round: &Round, request: Vec<u8>, answer: Rc<DiscountResult>) {
        if round.generation == self.generation {
            self.coupon_answer = Some(CouponAnswer {
                request,
                round: round.clone(),
                answer,
            });
            self.rebuild();
        }
    }

    /// The index of a line, if the order has that line.
    fn place(&self, line: f64) -> Result<usize, Error> {
        let place = integer(line).and_then(|line| usize::try_from(line).ok());
        place
            .filter(|place| *place < self.state.lines.len())
            .ok_or_else(|| {
                let expected = Expected::A("a line of the order");
                Error::invalid_order(Fault::expected(expected).under_key("line"))
            })
    }

    /// Changes the text of the order, unless the result is not a valid order.
    fn edit(
        &mut self,
        part: &Document,
        change: impl Fn(&mut OrderText, &str),
    ) -> Result<(), Error> {
        let mut text = self.text.clone();
        change(&mut text, &part.text);
        let order = Order::read_unfinished(&text.write(), part.origin, &self.limits)?;
        let mut text = self.text.clone();
        change(&mut text, &nulled(part));
        let text_bytes = text.write().len();
        if text_bytes > self.limits.max_body_bytes {
            return Err(Error::BodyTooLarge(self.limits.max_body_bytes));
        }
        self.text = text;
        self.text_bytes = text_bytes;
        self.revise();
        self.plan(order);
        Ok(())
    }

    fn revise(&mut self) {
        self.revision = self.revision.wrapping_add(1);
    }

    fn order(&self) -> &Order {
        self.planned.order()
    }

    /// Plans an order with the current facts.
    fn plan(&mut self, order: Order) {
        self.planned = Draft::new(order).plan(&self.zones, &self.facts);
        self.rebuild();
    }

    /// Plans the current order again.
    fn plan_again(&mut self) {
        let order = mem::take(&mut self.planned.order);
        self.plan(order);
    }

    /// Recalculates everything that follows from the plan.
    fn rebuild(&mut self) {
        let planned = &self.planned;
        let products = &planned.order().fields.products;
        self.state = State {
            totals: self.state.totals,
            lines: products.iter().map(|_| Line::default()).collect(),
            ..State::default()
        };
        if !products.is_empty() {
            self.state.unknown = Unknown {
                prices: planned.has_prices() != Ok(true),
                delivery: planned.has_fees() != Ok(true),
                vouchers: planned.has_vouchers() != Ok(true),
                coupons: false,
            };
            self.state.fees = planned.fees(&planned.rates(), &self.policy, &mut ());
            self.state.vouchers = planned.vouchers();
            self.rebuild_coupons();
        }
        for place in 0..self.state.lines.len() {
            self.state.price(place, &self.planned, &self.policy);
        }
        self.add_up();
        self.recognise_products();
    }

    /// A customer may remove products and add them again. If the coupon request
    /// is then the same to the last byte, its answer applies to them.
    fn recognise_products(&mut self) {
        if !self.state.saw_others || self.awaits_coupons() {
            return;
        }
        let products = self.product_ids();
        if let Some(said) = &mut self.coupon_answer {
            said.round.products = products;
        }
        self.rebuild();
    }

    fn product_ids(&self) -> Vec<u32> {
        let products = self.text.products.iter();
        products.map(|product| product.id).collect()
    }

    /// Applies the coupon service's last answer to the products that are still
    /// there, without the codes that were removed.
    fn rebuild_coupons(&mut self) {
        let codes = self.codes();
        let Some(said) = self.coupon_answer.as_ref().filter(|_| !codes.is_empty()) else {
            return;
        };
        let mut coupons = Rc::clone(&said.answer);
        let saw_others = said.round.products.len() == self.state.lines.len()
            && said.round.products != self.product_ids();
        DiscountResult::take_out(&mut coupons, &said.round.codes, &codes);
        let by_line = coupons.by_line(said.round.products.len());
        for (id, from_coupons) in said.round.products.iter().zip(by_line) {
            // Products stand in the order of their ids.
            let place = self
                .text
                .products
                .binary_search_by_key(id, |product| product.id);
            let line = place.ok().and_then(|place| self.state.lines.get_mut(place));
            if let Some(line) = line {
                line.from_coupons = from_coupons;
            }
        }
        self.state.coupons = coupons;
        self.state.saw_others = saw_others;
    }

    /// Calculates the totals from rows, fees, coupons and vouchers.
    fn add_up(&mut self) {
        self.version = self.version.wrapping_add(1);
        match self.state.calculate(&self.policy) {
            Ok(totals) => {
                self.state.totals = totals;
                self.state.overflow = None;
            }
            Err(overflow) => self.state.overflow = Some(overflow),
        }
    }

    fn awaits_coupons(&self) -> bool {
        if self.order().fields.coupon_codes.is_empty() || self.state.lines.is_empty() {
            return false;
        }
        let Unknown {
            prices, delivery, ..
        } = self.state.unknown;
        let Some(said) = &self.coupon_answer else {
            return true;
        };
        prices || delivery || self.coupon_request().as_ref() != Some(&said.request)
    }

    /// The current coupon request, if all its fields are known.
    fn coupon_request(&self) -> Option<Vec<u8>> {
        let rows = self.state.lines.iter().map(|line| line.row().cloned());
        let mut rows: Vec<Row> = rows.collect::<Option<_>>()?;
        // The coupon service gets the rows before its own discounts.
        for row in &mut rows {
            row.discounted_row_total = row.effective;
        }
        let subtotals = Subtotals::of(&self.state.row_sums, &self.state.fees).ok()?;
        let order = self.order();
        let codes = order.first_seen(&order.fields.coupon_codes);
        let mut out = Writer::with_capacity(size_hint(order));
        write_rows(&mut out, order, &rows);
        let request = CouponRequest {
            head: coupon_request_head(order, &codes, &subtotals),
            product_list: without_lone_surrogates(out.into_bytes()).into(),
        };
        Some(request.to_bytes())
    }

    fn codes(&self) -> Vec<String> {
        let order = self.order();
        let codes = order.fields.coupon_codes.iter();
        codes
            .map(|code| decode(code.of(&order.text)).into_owned())
            .collect()
    }
}

/// Refuses a part that is not JSON by itself. Inside an order, `1,"x":2` would
/// be JSON and would add a member.
fn is_json(part: &Document) -> Result<(), Error> {
    Reader::document(&part.text, part.origin, Reader::skip).map_err(|_| Error::InvalidJson)
}

/// The integer value of a double, if it is exact in JavaScript (D8).
fn integer(double: f64) -> Option<i64> {
    (double.trunc() == double && double.abs() <= MAX_INTEGER as f64).then_some(double as i64)
}
