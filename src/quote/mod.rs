//! The stages of a calculation: [`Draft`], [`Planned`], [`Resolved`],
//! [`Priced`]. Each stage is a type, so that no stage can be skipped.
//!
//! Nothing here waits or calls the host. A conversation hands out the questions
//! of an order or a basket, and takes the answers.

mod ages;
mod calculation;
mod clock;
mod conversation;
mod draft;
mod facts;
#[cfg(faults)]
pub(crate) mod faults;
mod known;
mod planned;
mod priced;
mod problem;
mod records;
mod resolved;

pub use calculation::{Calculation, Next};
pub(crate) use clock::Clock;
pub use conversation::{Conversation, Question};
pub use draft::Draft;
pub use facts::Facts;
pub(crate) use facts::{Fact, Needs, Record, Source};
pub use planned::Planned;
pub use priced::Priced;
pub(crate) use priced::{echo, size_hint, write_rows, write_shipping, write_vouchers};
pub(crate) use problem::Obstacle;
pub use problem::Problem;
pub use records::Records;
pub use resolved::Resolved;
pub(crate) use resolved::{coupon_request_head, coupons_error};
