//! Python packages, in an environment of their own for each list of them.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use duct::{Expression, cmd};

use super::needs::PYTHON;
use crate::checkout::{make_empty, root, work_directory};
use crate::steps::step;

/// Packages with programs.
pub(crate) struct Python {
    /// It has a `requirements.txt`
    pub(crate) folder: &'static str,
    /// The variables that name the programs
    pub(crate) programs: &'static [(&'static str, &'static str)],
}

pub(crate) const SPARK: Python = Python {
    folder: "tests/spark",
    programs: &[("SPARK_SUBMIT", "spark-submit"), ("SPARK_PYTHON", "python")],
};

impl Python {
    /// The command with the variables of the programs, which are installed.
    pub(crate) fn told_to(&self, mut command: Expression) -> Result<Expression> {
        let installed = install(self.folder)?;
        for (variable, name) in self.programs {
            command = command.env(variable, installed.join(name));
        }
        Ok(command)
    }
}

/// Installs exactly what `requirements.txt` in a folder pins, where it is not there yet; gives the folder of the programs.
pub(crate) fn install(of: &str) -> Result<PathBuf> {
    let found = PYTHON.find_or_install()?;
    let python = found.first().context("it has no program")?;
    let requirements = root(of).join("requirements.txt");
    let folder = work_directory()?.join("python").join(of);
    let programs = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
    // Its programs name their folder: an environment that was copied would run the original.
    let wanted = format!(
        "# {}\n{}",
        folder.display(),
        fs::read_to_string(&requirements)?
    );
    let installed = folder.join("installed.txt");
    if fs::read(&installed).is_ok_and(|installed| installed == wanted.as_bytes()) {
        return Ok(programs);
    }
    step(&format!("Python packages of {of}/ in target/"), |step| {
        make_empty(&folder)?;
        step.run(cmd!(python, "-m", "venv", &folder))?;
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
