//! A checkout that was copied with its target/ is built by the program that was copied too. It must work on the copy.
#![cfg(unix)]

use std::env::{self, split_paths};
use std::fs::{self, File};
use std::io::Write;
use std::iter::once;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use duct::cmd;
use walkdir::WalkDir;

/// What cargo reads to see that nothing has changed since the original was built.
const SOURCES: [&str; 8] = [
    ".cargo",
    "Cargo.lock",
    "Cargo.toml",
    "examples",
    "rust-toolchain.toml",
    "src",
    "tests/node/work",
    "xtask",
];
const BUILT: [&str; 3] = [".fingerprint", "build", "deps"];

#[test]
fn a_copied_checkout_works_on_the_copy() {
    // `cargo test --workspace` builds it with other features of its libraries.
    cmd!("cargo", "build", "--offline", "--package", "xtask")
        .run()
        .unwrap();
    let profile = profile_folder();
    let copy = profile.with_file_name("copied-checkout");
    let _ = fs::remove_dir_all(&copy);
    for name in SOURCES {
        copy_tree(&repository().join(name), &copy.join(name));
    }
    let target = copy.join("target");
    for name in BUILT {
        copy_tree(&profile.join(name), &target.join("debug").join(name));
    }
    let programs = copy.join("programs");
    write_npm(&programs);

    let ran = cmd!(
        "cargo",
        "run",
        "--offline",
        "--package",
        "xtask",
        "--",
        "build"
    )
    .dir(&copy)
    .env("CARGO_TARGET_DIR", &target)
    .env("PATH", before_path(&programs))
    .stderr_to_stdout()
    .stdout_capture()
    .unchecked()
    .run()
    .unwrap();

    let printed = String::from_utf8_lossy(&ran.stdout);
    assert!(
        !printed.contains("Compiling"),
        "the copied program is not up to date:\n{printed}"
    );
    let installing = format!("npm in {}", copy.join("xtask").display());
    assert!(
        printed.contains(&installing),
        "expected `{installing}`:\n{printed}"
    );
    fs::remove_dir_all(&copy).unwrap();
}

/// Cargo runs tests in the folder of their package.
fn repository() -> PathBuf {
    env::current_dir().unwrap().parent().unwrap().to_owned()
}

/// target/debug, found at run time: this test may itself be part of a copy.
fn profile_folder() -> PathBuf {
    let test = env::current_exe().unwrap().canonicalize().unwrap();
    test.ancestors().nth(2).unwrap().to_owned()
}

/// Copies with the times of the originals, which cargo compares. Links what is large and never written in place.
fn copy_tree(from: &Path, to: &Path) {
    let entries = WalkDir::new(from)
        .into_iter()
        .filter_entry(|entry| entry.file_name() != "node_modules");
    for entry in entries
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
    {
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        let target = if entry.depth() == 0 {
            to.to_owned()
        } else {
            target
        };
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        if from.ends_with("deps") {
            fs::hard_link(entry.path(), &target).unwrap();
        } else {
            fs::copy(entry.path(), &target).unwrap();
            let modified = entry.metadata().unwrap().modified().unwrap();
            File::options()
                .append(true)
                .open(&target)
                .unwrap()
                .set_modified(modified)
                .unwrap();
        }
    }
}

/// An npm that says where it was called, and fails: so the build ends before it compiles.
fn write_npm(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    let npm = File::options()
        .create(true)
        .write(true)
        .truncate(true)
        .mode(0o755)
        .open(folder.join("npm"));
    npm.unwrap()
        .write_all(b"#!/bin/sh\necho \"npm in $PWD\"\nexit 1\n")
        .unwrap();
}

fn before_path(folder: &Path) -> std::ffi::OsString {
    let path = env::var_os("PATH").unwrap();
    env::join_paths(once(folder.to_owned()).chain(split_paths(&path))).unwrap()
}
