//! What reads every file without running it: formatters, the linter, types, unused code.

use std::iter;
use std::path::{Path, PathBuf};

use anyhow::Result;
use duct::Expression;

use crate::checkout::{copy_tree, make_empty, root, work_directory};
use crate::package::fill_types;
use crate::steps::{all_passed, step};
use crate::tools::{CARGO_MACHETE, NODE, cargo, npm_install};

/// Runs every check, also after one that fails. With `fix`, formats, and mends what the linter can mend.
pub(crate) fn run(fix: bool) -> Result<()> {
    NODE.find_or_install()?;
    for (folder, _) in PACKAGES {
        npm_install(folder)?;
    }
    let machete = CARGO_MACHETE.install()?;
    let sources = laid_out()?;
    let (rustfmt, biome) = match fix {
        true => ("fmt --all --quiet", "check --write"),
        false => ("fmt --all --check", "ci --colors=off"),
    };
    let knip = "--no-progress --no-config-hints --include=files,exports,dependencies,unlisted";
    let here = root("");
    let checks = [
        ("rustfmt", cargo(rustfmt)),
        ("Biome: format and lint", tool("biome", biome).dir(&here)),
        (
            "TypeScript: types in JavaScript",
            tool("tsc", "--pretty false").dir(&sources),
        ),
        (
            "knip: unused files, exports and packages",
            tool("knip", knip).dir(&sources),
        ),
        (
            "cargo machete: unused crates",
            duct::cmd!(machete).dir(&here),
        ),
    ];
    let types = fill_types(&sources.join("pkg"));
    let checks = checks.map(|(name, check)| step(name, |step| step.run(check)));
    all_passed(iter::once(types).chain(checks))
}

fn tool(name: &str, line: &str) -> Expression {
    duct::cmd(root("xtask/node_modules/.bin").join(name), line.split(' '))
}

/// The folders of the sources, and where these stand in the copy: the service reads the package in `../pkg`, and each tool
/// its configuration at the top.
const FOLDERS: [(&str, &str); 8] = [
    ("xtask", ""),
    ("xtask", "xtask"),
    ("benches", "benches"),
    ("pkg-template", "pkg"),
    ("tests", "tests"),
    ("worker", "worker"),
    ("www", "www"),
    // Hidden in its folder.
    ("www/docs/.vitepress", "www/docs/.vitepress"),
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
    make_empty(&folder)?;
    for (from, to) in FOLDERS {
        copy_tree(&root(from), &folder.join(to))?;
    }
    for (directory, place) in PACKAGES {
        let place = folder.join(place).join("node_modules");
        link(&root(directory).join("node_modules"), &place)?;
    }
    link(&folder.join("pkg"), &folder.join("pkg-template"))?;
    Ok(folder)
}

#[cfg(unix)]
fn link(source: &Path, place: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(source, place)
}

#[cfg(windows)]
fn link(source: &Path, place: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_dir(source, place)
}
