//! What takes too long for every change: random tests from new seeds, long runs, all consumers, mutants. Every part can
//! be run alone, and repeated with the seed that it printed.

use std::hint::spin_loop;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use console::style;

use super::seed::any_seed;
use super::{contract, fuzz, migration, mutants, orders, simulation, soak};
use crate::checks;
use crate::steps::{print_error, seconds};
use crate::suites::{Night, Rows, Selection, Suite, all_pass, named};

/// The parts of the night, in their sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// The suites with ten times the random cases, and the long tests in their folders night/
    Random,
    /// The test command again and again, every other time beside two busy loops: each time it must be green
    Again,
    /// Generated orders: the package beside the naive model
    Orders,
    /// Baskets in time: random actions beside a model
    Simulation,
    /// The fuzz targets
    Fuzz,
    /// Mixed orders while services fail and the module traps
    Soak,
    /// The walk through a migration
    Migration,
    /// The service beside worker/openapi.json
    Contract,
    /// Licences, sources and known vulnerabilities
    Audit,
    /// Every consumer of the package
    Matrix,
    /// Chromium, Firefox and WebKitGTK
    Engines,
    /// Faults planted in what changed in the last week
    Mutants,
}

/// The options of the night.
#[derive(Args)]
#[group(skip)]
pub(crate) struct Options {
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

/// A random test of the night tries this many times the cases of a change.
const TIMES: u32 = 10;

/// A million orders take about half an hour.
const ORDERS: u64 = 1_000_000;
const SECONDS_OF_SIMULATION: u64 = 600;
const SECONDS_OF_FUZZING: u32 = 300;
const REQUESTS_OF_SOAK: u64 = 200_000;
const REQUESTS_OF_SHORT_SOAK: u64 = 10_000;
const ORDERS_OF_MIGRATION: u64 = 10_000;
const ORDERS_OF_SHORT_MIGRATION: u64 = 200;

impl Options {
    pub(crate) fn is_asked(&self) -> bool {
        self.night.is_some()
    }
}

/// Runs the parts one after another; one that fails does not stop the others.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let parts = match options.night.as_deref() {
        None | Some([]) => Part::value_variants(),
        Some(parts) => parts,
    };
    let seed = options.seed.unwrap_or_else(any_seed);
    println!("the night's seed is {seed}");
    let mut rows = Vec::new();
    for &part in parts {
        println!("\n{}", style(part.name()).bold());
        let started = Instant::now();
        let outcome = part.run(seed, options);
        if let Err(error) = &outcome {
            print_error(error);
        }
        rows.push((part, started.elapsed(), outcome.is_ok()));
    }
    println!("\n{:14}{:>10}  verdict", "part", "time");
    for &(part, elapsed, passed) in &rows {
        let verdict = if passed { "passed" } else { "FAILED" };
        println!("{:14}{:>10}  {verdict}", part.name(), seconds(elapsed));
    }
    let failed = rows.iter().filter(|(.., passed)| !passed);
    let failed: Vec<_> = failed
        .map(|(part, ..)| part.repeat(seed, options.seconds))
        .collect();
    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    println!("\nto repeat what failed:");
    for command in failed {
        println!("  {command}");
    }
    Ok(ExitCode::FAILURE)
}

impl Part {
    fn name(self) -> String {
        named(self)
    }

    fn repeat(self, seed: u32, seconds: Option<u64>) -> String {
        let seconds = seconds.map_or_else(String::new, |seconds| format!(" --seconds {seconds}"));
        format!(
            "cargo xtask test --night {} --seed {seed}{seconds}",
            self.name()
        )
    }

