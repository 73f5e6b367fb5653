//! The discounts of an order: coupons and vouchers.

mod coupons;
mod vouchers;

pub use coupons::{Discount, DiscountResult, LineDiscount};
pub(crate) use vouchers::report_vouchers;
pub use vouchers::{Voucher, VoucherRecord};
