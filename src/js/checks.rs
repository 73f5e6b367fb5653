//! The checks of data, for whoever fills a store.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::wasm_bindgen;

use super::geo_json_text;
use crate::error::Wrong;
use crate::json::{self, Writer};
use crate::rules::{PriceRecord, Zones};

/// Every wrong column of a price record, as JSON text: `[{column, expected}]`;
/// `undefined` if there is none.
#[wasm_bindgen(js_name = checkPrice)]
pub fn check_price(record: &[u8]) -> Option<String> {
    // Without text, the record is not JSON.
    let record = json::text(record).unwrap_or_default();
    written("column", PriceRecord::wrong_columns(&record))
}

/// The first wrong part of delivery zones, as JSON text: `[{path, expected}]`;
/// `undefined` if there is none.
#[wasm_bindgen(js_name = checkZones)]
pub fn check_zones(geo_json: &Uint8Array) -> Option<String> {
    let part = Zones::wrong_part(&geo_json_text(geo_json, false));
    written("path", Vec::from_iter(part))
}

#[inline(never)]
fn written(place: &'static str, wrong: Vec<Wrong>) -> Option<String> {
    if wrong.is_empty() {
        return None;
    }
    let mut out = Writer::default();
    out.list(wrong, |out, wrong| {
        out.raw("{\"").raw(place).raw("\":").string(&wrong.path);
        out.raw(",\"expected\":").string(&wrong.expected);
        out.raw("}");
    });
    String::from_utf8(out.into_bytes()).ok()
}
