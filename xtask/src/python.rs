//! Python packages, in an environment of their own for each list of them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duct::cmd;

use crate::files::make_empty;
use crate::paths::work_directory;
use crate::steps::step;

/// The oldest version that Schemathesis runs on.
const OLDEST_PYTHON: (u32, u32) = (3, 11);

/// Prints the version, if the modules that make an environment are there. Debian has them in a package of their own.
const VERSION: &str = "import ensurepip, sys, venv; print(*sys.version_info[:2])";

/// Installs exactly what `requirements` pins, where it is not there yet; gives the folder of the programs.
pub(crate) fn install(requirements: &Path) -> Result<PathBuf> {
    let python = find()?;
    let name = requirements.parent().and_then(Path::file_name);
    let name = name.context("the list of packages stands in no folder")?;
    let folder = work_directory()?.join("python").join(name);
    let programs = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let wanted = wanted(&folder, &fs::read_to_string(requirements)?);
    let installed = folder.join("installed.txt");
    if fs::read(&installed).is_ok_and(|installed| installed == wanted.as_bytes()) {
        return Ok(programs);
    }
    let named = name.to_string_lossy();
    step(&format!("Python packages of tests/{named}/"), |step| {
        make_empty(&folder)?;
        step.run(cmd!(&python, "-m", "venv", &folder))?;
        let pip = ["-m", "pip", "install", "--disable-pip-version-check"];
        let exact = ["--no-deps", "--require-hashes", "--only-binary", ":all:"];
        let args = pip.into_iter().chain(exact).map(Into::into);
        let list = ["-r".into(), requirements.as_os_str().to_owned()];
        step.run(duct::cmd(programs.join("python"), args.chain(list)))
    })?;
    // Written last: an installation that broke off is done again.
    fs::write(installed, wanted)?;
    Ok(programs)
}

/// What an environment holds, and where: its programs name their folder, so that a copied one would run the original.
fn wanted(folder: &Path, requirements: &str) -> String {
    format!("# {}\n{requirements}", folder.display())
}

/// Python with what makes an environment. The error says what to install, and from where.
pub(crate) fn find() -> Result<PathBuf> {
    let needed = needed();
    let python = ["python3", "python"];
    let mut found = python.iter().filter_map(|name| which::which(name).ok());
    let python = found
        .next()
        .with_context(|| format!("{needed}; there is no `python3` on the PATH"))?;
    let version = cmd!(&python, "-c", VERSION)
        .stderr_null()
        .unchecked()
        .read()?;
    ensure!(
        numbers(&version).is_some_and(|version| version >= OLDEST_PYTHON),
        "{needed}; {} is older or has no `venv`",
        python.display()
    );
    Ok(python)
}

fn needed() -> String {
    let (major, minor) = OLDEST_PYTHON;
    format!(
        "Python {major}.{minor} or later with its modules `venv` and `ensurepip` is required, from https://www.python.org/downloads or as Debian's package python3-venv"
    )
}

/// The numbers of `3 11`.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let (major, minor) = version.trim().split_once(' ')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read() {
        assert_eq!(numbers("3 11\n"), Some((3, 11)));
        assert_eq!(numbers(""), None);
        assert!(numbers("3 9") < Some(OLDEST_PYTHON));
    }

    #[test]
    fn an_environment_that_was_copied_is_made_again() {
        let [original, copy] =
            ["/original", "/copy"].map(|folder| wanted(Path::new(folder), "a==1"));
        assert_ne!(original, copy);
    }
}
