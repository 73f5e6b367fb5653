//! The live basket: an order that is edited, the facts that are known, and what
//! it comes to by them.
//!
//! The rules are those of an order that is priced once: [`Row`], [`Subtotals`]
//! and [`Totals`] know nothing of baskets. Nothing here asks or waits: what
//! [`Basket::begin`] gives is priced like any order, and the basket learns from
//! the answers on their way.

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

/// An order in the making.
#[derive(Debug)]
pub struct Basket {
    policy: Policy,
    limits: Limits,
    zones: Rc<Zones>,
    text: OrderText,
    /// How long `text` is when it is written.
    text_bytes: usize,
    /// What `text` says, and what the facts know of that.
    planned: Planned,
    facts: Facts,
    coupon_answer: Option<CouponAnswer>,
    revision: u32,
    version: u32,
    generation: u32,
    state: State,
}

/// What the coupon service said, and of what.
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
    /// What it was when it asked.
    pub round: Round,
}

/// The basket for which answers are under way.
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

    /// What the basket comes to by what is known: the last totals that could be
    /// calculated, where [`Basket::overflow`] says why these cannot.
    pub fn totals(&self) -> &Totals {
        &self.state.totals
    }

    /// Why the totals cannot be calculated.
    pub fn overflow(&self) -> Option<&Error> {
        self.state.overflow.as_ref()
    }

    /// Changes with everything that makes answers outdated that are under way.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// Changes with everything that the basket shows.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// What must be asked. Looks through the whole basket where it has coupons.
    pub fn unknown(&self) -> Unknown {
        Unknown {
            coupons: self.awaits_coupons(),
            ..self.state.unknown
        }
    }

    /// The priced products as JSON text, as the response shows them. The price
    /// is `null` until it is known, and the row counts 0.
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

    /// Sets how many units of a product are ordered. As JavaScript says it: not
    /// every double is an index or a quantity.
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

    /// Takes a product out.
    pub fn remove_product(&mut self, line: f64) -> Result<(), Error> {
        let place = self.place(line)?;
        self.edit(&Document::default(), |text, _| {
            text.products.remove(place);
        })
    }

    /// Replaces a member of the order: `key` is in quotes.
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

    /// Forgets what is known: all of it is to be asked again.
    pub fn forget(&mut self) {
        self.facts = Facts::default();
        self.coupon_answer = None;
        self.generation = self.generation.wrapping_add(1);
        self.revise();
        self.plan_again();
    }

    /// Begins to price the order as it is now, by what is known.
    pub fn begin(&self) -> Result<(Planned, Round), Error> {
        self.order().check_finished(&self.limits, self.text_bytes)?;
        let round = Round {
            generation: self.generation,
            codes: self.codes(),
            products: self.product_ids(),
        };
        Ok((self.planned.clone(), round))
    }

    /// Learns what a host answered to a look-up of this round, unless the facts
    /// have been forgotten since it was asked.
    pub fn learn(&mut self, round: &Round, planned: &Planned, lookup: Lookup) {
        if round.generation == self.generation {
            planned.teach(lookup, &mut self.facts);
            self.plan_again();
        }
    }

    /// What the coupon service has said to this very request (D25).
    pub fn known_coupons(&self, request: &CouponRequest<'_>) -> Option<Rc<DiscountResult>> {
        let known = self.coupon_answer.as_ref()?;
        (known.request == request.to_bytes()).then(|| Rc::clone(&known.answer))
    }

    /// Keeps what the coupon service said to a request of this round.
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

    /// Where a line stands.
    fn place(&self, line: f64) -> Result<usize, Error> {
        let place = integer(line).and_then(|line| usize::try_from(line).ok());
        place
            .filter(|place| *place < self.state.lines.len())
            .ok_or_else(|| {
                let expected = Expected::A("a line of the order");
                Error::invalid_order(Fault::expected(expected).under_key("line"))
            })
    }

    /// Changes the text of the order; what is no order afterwards changes
    /// nothing.
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

    /// Finds out anew what the facts know of an order.
    fn plan(&mut self, order: Order) {
        self.planned = Draft::new(order).plan(&self.zones, &self.facts);
        self.rebuild();
    }

    /// The same of the order as it is.
    fn plan_again(&mut self) {
        let order = mem::take(&mut self.planned.order);
        self.plan(order);
    }

    /// Finds out anew all that follows from that.
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

    /// Products that were taken out and put in again are those of the request
    /// that was answered, where it is the same to the last byte.
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

    /// Lays the last word of the coupon service on the products that are still
    /// there, without the codes that have been taken out.
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
            // A product keeps its place among those that came before and after it.
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

    /// What the coupon service would be asked now, if all that is known.
    fn coupon_request(&self) -> Option<Vec<u8>> {
        let rows = self.state.lines.iter().map(|line| line.row().cloned());
        let mut rows: Vec<Row> = rows.collect::<Option<_>>()?;
        // The coupon service sees the rows before its own discounts.
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

/// A part that is no JSON by itself may be some in the place of another one, or
/// between two.
fn is_json(part: &Document) -> Result<(), Error> {
    Reader::document(&part.text, part.origin, Reader::skip).map_err(|_| Error::InvalidJson)
}

/// The integer that a double is, if JavaScript can tell it from others (D8).
fn integer(double: f64) -> Option<i64> {
    (double.trunc() == double && double.abs() <= MAX_INTEGER as f64).then_some(double as i64)
}
