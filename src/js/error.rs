//! Converts errors for JavaScript.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use wasm_bindgen::JsValue;

use crate::error::{Error, Failure};
use crate::lookup::Lookup;

/// The fields from which the package makes a `PricingError`.
struct Thrown {
    code: &'static str,
    message: String,
    path: Option<String>,
    retryable: bool,
    /// The slot of the look-up that threw. JavaScript keeps the thrown value by
    /// its slot, for the error's `cause` (D41).
    slot: Option<usize>,
}

/// Serializes a map: for a struct, serde-wasm-bindgen adds a cache of the keys,
/// which is 1 kB more to load.
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

/// The object that JavaScript throws for an error.
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
