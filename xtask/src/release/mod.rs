//! A release: how it is packed and checked, and what reads its stack traces.

mod command;
mod rebuild;
mod trace;

pub(crate) use command::run;
pub(crate) use trace::{Options as TraceOptions, run as trace};
