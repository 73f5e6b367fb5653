//! Finding and copying files.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use walkdir::{DirEntry, WalkDir};

/// The files that match a glob, sorted.
pub(crate) fn matching(pattern: &Path) -> Result<Vec<PathBuf>> {
    glob::glob(&pattern.to_string_lossy())?
        .map(|file| file.map_err(Into::into))
        .collect()
}

/// Makes `directory` an empty folder and removes its old contents.
pub(crate) fn make_empty(directory: &Path) -> Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot remove {}", directory.display()));
        }
        _ => {}
    }
    fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))
}

/// Copies the contents of `from` to `to`, without installed packages and hidden files.
pub(crate) fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    for entry in WalkDir::new(from)
        .min_depth(1)
        .into_iter()
        .filter_entry(is_source)
    {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target)?;
        } else {
            fs::create_dir_all(target.parent().unwrap_or(to))?;
            fs::copy(entry.path(), &target)
                .with_context(|| format!("cannot copy {}", entry.path().display()))?;
        }
    }
    Ok(())
}

fn is_source(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    name != "node_modules" && (entry.depth() == 0 || !name.starts_with('.'))
}
