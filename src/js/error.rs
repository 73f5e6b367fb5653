//! Converts errors for JavaScript.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use wasm_bindgen::JsValue;

use crate::error::{Part, Subject};
use crate::quote::Problem;

/// The fields from which the package makes a `PricingError`.
pub(super) struct Thrown {
    code: &'static str,
    message: String,
    path: Option<String>,
    retryable: bool,
    subject: Option<Subject>,
    /// The call that failed. JavaScript keeps by its number what was thrown, for
    /// the error's `cause` (D41).
    call: Option<u32>,
}

/// Serializes the fields that apply, see `ErrorSubject` in the package's types.
impl Serialize for Subject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        match &self.part {
            Part::Order => {}
            Part::Price(key) => {
                object.serialize_entry("line", &key.line)?;
                object.serialize_entry("cprcode", &(key.cprcode as f64))?;
                object.serialize_entry("branchId", &key.branch_id)?;
            }
            Part::Voucher(id) => object.serialize_entry("voucherId", id)?,
            Part::Schedule(schedule) => object.serialize_entry("schedule", schedule)?,
        }
        if let Some(brcode) = self.brcode {
            object.serialize_entry("brcode", &(brcode as f64))?;
        }
        if let Some(lookup) = self.lookup {
            object.serialize_entry("lookup", lookup.row().function)?;
        }
        object.end()
    }
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
        object.serialize_entry("subject", &self.subject)?;
        object.serialize_entry("call", &self.call)?;
        object.end()
    }
}

/// The object that JavaScript throws for an error.
pub(super) fn to_js(problem: impl Into<Problem>) -> JsValue {
    serialized(&Thrown::of(&problem.into())).unwrap_or_else(|failure| failure)
}

/// A value with objects for its maps.
pub(super) fn serialized(value: &impl Serialize) -> Result<JsValue, JsValue> {
    let objects = serde_wasm_bindgen::Serializer::new().serialize_maps_as_objects(true);
    value.serialize(&objects).map_err(Into::into)
}

impl Thrown {
    pub(super) fn of(Problem { error, call }: &Problem) -> Self {
        Self {
            code: error.code(),
            message: error.to_string(),
            path: error.path(),
            retryable: error.retryable(),
            subject: error.subject(),
            call: *call,
        }
    }
}
