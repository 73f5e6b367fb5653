//! Runs the test suites, beside each other as the machine's cores allow.

use std::collections::VecDeque;
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::counts::Counts;
use super::one::Selection;
use super::preparation::prepare;
use super::report;
use super::suite::Suite;
use crate::steps::{exit_code, seconds, step};
use crate::tools::ChromiumServer;

/// The result of a suite.
pub(super) struct Row {
    pub(super) suite: &'static Suite,
    pub(super) counts: Counts,
    pub(super) elapsed: Duration,
    pub(super) outcome: Result<()>,
}

/// Runs the suites and prints the summary.
pub(crate) fn all_pass(suites: &[&'static Suite], selection: &Selection) -> Result<ExitCode> {
    let started = Instant::now();
    install_needs(suites);
    prepare(suites)?;
    let prepared = started.elapsed();
    let rows = run_beside(suites, selection)?;
    let (prepared, all) = (seconds(prepared), seconds(started.elapsed()));
    println!("\nprepared in {prepared}, all in {all}");
    report::print(&rows, selection);
    let passed = rows.iter().all(|row| row.outcome.is_ok());
    Ok(exit_code(passed))
}

/// Installs what is missing before anything runs. A suite whose needs stay missing fails alone, and says why.
fn install_needs(suites: &[&Suite]) {
    let mut needs: Vec<_> = suites.iter().flat_map(|suite| suite.needs).collect();
    needs.sort_unstable_by_key(|need| need.name);
    needs.dedup();
    for need in needs {
        let _ = need.find_or_install();
    }
}

/// Runs suites beside each other, each to its end: two more than there are cores, because tests also wait.
fn run_beside(suites: &[&'static Suite], selection: &Selection) -> Result<Vec<Row>> {
    let shares_chromium = suites.iter().any(|suite| suite.shares_chromium());
    // Without one, these suites fail, and say why.
    let chromium = shares_chromium
        .then(ChromiumServer::start)
        .and_then(Result::ok);
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
    rows.sort_by_key(|row: &Row| suites.iter().position(|suite| suite.name == row.suite.name));
    Ok(rows)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn run_one(suite: &'static Suite, selection: &Selection) -> Row {
    let started = Instant::now();
    let mut counts = Counts::default();
    let outcome = step(&format!("test {}", suite.name), |step| {
        suite.run(selection, step, &mut counts)
    });
    // A suite that fails without a failed test counts as one failure.
    counts.failed = counts.failed.max(u32::from(outcome.is_err()));
    Row {
        suite,
        counts,
        elapsed: started.elapsed(),
        outcome,
    }
}
