//! The benchmark.

mod budget;
mod command;
mod programs;

pub(crate) use command::{Options, run};
