//! Paths.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::{Context, Result};
use duct::cmd;
use serde_json::Value;

/// A path in the repository. Found at run time: cargo takes a program that was copied with its checkout for up to date.
pub(crate) fn root(relative: &str) -> PathBuf {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        // The package that cargo runs. Without cargo, the current folder.
        let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let here = package.or_else(|| env::current_dir().ok());
        root_above(&here.unwrap_or_default())
    });
    ROOT.join(relative)
}

fn root_above(here: &Path) -> PathBuf {
    let is_root = |folder: &&Path| folder.join("xtask/Cargo.toml").is_file();
    here.ancestors().find(is_root).unwrap_or(here).to_owned()
}

/// What cargo says of the workspace.
pub(crate) fn cargo_metadata() -> Result<Value> {
    let command = cmd!("cargo", "metadata", "--no-deps", "--format-version", "1");
    Ok(serde_json::from_str(&command.dir(root("")).read()?)?)
}

/// Cargo's target directory; the user's settings may have moved it.
pub(crate) fn cargo_target() -> Result<PathBuf> {
    let metadata = cargo_metadata()?;
    let target = metadata["target_directory"].as_str();
    Ok(target
        .context("`cargo metadata` printed no target directory")?
        .into())
}

/// The folder of xtask's intermediate files.
pub(crate) fn work_directory() -> Result<PathBuf> {
    let directory = cargo_target()?.join("xtask");
    fs::create_dir_all(&directory)?;
    Ok(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// clippy.toml forbids `env!`, which would name the folder where the program was compiled.
    #[test]
    fn a_copied_checkout_is_its_own_root() -> Result<()> {
        let copy = root("target/tmp/copied-checkout");
        fs::create_dir_all(copy.join("xtask/src"))?;
        fs::write(copy.join("xtask/Cargo.toml"), "")?;
        assert_eq!(root_above(&copy.join("xtask/src")), copy);
        assert_eq!(root_above(&root("target/tmp")), root(""));
        Ok(())
    }
}