    fn run(self, seed: u32, options: &Options) -> Result<()> {
        let seconds = options.seconds;
        let short = seconds.is_some();
        match self {
            Self::Random => random(seed, seconds),
            Self::Again => again(options.times),
            Self::Orders => orders::run(
                seed,
                seconds.map_or(orders::Until::Orders(ORDERS), orders::Until::Seconds),
            ),
            Self::Simulation => {
                simulation::run(seconds.unwrap_or(SECONDS_OF_SIMULATION), Some(seed))
            }
            Self::Fuzz => {
                let seconds = seconds.map_or(SECONDS_OF_FUZZING, |seconds| {
                    u32::try_from(seconds).unwrap_or(u32::MAX)
                });
                passed(fuzz::run(&fuzz::Options::of(seconds, seed))?)
            }
            Self::Soak => repeatedly(seconds, || {
                soak::run(if short {
                    REQUESTS_OF_SHORT_SOAK
                } else {
                    REQUESTS_OF_SOAK
                })
            }),
            Self::Migration => repeatedly(seconds, || {
                migration::run(if short {
                    ORDERS_OF_SHORT_MIGRATION
                } else {
                    ORDERS_OF_MIGRATION
                })
            }),
            Self::Contract => contract::run(Some(seed)),
            Self::Audit => passed(checks::audit()?),
            Self::Matrix => suites(
                &[Suite::Matrix],
                &Selection {
                    rows: Rows::All,
                    ..Selection::default()
                },
            ),
            Self::Engines => suites(&[Suite::Engines], &Selection::default()),
            Self::Mutants => passed(mutants::run(&mutants::Options::of_a_week(seconds))?),
        }
    }
}

/// Runs the suites from the seed, and from further seeds until the time is over.
fn random(seed: u32, seconds: Option<u64>) -> Result<()> {
    let mut seeds = seed..;
    repeatedly(seconds, || {
        let seed = seeds.next().unwrap_or(seed);
        println!("seed {seed}");
        let night = Some(Night { seed, times: TIMES });
        suites(
            &Suite::unnamed(),
            &Selection {
                night,
                ..Selection::default()
            },
        )
    })
}

/// Runs the test command so many times; one that fails does not stop the others.
fn again(times: u32) -> Result<()> {
    let all = || suites(&Suite::unnamed(), &Selection::default());
    let mut failed = Vec::new();
    for time in 1..=times {
        println!("\ntime {time} of {times}");
        let outcome = if time.is_multiple_of(2) {
            println!("beside two busy loops");
            beside_busy_loops(all)
        } else {
            all()
        };
        if outcome.is_err() {
            failed.push(time.to_string());
        }
    }
    println!("\n{} of {times} times green", times as usize - failed.len());
    ensure!(failed.is_empty(), "red at time {}", failed.join(", "));
    Ok(())
}

/// Does `work` while two threads take a core each.
fn beside_busy_loops<T>(work: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    spin_loop();
                }
            });
        }
        let done = work();
        is_over.store(true, Ordering::Relaxed);
        done
    })
}

fn suites(suites: &[Suite], selection: &Selection) -> Result<()> {
    passed(all_pass(suites, selection)?)
}

fn passed(code: ExitCode) -> Result<()> {
    ensure!(code == ExitCode::SUCCESS, "it failed; see above");
    Ok(())
}

/// Does `work` once, and again until the time is over.
fn repeatedly(seconds: Option<u64>, mut work: impl FnMut() -> Result<()>) -> Result<()> {
    let (started, time) = (
        Instant::now(),
        Duration::from_secs(seconds.unwrap_or_default()),
    );
    loop {
        work()?;
        if started.elapsed() >= time {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workflow_runs_every_part() -> Result<()> {
        let file = crate::checkout::root(".github/workflows/nightly.yml");
        let workflow = std::fs::read_to_string(file)?;
        let parts = workflow
            .split_once("part: [")
            .and_then(|(_, rest)| rest.split_once(']'));
        let mut parts: Vec<_> = parts.map_or(Vec::new(), |(list, _)| list.split(", ").collect());
        // It needs a container.
        assert!(workflow.contains("--night engines"));
        parts.push("engines");
        let all: Vec<_> = Part::value_variants()
            .iter()
            .map(|part| part.name())
            .collect();
        assert!(
            parts.len() == all.len() && all.iter().all(|part| parts.contains(&part.as_str())),
            "{parts:?}"
        );
        Ok(())
    }

    #[test]
    fn a_part_that_failed_is_repeated_with_its_seed() {
        assert_eq!(
            Part::Orders.repeat(7, Some(30)),
            "cargo xtask test --night orders --seed 7 --seconds 30"
        );
        assert_eq!(
            Part::Random.repeat(7, None),
            "cargo xtask test --night random --seed 7"
        );
    }

    #[test]
    fn work_is_done_once_and_stops_at_its_first_error() {
        let mut count = 0;
        let outcome = repeatedly(None, || {
            count += 1;
            Ok(())
        });
        assert!(outcome.is_ok() && count == 1);
        assert!(repeatedly(Some(60), || anyhow::bail!("no")).is_err());
    }
}
