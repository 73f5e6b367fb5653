//! The binding to JavaScript.
//!
//! Rust calls the host and JavaScript waits: a [`job::Job`] invokes a wave of
//! callbacks and hands back what they returned; whoever drives it awaits that
//! and enters the job again with the answers. Every entry is synchronous, so
//! that whatever goes wrong inside is thrown to the one who entered.

mod basket;
mod error;
mod host;
mod job;
mod options;
mod rows;

use std::panic;
use std::rc::Rc;
use std::sync::Mutex;

use js_sys::{Uint8Array, WebAssembly::Memory};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

pub use basket::LiveBasket;
pub use job::{Job, Next};

use crate::delivery::Zones;
use crate::error::Error;
use crate::explain::Recorder;
use crate::facts::Facts;
use crate::json::{Document, Origin};
use crate::options::Limits;
use crate::quote::{Draft, Planned};
use crate::{order, shipping};
use options::Options;

/// What the orders of one pricer have in common.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Pricing {
    options: Options,
    zones: Rc<Zones>,
}

#[wasm_bindgen]
impl Pricing {
    /// Reads `policy`, `limits` and `deadlineMs` of the options' JSON text.
    /// `unwritable`: as in [`Pricing::start`].
    #[wasm_bindgen(constructor)]
    pub fn new(options: &[u8], unwritable: bool) -> Result<Pricing, JsValue> {
        Ok(Self {
            options: Options::read(options, origin(unwritable)).map_err(error::invalid_options)?,
            zones: Rc::default(),
        })
    }

    /// How long a host call may take; 0: for ever.
    #[wasm_bindgen(getter, js_name = deadlineMs)]
    pub fn deadline_ms(&self) -> u32 {
        self.options.deadline_ms
    }

    /// Replaces the delivery zones, unless the new ones are refused (D35). Taken
    /// as bytes: there is no faster way for text of many megabytes.
    #[wasm_bindgen(js_name = setDeliveryZones)]
    pub fn set_delivery_zones(
        &mut self,
        geo_json: &Uint8Array,
        unwritable: bool,
    ) -> Result<(), JsValue> {
        let document = Document {
            text: String::from_utf8(geo_json.to_vec()).unwrap_or_default(),
            origin: origin(unwritable),
        };
        self.zones = Rc::new(Zones::read(&document).map_err(error::to_js)?);
        Ok(())
    }

    /// Reads an order and begins to price it. `unwritable`: the body was
    /// written from an object with `NaN` for what JSON cannot express (D14).
    pub fn start(&self, body: &Uint8Array, unwritable: bool) -> Result<Job, JsValue> {
        let planned = self.plan(body, unwritable)?;
        Ok(Job::new(planned, self.options.policy, None))
    }

    /// As [`Pricing::start`]; the response is `{order, steps}`, the priced
    /// order and how it came about.
    pub fn explain(&self, body: &Uint8Array, unwritable: bool) -> Result<Job, JsValue> {
        let planned = self.plan(body, unwritable)?;
        let mut recorder = Recorder::default();
        planned.report_zones(&self.zones, &mut recorder);
        Ok(Job::new(planned, self.options.policy, None).explained(recorder))
    }
}

impl Pricing {
    fn plan(&self, body: &Uint8Array, unwritable: bool) -> Result<Planned, JsValue> {
        let Limits { max_body_bytes, .. } = self.options.limits;
        if body.length() as usize > max_body_bytes {
            // Refused before it is copied.
            return Err(error::to_js(Error::BodyTooLarge(max_body_bytes)));
        }
        let draft = Draft::read(&body.to_vec(), origin(unwritable), &self.options.limits)
            .map_err(error::to_js)?;
        Ok(draft.plan(&self.zones, &Facts::default()))
    }
}

fn origin(unwritable: bool) -> Origin {
    if unwritable {
        Origin::Object
    } else {
        Origin::Wire
    }
}

/// Bytes where they stand in the module's memory. JavaScript reads or copies
/// them at once: they are good until the module is entered again.
fn lent(bytes: &[u8]) -> Uint8Array {
    let memory: Memory = wasm_bindgen::memory().unchecked_into();
    let [start, length] = [bytes.as_ptr() as usize, bytes.len()].map(|place| place as u32);
    Uint8Array::new_with_byte_offset_and_length(&memory.buffer(), start, length)
}

/// The keys that are known of an order, of a product, of a shipping and of a
/// schedule, each list on a line of its own with commas between.
#[wasm_bindgen(js_name = knownKeys)]
pub fn known_keys() -> String {
    let lists = order::KEYS.into_iter().chain(shipping::KEYS);
    let lines: Vec<_> = lists.map(|keys| keys.join(",")).collect();
    lines.join("\n")
}

/// What the last panic said, for whoever finds the instance damaged.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Makes panics readable: on the console, and by [`take_panic`]. Called once,
/// when the module is ready.
#[wasm_bindgen(start)]
fn start() {
    panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        if let Ok(mut last) = PANIC.lock() {
            *last = Some(panic.to_string());
        }
    }));
}

/// What the panic said that has damaged the instance, once.
#[wasm_bindgen(js_name = takePanic)]
pub fn take_panic() -> Option<String> {
    PANIC.lock().ok()?.take()
}

/// How much memory the instance has.
#[wasm_bindgen(js_name = memoryBytes)]
pub fn memory_bytes() -> f64 {
    const PAGE_BYTES: f64 = 65_536.0;
    std::arch::wasm32::memory_size::<0>() as f64 * PAGE_BYTES
}

/// A new version 4 UUID for a calculation that was given no id.
#[wasm_bindgen(js_name = requestId)]
pub fn request_id() -> Result<String, JsValue> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|failure| JsValue::from_str(&failure.to_string()))?;
    let bits = u128::from_be_bytes(bytes) & !(0xF << 76 | 0b11 << 62) | 0x4 << 76 | 0b10 << 62;
    let hex = format!("{bits:032x}");
    let group = |range| hex.get(range).unwrap_or_default();
    Ok([
        group(0..8),
        group(8..12),
        group(12..16),
        group(16..20),
        group(20..32),
    ]
    .join("-"))
}
