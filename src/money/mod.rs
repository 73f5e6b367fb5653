//! Exact amounts of money (THB), weight (kg) and multipliers.
//!
//! Only this folder converts between amounts and text, and only it calls
//! `rust_decimal`, whose operators and `checked_*` methods round silently (D19).

// Where `saturating_*` stands, no order is long enough to reach the end: a sum
// beyond it is refused as too large, never a wrong amount.
#![deny(clippy::arithmetic_side_effects)]

mod amount;
mod amount_text;
mod digits;
mod double;
mod number;
mod sum;

pub use amount::Amount;
pub use amount_text::AmountText;
pub(crate) use digits::short_number;
pub use sum::Sum;
