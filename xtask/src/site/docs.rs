//! The site of documents: VitePress builds it from www/docs, the repository's documents, the package's types and the service's
//! contract.

use std::ffi::OsString;

use anyhow::Result;

use crate::checkout::{copy_tree, make_empty, root, unless_unchanged};
use crate::steps::{Step, step};
use crate::tools::{node, npm_install};

/// What the documents are made of: folders and files.
const SOURCES: [&str; 12] = [
    "*.md",
    "Cargo.toml",
    "src/README.md",
    "www",
    "pkg",
    "pkg-template",
    "worker",
    "target/reference.json",
    "xtask/package-lock.json",
    "xtask/package/sizes.mjs",
    "tests/matrix/table.js",
    "tests/matrix/works.json",
];

const SOURCE: &str = "target/docs/source";
const BUILT: &str = "target/docs/built";

/// Builds target/site/docs, into the site that [`super::assemble`] has assembled.
pub(crate) fn build() -> Result<()> {
    // The page of the command line shows the help of the service's commands.
    npm_install("worker")?;
    npm_install("www/docs")?;
    unless_unchanged(&[BUILT], &SOURCES, || step("build the documents", make))?;
    copy()
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
