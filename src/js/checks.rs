//! The checks of data, for whoever fills a store.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::wasm_bindgen;

use super::geo_json_text;
use crate::json::{self, Writer, members};
use crate::rules::{PriceRecord, Zones};

/// What is wrong with a price record, as JSON text: `[{column, expected}]`;
/// `undefined` if nothing is.
#[wasm_bindgen(js_name = checkPrice)]
pub fn check_price(record: &[u8]) -> Option<String> {
    // Without text, the record is not JSON.
    let wrong = PriceRecord::wrong_columns(&json::text(record).unwrap_or_default());
    let wrong = wrong.iter().map(|wrong| (wrong.column, &*wrong.expected));
    faults("column", wrong)
}

/// What is wrong with delivery zones, as JSON text: `[{path, expected}]` with
/// the first fault; `undefined` if nothing is.
#[wasm_bindgen(js_name = checkZones)]
pub fn check_zones(geo_json: &Uint8Array) -> Option<String> {
    let (path, expected) = Zones::fault(&geo_json_text(geo_json, false))?;
    faults("path", [(&*path, &*expected)].into_iter())
}

fn faults<'a>(
    place: &'static str,
    faults: impl ExactSizeIterator<Item = (&'a str, &'a str)>,
) -> Option<String> {
    if faults.len() == 0 {
        return None;
    }
    let mut out = Writer::default();
    out.list(faults, |out, (at, expected)| {
        out.raw("{\"").raw(place).raw("\":").string(at);
        members!(out.raw, "expected": string(expected));
        out.raw("}");
    });
    String::from_utf8(out.into_bytes()).ok()
}
