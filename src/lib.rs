//! Prices an order: takes a JSON basket and gives the same order back with
//! prices, delivery fees, coupon and voucher results and totals, all exact (THB,
//! kg).
//!
//! The calculation does no input or output. An order passes through typed
//! stages; a driver takes their questions to a host and brings back the
//! answers:
//!
//! ```text
//! Draft::read(body) -> .plan(zones, facts) -> .resolve(facts) -> .price(coupons) -> .write()
//! ```
//!
//! # The layers
//!
//! Imports point downward only. Only wasm builds have `js`; everything else
//! builds and tests natively, and no file below `js` names a JavaScript crate.
//!
//! | layer | module |
//! |---|---|
//! | the binding to JavaScript | `js` |
//! | the live basket | `basket` |
//! | the pipeline: questions, answers, response | `quote` |
//! | the rules: row, delivery, discount, totals | `rules` |
//! | the order as the request states it | `order` |
//! | the operator's settings | `options` |
//! | the steps of a ledger | `explain` |
//! | JSON text | `json` |
//! | exact amounts | `money` |
//! | shared ground | `error`, `lookup`, `word`, `distinct`, `certain` |

mod basket;
mod certain;
mod distinct;
mod error;
mod explain;
mod json;
mod lookup;
mod money;
mod options;
mod order;
mod quote;
mod rules;
mod word;

#[cfg(target_arch = "wasm32")]
mod js;

#[cfg(test)]
#[path = "../tests/random/mod.rs"]
mod random;

// The public API, for the binding, tests, fuzz targets and benchmarks.
pub use basket::{Basket, NEW, Pending};
pub use error::{Error, Failure, Fault, NoZone, Part, PriceKey, Subject};
pub use explain::{Recorder, Sink, Step};
pub use json::{Document, Origin, Span, decode, replace_lone_surrogates};
pub use lookup::{Lookup, NationwideMode};
pub use money::{Amount, Sum};
pub use options::{ExpressSurcharge, FreeShipping, Limits, Options, Policy, RowTotal};
pub use order::{Coordinate, Order, Product, Schedule, Shipping};
pub use quote::{
    Calculation, Conversation, Draft, Facts, Next, Planned, Priced, Problem, Question, Records,
    Resolved,
};
pub use rules::{DiscountResult, PriceRecord, Zones};

#[cfg(target_arch = "wasm32")]
pub use js::{Job, Pricing, Task, check_price, check_zones, request_id, reserve_js_values};
