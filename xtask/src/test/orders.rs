//! Generated orders by the million: the package beside the naive model. The comparison is in tests/package/.

use anyhow::Result;

use crate::package;
use crate::steps::follow;
use crate::tools::{check_node, node, npm_install};

/// When a run ends.
#[derive(Clone, Copy)]
pub(crate) enum Until {
    Orders(u64),
    Seconds(u64),
}

/// Fails if the package and the model differ in a byte.
pub(crate) fn run(seed: u32, until: Until) -> Result<()> {
    check_node()?;
    package::build()?;
    npm_install("tests")?;
    let end = match until {
        Until::Orders(orders) => format!("--orders={orders}"),
        Until::Seconds(seconds) => format!("--seconds={seconds}"),
    };
    follow(
        "the differential run",
        &node(
            "tests/package/night/orders.mjs",
            [format!("--seed={seed}"), end],
        ),
    )
}
