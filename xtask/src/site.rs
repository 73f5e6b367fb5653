//! The site that the Worker serves: the page, the package it loads, and the services' rules that it shows.

use anyhow::Result;

use crate::files;
use crate::paths::root;

/// Each folder, and where in the site it stands.
const PARTS: [(&str, &str); 4] = [
    ("www", ""),
    ("pkg", "order-cost"),
    ("worker/services", "services"),
    ("worker/seed", "seed"),
];

/// Puts target/site/ together anew.
pub(crate) fn assemble() -> Result<()> {
    let site = root("target/site");
    files::make_empty(&site)?;
    PARTS
        .iter()
        .try_for_each(|(from, to)| files::copy_tree(&root(from), &site.join(to)))
}
