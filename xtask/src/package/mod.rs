//! The npm package in pkg/: how it is built.

mod bindgen;
mod build;
mod project;
mod reference;

pub(crate) use bindgen::{Tool as BindgenTool, bind, compile as compile_bindgen};
pub(crate) use build::{
    Symbols, build, build_beside, build_faulty, optimise, print_sizes, symbols,
};
pub(crate) use project::{Project, has_owners};
