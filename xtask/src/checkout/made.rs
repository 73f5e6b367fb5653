//! Skips what is made already: its sources have the bytes that they had when it was made.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

use anyhow::{Context, Result};

use super::files::{files_in, matching};
use super::paths::{root, work_directory};

/// Makes the outputs unless they are there and no source has changed since. The first output has a name of its own.
pub(crate) fn unless_unchanged(
    outputs: &[impl AsRef<Path>],
    sources: &[impl AsRef<Path>],
    make: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let folder = work_directory()?.join("made-of");
    let first = outputs
        .first()
        .and_then(|output| output.as_ref().file_name());
    let made_of = folder.join(first.context("nothing is to be made")?);
    let fingerprint = fingerprint(sources)?;
    let is_same = || fs::read_to_string(&made_of).is_ok_and(|made_of| made_of == fingerprint);
    if outputs.iter().all(|output| root("").join(output).exists()) && is_same() {
        return Ok(());
    }
    fs::create_dir_all(&folder)?;
    // Written last: what broke off is made again.
    fs::write(&made_of, "")?;
    make()?;
    Ok(fs::write(made_of, fingerprint)?)
}

/// Changes with every byte and every name of the sources: files or folders of the repository, `*` stands for any name.
fn fingerprint(sources: &[impl AsRef<Path>]) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    for source in sources {
        for path in matching(&root("").join(source))? {
            for file in files_in(&path)? {
                hasher.write(file.as_os_str().as_encoded_bytes());
                hasher.write(&fs::read(file)?);
            }
        }
    }
    Ok(hasher.finish().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_is_made_again_after_a_change() -> Result<()> {
        let [source, output] = ["source", "output"].map(|name| root("target/tmp").join(name));
        fs::create_dir_all(root("target/tmp"))?;
        fs::write(&source, "1")?;
        let _ = fs::remove_file(&output);
        let made = |text: &str| {
            let write = || Ok(fs::write(&output, text)?);
            unless_unchanged(&[&output], &[&source], write)?;
            Ok::<_, anyhow::Error>(fs::read_to_string(&output)? == text)
        };
        assert!(made("a")? && !made("b")?);
        fs::write(&source, "2")?;
        assert!(made("c")? && !made("d")?);
        fs::remove_file(&output)?;
        assert!(made("e")?);
        Ok(())
    }
}
