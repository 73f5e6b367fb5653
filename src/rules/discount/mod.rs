//! The discounts of an order: coupons and vouchers.

mod coupons;
mod vouchers;

pub(super) use coupons::Discount;
pub use coupons::DiscountResult;
pub(crate) use vouchers::report_vouchers;
pub use vouchers::{Voucher, VoucherRecord};
