//! The assertions of the fuzz targets. Each target has a function that takes any bytes and panics on a finding.
//!
//! The expected results are computed a second time, slowly: JSON by serde_json, amounts by big integers, fields by
//! tables, the rules in `model`. Only the calls under test come from the crate.

pub mod answers;
pub mod basket;
pub mod order_and_facts;
pub mod request;
pub mod zones;

mod draw;
mod host;
mod json;
mod model;
mod number;
mod schema;
