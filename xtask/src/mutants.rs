//! Plants faults, one after another, and lists those that no test finds: in Rust with cargo-mutants, in the package's
//! JavaScript with Stryker.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

/// The options of `cargo xtask mutants`.
#[derive(Args)]
pub(crate) struct Options {
    /// Only in what changed in these days
    #[arg(long)]
    days: Option<u32>,
    /// Stop after this time
    #[arg(long)]
    seconds: Option<u64>,
}

impl Options {
    /// What the night runs.
    pub(crate) fn of_a_week(seconds: Option<u64>) -> Self {
        Self {
            days: Some(7),
            seconds,
        }
    }
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let _ = (options.days, options.seconds);
    Ok(ExitCode::FAILURE)
}
