//! The test suites: what each needs, how they run beside each other, and what they report.

mod counts;
mod one;
mod report;
mod run;
mod suite;

pub(crate) use one::Selection;
pub(crate) use run::{all_pass, prepare};
pub(crate) use suite::{SUITES, Suite};
