//! The live basket's handle for JavaScript.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::job::Job;
use super::{Pricing, error, origin};
use crate::basket::{Basket, Learner};
use crate::error::Error;
use crate::explain::Recorder;
use crate::json::{self, Document};
use crate::options::Policy;

/// A basket. Every change returns the totals: the 16 amounts as the nearest
/// doubles, in the order of the response, then 1 or 0 for `isFreeShipping`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct BasketHandle {
    basket: Rc<RefCell<Basket>>,
    policy: Policy,
}

#[wasm_bindgen]
impl BasketHandle {
    /// Reads an order. `unwritable`, here and below: see `Pricing.start`.
    #[wasm_bindgen(constructor)]
    pub fn new(pricing: &Pricing, order: &[u8], unwritable: bool) -> Result<Self, JsValue> {
        let policy = pricing.options.policy;
        let basket = Basket::new(
            &document(order, unwritable)?,
            policy,
            pricing.options.limits,
            Rc::clone(&pricing.zones),
        );
        Ok(Self {
            basket: Rc::new(RefCell::new(basket.map_err(error::to_js)?)),
            policy,
        })
    }

    /// The order as JSON text.
    pub fn order(&self) -> Vec<u8> {
        self.basket.borrow().order_text()
    }

    /// The priced products as JSON text.
    pub fn rows(&self) -> Vec<u8> {
        self.basket.borrow().rows()
    }

    /// The totals, as every change returns them.
    pub fn totals(&self) -> Vec<f64> {
        let basket = self.basket.borrow();
        let totals = basket.totals();
        let mut values: Vec<f64> = totals.amounts().map(|amount| amount.to_double()).into();
        values.push(f64::from(u8::from(totals.is_free_shipping)));
        values
    }

    /// The open questions as bits: 1 prices, 2 delivery, 4 coupons, 8 vouchers.
    pub fn unknown(&self) -> u32 {
        let unknown = self.basket.borrow().unknown();
        u32::from(unknown.prices)
            | u32::from(unknown.delivery) << 1
            | u32::from(unknown.coupons) << 2
            | u32::from(unknown.vouchers) << 3
    }

    /// The reason why the totals cannot be calculated; `undefined` if they can.
    pub fn overflow(&self) -> JsValue {
        let overflow = self.basket.borrow().overflow().cloned();
        overflow.map_or(JsValue::UNDEFINED, error::to_js)
    }

    /// Changes whenever pending answers become outdated.
    #[wasm_bindgen(getter)]
    pub fn revision(&self) -> u32 {
        self.basket.borrow().revision()
    }

    /// Changes whenever the basket shows something else.
    #[wasm_bindgen(getter)]
    pub fn version(&self) -> u32 {
        self.basket.borrow().version()
    }

    /// Sets the quantity of a line.
    #[wasm_bindgen(js_name = setQuantity)]
    pub fn set_quantity(&self, line: f64, quantity: f64) -> Result<Vec<f64>, JsValue> {
        self.change(|basket| basket.set_quantity(line, quantity))
    }

    /// Appends a product, given as JSON text.
    #[wasm_bindgen(js_name = addProduct)]
    pub fn add_product(&self, product: &[u8], unwritable: bool) -> Result<Vec<f64>, JsValue> {
        let product = document(product, unwritable)?;
        self.change(|basket| basket.add_product(&product))
    }

    /// Removes a line.
    #[wasm_bindgen(js_name = removeProduct)]
    pub fn remove_product(&self, line: f64) -> Result<Vec<f64>, JsValue> {
        self.change(|basket| basket.remove_product(line))
    }

    /// Replaces a member of the order with JSON text; `key` has its quotes.
    pub fn set(&self, key: &str, value: &[u8], unwritable: bool) -> Result<Vec<f64>, JsValue> {
        let value = document(value, unwritable)?;
        self.change(|basket| basket.set(key, &value))
    }

    /// Switches to the current zones of the pricer.
    #[wasm_bindgen(js_name = takeZones)]
    pub fn take_zones(&self, pricing: &Pricing) {
        self.basket
            .borrow_mut()
            .set_zones(Rc::clone(&pricing.zones));
    }

    /// Forgets the facts.
    pub fn forget(&self) -> Result<Vec<f64>, JsValue> {
        self.change(|basket| {
            basket.forget();
            Ok(())
        })
    }

    /// Begins to price the current basket.
    pub fn start(&self, job: &mut Job) -> Result<(), JsValue> {
        let (planned, round) = self.basket.borrow().begin().map_err(error::to_js)?;
        let basket = Rc::clone(&self.basket);
        let learner = Some(Learner { basket, round });
        job.begin(planned, self.policy, Recorder::default(), learner);
        Ok(())
    }
}

impl BasketHandle {
    fn change(
        &self,
        change: impl FnOnce(&mut Basket) -> Result<(), Error>,
    ) -> Result<Vec<f64>, JsValue> {
        change(&mut self.basket.borrow_mut()).map_err(error::to_js)?;
        Ok(self.totals())
    }
}

fn document(text: &[u8], unwritable: bool) -> Result<Document, JsValue> {
    Ok(Document {
        text: json::text(text).ok_or_else(|| error::to_js(Error::InvalidJson))?,
        origin: origin(unwritable),
    })
}
