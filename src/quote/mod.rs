//! The way of an order through the calculation, as a type for each stage, so
//! that no stage can be left out: [`Draft`], [`Planned`], [`Resolved`],
//! [`Priced`].
//!
//! Nothing here waits or calls. The driver takes questions from a [`Planned`]
//! and a [`Resolved`] to the host, and brings back what the host said.

mod answers;
mod draft;
mod facts;
mod planned;
#[cfg(faults)]
pub(crate) mod planted;
mod priced;
mod resolved;

pub(crate) use answers::Answers;
pub use answers::Records;
pub use draft::Draft;
pub use facts::Facts;
pub use planned::Planned;
pub use priced::Priced;
pub(crate) use priced::{size_hint, write_rows};
pub(crate) use resolved::coupon_request_head;
pub use resolved::{CouponRequest, Resolved};
