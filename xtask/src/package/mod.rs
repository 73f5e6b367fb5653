//! The npm package in pkg/: how it is built.

mod bindgen;
mod build;
mod modules;
mod project;

pub(crate) use bindgen::{Tool as BindgenTool, bind, compile as compile_bindgen};
pub(crate) use build::{build, build_beside, build_faulty, fill_types, print_sizes};
pub(crate) use modules::{optimise, symbols};
pub(crate) use project::Project;
