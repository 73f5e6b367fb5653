//! Runs that go on for as long as they are given. What they do and check is in the scripts.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::checkout::{make_empty, work_directory};
use crate::package;
use crate::steps::follow;
use crate::tools::{node, npm_install};

/// How the night runs.
#[derive(Clone, Copy)]
pub(crate) struct Night {
    pub(crate) seed: u32,
    /// How long each part that can repeats; each runs at least once
    pub(crate) seconds: Option<u64>,
    /// How often the test command runs
    pub(crate) times: u32,
}

impl Night {
    /// The usual amount of work, or a smaller one that is repeated while the given time lasts.
    fn or_shorter(&self, usual: &'static str, shorter: &'static str) -> &'static str {
        if self.seconds.is_some() {
            shorter
        } else {
            usual
        }
    }
}

/// Generated orders: fails if the package and the naive model differ in a byte. A million take about half an hour.
pub(super) fn orders(night: &Night) -> Result<()> {
    let end = match night.seconds {
        Some(seconds) => format!("--seconds={seconds}"),
        None => "--orders=1000000".to_owned(),
    };
    script(
        "tests/package/night/orders.mjs",
        &[&format!("--seed={}", night.seed), &end],
    )
}

/// Baskets in time: prints the shortest sequence of actions after which a basket is not what the model says.
pub(super) fn simulation(night: &Night) -> Result<()> {
    let [seconds, seed] =
        [night.seconds.unwrap_or(600), night.seed.into()].map(|number| number.to_string());
    script(
        "tests/simulation/simulate.mjs",
        &["--seconds", &seconds, "--seed", &seed],
    )
}

/// The Worker under load, with failures: fails if an answer differs from the model's or if memory grows.
pub(super) fn soak(night: &Night) -> Result<()> {
    package::build()?;
    package::build_faulty()?;
    let requests = night.or_shorter("200000", "10000");
    repeatedly(night.seconds, || script("tests/soak/soak.mjs", &[requests]))
}

/// The walk from an old service to this one: fails if an answer or a difference is lost.
pub(super) fn migration(night: &Night) -> Result<()> {
    let folder = work_directory()?.join("migration");
    let orders = night.or_shorter("10000", "200");
    repeatedly(night.seconds, || {
        make_empty(&folder)?;
        script(
            "tests/migration/walk.mjs",
            &[orders, &folder.to_string_lossy()],
        )
    })
}

fn script(file: &str, args: &[&str]) -> Result<()> {
    package::build()?;
    npm_install("worker")?;
    npm_install("tests")?;
    follow(file, node(file, args))
}

/// Does `work` once, and again until the time is over.
pub(super) fn repeatedly(seconds: Option<u64>, mut work: impl FnMut() -> Result<()>) -> Result<()> {
    let started = Instant::now();
    let time = Duration::from_secs(seconds.unwrap_or_default());
    loop {
        work()?;
        if started.elapsed() >= time {
            return Ok(());
        }
    }
}
