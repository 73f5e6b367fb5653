//! Prices an order: a JSON basket goes in, the same order comes back with
//! prices, delivery fees, coupon and voucher results and totals, exact to the
//! satang (THB, kg).
//!
//! The calculation does no input or output. [`quote`] walks an order through
//! it in typed stages, and whoever drives it carries questions ([`lookup`]) to
//! a host and brings the answers back:
//!
//! ```text
//! Draft::read(body) -> .plan(zones, facts) -> .answer(…) -> .resolve() -> .settle(coupons) -> .write()
//! ```
//!
//! # The layers
//!
//! Imports point downward only. `js` exists on wasm alone and everything else
//! builds and tests natively; no file below `js` names a JavaScript crate.
//!
//! | layer | modules |
//! |---|---|
//! | binding | `js` |
//! | live | [`basket`] |
//! | pipeline | [`quote`] |
//! | what is known | [`answers`], [`facts`] |
//! | response | [`priced`], [`explain`] |
//! | rules | [`totals`], [`row`], [`discount`], [`delivery`] |
//! | what is given | [`order`], [`shipping`], [`price`], [`options`], `order_text` |
//! | text | [`json`] |
//! | ground | [`step`], [`error`], [`lookup`], [`money`], [`distinct`], [`word`], `digits`, `double` |

pub mod answers;
pub mod basket;
pub mod delivery;
mod digits;
pub mod discount;
pub mod distinct;
mod double;
pub mod error;
pub mod explain;
pub mod facts;
#[cfg(faults)]
mod faults;
pub mod json;
pub mod lookup;
pub mod money;
pub mod options;
pub mod order;
mod order_text;
pub mod price;
pub mod priced;
pub mod quote;
pub mod row;
pub mod shipping;
pub mod step;
pub mod totals;
pub mod word;

#[cfg(target_arch = "wasm32")]
pub mod js;
