//! Paths.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::{Context, Result};
use duct::cmd;

/// A path in the repository. Found at run time: cargo takes a program that was copied with its checkout for up to date.
pub(crate) fn root(relative: &str) -> PathBuf {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(find_root);
    ROOT.join(relative)
}

/// Looks upwards from the package that cargo runs. Without cargo, from the current folder.
fn find_root() -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let here = package
        .or_else(|| env::current_dir().ok())
        .unwrap_or_default();
    let is_root = |folder: &&Path| folder.join("xtask/Cargo.toml").is_file();
    here.ancestors().find(is_root).unwrap_or(&here).to_owned()
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
