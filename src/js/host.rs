//! The host's callbacks: what they are asked, and what they say.

use js_sys::{Array, Error as JsError, Reflect};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::error::Failure;
use crate::lookup::{CouponRequest, Lookup, Lookups, NationwideMode};

/// A callback that threw, and what.
#[derive(Debug)]
pub(super) struct Thrown {
    pub(super) failure: Failure,
    /// What it threw, if it did.
    pub(super) cause: Option<JsValue>,
}

/// Calls a function of the host for a slot that owes so many keys, and adds what
/// it returned to `returned`; that may be a promise.
pub(super) fn call(
    host: &JsValue,
    lookup: Lookup,
    argument: &JsValue,
    context: &JsValue,
    returned: &Array,
    (slot, keys): (usize, usize),
) -> Result<(), Thrown> {
    match call_host(
        host,
        lookup.function(),
        argument,
        context,
        returned,
        slot,
        keys,
    ) {
        None => Ok(()),
        Some(thrown) if thrown.length() > 0 => Err(threw(thrown.get(0))),
        Some(_) => Err(Thrown {
            failure: Failure::NotSupplied,
            cause: None,
        }),
    }
}

/// What a host threw or rejected with (D41).
pub(super) fn threw(cause: JsValue) -> Thrown {
    Thrown {
        failure: Failure::Threw(message(&cause)),
        cause: Some(cause),
    }
}

/// An Error's message or the thrown string itself; an empty one says nothing.
fn message(thrown: &JsValue) -> Option<String> {
    let message = if is_error(thrown) {
        text_of(thrown, "message")
    } else {
        thrown.as_string()
    };
    message.filter(|message| !message.is_empty())
}

/// `instanceof` misses an Error that was made in another realm.
fn is_error(thrown: &JsValue) -> bool {
    thrown.is_instance_of::<JsError>()
        || thrown.is_object()
            && ["name", "message", "stack"]
                .iter()
                .all(|key| text_of(thrown, key).is_some())
}

fn text_of(thrown: &JsValue, key: &str) -> Option<String> {
    Reflect::get(thrown, &key.into()).ok()?.as_string()
}

#[wasm_bindgen(module = "/src/js/arguments.js")]
extern "C" {
    #[wasm_bindgen(js_name = priceKeys)]
    fn make_price_keys(cprcodes: &[f64], branch_id: &str) -> JsValue;

    #[wasm_bindgen(js_name = callHost)]
    fn call_host(
        host: &JsValue,
        name: &str,
        argument: &JsValue,
        context: &JsValue,
        returned: &Array,
        slot: usize,
        keys: usize,
    ) -> Option<Array>;

    #[wasm_bindgen(catch, js_name = couponRequest)]
    fn make_coupon_request(head: &[u8], product_list: &[u8]) -> Result<JsValue, JsValue>;
}

/// The keys of `lookupPrices`; a product code is exact as a double (D8).
pub(super) fn price_keys(lookups: &Lookups) -> JsValue {
    let cprcodes: Vec<f64> = lookups
        .cprcodes
        .iter()
        .map(|cprcode| *cprcode as f64)
        .collect();
    make_price_keys(&cprcodes, &lookups.branch_id)
}

/// The request of `validateCoupons`.
pub(super) fn coupon_request(request: &CouponRequest<'_>) -> Result<JsValue, JsValue> {
    make_coupon_request(&request.head, &request.product_list)
}

/// The query of `nationwideRate`.
pub(super) fn rate_query(lookups: &Lookups, mode: NationwideMode) -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Query<'a> {
        shipping_postcode: &'a str,
        nationwide_mode: &'a str,
    }
    let query = Query {
        shipping_postcode: &lookups.shipping_postcode,
        nationwide_mode: mode.word(),
    };
    Ok(serde_wasm_bindgen::to_value(&query)?)
}

/// The ids of `lookupVouchers`.
pub(super) fn voucher_ids(lookups: &Lookups) -> JsValue {
    lookups
        .voucher_ids
        .iter()
        .map(|id| JsValue::from_str(id))
        .collect::<Array>()
        .into()
}
