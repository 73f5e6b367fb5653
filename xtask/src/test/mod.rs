//! The commands that look for faults: the suites once, and what runs for longer.

mod command;
mod contract;
mod fuzz;
mod long;
mod mutants;
mod night;
mod watch;

pub(crate) use command::{Options, run};
pub(crate) use fuzz::{Options as FuzzOptions, run as fuzz};
pub(crate) use mutants::{Options as MutantsOptions, run as mutants};
