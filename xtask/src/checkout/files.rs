//! Finding and copying files.

use std::fs;
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
    if directory.exists() {
        fs::remove_dir_all(directory)
            .with_context(|| format!("cannot remove {}", directory.display()))?;
    }
    fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))
}

/// Copies the files of `from` to `to`.
pub(crate) fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    for file in files_in(from)? {
        let target = to.join(file.strip_prefix(from)?);
        fs::create_dir_all(target.parent().unwrap_or(to))?;
        fs::copy(&file, target).with_context(|| format!("cannot copy {}", file.display()))?;
    }
    Ok(())
}

/// A file, or those of a folder: sorted, without installed packages and without what is hidden inside the folder.
pub(super) fn files_in(path: &Path) -> Result<Vec<PathBuf>> {
    let entries = WalkDir::new(path).sort_by_file_name().into_iter();
    let files = entries
        .filter_entry(is_source)
        .filter(|entry| !entry.as_ref().is_ok_and(|entry| entry.file_type().is_dir()));
    Ok(files
        .map(|file| file.map(DirEntry::into_path))
        .collect::<Result<_, _>>()?)
}

fn is_source(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    name != "node_modules" && (entry.depth() == 0 || !name.starts_with('.'))
}
