//! The simulation: random actions of baskets, hosts and clocks beside a model. The actions are in tests/simulation/.

use anyhow::Result;

use super::seed::any_seed;
use crate::package;
use crate::steps::follow;
use crate::tools::{check_node, node, npm_install};

/// Fails if what a basket does is not what the model says; the script prints the shortest sequence that shows it.
pub(crate) fn run(seconds: u64, seed: Option<u32>) -> Result<()> {
    check_node()?;
    package::build()?;
    npm_install("tests")?;
    let seed = seed.unwrap_or_else(any_seed);
    let args = [
        "--seconds".to_owned(),
        seconds.to_string(),
        "--seed".to_owned(),
        seed.to_string(),
    ];
    follow(
        "the simulation",
        &node("tests/simulation/simulate.mjs", args),
    )
}
