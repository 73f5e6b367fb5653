//! The walk through a migration: shadow, compare, replay, switch and go back. The orders and checks are in tests/migration/.

use std::ffi::OsString;

use anyhow::Result;

use crate::files::make_empty;
use crate::node::{self, node};
use crate::package;
use crate::paths::work_directory;
use crate::progress::follow;

/// Sends `orders` orders through the shadow Worker. Fails if an answer or a difference is lost.
pub(crate) fn run(orders: u64) -> Result<()> {
    node::check()?;
    package::build()?;
    node::install("worker")?;
    node::install("tests")?;
    let folder = work_directory()?.join("migration");
    make_empty(&folder)?;
    let args: [OsString; 2] = [orders.to_string().into(), folder.into()];
    follow("the migration", &node("tests/migration/walk.mjs", args))
}
