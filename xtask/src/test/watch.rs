//! Runs again after each edit of a source.

use std::path::Path;
use std::sync::mpsc::channel;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result};
use console::style;
use notify::{Event, RecursiveMode, Watcher, recommended_watcher};

use crate::checkout::root;
use crate::steps::print_error;

/// The folders of sources.
const SOURCES: [&str; 6] = ["src", "pkg-template", "tests", "worker", "www", "xtask/src"];

/// Editors write a file in several steps.
const PAUSE: Duration = Duration::from_millis(100);

/// Does `work`, and again after each edit, until a signal ends the process.
pub(crate) fn run(work: impl Fn() -> Result<()>) -> Result<()> {
    let (send, edits) = channel();
    let mut watcher = recommended_watcher(send)?;
    for folder in SOURCES {
        watcher.watch(&root(folder), RecursiveMode::Recursive)?;
    }
    loop {
        if let Err(error) = work() {
            print_error(&error);
        }
        println!("\n{}", style("waiting for an edit; Ctrl+C ends").dim());
        // An edit while the work went on counts, too.
        while !is_edit(&edits.recv().context("the watcher ended")??) {}
        sleep(PAUSE);
        while edits.try_recv().is_ok() {}
    }
}

/// The watcher also tells of files that were only read.
fn is_edit(event: &Event) -> bool {
    !event.kind.is_access() && event.paths.iter().any(|path| is_source(path))
}

/// Whether people edit this file.
fn is_source(path: &Path) -> bool {
    let is_tools = |part: &str| part == "node_modules" || part.starts_with('.');
    !path.iter().any(|part| is_tools(&part.to_string_lossy()))
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
