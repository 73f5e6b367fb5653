//! This checkout: its paths and files, and what was made of them.

mod files;
mod made;
mod paths;

pub(crate) use files::{copy_tree, make_empty, matching};
pub(crate) use made::unless_unchanged;
pub(crate) use paths::cargo_target;
pub(crate) use paths::{cargo_metadata, root, work_directory};
