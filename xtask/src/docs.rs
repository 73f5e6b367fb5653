//! The site of documents: VitePress builds it from www/docs, the repository's documents, the package's types and the service's
//! contract.

use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::PathBuf;

use anyhow::Result;
use walkdir::{DirEntry, WalkDir};

use crate::files::{copy_tree, make_empty, matching};
use crate::node::{self, node};
use crate::paths::root;
use crate::steps::{Step, step};

/// What the documents are made of, besides those at the top of the repository: folders and files.
const SOURCES: [&str; 9] = [
    "www",
    "pkg",
    "pkg-template",
    "worker",
    "target/reference.json",
    "xtask/package-lock.json",
    "xtask/sizes.mjs",
    "tests/matrix/table.js",
    "tests/matrix/works.json",
];

const SOURCE: &str = "target/docs/source";
const BUILT: &str = "target/docs/built";
/// The fingerprint of what BUILT was made of
const MADE_OF: &str = "target/docs/made-of";

/// Builds target/site/docs, into the site that [`crate::package::build`] has assembled.
pub(crate) fn build() -> Result<()> {
    // The page of the command line shows the help of the service's commands.
    node::install("worker")?;
    node::install("www/docs")?;
    let sources = fingerprint()?;
    if fs::read_to_string(root(MADE_OF)).is_ok_and(|made_of| made_of == sources) {
        return copy();
    }
    step("build the documents", |step| {
        make(step)?;
        fs::write(root(MADE_OF), sources)?;
        copy()
    })
}

fn make(step: &Step) -> Result<()> {
    step.run(node("www/docs/make/main.mjs", [root("pkg"), root(SOURCE)]))?;
    let vitepress = "www/docs/node_modules/vitepress/bin/vitepress.js";
    step.run(node(
        vitepress,
        [OsString::from("build"), root("www/docs").into()],
    ))
}

fn copy() -> Result<()> {
    let site = root("target/site/docs");
    make_empty(&site)?;
    copy_tree(&root(BUILT), &site)
}

/// Changes with every byte of the sources.
fn fingerprint() -> Result<String> {
    let mut hasher = DefaultHasher::new();
    for file in sources()? {
        hasher.write(file.as_os_str().as_encoded_bytes());
        hasher.write(&fs::read(file)?);
    }
    Ok(hasher.finish().to_string())
}

fn sources() -> Result<Vec<PathBuf>> {
    let mut files = matching(&root("*.md"))?;
    files.push(root("Cargo.toml"));
    for source in SOURCES {
        for entry in WalkDir::new(root(source))
            .sort_by_file_name()
            .into_iter()
            .filter_entry(is_source)
        {
            let entry = entry?;
            if entry.file_type().is_file() {
                files.push(entry.into_path());
            }
        }
    }
    Ok(files)
}

fn is_source(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    name != "node_modules" && name != ".wrangler"
}
