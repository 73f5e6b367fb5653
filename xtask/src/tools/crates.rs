//! Tools from crates.io that some commands run, each at a pinned version.

use std::path::PathBuf;

use anyhow::Result;

use crate::checkout::work_directory;
use crate::steps::step;

/// Installs a tool where it is not there yet; gives its program.
pub(crate) fn install(name: &str, version: &str) -> Result<PathBuf> {
    let folder = work_directory()?.join(format!("{name}-{version}"));
    let program = folder
        .join("bin")
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        step(&format!("install {name} {version}"), |step| {
            let from = ["install", name, "--version", version, "--locked", "--root"];
            step.run(duct::cmd(
                "cargo",
                from.map(Into::into)
                    .into_iter()
                    .chain([folder.into_os_string()]),
            ))
        })?;
    }
    Ok(program)
}
