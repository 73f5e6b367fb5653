//! The commands that look for faults: the suites once, and what runs for longer.

mod command;
mod contract;
mod coverage;
mod fuzz;
mod migration;
mod mutants;
mod night;
mod orders;
mod seed;
mod simulation;
mod soak;
mod watch;

pub(crate) use command::{Options, run};
pub(crate) use contract::run as contract;
pub(crate) use fuzz::{Options as FuzzOptions, run as fuzz};
pub(crate) use migration::run as migration;
pub(crate) use mutants::{Options as MutantsOptions, run as mutants};
pub(crate) use simulation::run as simulation;
pub(crate) use soak::run as soak;
