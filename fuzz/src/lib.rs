//! What the fuzz targets assert. A function for each, which panics on a finding; it takes any bytes.
//!
//! What is right is said here a second time, slowly: JSON by serde_json, amounts by big integers, the fields by
//! tables, the rules in `model`. Nothing but the calls under test comes from the crate.

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
