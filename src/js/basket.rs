//! The live basket's handle for JavaScript.

use std::rc::Rc;

use js_sys::{Float64Array, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::conversation::{self, Viewed, conversation};
use super::{Pricing, error, origin};
use crate::basket::Basket;
use crate::error::{Error, Failure};
use crate::json::{self, Document};

/// A basket. Orders are JSON text; `unwritable`: see `Pricing.start`. Every
/// edit returns whether the basket has changed.
#[wasm_bindgen]
#[derive(Debug)]
pub struct BasketHandle {
    asker: Basket,
    viewed: Viewed,
}

conversation!(BasketHandle);

#[wasm_bindgen]
impl BasketHandle {
    /// Reads an order.
    #[wasm_bindgen(constructor)]
    pub fn new(pricing: &Pricing, order: &[u8], unwritable: bool) -> Result<Self, JsValue> {
        let basket = Basket::new(
            &document(order, unwritable)?,
            pricing.options.policy,
            pricing.options.limits,
            pricing.zones().cloned(),
        );
        Ok(Self {
            asker: basket.map_err(error::to_js)?,
            viewed: Viewed::default(),
        })
    }

    /// Replaces the order. `origins`: for each product its index before the
    /// edit, or 2³² − 1 if it is new.
    pub fn edit(
        &mut self,
        order: &[u8],
        unwritable: bool,
        origins: &[u32],
    ) -> Result<bool, JsValue> {
        let order = document(order, unwritable)?;
        self.asker.edit(&order, origins).map_err(error::to_js)
    }

    /// Sets the quantity of a line.
    #[wasm_bindgen(js_name = setQuantity)]
    pub fn set_quantity(&mut self, line: f64, quantity: f64) -> Result<bool, JsValue> {
        let changed = self.asker.set_quantity(line, quantity);
        changed.map_err(error::to_js)
    }

    /// Throws unless the order has this line.
    #[wasm_bindgen(js_name = checkLine)]
    pub fn check_line(&self, line: f64) -> Result<(), JsValue> {
        self.asker.index_of(line).map(|_| ()).map_err(error::to_js)
    }

    /// Switches to the current zones of the pricer.
    #[wasm_bindgen(js_name = takeZones)]
    pub fn take_zones(&mut self, pricing: &Pricing) {
        if let Some(zones) = pricing.zones() {
            self.asker.set_zones(Rc::clone(zones));
        }
    }

    /// Makes the next round ask again: for the price of a line, or for
    /// everything.
    pub fn refresh(&mut self, line: Option<f64>) -> Result<(), JsValue> {
        self.asker.refresh(line).map_err(error::to_js)
    }

    /// Lets the next round ask again for what failed.
    #[wasm_bindgen(js_name = askAgain)]
    pub fn ask_again(&mut self, retryable_only: bool) {
        self.asker.ask_again(retryable_only);
    }

    /// The calls of which nothing is needed any more. Their answers are
    /// dropped.
    pub fn useless(&mut self) -> Vec<u32> {
        self.asker.useless()
    }

    /// Forgets all calls. Their answers are dropped.
    #[wasm_bindgen(js_name = forgetCalls)]
    pub fn forget_calls(&mut self) {
        self.asker.forget_calls();
    }

    /// What has changed since the last call, see [`Basket::changes`] and
    /// [`view`].
    pub fn changes(&mut self) -> Uint8Array {
        let changes = self.asker.changes();
        self.viewed.bytes(changes)
    }

    /// The problems that `changes` announced: a list of what an error's throw
    /// holds.
    pub fn problems(&self) -> Result<JsValue, JsValue> {
        let problems = self.asker.shown_problems().iter();
        error::serialized(&Vec::from_iter(problems.map(error::Thrown::of)))
    }

    /// The priced order as JSON text, see [`view`]; empty if an answer is
    /// missing. Throws what `calculate` would throw with the known facts.
    pub fn response(&mut self) -> Result<Uint8Array, JsValue> {
        let priced = self.asker.price().map_err(error::to_js)?;
        let text = priced.map(|priced| priced.write());
        Ok(self.viewed.bytes(text.unwrap_or_default()))
    }
}

fn document(text: &[u8], unwritable: bool) -> Result<Document, JsValue> {
    Ok(Document {
        text: json::text(text).ok_or_else(|| error::to_js(Error::InvalidJson))?,
        origin: origin(unwritable),
    })
}
