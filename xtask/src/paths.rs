//! Paths.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use duct::cmd;

/// A path in the repository.
pub(crate) fn root(relative: &str) -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).join(relative)
}

/// Cargo's target directory; the user's settings may have moved it.
pub(crate) fn cargo_target() -> Result<PathBuf> {
    let metadata = cmd!("cargo", "metadata", "--no-deps", "--format-version", "1")
        .dir(root(""))
        .read()?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let target = metadata["target_directory"]
        .as_str()
        .context("`cargo metadata` printed no target directory")?;
    Ok(target.into())
}

/// The folder of xtask's intermediate files.
pub(crate) fn work_directory() -> Result<PathBuf> {
    let directory = cargo_target()?.join("xtask");
    fs::create_dir_all(&directory)?;
    Ok(directory)
}
