//! Errors on their way to JavaScript.

use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::error::Error;

/// What the facade makes a `PricingError` of.
#[derive(Serialize)]
struct Facts {
    code: &'static str,
    message: String,
    path: Option<String>,
    retryable: bool,
    /// What a callback threw (D41).
    #[serde(with = "serde_wasm_bindgen::preserve")]
    cause: JsValue,
}

/// The facts of an error as an object, to be thrown.
pub(super) fn to_js(error: Error) -> JsValue {
    to_js_with_cause(error, JsValue::UNDEFINED)
}

/// As [`to_js`], with what a callback threw.
pub(super) fn to_js_with_cause(error: Error, cause: JsValue) -> JsValue {
    Facts {
        code: error.code(),
        message: error.to_string(),
        path: error.path(),
        retryable: error.retryable(),
        cause,
    }
    .into_js()
}

/// An error of the pricer's options.
pub(super) fn invalid_options(path: &str, what: &str) -> JsValue {
    Facts {
        code: "VALIDATION_ERROR",
        message: format!("Invalid options: {path}: {what}"),
        path: Some(path.to_owned()),
        retryable: false,
        cause: JsValue::UNDEFINED,
    }
    .into_js()
}

impl Facts {
    fn into_js(self) -> JsValue {
        serde_wasm_bindgen::to_value(&self).unwrap_or_else(|failure| failure.into())
    }
}
