//! The walk through a migration: shadow, compare, replay, switch and go back. The orders and checks are in tests/migration/.

use std::ffi::OsString;

use anyhow::Result;

use crate::checkout::{make_empty, work_directory};
use crate::package;
use crate::steps::follow;
use crate::tools::{check_node, node, npm_install};

/// Sends `orders` orders through the shadow Worker. Fails if an answer or a difference is lost.
pub(crate) fn run(orders: u64) -> Result<()> {
    check_node()?;
    package::build()?;
    npm_install("worker")?;
    npm_install("tests")?;
    let folder = work_directory()?.join("migration");
    make_empty(&folder)?;
    let args: [OsString; 2] = [orders.to_string().into(), folder.into()];
    follow("the migration", &node("tests/migration/walk.mjs", args))
}
