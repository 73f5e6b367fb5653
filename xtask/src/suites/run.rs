//! Prepares the test suites and runs them, beside each other as the machine's cores allow.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Instant;

use anyhow::{Result, ensure};

use super::counts::Counts;
use super::one::Selection;
use super::report::{self, Row};
use super::suite::{Build, Suite};
use crate::package;
use crate::site::build_docs;
use crate::steps::{beside, seconds, step};
use crate::tools::{NEEDS, npm_install};

/// Runs the suites and prints the summary.
pub(crate) fn all_pass(suites: &[&'static Suite], selection: &Selection) -> Result<()> {
    let started = Instant::now();
    install_needs(suites);
    prepare(suites)?;
    let prepared = started.elapsed();
    let rows = run_beside(suites, selection);
    let (prepared, all) = (seconds(prepared), seconds(started.elapsed()));
    println!("\nprepared in {prepared}, all in {all}");
    report::print(&rows, selection);
    let failed = rows.iter().filter(|row| row.outcome.is_err()).count();
    ensure!(failed == 0, "{failed} of {} suites failed", rows.len());
    Ok(())
}

/// Installs what is missing before anything runs. A suite whose needs stay missing fails alone, and says why.
fn install_needs(suites: &[&Suite]) {
    for need in NEEDS {
        let mut wanted = suites.iter().flat_map(|suite| suite.needs);
        if wanted.any(|wanted| wanted.name == need.name) {
            let _ = need.find_or_install();
        }
    }
}

/// Installs and builds what the suites need. Cargo and npm work beside each other; the packages of tests/ link to
/// pkg/, so they come after it.
pub(crate) fn prepare(suites: &[&Suite]) -> Result<()> {
    let builds = |build: Build| suites.iter().any(|suite| suite.builds.contains(&build));
    let mut packages: Vec<_> = suites.iter().flat_map(|suite| suite.packages).collect();
    if builds(Build::Package) {
        package::build_beside(&["worker"])?;
        packages.insert(0, &"tests");
    }
    let install = || {
        packages.iter().try_for_each(|folder| npm_install(folder))?;
        if builds(Build::Documents) {
            build_docs()?;
        }
        Ok(())
    };
    beside(install, || {
        if builds(Build::FaultyPackage) {
            package::build_faulty()?;
        }
        Ok(())
    })
}

/// Runs suites beside each other, each to its end: two more than there are cores, because tests also wait.
fn run_beside(suites: &[&'static Suite], selection: &Selection) -> Vec<Row> {
    let queue = Mutex::new(suites.iter());
    let next = || queue.lock().ok()?.next();
    let (done, rows) = channel();
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..(cores + 2).min(suites.len()) {
            scope.spawn(|| {
                while let Some(suite) = next() {
                    let _ = done.send(run_one(suite, selection));
                }
            });
        }
    });
    drop(done);
    let mut rows: Vec<Row> = rows.into_iter().collect();
    rows.sort_by_key(|row| suites.iter().position(|suite| suite.name == row.suite.name));
    rows
}

fn run_one(suite: &'static Suite, selection: &Selection) -> Row {
    let started = Instant::now();
    let mut counts = Counts::default();
    let outcome = step(&format!("test {}", suite.name), |step| {
        suite.run(selection, step, &mut counts)
    });
    Row {
        suite,
        counts,
        elapsed: started.elapsed(),
        outcome,
    }
}
