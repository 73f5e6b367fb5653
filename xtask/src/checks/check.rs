//! What reads every file without running it: formatters, the linter, types, unused code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use duct::Expression;

use crate::checkout::{root, work_directory};
use crate::package::fill_types;
use crate::steps::{exit_code, step};
use crate::tools::{CARGO_MACHETE, NODE, npm_install};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Format, and mend what the linter can mend
    #[arg(long)]
    fix: bool,
}

/// Runs every check, also after one that fails.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    NODE.find_or_install()?;
    for (folder, _) in PACKAGES {
        npm_install(folder)?;
    }
    let machete = CARGO_MACHETE.install()?;
    let sources = laid_out()?;
    let (rustfmt, biome) = match options.fix {
        true => (["fmt", "--all", "--quiet"], ["check", "--write"]),
        false => (["fmt", "--all", "--check"], ["ci", "--colors=off"]),
    };
    let here = root("");
    let checks = [
        ("rustfmt", duct::cmd("cargo", rustfmt).dir(&here)),
        ("Biome: format and lint", tool("biome", biome).dir(&here)),
        (
            "TypeScript: types in JavaScript",
            tool("tsc", ["--pretty", "false"]).dir(&sources),
        ),
        (
            "knip: unused files, exports and packages",
            tool(
                "knip",
                [
                    "--no-progress",
                    "--no-config-hints",
                    "--include=files,exports,dependencies,unlisted",
                ],
            )
            .dir(&sources),
        ),
        (
            "cargo machete: unused crates",
            duct::cmd!(machete).dir(&here),
        ),
    ];
    let mut failed = fill_types(&sources.join("pkg")).is_err();
    for (name, check) in checks {
        failed |= step(name, |step| step.run(check)).is_err();
    }
    Ok(exit_code(!failed))
}

fn tool<const N: usize>(name: &str, args: [&str; N]) -> Expression {
    duct::cmd(root("xtask/node_modules/.bin").join(name), args)
}

/// What stands elsewhere in a copy: the service reads the package in `../pkg`, and each tool its configuration at the top.
const PLACES: [(&str, &str); 5] = [
    ("pkg-template/", "pkg/"),
    ("xtask/package.json", "package.json"),
    ("xtask/tsconfig.json", "tsconfig.json"),
    ("xtask/knip.json", "knip.json"),
    ("xtask/types.d.ts", "types.d.ts"),
];

/// Whose packages the sources import, and where these stand in the copy.
const PACKAGES: [(&str, &str); 4] = [
    ("xtask", ""),
    ("worker", "worker"),
    ("tests", "tests"),
    ("www/docs", "www/docs"),
];

/// Copies the sources as the build lays them out, so that their types need no build of the module.
fn laid_out() -> Result<PathBuf> {
    let folder = work_directory()?.join("sources");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let files = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let files = duct::cmd("git", files).dir(root("")).read()?;
    for file in files.lines().filter(|file| is_read(file)) {
        let source = root(file);
        // One that was deleted is still in git's index.
        if source.exists() {
            copy(&source, &folder.join(placed(file)))?;
        }
    }
    for (directory, place) in PACKAGES {
        let place = folder.join(place).join("node_modules");
        link(&root(directory).join("node_modules"), &place)?;
    }
    link(&folder.join("pkg"), &folder.join("pkg-template"))?;
    Ok(folder)
}

fn is_read(file: &str) -> bool {
    let kinds = ["js", "mjs", "cjs", "ts", "vue", "json", "jsonc"];
    let kind = Path::new(file).extension().and_then(|kind| kind.to_str());
    let is_case = kind == Some("json") && file.starts_with("tests/golden/");
    kind.is_some_and(|kind| kinds.contains(&kind)) && !is_case
}

fn placed(file: &str) -> String {
    let moved = PLACES.iter().find_map(|(from, to)| {
        let rest = file.strip_prefix(from)?;
        Some(format!("{to}{rest}"))
    });
    moved.unwrap_or_else(|| file.to_owned())
}

fn copy(source: &Path, place: &Path) -> Result<()> {
    fs::create_dir_all(place.parent().unwrap_or(place))?;
    fs::copy(source, place).with_context(|| format!("cannot copy {}", source.display()))?;
    Ok(())
}

#[cfg(unix)]
fn link(source: &Path, place: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(source, place)
}

#[cfg(windows)]
fn link(source: &Path, place: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_dir(source, place)
}
