//! The binding to JavaScript.
//!
//! The module never calls out: a [`job::Job`] hands its questions out and takes
//! the answers as data. JavaScript calls the host and waits. Every entry is
//! synchronous and runs no code of a host, so a trap is always thrown to the
//! JavaScript that called, and no other frame of the module is on the stack.

mod basket;
mod checks;
mod conversation;
mod error;
mod facts;
mod job;
mod rows;
mod shelf;

use std::panic;
use std::sync::Arc;
use std::sync::Mutex;

use js_sys::{Float64Array, Uint8Array, WebAssembly::Memory};
use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

pub use checks::{check_price, check_zones};
pub use facts::FactsHandle;
pub use job::{Job, Task};
pub use shelf::ShelfHandle;

use crate::error::{Error, Failure};
use crate::explain::Recorder;
use crate::json::{Document, Origin};
use crate::options::{Input, Options};
use crate::order::Order;
use crate::quote::{Calculation, Draft};
use crate::rules::Zones;

/// The settings and zones that all orders of one pricer share.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Pricing {
    options: Options,
    zones: Zoning,
}

/// What a pricer knows of its delivery zones.
#[derive(Debug)]
enum Zoning {
    /// An order that needs a zone asks for them.
    Unknown,
    /// The function gave zones that break the rules of D35. The orders that
    /// waited learn why; the next one asks again.
    Refused(Failure),
    Known(Arc<Zones>),
}

#[wasm_bindgen]
impl Pricing {
    /// Reads `policy`, `limits` and `deadlineMs` of the options' JSON text.
    /// `unwritable`: as in [`Pricing::start`]. `asks_zones`: orders ask for the
    /// delivery zones; else there are none until they are set.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &[u8], unwritable: bool, asks_zones: bool) -> Result<Pricing, JsValue> {
        Ok(Self {
            options: Options::from_text(options, origin(unwritable)).map_err(error::to_js)?,
            zones: if asks_zones {
                Zoning::Unknown
            } else {
                Zoning::Known(Arc::default())
            },
        })
    }

    /// The time limit of a host call in ms; 0: no limit.
    #[wasm_bindgen(getter, js_name = deadlineMs)]
    pub fn deadline_ms(&self) -> u32 {
        self.options.deadline_ms
    }

    /// Replaces the delivery zones, unless the new ones are refused (D35).
    /// Takes bytes: no other way to pass many megabytes of text is faster.
    #[wasm_bindgen(js_name = setDeliveryZones)]
    pub fn set_delivery_zones(
        &mut self,
        geo_json: &Uint8Array,
        unwritable: bool,
    ) -> Result<(), JsValue> {
        let zones = Zones::read(&geo_json_text(geo_json, unwritable));
        let zones = zones.map_err(|fault| error::to_js(Error::InvalidZones(fault)))?;
        self.zones = Zoning::Known(Arc::new(zones));
        Ok(())
    }

    /// Takes the answer of the function that gives the zones; false if they are
    /// refused. `answerZones` of a job or a basket passes either on.
    #[wasm_bindgen(js_name = answerZones)]
    pub fn answer_zones(&mut self, geo_json: &Uint8Array, unwritable: bool) -> bool {
        let zones = Zones::read(&geo_json_text(geo_json, unwritable));
        let is_right = zones.is_ok();
        self.zones = match zones {
            Ok(zones) => Zoning::Known(Arc::new(zones)),
            Err(fault) => Zoning::Refused(Failure::InvalidAnswer(fault)),
        };
        is_right
    }

    /// Whether orders may have values of another type (D49), unless a call says
    /// otherwise.
    #[wasm_bindgen(getter, js_name = isLenient)]
    pub fn is_lenient(&self) -> bool {
        self.options.input == Input::Lenient
    }

    /// The limit on a body in bytes. JavaScript passes one byte more at most:
    /// this shows that the body is too large.
    #[wasm_bindgen(getter, js_name = maxBodyBytes)]
    pub fn max_body_bytes(&self) -> usize {
        self.options.limits.max_body_bytes
    }

    /// Reads an order and begins to price it. `unwritable`: the body was
    /// written from an object, with `NaN` for values that JSON cannot express
    /// (D14). `explained`: the response is `{order, steps}`, the priced order
    /// and its ledger. `lenient`: see D49.
    pub fn start(
        &self,
        job: &mut Job,
        body: &[u8],
        unwritable: bool,
        explained: bool,
        lenient: bool,
    ) -> Result<(), JsValue> {
        job.clear();
        let draft = Draft::read(
            body,
            order_origin(unwritable, lenient),
            &self.options.limits,
        );
        let draft = draft.map_err(error::to_js)?;
        let zones = self.zones().cloned();
        let calculation = Calculation::new(draft, zones, self.options.policy);
        job.begin(calculation, Recorder::new(explained));
        Ok(())
    }
}

