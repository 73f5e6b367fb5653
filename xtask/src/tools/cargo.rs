//! Cargo, and the programs from crates.io that some commands run, each at a pinned version.

use std::path::PathBuf;

use anyhow::Result;
use duct::Expression;

use crate::checkout::{root, work_directory};
use crate::steps::step;

/// The command `cargo` with the words of `line`, in the repository's root.
pub(crate) fn cargo(line: &str) -> Expression {
    duct::cmd("cargo", line.split_whitespace()).dir(root(""))
}

/// Its name and its version.
pub(crate) struct Tool(&'static str, &'static str);

pub(crate) const CARGO_DENY: Tool = Tool("cargo-deny", "0.20.2");
pub(crate) const CARGO_FUZZ: Tool = Tool("cargo-fuzz", "0.13.1");
pub(crate) const CARGO_MACHETE: Tool = Tool("cargo-machete", "0.9.2");
pub(crate) const CARGO_MUTANTS: Tool = Tool("cargo-mutants", "26.0.0");

impl Tool {
    /// Installs it in this checkout's target/, where it is not there yet; gives its program.
    pub(crate) fn install(&self) -> Result<PathBuf> {
        let Self(name, version) = self;
        let folder = work_directory()?.join(format!("{name}-{version}"));
        let program = format!("bin/{name}{}", std::env::consts::EXE_SUFFIX);
        let program = folder.join(program);
        if !program.exists() {
            step(&format!("install {name} {version} in target/"), |step| {
                let install = cargo(&format!("install {name} --version {version} --locked"));
                step.run(install.env("CARGO_INSTALL_ROOT", folder))
            })?;
        }
        Ok(program)
    }
}
