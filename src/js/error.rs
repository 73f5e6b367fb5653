//! Errors on their way to JavaScript.

use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::error::{Error, Failure, Invalid};
use crate::lookup::Lookup;

/// What the facade makes a `PricingError` of.
#[derive(Serialize)]
struct Facts {
    code: &'static str,
    message: String,
    path: Option<String>,
    retryable: bool,
    /// Of the look-up that threw: JavaScript has what it threw, the cause (D41).
    slot: Option<usize>,
}

/// The facts of an error as an object, to be thrown.
pub(super) fn to_js(error: Error) -> JsValue {
    let slot = match &error {
        Error::LookupFailed(failed, Failure::Threw(_)) => {
            Lookup::ALL.iter().position(|lookup| lookup == failed)
        }
        _ => None,
    };
    Facts {
        code: error.code(),
        message: error.to_string(),
        path: error.path(),
        retryable: error.retryable(),
        slot,
    }
    .into_js()
}

/// An error of the pricer's options; `None`: they cannot be read at all.
pub(super) fn invalid_options(fault: Option<Invalid>) -> JsValue {
    Facts {
        code: "VALIDATION_ERROR",
        message: match &fault {
            Some(fault) => format!("Invalid options: {fault}"),
            None => "Invalid options: expected an object".to_owned(),
        },
        path: Some(fault.as_ref().map(Invalid::path).unwrap_or_default()),
        retryable: false,
        slot: None,
    }
    .into_js()
}

impl Facts {
    fn into_js(self) -> JsValue {
        serde_wasm_bindgen::to_value(&self).unwrap_or_else(|failure| failure.into())
    }
}
