//! The npm package in pkg/: how it is built.

mod build;
mod modules;
mod project;

pub(crate) use build::{build, build_beside, build_faulty, fill_types, print_sizes};
pub(crate) use modules::{bind, optimise, symbols};
pub(crate) use project::Project;
