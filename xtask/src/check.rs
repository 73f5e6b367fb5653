//! What reads every file without running it: formatters, the linter, the types.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use duct::Expression;

use crate::paths::{root, work_directory};
use crate::steps::step;
use crate::{node, tools};

const CARGO_MACHETE: &str = "0.9.2";

/// What the types read, by where it is to lie: the service reads the package in `../pkg`.
const SOURCES: [(&str, &str); 5] = [
    ("pkg", "pkg-template"),
    ("worker", "worker"),
    ("node_modules", "xtask/node_modules"),
    ("tsconfig.json", "xtask/tsconfig.json"),
    ("types.d.ts", "xtask/types.d.ts"),
];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Format, and mend what the linter can mend
    #[arg(long)]
    fix: bool,
}

/// Runs every check, also after one that fails.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    node::check()?;
    node::install("xtask")?;
    node::install("worker")?;
    let machete = tools::install("cargo-machete", CARGO_MACHETE)?;
    let sources = linked_sources()?;
    let (rustfmt, biome) = match options.fix {
        true => (["fmt", "--all", "--quiet"], ["check", "--write"]),
        false => (["fmt", "--all", "--check"], ["ci", "--colors=off"]),
    };
    let checks = [
        ("rustfmt", duct::cmd("cargo", rustfmt)),
        ("Biome", tool("biome", biome)),
        ("types", tool("tsc", ["--pretty", "false"]).dir(sources)),
        ("cargo machete", duct::cmd!(machete)),
    ];
    let mut failed = false;
    for (name, check) in checks {
        // A directory that is set comes before the one that is set later.
        let check = check.dir(root(""));
        failed |= step(name, |step| step.run(check)).is_err();
    }
    Ok(match failed {
        false => ExitCode::SUCCESS,
        true => ExitCode::FAILURE,
    })
}

fn tool<const N: usize>(name: &str, args: [&str; N]) -> Expression {
    duct::cmd(root("xtask/node_modules/.bin").join(name), args)
}

/// A folder in which the sources lie as the build lays them out, so that their types need no build.
fn linked_sources() -> Result<PathBuf> {
    let folder = work_directory()?.join("sources");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir(&folder)?;
    for (place, source) in SOURCES {
        link(&root(source), &folder.join(place))?;
    }
    Ok(folder)
}

#[cfg(unix)]
fn link(source: &std::path::Path, place: &std::path::Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(source, place)
}

#[cfg(windows)]
fn link(source: &std::path::Path, place: &std::path::Path) -> std::io::Result<()> {
    match source.is_dir() {
        true => std::os::windows::fs::symlink_dir(source, place),
        false => std::os::windows::fs::symlink_file(source, place),
    }
}
