//! The soak: a long run of the Worker under load, with failures. The orders and checks are in tests/soak/.

use anyhow::Result;

use crate::package;
use crate::steps::follow;
use crate::tools::{node, npm_install};

/// Sends `requests` requests. Fails if an answer differs from the model's or if memory grows.
pub(crate) fn run(requests: u64) -> Result<()> {
    package::build()?;
    package::build_faulty()?;
    npm_install("worker")?;
    follow(
        "the soak",
        &node("tests/soak/soak.mjs", [requests.to_string()]),
    )
}
