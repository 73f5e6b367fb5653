//! This checkout: its paths and files, what was made of them, and what git says of it.

mod files;
mod git;
mod made;
mod paths;

pub(crate) use files::{copy_tree, make_empty, matching};
pub(crate) use git::{git, is_committed};
pub(crate) use made::unless_unchanged;
pub(crate) use paths::{cargo_target, root, work_directory};
