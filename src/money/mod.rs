//! Exact amounts of money (THB), weight (kg) and multipliers.
//!
//! Only this folder converts between numbers and text, and only it calls
//! `rust_decimal`, whose operators and `checked_*` methods round silently (D19).

mod amount;
mod digits;
mod double;
mod figure;
mod number;
mod sum;

pub use amount::Amount;
pub(crate) use digits::leading;
pub(crate) use double::nearest_double;
pub use figure::Figure;
pub use sum::Sum;
