//! Runs again after each edit of a source.

use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use console::style;
use notify_debouncer_mini::notify::RecursiveMode;
use notify_debouncer_mini::{DebouncedEvent, new_debouncer};

use crate::checkout::root;
use crate::steps::print_error;

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
        let started = SystemTime::now();
        if let Err(error) = work() {
            print_error(&error);
        }
        println!("\n{}", style("waiting for an edit; Ctrl+C ends").dim());
        // An edit while the work went on counts, too.
        while !is_edited(
            &edits
                .recv()
                .context("the watcher ended")?
                .unwrap_or_default(),
            started,
        ) {}
    }
}

/// Whether a source was written since; the watcher also tells of files that were only read.
fn is_edited(events: &[DebouncedEvent], since: SystemTime) -> bool {
    let is_newer = |path: &Path| {
        let modified = path.metadata().and_then(|file| file.modified());
        modified.map_or(!path.exists(), |modified| modified > since)
    };
    events
        .iter()
        .any(|event| is_source(&event.path) && is_newer(&event.path))
}

/// Whether people edit this file.
fn is_source(path: &Path) -> bool {
    !path.iter().any(|part| {
        let part = part.to_string_lossy();
        part == "node_modules" || part.starts_with('.')
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use notify_debouncer_mini::DebouncedEventKind;

    use super::*;

    #[test]
    fn only_what_was_written_since_is_an_edit() {
        let event = |path: PathBuf| DebouncedEvent {
            path,
            kind: DebouncedEventKind::Any,
        };
        let now = SystemTime::now();
        let read = [event(root("Cargo.toml"))];
        assert!(!is_edited(&read, now) && is_edited(&read, SystemTime::UNIX_EPOCH));
        assert!(is_edited(&[event(root("src/removed.rs"))], now));
    }

    #[test]
    fn what_tools_write_is_no_edit() {
        assert!(is_source(Path::new("src/rules/row.rs")));
        assert!(!is_source(Path::new("worker/.wrangler/state/v3/kv")));
        assert!(!is_source(Path::new("tests/node_modules/a/index.js")));
    }
}
