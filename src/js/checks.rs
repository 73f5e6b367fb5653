//! The checks of data, for whoever fills a store.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::wasm_bindgen;

use super::geo_json_text;
use crate::error::Fault;
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
    let fault = Zones::read(&geo_json_text(geo_json, false)).err();
    written("path", Vec::from_iter(fault))
}

#[inline(never)]
fn written(place: &'static str, faults: Vec<Fault>) -> Option<String> {
    if faults.is_empty() {
        return None;
    }
    let mut out = Writer::default();
    out.list(faults, |out, fault| {
        out.raw("{\"").raw(place).raw("\":").string(&fault.path());
        out.raw(",\"expected\":").string(&fault.what());
        out.raw("}");
    });
    String::from_utf8(out.into_bytes()).ok()
}
