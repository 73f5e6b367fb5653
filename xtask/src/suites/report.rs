//! What the suites' run says at its end: how many tests passed, what failed, and the command for each failure.

use std::fs;

use super::counts::Counts;
use super::one::Selection;
use super::run::Row;
use crate::steps::{print_error, seconds};

/// The most lines of a failure that are printed.
const EXCERPT: usize = 30;

pub(super) fn print(rows: &[Row], selection: &Selection) {
    print_summary(rows);
    rows.iter().for_each(|row| print_failures(row, selection));
}

/// The last line adds up the tests that the suites' runners counted. The type check counts as one test.
fn print_summary(rows: &[Row]) {
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
        let Counts { passed, failed, .. } = counts;
        println!(
            "{:14}{passed:>8}{failed:>8}{:>10}",
            suite.name,
            seconds(*elapsed)
        );
    }
    println!("\n{} passed, {} failed", total.passed, total.failed);
}

/// What failed and why, and the commands that run it alone.
fn print_failures(row: &Row, selection: &Selection) {
    let Err(error) = &row.outcome else { return };
    eprintln!();
    print_error(error);
    let failures = &row.counts.failures;
    for failure in failures {
        eprintln!("\n  ✖ {}", failure.name);
        print_indented(failure.said.lines().take(EXCERPT));
    }
    let log = row.suite.log().unwrap_or_default();
    if failures.iter().all(|failure| failure.said.is_empty()) {
        // Cargo, and a runner that breaks off, say why in their last lines.
        let printed = fs::read_to_string(&log).unwrap_or_default();
        let lines = printed.lines().count();
        print_indented(printed.lines().skip(lines.saturating_sub(EXCERPT)));
    }
    eprintln!("\n  all that it printed: {}", log.display());
    for command in commands(row, selection) {
        eprintln!("  {command}");
    }
}

fn print_indented<'a>(lines: impl Iterator<Item = &'a str>) {
    lines.for_each(|line| eprintln!("    {line}"));
}

/// A line for each failed test or file: the command, and the names of what failed.
fn commands(row: &Row, selection: &Selection) -> Vec<String> {
    let set = selection.environment.iter();
    let set: String = set
        .map(|(variable, value)| format!("{variable}={value} "))
        .collect();
    let command = format!("{set}cargo xtask test --only {}", row.suite.name);
    let mut lines: Vec<String> = Vec::new();
    for failure in &row.counts.failures {
        let Some(file) = &failure.file else {
            lines.push(format!("{command} {}", failure.name));
            continue;
        };
        let start = format!("{command} {file}   # ");
        match lines.iter_mut().find(|line| line.starts_with(&start)) {
            Some(line) => *line += &format!("; {}", failure.name),
            None => lines.push(start + &failure.name),
        }
    }
    if lines.is_empty() {
        vec![command]
    } else {
        lines
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use anyhow::anyhow;

    use super::super::counts::Failure;
    use super::super::suite::Suite;
    use super::*;

    #[test]
    fn what_failed_has_the_command_that_runs_it_alone() {
        let commands =
            |suite: &str, of: &[(Option<&str>, &str)], environment: &[(&'static str, String)]| {
                let failures = of.iter().map(|&(file, name)| Failure {
                    file: file.map(str::to_owned),
                    name: name.to_owned(),
                    ..Failure::default()
                });
                let row = Row {
                    suite: Suite::named(suite),
                    counts: Counts {
                        failures: failures.collect(),
                        ..Counts::default()
                    },
                    elapsed: Duration::ZERO,
                    outcome: Err(anyhow!("failed")),
                };
                super::commands(
                    &row,
                    &Selection {
                        environment: environment.to_vec(),
                        ..Selection::default()
                    },
                )
            };
        let zones = Some("tests/package/zones.test.js");
        let of_file =
            "cargo xtask test --only package tests/package/zones.test.js   # a zone; a fee";
        assert_eq!(
            commands("package", &[(zones, "a zone"), (zones, "a fee")], &[]),
            [of_file]
        );
        let of_test = "cargo xtask test --only native rules::weighs";
        assert_eq!(
            commands("native", &[(None, "rules::weighs")], &[]),
            [of_test]
        );
        let of_night = "ORDER_COST_SEED=7 cargo xtask test --only data";
        assert_eq!(
            commands("data", &[], &[("ORDER_COST_SEED", "7".to_owned())]),
            [of_night]
        );
    }
}
