//! Errors on their way to JavaScript.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use wasm_bindgen::JsValue;

use crate::error::{Error, Failure};
use crate::lookup::Lookup;

/// What the package makes a `PricingError` of.
struct Thrown {
    code: &'static str,
    message: String,
    path: Option<String>,
    retryable: bool,
    /// Of the look-up that threw: JavaScript has what it threw, the cause (D41).
    slot: Option<usize>,
}

/// As a map: for the keys of a struct serde-wasm-bindgen has a cache, which is
/// 1 kB more to load.
impl Serialize for Thrown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("code", self.code)?;
        object.serialize_entry("message", &self.message)?;
        object.serialize_entry("path", &self.path)?;
        object.serialize_entry("retryable", &self.retryable)?;
        object.serialize_entry("slot", &self.slot)?;
        object.end()
    }
}

/// What of an error crosses, as an object, to be thrown.
pub(super) fn to_js(error: Error) -> JsValue {
    let slot = match &error {
        Error::LookupFailed(failed, Failure::Threw(_)) => {
            Lookup::ALL.iter().position(|lookup| lookup == failed)
        }
        _ => None,
    };
    let thrown = Thrown {
        code: error.code(),
        message: error.to_string(),
        path: error.path(),
        retryable: error.retryable(),
        slot,
    };
    let objects = serde_wasm_bindgen::Serializer::new().serialize_maps_as_objects(true);
    thrown.serialize(&objects).unwrap_or_else(Into::into)
}
