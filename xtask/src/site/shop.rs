//! The site that the Worker serves: the page, the package, the catalogue of prices, and the shop's data and rules. The documents
//! are added by [`super::docs`].

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::checkout::{copy_tree, make_empty, root};
use crate::tools::node;

/// Each folder, and its place in the site.
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

/// Assembles target/site/ from scratch.
pub(crate) fn assemble() -> Result<()> {
    let site = root("target/site");
    make_empty(&site)?;
    for (from, to) in FOLDERS {
        copy_tree(&root(from), &site.join(to))?;
    }
    make_empty(&site.join("docs"))?;
    WORKER_FILES
        .iter()
        .try_for_each(|file| copy_file(&root("worker").join(file), &site.join(file)))?;
    node("xtask/shop/catalogue.mjs", [site.join("catalogue")])
        .run()
        .context("cannot write the catalogue of the page")
        .map(drop)
}

fn copy_file(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}