impl Pricing {
    fn zones(&self) -> Option<&Arc<Zones>> {
        match &self.zones {
            Zoning::Known(zones) => Some(zones),
            Zoning::Unknown | Zoning::Refused(_) => None,
        }
    }
}

fn geo_json_text(geo_json: &Uint8Array, unwritable: bool) -> Document {
    Document {
        text: String::from_utf8(geo_json.to_vec()).unwrap_or_default(),
        origin: origin(unwritable),
    }
}

fn origin(unwritable: bool) -> Origin {
    if unwritable {
        Origin::Object
    } else {
        Origin::Wire
    }
}

/// The origin of an order's text. `lenient`: see D49.
fn order_origin(unwritable: bool, lenient: bool) -> Origin {
    match origin(unwritable) {
        origin if !lenient => origin,
        Origin::Object => Origin::LenientObject,
        _ => Origin::Lenient,
    }
}

/// A view of bytes in the module's memory. JavaScript must read or copy the
/// bytes before it calls the module again.
fn view(bytes: &[u8]) -> Uint8Array {
    let (memory, start, length) = range(bytes);
    Uint8Array::new_with_byte_offset_and_length(&memory.buffer(), start, length)
}

/// As [`view`], for doubles.
fn view_of_doubles(doubles: &[f64]) -> Float64Array {
    let (memory, start, length) = range(doubles);
    Float64Array::new_with_byte_offset_and_length(&memory.buffer(), start, length)
}

fn range<T>(items: &[T]) -> (Memory, u32, u32) {
    let memory = wasm_bindgen::memory().unchecked_into();
    (memory, items.as_ptr() as u32, items.len() as u32)
}

/// The known keys of an order, a product, a shipping and a schedule, then of the
/// options, a policy and the limits: one list on each line, with commas between
/// the keys.
#[wasm_bindgen(js_name = knownKeys)]
pub fn known_keys() -> String {
    Order::known_keys() + "\n" + &Options::known_keys()
}

/// More than this package ever holds at once.
const JS_VALUES: usize = 128;

/// Makes room in wasm-bindgen's table for this many JavaScript values. Without
/// room, [`view`] could make the memory grow between its calls: that detaches
/// the buffer which it has just fetched.
pub fn reserve_js_values(count: usize) {
    drop(Vec::from_iter((0..count).map(|_| wasm_bindgen::memory())));
}

/// The standard library's allocator is twice as large and no faster.
#[global_allocator]
static ALLOCATOR: WasmDynamicTalc = new_wasm_dynamic_allocator();

/// The message of the last panic, for a caller that finds the damage.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Shows panics on the console, and keeps them for [`take_panic`]. Runs once,
/// when the module is ready.
#[wasm_bindgen(start)]
fn start() {
    reserve_js_values(JS_VALUES);
    panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        if let Ok(mut last) = PANIC.lock() {
            *last = Some(panic.to_string());
        }
    }));
}

/// Takes the message of the panic that damaged the instance.
#[wasm_bindgen(js_name = takePanic)]
pub fn take_panic() -> Option<String> {
    PANIC.lock().ok()?.take()
}

/// The size of the instance's memory in bytes.
#[wasm_bindgen(js_name = memoryBytes)]
pub fn memory_bytes() -> f64 {
    const PAGE_BYTES: f64 = 65_536.0;
    std::arch::wasm32::memory_size::<0>() as f64 * PAGE_BYTES
}

/// A new version 4 UUID for a calculation without an id.
#[wasm_bindgen(js_name = requestId)]
pub fn request_id() -> Result<String, JsValue> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|failure| JsValue::from_str(&failure.to_string()))?;
    let bits = u128::from_be_bytes(bytes) & !(0xF << 76 | 0b11 << 62) | 0x4 << 76 | 0b10 << 62;
    let mut id = String::with_capacity(36);
    for place in (0..32_u32).rev() {
        let digit = bits >> (place * 4) & 0xF;
        id.extend(char::from_digit(digit as u32, 16));
        if matches!(place, 24 | 20 | 16 | 12) {
            id.push('-');
        }
    }
    Ok(id)
}

/// A document that JavaScript has sent.
fn document(text: &[u8], origin: Origin) -> Result<Document, JsValue> {
    Ok(Document {
        text: crate::json::text(text).ok_or_else(|| error::to_js(Error::InvalidJson))?,
        origin,
    })
}
