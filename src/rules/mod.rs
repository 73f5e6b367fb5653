//! The rules of the specification: rows, delivery fees, discounts and totals.

mod delivery;
mod discount;
mod price;
mod row;
mod totals;

pub use delivery::*;
pub use discount::*;
pub use price::PriceRecord;
pub use row::Row;
pub(crate) use row::write_product;
pub use totals::{Discounts, Overflows, RowSums, SUMMARY, Subtotals, Totals};
