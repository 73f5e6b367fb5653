//! The site that the Worker serves: the page, the package it loads, and the shop's data and rules that it prices with.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::files;
use crate::paths::root;

/// Each folder, and where in the site it stands.
const FOLDERS: [(&str, &str); 3] = [
    ("www", ""),
    ("pkg", "order-cost"),
    ("worker/seed/orders", "seed/orders"),
];

/// What the page loads of the Worker's folder: the site is public, and the rest of that folder is not for it.
const WORKER_FILES: [&str; 12] = [
    "seed/branches.json",
    "seed/coupons.json",
    "seed/facts.js",
    "seed/orders.json",
    "seed/prices.json",
    "seed/products.json",
    "seed/rates.json",
    "seed/vouchers.json",
    "seed/zones.json",
    "services/coupons/rules.js",
    "services/nationwide/rates.js",
    "services/request-error.js",
];

/// Puts target/site/ together anew.
pub(crate) fn assemble() -> Result<()> {
    let site = root("target/site");
    files::make_empty(&site)?;
    for (from, to) in FOLDERS {
        files::copy_tree(&root(from), &site.join(to))?;
    }
    WORKER_FILES
        .iter()
        .try_for_each(|file| copy_file(&root("worker").join(file), &site.join(file)))
}

fn copy_file(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}
