//! The benchmark.

mod command;
mod scripts;

pub(crate) use command::{Options, run};
