//! The second build of a release: the last commit in another folder, with a target directory of its own. Its package has
//! the same bytes, so anybody can build a published version again and compare.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use anyhow::{Context, Result, bail};
use duct::cmd;
use walkdir::WalkDir;

use super::tarball::Tarball;
use crate::checkout::{git, is_committed, make_empty, root};
use crate::steps::step;

/// Builds the package again, which takes minutes. The error names the files that differ.
pub(crate) fn build_equals(tarball: &Tarball) -> Result<String> {
    is_committed()?;
    // Outside this folder: inside it, cargo would read .cargo/config.toml twice.
    let folder = env::temp_dir().join(format!("order-cost-again-{}", process::id()));
    make_empty(&folder)?;
    let checkout = folder.join("checkout");
    let outcome = build(&checkout, &folder)
        .and_then(|again| compare(tarball, &again, &root("pkg"), &checkout.join("pkg")));
    fs::remove_dir_all(&folder)?;
    git(&["worktree", "prune"]).run()?;
    outcome
}

fn build(checkout: &Path, folder: &Path) -> Result<Tarball> {
    step("check the commit out in another folder", |step| {
        let name = checkout.to_str().context("the folder's name is no text")?;
        step.run(git(&["worktree", "add", "--detach", name]))
    })?;
    step("build the package again, from nothing", |step| {
        let build = cmd!("cargo", "xtask", "build").dir(checkout);
        step.run(build.env("CARGO_TARGET_DIR", folder.join("target")))
    })?;
    Tarball::pack(&checkout.join("pkg"), folder)
}

fn compare(tarball: &Tarball, again: &Tarball, package: &Path, other: &Path) -> Result<String> {
    let hash = tarball.integrity();
    if hash == again.integrity() {
        return Ok(format!("the same bytes from another folder, {hash}"));
    }
    let files = differing(package, other)?;
    bail!(
        "the package has other bytes from another folder: {}",
        files.join(", ")
    )
}

/// The files that one folder lacks or that have other bytes there.
fn differing(one: &Path, other: &Path) -> Result<Vec<String>> {
    let files: BTreeSet<_> = files_in(one)?.union(&files_in(other)?).cloned().collect();
    let is_different = |file: &PathBuf| {
        let [one, other] = [one, other].map(|folder| fs::read(folder.join(file)).ok());
        one != other
    };
    Ok(files
        .into_iter()
        .filter(is_different)
        .map(|file| file.display().to_string())
        .collect())
}

fn files_in(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        if entry.file_type().is_file() {
            files.insert(entry.path().strip_prefix(folder)?.to_owned());
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_that_differ_are_named() {
        let folder = env::temp_dir().join(format!("order-cost-differing-{}", process::id()));
        let [one, other] = ["one", "other"].map(|name| folder.join(name));
        for (at, content) in [
            (one.join("a/same.js"), "1"),
            (other.join("a/same.js"), "1"),
            (one.join("a/changed.js"), "1"),
            (other.join("a/changed.js"), "2"),
            (one.join("only.js"), ""),
        ] {
            fs::create_dir_all(at.parent().expect("a folder")).expect("a folder is made");
            fs::write(at, content).expect("a file is written");
        }
        let found = differing(&one, &other).expect("both are read");
        fs::remove_dir_all(folder).expect("it is removed");
        assert_eq!(
            found,
            [
                Path::new("a/changed.js").display().to_string(),
                "only.js".to_owned()
            ]
        );
    }
}
