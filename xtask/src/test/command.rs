//! Runs the suites that the options name, or the night.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::{coverage, night, watch};
use crate::suites::{Rows, Selection, Suite, all_pass};

/// The options of `cargo xtask test`.
#[derive(Args)]
pub(crate) struct Options {
    /// Run only this suite. Repeat for several
    #[arg(long, value_enum, value_name = "SUITE")]
    only: Vec<Suite>,
    /// Run only test files (JavaScript) or tests (Rust) whose names contain this
    #[arg(value_name = "NAME", requires = "only")]
    names: Vec<String>,
    /// Run only the matrix: the packed package in bundlers, frameworks, runtimes and test runners
    #[arg(long, value_enum, value_name = "ROWS", conflicts_with = "only", num_args = 0..=1, default_missing_value = "all")]
    matrix: Option<Rows>,
    /// Run only the engines: the package and the page in Chromium, Firefox and WebKitGTK
    #[arg(long, conflicts_with_all = ["only", "matrix"])]
    engines: bool,
    /// Run again after each edit
    #[arg(long, requires = "only")]
    watch: bool,
    /// Also show which lines ran: Rust in the suite native, JavaScript in the others
    #[arg(long, conflicts_with_all = ["watch", "matrix", "engines"])]
    coverage: bool,
    #[command(flatten)]
    night: night::Options,
}

/// Runs what the options name; without any, every suite except those that install for minutes.
pub(crate) fn run(options: Options) -> Result<ExitCode> {
    if options.night.is_asked() {
        return night::run(&options.night);
    }
    let suites = options.suites();
    let mut selection = Selection {
        rows: options.matrix.unwrap_or_default(),
        names: options.names,
        ..Selection::default()
    };
    if options.watch {
        return watch::run(|| all_pass(&suites, &selection));
    }
    if options.coverage {
        return coverage::run(&suites, &mut selection);
    }
    all_pass(&suites, &selection)
}

impl Options {
    fn suites(&self) -> Vec<Suite> {
        if self.engines {
            vec![Suite::Engines]
        } else if self.matrix.is_some() {
            vec![Suite::Matrix]
        } else if self.only.is_empty() {
            Suite::unnamed()
        } else {
            self.only.clone()
        }
    }
}
