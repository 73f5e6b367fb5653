//! Runs the test suites, beside each other as the machine's cores allow, and says at the end what failed.

use std::collections::VecDeque;
use std::fs;
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::counts::Counts;
use super::preparation::prepare;
use super::suite::{Selection, Suite};
use crate::steps::{print_error, seconds, step};
use crate::tools::{ChromiumServer, Need};

/// The result of a suite.
pub(crate) struct Row {
    suite: Suite,
    counts: Counts,
    elapsed: Duration,
    outcome: Result<()>,
}

/// Runs the suites and prints the summary.
pub(crate) fn all_pass(suites: &[Suite], selection: &Selection) -> Result<ExitCode> {
    let started = Instant::now();
    let (ready, left) = without_missing(suites);
    prepare(&ready)?;
    let prepared = started.elapsed();
    let rows = run_beside(&ready, selection)?;
    println!(
        "\nprepared in {}, all in {}",
        seconds(prepared),
        seconds(started.elapsed())
    );
    print_summary(&rows, &left);
    print_failures(&rows, selection);
    print_missing(&left);
    let passed = left.is_empty() && rows.iter().all(|row| row.outcome.is_ok());
    Ok(if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// A suite that cannot run here, with what it lacks.
type Left = (Suite, Need, String);

/// Looks for what the suites need before anything runs. What can run without the missing parts is ready.
fn without_missing(suites: &[Suite]) -> (Vec<Suite>, Vec<Left>) {
    let mut looked: Vec<(Need, Result<(), String>)> = Vec::new();
    let mut find = |need: Need| {
        if let Some((_, found)) = looked.iter().find(|(other, _)| *other == need) {
            return found.clone();
        }
        let found = need.find_or_install().map_err(|error| format!("{error:#}"));
        looked.push((need, found.clone()));
        found
    };
    let (mut ready, mut left) = (Vec::new(), Vec::new());
    for &suite in suites {
        let missing = suite
            .needs()
            .iter()
            .find_map(|&need| Some((need, find(need).err()?)));
        match missing {
            Some((need, why)) => left.push((suite, need, why)),
            None => ready.push(suite),
        }
    }
    (ready, left)
}

/// Runs suites beside each other, each to its end: two more than there are cores, because tests also wait.
fn run_beside(suites: &[Suite], selection: &Selection) -> Result<Vec<Row>> {
    let shares_chromium = suites.iter().any(|suite| suite.shares_chromium());
    let chromium = shares_chromium.then(ChromiumServer::start).transpose()?;
    let selection = &Selection {
        chromium: chromium.as_ref().map(|server| server.address.clone()),
        ..selection.clone()
    };
    let queue = Mutex::new(suites.iter().copied().collect::<VecDeque<_>>());
    let next = || locked(&queue).pop_front();
    let rows = Mutex::new(Vec::new());
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..(cores + 2).min(suites.len()) {
            scope.spawn(|| {
                while let Some(suite) = next() {
                    let row = run_one(suite, selection);
                    locked(&rows).push(row);
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.sort_by_key(|row: &Row| suites.iter().position(|&suite| suite == row.suite));
    Ok(rows)
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn run_one(suite: Suite, selection: &Selection) -> Row {
    let started = Instant::now();
    let mut counts = Counts::default();
    let outcome = step(&format!("test {}", suite.name()), |step| {
        suite.run(selection, step, &mut counts)
    });
    counts.failed = counts.failed.max(u32::from(outcome.is_err()));
    Row {
        suite,
        counts,
        elapsed: started.elapsed(),
        outcome,
    }
}

/// The last line adds up the tests that the suites' runners counted. The type check counts as one test. A suite that
/// fails without a failed test counts as one failure.
fn print_summary(rows: &[Row], left: &[Left]) {
    println!(
        "\n{:14}{:>8}{:>8}{:>10}",
        "suite", "passed", "failed", "time"
    );
    let mut total = Counts::default();
    for Row {
        suite,
        counts,
        elapsed,
        ..
    } in rows
    {
        total += counts.clone();
        println!(
            "{:14}{:>8}{:>8}{:>10}",
            suite.name(),
            counts.passed,
            counts.failed,
            seconds(*elapsed)
        );
    }
    for (suite, ..) in left {
        println!("{:14}{:>8}{:>8}{:>10}", suite.name(), "-", "-", "not run");
    }
    println!("\n{} passed, {} failed", total.passed, total.failed);
}

/// What failed and why, and the commands that run it alone.
fn print_failures(rows: &[Row], selection: &Selection) {
    for row in rows {
        let Err(error) = &row.outcome else { continue };
        eprintln!();
        print_error(error);
        for failure in &row.counts.failures {
            eprintln!("\n  ✖ {}\n{}", failure.name, excerpt(&failure.said));
        }
        let log = row.suite.log().unwrap_or_default();
        if row.counts.failures.is_empty() {
            eprintln!("{}", end_of(&fs::read_to_string(&log).unwrap_or_default()));
        }
        eprintln!("\n  all that it printed: {}", log.display());
        for command in commands(row, selection) {
            eprintln!("  {command}");
        }
    }
}

/// The most lines of a failure that are printed.
const EXCERPT: usize = 30;

/// The beginning of what a runner says of a failed test, indented.
fn excerpt(said: &str) -> String {
    indented(said.lines().take(EXCERPT))
}

/// The end of a log, indented: a runner that breaks off says why in its last lines.
fn end_of(log: &str) -> String {
    let lines: Vec<_> = log.lines().collect();
    indented(lines[lines.len().saturating_sub(EXCERPT)..].iter().copied())
}

fn indented<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let lines: Vec<_> = lines.map(|line| format!("    {line}")).collect();
    lines.join("\n")
}

/// A line for each failed test or file: the command, and the names of what failed.
fn commands(row: &Row, selection: &Selection) -> Vec<String> {
    let night = selection.night.map_or_else(String::new, |night| {
        format!(
            "ORDER_COST_SEED={} ORDER_COST_TIMES={} ",
            night.seed, night.times
        )
    });
    let command = format!("{night}cargo xtask test --only {}", row.suite.name());
    let mut of_files: Vec<(String, Vec<&str>)> = Vec::new();
    for failure in &row.counts.failures {
        let target = failure.file.clone().unwrap_or_else(|| failure.name.clone());
        match of_files.iter_mut().find(|(file, _)| *file == target) {
            Some((_, names)) => names.push(&failure.name),
            None => of_files.push((target, vec![&failure.name])),
        }
    }
    if of_files.is_empty() {
        return vec![command];
    }
    let line = |(target, names): &(String, Vec<&str>)| {
        let names = names.join("; ");
        if *target == names {
            format!("{command} {target}")
        } else {
            format!("{command} {target}   # {names}")
        }
    };
    of_files.iter().map(line).collect()
}

/// What did not run, with the command that installs what is missing.
fn print_missing(left: &[Left]) {
    for need in Need::ALL {
        let of_need: Vec<_> = left.iter().filter(|(_, other, _)| *other == need).collect();
        let Some((.., why)) = of_need.first() else {
            continue;
        };
        let suites: Vec<_> = of_need.iter().map(|(suite, ..)| suite.name()).collect();
        let words = need.words();
        eprintln!(
            "\nwithout {}, this did not run: {}",
            words.name,
            suites.join(", ")
        );
        eprintln!("  {why}\n  {}", words.command());
        eprintln!("  `cargo xtask doctor` looks for everything");
    }
}

#[cfg(test)]
mod tests {
    use super::super::counts::Failure;
    use super::super::suite::Night;
    use super::*;
    use anyhow::anyhow;

    fn row(suite: Suite, failures: &[(Option<&str>, &str)]) -> Row {
        let failures = failures.iter().map(|&(file, name)| Failure {
            file: file.map(str::to_owned),
            name: name.to_owned(),
            said: String::new(),
        });
        Row {
            suite,
            counts: Counts {
                failures: failures.collect(),
                ..Counts::default()
            },
            elapsed: Duration::ZERO,
            outcome: Err(anyhow!("failed")),
        }
    }

    #[test]
    fn what_failed_has_the_command_that_runs_it_alone() {
        let file = Some("tests/package/zones.test.js");
        let day = Selection::default();
        let failed = row(Suite::Package, &[(file, "a zone"), (file, "a fee")]);
        assert_eq!(
            commands(&failed, &day),
            ["cargo xtask test --only package tests/package/zones.test.js   # a zone; a fee"]
        );
        assert_eq!(
            commands(&row(Suite::Native, &[(None, "rules::weighs")]), &day),
            ["cargo xtask test --only native rules::weighs"]
        );
        assert_eq!(
            commands(&row(Suite::Types, &[]), &day),
            ["cargo xtask test --only types"]
        );
    }

    #[test]
    fn a_failure_of_the_night_is_repeated_with_its_seed() {
        let night = Selection {
            night: Some(Night { seed: 7, times: 10 }),
            ..Selection::default()
        };
        assert_eq!(
            commands(&row(Suite::Data, &[]), &night),
            ["ORDER_COST_SEED=7 ORDER_COST_TIMES=10 cargo xtask test --only data"]
        );
    }
}
