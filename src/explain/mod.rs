//! The explanation of a total: the steps that the rules report, and the ledger
//! that keeps them.

mod ledger;
mod step;

pub use ledger::Recorder;
pub use step::{Operand, Sink, Step};
