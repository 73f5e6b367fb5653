//! The live basket's handle for JavaScript.

use std::rc::Rc;

use js_sys::Uint8Array;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::{Pricing, Zoning, error, lent, origin, records, slot};
use crate::basket::{Basket, Problem};
use crate::error::{Error, Failure};
use crate::json::{self, Document, Writer, members};

/// A basket. Orders are JSON text; `unwritable`: see `Pricing.start`. Every
/// edit returns whether the basket has changed.
#[wasm_bindgen]
#[derive(Debug)]
pub struct BasketHandle {
    basket: Basket,
    /// The bytes that are lent to JavaScript.
    written: Vec<u8>,
}

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
            basket: basket.map_err(error::to_js)?,
            written: Vec::new(),
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
        self.basket.edit(&order, origins).map_err(error::to_js)
    }

    /// Sets the quantity of a line.
    #[wasm_bindgen(js_name = setQuantity)]
    pub fn set_quantity(&mut self, line: f64, quantity: f64) -> Result<bool, JsValue> {
        let changed = self.basket.set_quantity(line, quantity);
        changed.map_err(error::to_js)
    }

    /// Throws unless the order has this line.
    #[wasm_bindgen(js_name = checkLine)]
    pub fn check_line(&self, line: f64) -> Result<(), JsValue> {
        self.basket.place(line).map(|_| ()).map_err(error::to_js)
    }

    /// Switches to the current zones of the pricer.
    #[wasm_bindgen(js_name = takeZones)]
    pub fn take_zones(&mut self, pricing: &Pricing) {
        if let Some(zones) = pricing.zones() {
            self.basket.set_zones(Rc::clone(zones));
        }
    }

    /// Makes the next round ask again: for the price of a line, or for
    /// everything.
    pub fn refresh(&mut self, line: Option<f64>) -> Result<(), JsValue> {
        self.basket.refresh(line).map_err(error::to_js)
    }

    /// Lets the next round ask again for what failed.
    pub fn renew(&mut self, retryable_only: bool) {
        self.basket.renew(retryable_only);
    }

    /// Begins the calls that the basket needs now, as JSON text, see [`lent`]:
    /// `[{call, slot, keys, argument}]`.
    pub fn ask(&mut self, with_coupons: bool) -> Uint8Array {
        let questions = self.basket.ask(with_coupons);
        let mut out = Writer::default();
        out.list(questions, |out, question| {
            members!(out.raw, {
                "call": integer(question.call.into()),
                "slot": integer(slot(question.lookup) as i64),
                "keys": integer(question.keys as i64),
                "argument": bytes(&question.argument)
            });
        });
        self.written = out.into_bytes();
        lent(&self.written)
    }

    /// The calls of which nothing is needed any more. Their answers are
    /// dropped.
    pub fn useless(&mut self) -> Vec<u32> {
        self.basket.useless()
    }

    /// Forgets all calls. Their answers are dropped.
    #[wasm_bindgen(js_name = forgetCalls)]
    pub fn forget_calls(&mut self) {
        self.basket.forget_calls();
    }

    /// Takes the answer of a call, see `Job.answer`.
    pub fn answer(&mut self, call: u32, text: Option<Vec<u8>>, unwritable: bool) -> bool {
        let records = records(text, unwritable, self.basket.keys(call));
        let is_right = records.is_some();
        if let Some(records) = records {
            self.basket.answer(call, Ok(records));
        }
        is_right
    }

    /// Takes what the pricer has got for a call that asked for the zones.
    #[wasm_bindgen(js_name = answerZones)]
    pub fn answer_zones(&mut self, pricing: &Pricing, call: u32) {
        let zones = match &pricing.zones {
            Zoning::Known(zones) => Ok(Rc::clone(zones)),
            Zoning::Refused(failure) => Err(failure.clone()),
            Zoning::Unknown => return,
        };
        self.basket.answer_zones(call, zones);
    }

    /// Takes the failure of a call that threw, see `Job.fail`.
    pub fn fail(&mut self, call: u32, message: Option<String>, is_final: bool) {
        self.basket
            .answer(call, Err(Failure::thrown(message, is_final)));
    }

    /// Takes the failure of a function that the host does not supply.
    pub fn missing(&mut self, call: u32) {
        self.basket.answer(call, Err(Failure::NotSupplied));
    }

    /// Takes the failure of a call that did not answer in time.
    pub fn late(&mut self, call: u32, deadline_ms: u32) {
        self.basket.answer(call, Err(Failure::Late(deadline_ms)));
    }

    /// What has changed since the last call, see [`Basket::changes`] and
    /// [`lent`].
    pub fn changes(&mut self) -> Uint8Array {
        self.written = self.basket.changes();
        lent(&self.written)
    }

    /// The problems that `changes` announced: a list of what an error's throw
    /// holds, each with the number of its `call` if a call failed.
    pub fn problems(&self) -> Result<JsValue, JsValue> {
        let problems = self.basket.shown_problems();
        error::serialized(&Vec::from_iter(problems.iter().map(Shown)))
    }

    /// The priced order as JSON text, see [`lent`]; empty if an answer is
    /// missing. Throws what `calculate` would throw with the known facts.
    pub fn response(&mut self) -> Result<Uint8Array, JsValue> {
        let priced = self.basket.price().map_err(error::to_js)?;
        self.written = priced.map(|priced| priced.write()).unwrap_or_default();
        Ok(lent(&self.written))
    }
}

struct Shown<'a>(&'a Problem);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Problem { error, call } = self.0;
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("facts", &error::Thrown::of(error))?;
        object.serialize_entry("call", call)?;
        object.end()
    }
}

fn document(text: &[u8], unwritable: bool) -> Result<Document, JsValue> {
    Ok(Document {
        text: json::text(text).ok_or_else(|| error::to_js(Error::InvalidJson))?,
        origin: origin(unwritable),
    })
}
