//! What takes money off an order: coupons and vouchers.

mod coupons;
mod vouchers;

pub use coupons::{Discount, DiscountResult};
pub(crate) use vouchers::report_vouchers;
pub use vouchers::{Voucher, VoucherRecord};
