//! The soak: a long run of the Worker under load, with failures. The orders and checks are in tests/soak/.

use std::io::{BufRead, BufReader};

use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use crate::node::{self, node};
use crate::package;

/// Sends `requests` requests. Fails if an answer differs from the model's or if memory grows.
pub(crate) fn run(requests: u64) -> Result<()> {
    node::check()?;
    package::build_faulty()?;
    node::install("worker")?;
    let bar = bar(requests);
    let reader = node("tests/soak/soak.mjs", [requests.to_string()])
        .unchecked()
        .reader()
        .context("cannot start the soak")?;
    for line in BufReader::new(&reader).lines() {
        let line = line?;
        match progress(&line) {
            Some((done, all)) => show(&bar, done, all),
            None => bar.suspend(|| println!("{line}")),
        }
    }
    bar.finish_and_clear();
    let status = reader
        .try_wait()?
        .context("the soak closed its output but did not end")?
        .status;
    ensure!(status.success(), "the soak failed");
    Ok(())
}

/// Moves the bar on a terminal; elsewhere prints a line for each tenth.
fn show(bar: &ProgressBar, done: u64, all: u64) {
    bar.set_length(all);
    bar.set_position(done);
    if bar.is_hidden() && done.is_multiple_of((all / 10).max(1)) {
        eprintln!("... {done} of {all} requests");
    }
}

/// The numbers of a line such as `progress 100/2000`.
fn progress(line: &str) -> Option<(u64, u64)> {
    let (done, all) = line.strip_prefix("progress ")?.split_once('/')?;
    Some((done.parse().ok()?, all.parse().ok()?))
}

/// A progress bar; it is drawn only on a terminal.
fn bar(requests: u64) -> ProgressBar {
    let template =
        "{elapsed:.dim}  {wide_bar}  {human_pos}/{human_len}  {per_sec:.dim}  {eta:.dim}";
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(requests).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
