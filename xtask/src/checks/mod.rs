//! What is checked without a test: the sources, and the supply chain.

mod audit;
mod check;

pub(crate) use audit::run as audit;
pub(crate) use check::run as check;
