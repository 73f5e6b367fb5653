//! The site in target/site/: the demo shop, and the documents.

mod docs;
mod shop;

pub(crate) use docs::build as build_docs;
pub(crate) use shop::assemble;
