//! Python packages, in an environment of their own for each list of them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use duct::cmd;

use super::software::{Program, Software};
use crate::checkout::{make_empty, root, work_directory};
use crate::steps::step;

pub(crate) const PYTHON: Software<1> = Software {
    name: "Python 3.11 or later with its modules venv and ensurepip",
    programs: [Program {
        variable: "PYTHON",
        names: &["python3", "python"],
    }],
    packages: &["python3", "python3-venv"],
    works: |[python]| is_usable(python),
};

/// The oldest version that Schemathesis runs on.
const OLDEST_PYTHON: (u32, u32) = (3, 11);

/// Prints the version, if the modules that make an environment are there. Debian has them in a package of their own.
const VERSION: &str = "import ensurepip, sys, venv; print(*sys.version_info[:2])";

/// Installs exactly what `requirements.txt` in a folder pins, where it is not there yet; gives the folder of the programs.
pub(crate) fn install(of: &str) -> Result<PathBuf> {
    let [python] = PYTHON.find_or_install()?;
    let requirements = root(of).join("requirements.txt");
    let folder = work_directory()?.join("python").join(of);
    let programs = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let wanted = wanted(&folder, &fs::read_to_string(&requirements)?);
    let installed = folder.join("installed.txt");
    if fs::read(&installed).is_ok_and(|installed| installed == wanted.as_bytes()) {
        return Ok(programs);
    }
    step(&format!("Python packages of {of}/"), |step| {
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

fn is_usable(python: &PathBuf) -> bool {
    let version = cmd!(python, "-c", VERSION).stderr_null().unchecked().read();
    version.is_ok_and(|version| numbers(&version) >= Some(OLDEST_PYTHON))
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
