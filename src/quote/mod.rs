//! The stages of a calculation: [`Draft`], [`Planned`], [`Resolved`],
//! [`Priced`]. Each stage is a type, so that no stage can be skipped.
//!
//! Nothing here waits or calls the host. The driver takes the questions of a
//! [`Planned`] and a [`Resolved`] to the host, and brings the answers back.

mod answers;
mod draft;
mod facts;
mod planned;
#[cfg(faults)]
pub(crate) mod planted;
mod priced;
mod resolved;

pub use answers::Records;
pub(crate) use answers::{Answers, read_price, read_rate, read_voucher, texts};
pub use draft::Draft;
pub use facts::Facts;
pub(crate) use facts::{Fact, FactProblem, FailedCall, Record, Source};
pub use planned::Planned;
pub(crate) use planned::{voucher_error, zones_error};
pub use priced::Priced;
pub(crate) use priced::{echo, size_hint, write_rows, write_shipping, write_vouchers};
pub use resolved::{CouponRequest, Resolved};
pub(crate) use resolved::{coupon_request_head, read_coupons};
