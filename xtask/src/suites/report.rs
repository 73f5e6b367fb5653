//! What the suites' run says at its end: how many tests passed, what failed, and the command for each failure.

use std::fs;
use std::time::Duration;

use anyhow::Result;

use super::counts::Counts;
use super::one::Selection;
use super::suite::Suite;
use crate::steps::{print_error, seconds};

/// The most lines of a failure that are printed.
const EXCERPT: usize = 30;

/// The result of a suite.
pub(super) struct Row {
    pub(super) suite: &'static Suite,
    pub(super) counts: Counts,
    pub(super) elapsed: Duration,
    pub(super) outcome: Result<()>,
}

impl Row {
    /// A suite that fails without a failed test counts as one failure.
    pub(super) fn failed(&self) -> usize {
        let failed = self.counts.failures.len();
        failed.max(usize::from(self.outcome.is_err()))
    }
}

/// The type check counts as one test.
pub(super) fn print(rows: &[Row], selection: &Selection) {
    println!(
        "\n{:14}{:>8}{:>8}{:>10}",
        "suite", "passed", "failed", "time"
    );
    for row in rows {
        let (passed, failed, time) = (row.counts.passed, row.failed(), seconds(row.elapsed));
        println!("{:14}{passed:>8}{failed:>8}{time:>10}", row.suite.name);
    }
    let passed: usize = rows.iter().map(|row| row.counts.passed).sum();
    let failed: usize = rows.iter().map(Row::failed).sum();
    println!("\n{passed} passed, {failed} failed");
    rows.iter().for_each(|row| print_failures(row, selection));
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
        let what = failure.file.as_ref().unwrap_or(&failure.name);
        eprintln!("  {}", command(row.suite.name, what, selection));
    }
    let log = row.suite.log().unwrap_or_default();
    if failures.iter().all(|failure| failure.file.is_none()) {
        // Cargo, and a runner that breaks off, say why in their last lines.
        let printed = fs::read_to_string(&log).unwrap_or_default();
        let lines = printed.lines().count();
        print_indented(printed.lines().skip(lines.saturating_sub(EXCERPT)));
    }
    eprintln!("\n  all that it printed: {}", log.display());
    eprintln!("  {}", command(row.suite.name, "", selection));
}

fn print_indented<'a>(lines: impl Iterator<Item = &'a str>) {
    lines.for_each(|line| eprintln!("    {line}"));
}

/// The command that runs a test or a file of the suite alone.
fn command(suite: &str, what: &str, selection: &Selection) -> String {
    let set = selection.environment.iter();
    let set: String = set
        .map(|(variable, value)| format!("{variable}={value} "))
        .collect();
    let command = format!("{set}cargo xtask test --only {suite} {what}");
    command.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_has_the_command_that_runs_it_alone() {
        let selection = Selection {
            environment: vec![("ORDER_COST_SEED", "7".to_owned())],
            ..Selection::default()
        };
        let expected = "ORDER_COST_SEED=7 cargo xtask test --only native rules::weighs";
        assert_eq!(command("native", "rules::weighs", &selection), expected);
    }
}
