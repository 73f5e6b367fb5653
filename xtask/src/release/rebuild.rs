//! The second build of a release: the last commit in another folder, with a target directory of its own. Its package has
//! the same bytes, so anybody can build a published version again and compare.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use anyhow::{Result, ensure};
use duct::{Expression, cmd};

use crate::checkout::{make_empty, root};
use crate::steps::step;
use crate::tools::npm;

/// Packs a package into `folder`. npm lists the contents.
pub(super) fn pack(package: &Path, folder: &Path) -> Result<PathBuf> {
    let pack = npm(["pack"])?.dir(package);
    let name = pack.env("npm_config_pack_destination", folder).read()?;
    Ok(folder.join(name))
}

/// Builds the package again, which takes minutes. The error names the files that differ.
pub(super) fn build_equals(tarball: &Path) -> Result<String> {
    is_committed()?;
    // Outside this folder: inside it, cargo would read .cargo/config.toml twice.
    let folder = env::temp_dir().join(format!("order-cost-again-{}", process::id()));
    make_empty(&folder)?;
    let outcome = build_and_compare(tarball, &folder);
    fs::remove_dir_all(&folder)?;
    git(&["worktree", "prune"]).run()?;
    outcome
}

fn build_and_compare(tarball: &Path, folder: &Path) -> Result<String> {
    let checkout = folder.join("checkout");
    step("check the commit out in another folder", |step| {
        let add = cmd!("git", "worktree", "add", "--detach", &checkout);
        step.run(add.dir(root("")))
    })?;
    step("build the package again, from nothing", |step| {
        let build = cmd!("cargo", "xtask", "build").dir(&checkout);
        step.run(build.env("CARGO_TARGET_DIR", folder.join("target")))
    })?;
    let (package, other) = (root("pkg"), checkout.join("pkg"));
    let again = pack(&other, folder)?;
    let differing = cmd!("git", "diff", "--no-index", "--stat", package, other);
    ensure!(
        fs::read(tarball)? == fs::read(again)?,
        "the package has other bytes from another folder:\n{}",
        differing.unchecked().read()?
    );
    Ok("the same bytes from another folder".to_owned())
}

pub(super) fn is_committed() -> Result<()> {
    ensure!(
        git(&["status", "--porcelain"]).read()?.is_empty(),
        "the working tree has uncommitted changes"
    );
    Ok(())
}

pub(super) fn git(args: &[&str]) -> Expression {
    duct::cmd("git", args).dir(root(""))
}
