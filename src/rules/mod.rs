//! The rules of the specification: rows, delivery fees, discounts and totals.

mod delivery;
mod discount;
mod price;
mod row;
mod totals;

pub use delivery::{
    FeeSource, NationwideRate, NationwideRates, ScheduleFee, Zones, fee_sources, schedule_fees,
};
pub(crate) use discount::report_vouchers;
pub use discount::{Discount, DiscountResult, LineDiscount, Voucher, VoucherRecord};
pub use price::PriceRecord;
pub use row::Row;
pub(crate) use row::write_product;
pub use totals::{Discounts, Overflows, RowSums, SUMMARY, Subtotals, Totals};
