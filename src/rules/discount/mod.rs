//! The discounts of an order: coupons and vouchers.

mod coupons;
mod vouchers;

pub use coupons::*;
pub use vouchers::*;
