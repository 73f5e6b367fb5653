//! The assertions of the fuzz targets. Each target has a function that takes any bytes and panics on a finding.
//!
//! They look for panics and for what another reader reads differently: JSON by serde_json, numbers by big integers, fields
//! by tables. What an order costs, `tests/model` says.

pub mod answers;
pub mod basket;
pub mod order_and_facts;
pub mod request;
pub mod zones;

mod draw;
mod host;
mod json;
mod number;
mod schema;
