//! What takes too long for every change: random tests from new seeds, long runs, all consumers, mutants. Every part can
//! be run alone, and repeated with the seed that it printed.

use std::hint::spin_loop;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Result, ensure};
use console::style;

use super::long::repeatedly;
use super::{contract, fuzz, long, mutants};
use crate::checks;
use crate::steps::{print_error, seconds};
use crate::suites::{Selection, Suite, all_pass};

/// How the night runs.
#[derive(Clone, Copy)]
pub(crate) struct Night {
    pub(crate) seed: u32,
    /// How long each part that can repeats; each runs at least once
    pub(crate) seconds: Option<u64>,
    /// How often the test command runs
    pub(crate) times: u32,
}

pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    run: fn(&Night) -> Result<()>,
}

/// The parts, in their sequence.
pub(crate) static PARTS: [Part; 12] = [
    Part {
        name: "random",
        about: "The suites with ten times the random cases, and the long tests in their folders night/",
        run: random,
    },
    Part {
        name: "again",
        about: "The test command again and again, every other time beside two busy loops: each time it must be green",
        run: again,
    },
    Part {
        name: "orders",
        about: "Generated orders: the package beside the naive model",
        run: long::orders,
    },
    Part {
        name: "simulation",
        about: "Baskets in time: random actions beside a model",
        run: long::simulation,
    },
    Part {
        name: "fuzz",
        about: "The fuzz targets",
        run: |night| {
            passed(fuzz::run(&fuzz::Options::of(
                night.seconds.unwrap_or(300),
                night.seed,
            ))?)
        },
    },
    Part {
        name: "soak",
        about: "Mixed orders while services fail and the module traps",
        run: long::soak,
    },
    Part {
        name: "migration",
        about: "The walk through a migration",
        run: long::migration,
    },
    Part {
        name: "contract",
        about: "The service beside worker/openapi.json, with Schemathesis",
        run: |night| contract::run(night.seed),
    },
    Part {
        name: "audit",
        about: "Licences, sources and known vulnerabilities",
        run: |_| passed(checks::audit()?),
    },
    Part {
        name: "matrix",
        about: "Every consumer of the package",
        run: |_| suites(&[Suite::named("matrix")], &Selection::default()),
    },
    Part {
        name: "engines",
        about: "Chromium, Firefox and WebKitGTK",
        run: |_| suites(&[Suite::named("engines")], &Selection::default()),
    },
    Part {
        name: "mutants",
        about: "Faults planted in what changed in the last week",
        run: |night| passed(mutants::run(&mutants::Options::of_a_week(night.seconds))?),
    },
];

impl Night {
    /// The usual amount of work, or a smaller one that is repeated while the given time lasts.
    pub(super) fn or_shorter(&self, usual: &'static str, shorter: &'static str) -> &'static str {
        if self.seconds.is_some() {
            shorter
        } else {
            usual
        }
    }
}

/// Runs the parts one after another; one that fails does not stop the others.
pub(crate) fn run(parts: &[&Part], night: &Night) -> ExitCode {
    println!("the night's seed is {}", night.seed);
    let mut rows = Vec::new();
    for part in parts {
        println!("\n{}", style(part.name).bold());
        let started = Instant::now();
        let outcome = (part.run)(night);
        if let Err(error) = &outcome {
            print_error(error);
        }
        rows.push((part, started.elapsed(), outcome.is_ok()));
    }
    println!("\n{:14}{:>10}  verdict", "part", "time");
    for (part, elapsed, passed) in &rows {
        let verdict = if *passed { "passed" } else { "FAILED" };
        println!("{:14}{:>10}  {verdict}", part.name, seconds(*elapsed));
    }
    let failed: Vec<_> = rows.iter().filter(|(.., passed)| !passed).collect();
    if failed.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("\nto repeat what failed:");
    for (part, ..) in failed {
        println!("  {}", part.repeat(night));
    }
    ExitCode::FAILURE
}

impl Part {
    fn repeat(&self, night: &Night) -> String {
        let seconds = night.seconds.map(|seconds| format!(" --seconds {seconds}"));
        let seconds = seconds.unwrap_or_default();
        format!(
            "cargo xtask test --night {} --seed {}{seconds}",
            self.name, night.seed
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
        suites(
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
    let all = || suites(&Suite::unnamed(), &Selection::default());
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

fn suites(suites: &[&'static Suite], selection: &Selection) -> Result<()> {
    passed(all_pass(suites, selection)?)
}

fn passed(code: ExitCode) -> Result<()> {
    ensure!(code == ExitCode::SUCCESS, "it failed; see above");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workflow_runs_every_part() -> Result<()> {
        let file = crate::checkout::root(".github/workflows/nightly.yml");
        let workflow = std::fs::read_to_string(file)?;
        let list = workflow
            .split_once("part: [")
            .and_then(|(_, rest)| rest.split_once(']'));
        let mut listed: Vec<_> = list.map_or(Vec::new(), |(list, _)| list.split(", ").collect());
        // It needs a container.
        assert!(workflow.contains("--night engines"));
        listed.push("engines");
        listed.sort_unstable();
        let mut parts = PARTS.each_ref().map(|part| part.name);
        parts.sort_unstable();
        assert_eq!(listed, parts);
        Ok(())
    }

    #[test]
    fn a_part_that_failed_is_repeated_with_its_seed() {
        let [_, _, orders, ..] = &PARTS;
        let night = Night {
            seed: 7,
            seconds: Some(30),
            times: 20,
        };
        assert_eq!(
            orders.repeat(&night),
            "cargo xtask test --night orders --seed 7 --seconds 30"
        );
        let night = Night {
            seconds: None,
            ..night
        };
        assert_eq!(
            orders.repeat(&night),
            "cargo xtask test --night orders --seed 7"
        );
    }
}
