//! The live basket's handle for JavaScript.

use std::sync::Arc;

use js_sys::{Float64Array, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::conversation::{Viewed, asking};
use super::facts::places;
use super::{FactsHandle, Pricing, ShelfHandle, document, error, order_origin};
use crate::basket::Basket;
use crate::explain::Recorder;

/// A basket. Orders are JSON text; `unwritable`: see `Pricing.start`. Every
/// edit returns whether the basket has changed.
#[wasm_bindgen]
#[derive(Debug)]
pub struct BasketHandle {
    asker: Basket,
    viewed: Viewed,
    /// D49.
    lenient: bool,
}

asking!(BasketHandle);

#[wasm_bindgen]
impl BasketHandle {
    /// Reads an order. Its facts are in this store.
    #[wasm_bindgen(constructor)]
    pub fn new(
        pricing: &Pricing,
        facts: &FactsHandle,
        order: &[u8],
        unwritable: bool,
    ) -> Result<Self, JsValue> {
        let lenient = pricing.is_lenient();
        let basket = Basket::new(
            &document(order, order_origin(unwritable, lenient))?,
            pricing.options.policy,
            pricing.options.limits,
            pricing.zones().cloned(),
            &facts.conversation,
        );
        Ok(Self {
            asker: basket.map_err(error::to_js)?,
            viewed: Viewed::default(),
            lenient,
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
        let order = document(order, order_origin(unwritable, self.lenient))?;
        self.asker.edit(&order, origins).map_err(error::to_js)
    }

    /// The order as it was read (D49), as JSON text, see [`view`].
    ///
    /// [`view`]: super::view
    pub fn echo(&mut self) -> Uint8Array {
        self.viewed.bytes(self.asker.echo())
    }

    /// Appends the products of an order that has nothing else, see
    /// [`Basket::append`].
    pub fn append(&mut self, products: &[u8]) -> Result<bool, JsValue> {
        let products = document(products, order_origin(false, self.lenient))?;
        Ok(self.asker.append(&products))
    }

    /// Sets the quantity of a line.
    #[wasm_bindgen(js_name = setQuantity)]
    pub fn set_quantity(&mut self, line: f64, quantity: f64) -> Result<bool, JsValue> {
        let changed = self.asker.set_quantity(line, quantity);
        changed.map_err(error::to_js)
    }

    /// Replaces the slots, see [`Basket::set_slots`].
    #[wasm_bindgen(js_name = setSlots)]
    pub fn set_slots(&mut self, slots: &[u8], unwritable: bool) -> Result<(), JsValue> {
        let slots = document(slots, order_origin(unwritable, self.lenient))?;
        self.asker.set_slots(&slots).map_err(error::to_js)
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
            self.asker.set_zones(Arc::clone(zones));
        }
    }

    /// Makes the next round ask again: for the price of a line, or for
    /// everything.
    pub fn refresh(&mut self, line: Option<f64>) -> Result<(), JsValue> {
        self.asker.refresh(line).map_err(error::to_js)
    }

    /// Lets the next round ask again for what failed or is wrong; with the name
    /// of a look-up only for what may succeed there.
    #[wasm_bindgen(js_name = askAgain)]
    pub fn ask_again(&mut self, lookup: Option<String>) {
        self.asker.ask_again(lookup.as_deref());
    }

    /// Takes the prices that a version on a shelf has, see [`Basket::stock`].
    pub fn stock(&mut self, shelf: &ShelfHandle, version: &str, with_old: bool) -> u32 {
        self.asker.stock(&shelf.shelf, version, with_old)
    }

    /// What belongs to the customer, as JSON text, see [`Basket::kept`] and
    /// [`view`].
    ///
    /// [`view`]: super::view
    pub fn kept(&mut self) -> Uint8Array {
        let kept = self.asker.kept();
        self.viewed.bytes(kept)
    }

    /// Takes the coupons' part of that, see [`Basket::restore_coupons`].
    #[wasm_bindgen(js_name = restoreCoupons)]
    pub fn restore_coupons(&mut self, name: &str, answer: String, at: f64) {
        self.asker.restore_coupons(name, answer, at);
    }

    /// Follows what the host has answered.
    pub fn follow(&mut self) {
        self.asker.follow();
    }

    /// The facts that it names, by their places in its store, if they are not
    /// those of the last call.
    pub fn names(&mut self) -> Option<Vec<u32>> {
        let names = self.asker.changed_names();
        names.map(|names| places(&names))
    }

    /// Gives up what it needs: nobody answers it any more.
    pub fn leave(&mut self) {
        self.asker.leave();
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

    /// The steps that lead to the totals that `changes` has shown, as JSON text,
    /// see [`view`].
    ///
    /// [`view`]: super::view
    pub fn explain(&mut self) -> Uint8Array {
        let mut recorder = Recorder::new(true);
        self.asker.report(&mut recorder);
        self.viewed.bytes(recorder.into_list())
    }

    /// The priced order as JSON text, see [`view`]; empty if an answer is
    /// missing. Throws what `calculate` would throw with the known facts.
    pub fn response(&mut self) -> Result<Uint8Array, JsValue> {
        let priced = self.asker.price().map_err(error::to_js)?;
        let text = priced.map(|priced| priced.write());
        Ok(self.viewed.bytes(text.unwrap_or_default()))
    }
}
