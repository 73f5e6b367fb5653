//! Runs again after each edit of a source.

use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::time::Duration;

use anyhow::{Context, Result};
use console::style;
use notify_debouncer_mini::new_debouncer;
use notify_debouncer_mini::notify::RecursiveMode;

use crate::paths::root;
use crate::steps;

/// The folders of sources.
const SOURCES: [&str; 6] = ["src", "pkg-template", "tests", "worker", "www", "xtask/src"];

/// Editors write a file in several steps.
const PAUSE: Duration = Duration::from_millis(100);

/// Does `work`, and again after each edit, until a signal ends the process.
pub(crate) fn run(work: impl Fn() -> Result<ExitCode>) -> Result<ExitCode> {
    let (send, edits) = channel();
    let mut watcher = new_debouncer(PAUSE, send)?;
    for folder in SOURCES {
        watcher
            .watcher()
            .watch(&root(folder), RecursiveMode::Recursive)?;
    }
    loop {
        if let Err(error) = work() {
            steps::print_error(&error);
        }
        // What the work itself wrote is no edit.
        while edits.try_recv().is_ok() {}
        println!("\n{}", style("waiting for an edit; Ctrl+C ends").dim());
        loop {
            let edited = edits.recv().context("the watcher ended")?;
            let edited = edited.unwrap_or_default();
            if edited.iter().any(|edit| is_source(&edit.path)) {
                break;
            }
        }
    }
}

/// Whether the path is one that people edit.
fn is_source(path: &Path) -> bool {
    !path.iter().any(|part| {
        let part = part.to_string_lossy();
        part == "node_modules" || part.starts_with('.')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tools_write_is_no_edit() {
        assert!(is_source(Path::new("src/rules/row.rs")));
        assert!(!is_source(Path::new("worker/.wrangler/state/v3/kv")));
        assert!(!is_source(Path::new("tests/node_modules/a/index.js")));
    }
}
