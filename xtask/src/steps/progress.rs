//! Runs a script that prints `progress <done>/<all>` between its other lines.

use std::io::{BufRead, BufReader};

use anyhow::{Context, Result, ensure};
use duct::Expression;
use indicatif::{ProgressBar, ProgressStyle};

/// Shows the script's progress and prints its other lines. Fails if the script does; `what` names it.
pub(crate) fn follow(what: &str, script: &Expression) -> Result<()> {
    let bar = bar();
    let reader = script
        .unchecked()
        .reader()
        .with_context(|| format!("cannot start {what}"))?;
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
        .with_context(|| format!("{what} closed its output but did not end"))?
        .status;
    ensure!(status.success(), "{what} failed");
    Ok(())
}

/// Moves the bar on a terminal; elsewhere prints a line for each tenth.
fn show(bar: &ProgressBar, done: u64, all: u64) {
    bar.set_length(all);
    bar.set_position(done);
    if bar.is_hidden() && done.is_multiple_of((all / 10).max(1)) {
        eprintln!("... {done} of {all}");
    }
}

/// The numbers of a line such as `progress 100/2000`.
fn progress(line: &str) -> Option<(u64, u64)> {
    let (done, all) = line.strip_prefix("progress ")?.split_once('/')?;
    Some((done.parse().ok()?, all.parse().ok()?))
}

/// A progress bar; it is drawn only on a terminal.
fn bar() -> ProgressBar {
    let template =
        "{elapsed:.dim}  {wide_bar}  {human_pos}/{human_len}  {per_sec:.dim}  {eta:.dim}";
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
