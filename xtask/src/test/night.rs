//! What takes too long for every change: random tests from new seeds, long runs, all consumers, mutants. Every part can
//! be run alone, and repeated with the seed that it printed.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use console::style;

use super::long::{Night, repeatedly};
use super::{contract, fuzz, long, mutants};
use crate::steps::{print_error, seconds};
use crate::suites::{Selection, Suite, all_pass};
use crate::{bench, checks};

/// The parts, in their sequence.
#[derive(Clone, Copy, ValueEnum)]
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
    /// The service beside worker/openapi.json, with Schemathesis
    Contract,
    /// Licences, sources and known vulnerabilities
    Audit,
    /// Every consumer of the package
    Matrix,
    /// Chromium, Firefox and WebKitGTK
    Engines,
    /// Captured orders on a Spark cluster
    Spark,
    /// Whether the benchmark runs
    Benchmark,
    /// Faults planted in what changed in the last week
    Mutants,
}

/// Runs the parts one after another; one that fails does not stop the others.
pub(crate) fn run(parts: &[Part], night: &Night) -> Result<()> {
    println!("the night's seed is {}", night.seed);
    let mut rows = Vec::new();
    for &part in parts {
        println!("\n{}", style(part.name()).bold());
        let started = Instant::now();
        let outcome = part.run(night);
        if let Err(error) = &outcome {
            print_error(error);
        }
        rows.push((part, started.elapsed(), outcome.is_ok()));
    }
    println!("\n{:14}{:>10}  verdict", "part", "time");
    for (part, elapsed, passed) in &rows {
        let verdict = if *passed { "passed" } else { "FAILED" };
        println!("{:14}{:>10}  {verdict}", part.name(), seconds(*elapsed));
    }
    let failed: Vec<_> = rows.iter().filter(|(.., passed)| !passed).collect();
    for (part, ..) in &failed {
        println!("\nto repeat it: {}", part.repeat(night));
    }
    ensure!(
        failed.is_empty(),
        "{} of {} parts failed",
        failed.len(),
        rows.len()
    );
    Ok(())
}

impl Part {
    fn run(self, night: &Night) -> Result<()> {
        let suite = |name| all_pass(&[Suite::named(name)], &Selection::default());
        match self {
            Self::Random => random(night),
            Self::Again => again(night),
            Self::Orders => long::orders(night),
            Self::Simulation => long::simulation(night),
            Self::Fuzz => fuzz::run(&fuzz::Options {
                seconds: night.seconds.unwrap_or(300),
                target: None,
                seed: Some(night.seed),
            }),
            Self::Soak => long::soak(night),
            Self::Migration => long::migration(night),
            Self::Contract => contract::run(night.seed),
            Self::Audit => checks::audit(),
            Self::Matrix => suite("matrix"),
            Self::Engines => suite("engines"),
            Self::Spark => suite("spark"),
            Self::Benchmark => bench::run(&bench::Options::quick()),
            Self::Mutants => mutants::run(&mutants::Options {
                file: Vec::new(),
                days: Some(7),
                seconds: night.seconds,
            }),
        }
    }

    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    fn repeat(self, night: &Night) -> String {
        let seconds = night.seconds.map(|seconds| format!(" --seconds {seconds}"));
        let (name, seed) = (self.name(), night.seed);
        format!(
            "cargo xtask test --night {name} --seed {seed}{}",
            seconds.unwrap_or_default()
        )
    }
}

/// Runs the suites from the seed, and from further seeds until the time is over.
fn random(night: &Night) -> Result<()> {
    let mut seed = night.seed;
    repeatedly(night.seconds, || {
        println!("seed {seed}");
        let environment = vec![
            ("ORDER_COST_SEED", seed.to_string()),
            // Ten times the cases of a change.
            ("ORDER_COST_TIMES", "10".to_owned()),
        ];
        seed += 1;
        all_pass(
            &Suite::unnamed(),
            &Selection {
                is_night: true,
                environment,
                ..Selection::default()
            },
        )
    })
}

/// Runs the test command so many times; one that fails does not stop the others.
fn again(night: &Night) -> Result<()> {
    let all = || all_pass(&Suite::unnamed(), &Selection::default());
    let mut failed = Vec::new();
    for time in 1..=night.times {
        println!("\ntime {time} of {}", night.times);
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
    println!(
        "\n{} of {} times green",
        night.times as usize - failed.len(),
        night.times
    );
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workflow_runs_every_part() -> Result<()> {
        let file = crate::checkout::root(".github/workflows/nightly.yml");
        let workflow = std::fs::read_to_string(file)?;
        for part in Part::value_variants().iter().map(|part| part.name()) {
            // Engines run in a container of their own.
            let is_listed =
                workflow.contains(&format!("{part},")) || workflow.contains(&format!("{part}]"));
            assert!(
                is_listed || workflow.contains(&format!("--night {part}")),
                "{part}"
            );
        }
        Ok(())
    }

    #[test]
    fn a_part_that_failed_is_repeated_with_its_seed() {
        let night = Night {
            seed: 7,
            seconds: Some(30),
            times: 20,
        };
        let command = "cargo xtask test --night orders --seed 7 --seconds 30";
        assert_eq!(Part::Orders.repeat(&night), command);
    }
}
