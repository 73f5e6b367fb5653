//! What git says of this checkout.

use anyhow::{Result, ensure};
use duct::Expression;

use super::paths::root;

pub(crate) fn is_committed() -> Result<()> {
    ensure!(
        git(&["status", "--porcelain"]).read()?.is_empty(),
        "the working tree has uncommitted changes"
    );
    Ok(())
}

pub(crate) fn git(args: &[&str]) -> Expression {
    duct::cmd("git", args).dir(root(""))
}
