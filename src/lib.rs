#![doc = include_str!("README.md")]
//!
//! # The layers
//!
//! The calculation itself does no input or output. An order passes through
//! typed stages; a driver takes their questions to a host and brings back the
//! answers:
//!
//! ```text
//! Draft::read(body) -> .plan(zones, facts) -> .resolve(facts) -> .price(coupons) -> .write()
//! ```
//!
//! Imports point downward only. Only `wasm32-unknown-unknown` has `js`; everything
//! else builds anywhere, and no file below `js` names a JavaScript crate.
//!
//! | layer | module |
//! |---|---|
//! | the binding to JavaScript | `js` |
//! | the driver for Rust | `pricer`, `host` |
//! | the live basket | `basket` |
//! | the pipeline: questions, answers, response | `quote` |
//! | a catalogue's prices at hand | `shelf` |
//! | the rules: row, delivery, discount, totals | `rules` |
//! | the order as the request states it | `order` |
//! | the operator's settings | `options`, `described` |
//! | the steps of a ledger | `explain` |
//! | JSON text | `json` |
//! | exact amounts | `money` |
//! | shared ground | `error`, `code`, `lookup`, `word`, `distinct`, `certain` |

#![forbid(unsafe_code)]

mod basket;
mod certain;
mod code;
mod described;
mod distinct;
mod error;
mod explain;
mod host;
mod json;
mod lookup;
mod money;
mod options;
mod order;
mod pricer;
mod quote;
mod rules;
mod shelf;
mod word;

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod js;

#[cfg(test)]
#[path = "../tests/random/mod.rs"]
mod random;

// The API of a Rust service.
pub use error::{Error, Failure, Fault, NoZone, Part, PriceKey, Subject};
pub use explain::{Operand, Recorder, Sink, Step};
pub use host::Host;
pub use lookup::{Lookup, NationwideMode};
pub use money::{Amount, Sum};
pub use options::*;
pub use pricer::{Pricer, at_once};
pub use quote::{Priced, Records};
pub use rules::{Subtotals, Totals, Zones};

// What documents and types say, for xtask/reference.
#[doc(hidden)]
pub use code::{CODES, Code, LOOK_UP_MESSAGES, Message};
#[doc(hidden)]
pub use described::{Described, Object, Value, enums, limits, objects, options, policies};
#[doc(hidden)]
pub use order::Mode;

// The stages, for the binding, tests, fuzz targets and benchmarks.
#[doc(hidden)]
pub use basket::{Basket, NEW, Pending};
#[doc(hidden)]
pub use json::{Document, Line, Origin, Span, decode, replace_lone_surrogates};
#[doc(hidden)]
pub use order::{Order, Product, Schedule, Shipping};
#[doc(hidden)]
pub use quote::{
    Calculation, Conversation, Draft, Facts, Next, Planned, Problem, Question, Resolved,
};
#[doc(hidden)]
pub use rules::{DiscountResult, PriceRecord};
#[doc(hidden)]
pub use shelf::Shelf;
#[doc(hidden)]
pub use word::Word;

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use js::{Job, Pricing, Task, check_price, check_zones, request_id, reserve_js_values};
