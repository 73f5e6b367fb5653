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
pub use planned::*;
pub use priced::*;
pub use problem::*;
pub use records::Records;
pub use resolved::*;
