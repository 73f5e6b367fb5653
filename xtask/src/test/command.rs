//! Runs the suites that the options name, or the night.

use anyhow::Result;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};

use super::fuzz::any_seed;
use super::long::Night;
use super::night::{self, Part};
use super::watch;
use crate::suites::{SUITES, Selection, Suite, all_pass};

/// The options of `cargo xtask test`.
#[derive(Args)]
pub(crate) struct Options {
    /// Run only this suite. Repeat for several
    #[arg(long, value_parser = suites(), value_name = "SUITE")]
    only: Vec<String>,
    /// Run only test files (JavaScript) or tests (Rust) whose names contain this
    #[arg(value_name = "NAME", requires = "only")]
    names: Vec<String>,
    /// Run only the matrix: the packed package in bundlers, frameworks, runtimes and test runners
    #[arg(long, value_parser = rows(), value_name = "ROWS", conflicts_with = "only", num_args = 0..=1, default_missing_value = "all")]
    matrix: Option<String>,
    /// Run only the engines: the package and the page in Chromium, Firefox and WebKitGTK
    #[arg(long, conflicts_with_all = ["only", "matrix"])]
    engines: bool,
    /// Run again after each edit
    #[arg(long, requires = "only")]
    watch: bool,
    /// Run the night, or only these parts of it
    #[arg(long, value_enum, value_name = "PART", num_args = 0.., conflicts_with_all = ["only", "matrix", "engines"])]
    night: Option<Vec<Part>>,
    /// With --night: how long each part that can repeats. Each runs at least once
    #[arg(long, requires = "night", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: Option<u64>,
    /// With --night again: how often the command runs
    #[arg(long, requires = "night", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    times: u32,
    /// With --night: repeat the run that printed this seed
    #[arg(long, requires = "night", value_parser = clap::value_parser!(u32).range(1..2_000_000_000))]
    seed: Option<u32>,
}

/// Runs what the options name; without any, every suite except those that install for minutes.
pub(crate) fn run(options: Options) -> Result<()> {
    if let Some(parts) = &options.night {
        let night = Night {
            seed: options.seed.unwrap_or_else(any_seed),
            seconds: options.seconds,
            times: options.times,
        };
        return match &parts[..] {
            [] => night::run(Part::value_variants(), &night),
            parts => night::run(parts, &night),
        };
    }
    let suites = options.suites();
    let rows = options.matrix.map(|rows| ("MATRIX_ROWS", rows));
    let selection = Selection {
        names: options.names,
        environment: rows.into_iter().collect(),
        ..Selection::default()
    };
    if options.watch {
        watch::run(|| all_pass(&suites, &selection))
    } else {
        all_pass(&suites, &selection)
    }
}

impl Options {
    fn suites(&self) -> Vec<&'static Suite> {
        if self.engines {
            vec![Suite::named("engines")]
        } else if self.matrix.is_some() {
            vec![Suite::named("matrix")]
        } else if self.only.is_empty() {
            Suite::unnamed()
        } else {
            self.only.iter().map(|name| Suite::named(name)).collect()
        }
    }
}

fn suites() -> PossibleValuesParser {
    one_of(SUITES.iter().map(|suite| (suite.name, suite.about)))
}

fn rows() -> PossibleValuesParser {
    one_of([
        ("all", "Every consumer"),
        (
            "every-change",
            "The consumers that `.ci/run` tries on each change",
        ),
    ])
}

fn one_of(values: impl IntoIterator<Item = (&'static str, &'static str)>) -> PossibleValuesParser {
    let values = values.into_iter();
    values
        .map(|(name, about)| PossibleValue::new(name).help(about))
        .into()
}
