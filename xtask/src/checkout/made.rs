//! Skips what is made already: its sources have the bytes that they had when it was made.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::PathBuf;

use anyhow::Result;
use walkdir::{DirEntry, WalkDir};

use super::matching;
use super::paths::{root, work_directory};

/// Makes the outputs, which the first one names, unless they are there and no source has changed since.
pub(crate) fn unless_unchanged(
    outputs: &[&str],
    sources: &[&str],
    make: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let folder = work_directory()?.join("made-of");
    let made_of = folder.join(outputs.first().unwrap_or(&"").replace('/', "-"));
    let fingerprint = fingerprint(sources)?;
    let is_same = || fs::read_to_string(&made_of).is_ok_and(|made_of| made_of == fingerprint);
    if outputs.iter().all(|output| root(output).exists()) && is_same() {
        return Ok(());
    }
    fs::create_dir_all(&folder)?;
    // Written last: what broke off is made again.
    fs::write(&made_of, "")?;
    make()?;
    Ok(fs::write(made_of, fingerprint)?)
}

/// Changes with every byte and every name of the sources: files or folders of the repository, `*` stands for any name.
fn fingerprint(sources: &[&str]) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    for source in sources {
        for file in files_of(source)? {
            hasher.write(file.as_os_str().as_encoded_bytes());
            hasher.write(&fs::read(file)?);
        }
    }
    Ok(hasher.finish().to_string())
}

fn files_of(source: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in matching(&root(source))? {
        let entries = WalkDir::new(path).sort_by_file_name();
        for entry in entries.into_iter().filter_entry(is_source) {
            let entry = entry?;
            if entry.file_type().is_file() {
                files.push(entry.into_path());
            }
        }
    }
    Ok(files)
}

fn is_source(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    name != "node_modules" && name != ".wrangler"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_is_made_again_after_a_change() -> Result<()> {
        let [source, output] = ["source", "output"].map(|name| format!("target/tmp/made-{name}"));
        fs::create_dir_all(root("target/tmp"))?;
        fs::write(root(&source), "1")?;
        let made = |text: &str| {
            let mut is_made = false;
            let write = || {
                is_made = true;
                Ok(fs::write(root(&output), text)?)
            };
            unless_unchanged(&[&output], &[&source], write).map(|()| is_made)
        };
        let _ = fs::remove_file(root(&output));
        assert!(made("a")? && !made("b")?);
        fs::write(root(&source), "2")?;
        assert!(made("c")? && !made("d")?);
        fs::remove_file(root(&output))?;
        assert!(made("e")?);
        Ok(())
    }
}
