//! What the sources say of the error codes and the options, as JSON: types, the contract of the service and the tables of
//! the site are made of it.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use duct::cmd;

use crate::checkout::root;
use crate::steps::Step;

/// Where it stands.
pub(crate) fn file() -> PathBuf {
    root("target/reference.json")
}

/// Writes the file.
pub(crate) fn write(step: &Step) -> Result<()> {
    fs::create_dir_all(root("target"))?;
    let run = cmd!("cargo", "run", "--package", "xtask-reference").dir(root(""));
    step.run(run.stdout_path(file()))
}
