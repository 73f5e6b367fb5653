//! The test suites: what each needs, how they run beside each other, and what they report.

mod counts;
mod preparation;
mod run;
mod suite;

pub(crate) use preparation::prepare;
pub(crate) use run::all_pass;
pub(crate) use suite::{Night, Rows, Selection, Suite, named};
