//! The site in target/site/: the demo shop that the Worker serves, and the documents.

use std::ffi::OsString;
use std::fs;

use anyhow::{Context, Result};

use crate::checkout::{copy_tree, make_empty, root, unless_unchanged};
use crate::steps::{Step, step};
use crate::tools::{node, npm_install};

/// Each folder of the shop, and its place in the site.
const FOLDERS: [(&str, &str); 3] = [
    ("www", ""),
    ("pkg", "order-cost"),
    ("worker/seed/orders", "seed/orders"),
];

/// The files of the Worker's folder that the page loads. The site is public, so it must not hold the rest.
const WORKER_FILES: [&str; 17] = [
    "seed/branches.json",
    "seed/coupons.json",
    "demo/seed-host.js",
    "demo/index.js",
    "seed/orders.json",
    "seed/products.json",
    "seed/rates.json",
    "seed/vouchers.json",
    "services/coupons/index.js",
    "services/coupons/rules.js",
    "services/coupons/service.js",
    "services/json/index.js",
    "services/json/json-service.js",
    "services/json/request-error.js",
    "services/nationwide/index.js",
    "services/nationwide/rates.js",
    "services/nationwide/service.js",
];

/// What the documents are made of: folders and files.
const SOURCES: [&str; 13] = [
    "*.md",
    "Cargo.toml",
    "src/README.md",
    "www",
    "www/docs/.vitepress",
    "pkg",
    "pkg-template",
    "worker",
    "target/reference.json",
    "xtask/package-lock.json",
    "xtask/package",
    "tests/matrix/table.js",
    "tests/matrix/works.json",
];

/// What VitePress reads, and what it builds.
const SOURCE: &str = "target/docs/source";
const BUILT: &str = "target/docs/built";

/// Assembles the shop from scratch. The documents are added by [`build_docs`].
pub(crate) fn assemble(step: &Step) -> Result<()> {
    let site = root("target/site");
    make_empty(&site)?;
    for (from, to) in FOLDERS {
        copy_tree(&root(from), &site.join(to))?;
    }
    make_empty(&site.join("docs"))?;
    for file in WORKER_FILES {
        let (from, to) = (root("worker").join(file), site.join(file));
        fs::create_dir_all(to.parent().unwrap_or(&site))?;
        fs::copy(from, to).with_context(|| format!("cannot copy worker/{file}"))?;
    }
    step.run(node("xtask/shop/catalogue.mjs", [site.join("catalogue")]))
}

/// Builds target/site/docs of www/docs, the repository's documents, the package's types and the service's contract.
pub(crate) fn build_docs() -> Result<()> {
    // The page of the command line shows the help of the service's commands.
    npm_install("worker")?;
    npm_install("www/docs")?;
    unless_unchanged(&[BUILT], &SOURCES, || {
        step("build the documents", make_docs)
    })?;
    let docs = root("target/site/docs");
    make_empty(&docs)?;
    copy_tree(&root(BUILT), &docs)
}

fn make_docs(step: &Step) -> Result<()> {
    step.run(node("www/docs/make/main.mjs", [root("pkg"), root(SOURCE)]))?;
    let vitepress = "www/docs/node_modules/vitepress/bin/vitepress.js";
    let args = [OsString::from("build"), root("www/docs").into()];
    step.run(node(vitepress, args))
}
