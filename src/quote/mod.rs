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

pub(crate) use answers::Answers;
pub use answers::Records;
pub use draft::Draft;
pub use facts::Facts;
pub use planned::Planned;
pub use priced::Priced;
pub(crate) use priced::{size_hint, write_rows};
pub(crate) use resolved::coupon_request_head;
pub use resolved::{CouponRequest, Resolved};
