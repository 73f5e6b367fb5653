//! Programs from crates.io that some commands run, each at a pinned version.

use std::path::PathBuf;

use anyhow::Result;

use crate::checkout::work_directory;
use crate::steps::step;

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
        let program = folder
            .join("bin")
            .join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        if !program.exists() {
            step(&format!("install {name} {version} in target/"), |step| {
                let from = ["install", name, "--version", version, "--locked", "--root"];
                let args = from
                    .map(Into::into)
                    .into_iter()
                    .chain([folder.into_os_string()]);
                step.run(duct::cmd("cargo", args))
            })?;
        }
        Ok(program)
    }
}
