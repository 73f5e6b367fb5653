//! Software that tests need. It is found, or installed with apt-get; a test that needs it is never skipped.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};
use duct::{Expression, cmd};

use crate::steps::{Step, step};

/// Programs that are installed together.
pub(crate) struct Software<const N: usize> {
    /// What is required, as a sentence names it.
    pub(crate) name: &'static str,
    pub(crate) programs: [Program; N],
    /// Debian's packages.
    pub(crate) packages: &'static [&'static str],
    /// Whether the programs that were found have what they need.
    pub(crate) works: fn(&[PathBuf; N]) -> bool,
}

/// A program: at the path in the variable, else on the PATH.
pub(crate) struct Program {
    pub(crate) variable: &'static str,
    pub(crate) names: &'static [&'static str],
}

impl<const N: usize> Software<N> {
    /// Finds the programs, in their sequence. If one is missing, installs all first, if the machine allows it.
    pub(crate) fn find_or_install(&self) -> Result<[PathBuf; N]> {
        if let Some(found) = self.find()? {
            return Ok(found);
        }
        step(&format!("install {}", self.name), |step| {
            install(step, self.packages)
        })
        .map_err(|error| anyhow!("{error:#}. {}", self.what_is_missing()))?;
        self.find_or_missing()
    }

    /// Finds the programs; the error names them.
    pub(crate) fn find_or_missing(&self) -> Result<[PathBuf; N]> {
        self.find()?.with_context(|| self.what_is_missing())
    }

    /// The variables of the programs, in the same sequence.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &'static str> {
        self.programs.iter().map(|program| program.variable)
    }

    fn find(&self) -> Result<Option<[PathBuf; N]>> {
        let found: Vec<_> = self
            .programs
            .iter()
            .map(Program::find)
            .collect::<Result<_>>()?;
        let found: Option<Vec<_>> = found.into_iter().collect();
        let found = found.and_then(|found| <[PathBuf; N]>::try_from(found).ok());
        Ok(found.filter(self.works))
    }

    fn what_is_missing(&self) -> String {
        let verb = if N == 1 { "is" } else { "are" };
        let variables = listed(&self.variables().collect::<Vec<_>>());
        format!(
            "{} {verb} not on the PATH, and the environment names no other place ({variables})",
            self.name
        )
    }
}

/// `a, b and c`.
fn listed(words: &[&str]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

impl Program {
    fn find(&self) -> Result<Option<PathBuf>> {
        match env::var_os(self.variable) {
            Some(named) => which::which(&named)
                .ok()
                .with_context(|| {
                    format!(
                        "{} is set to {}, which is not a program",
                        self.variable,
                        named.display()
                    )
                })
                .map(Some),
            None => Ok(self.names.iter().find_map(|name| which::which(name).ok())),
        }
    }
}

fn install(step: &Step, packages: &[&str]) -> Result<()> {
    let install = [&["install", "--yes"][..], packages].concat();
    for arguments in [&["update"][..], &install] {
        step.run(apt_get(arguments)?)?;
    }
    Ok(())
}

/// apt-get without questions: as root, or through sudo without a password.
pub(crate) fn apt_get(arguments: &[&str]) -> Result<Expression> {
    which::which("apt-get")
        .ok()
        .context("apt-get is not available")?;
    let plain = [
        &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"],
        arguments,
    ]
    .concat();
    if cmd!("id", "-u").read()? == "0" {
        return Ok(duct::cmd(plain[0], &plain[1..]));
    }
    let sudo =
        which::which("sudo").is_ok() && cmd!("sudo", "-n", "true").stderr_null().run().is_ok();
    ensure!(
        sudo,
        "the installation needs root, or sudo without a password"
    );
    Ok(duct::cmd("sudo", [&["-n"][..], &plain].concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOWHERE: Software<2> = Software {
        name: "Two programs",
        programs: [
            Program {
                variable: "XTASK_TESTS_FIRST",
                names: &["xtask-tests-no-such-program", "cargo"],
            },
            Program {
                variable: "XTASK_TESTS_SECOND",
                names: &["xtask-tests-no-such-program"],
            },
        ],
        packages: &["one", "two", "three"],
        works: |_| true,
    };

    #[test]
    fn a_program_has_one_of_its_names() -> Result<()> {
        let [first, second] = &NOWHERE.programs;
        assert_eq!(first.find()?, which::which("cargo").ok());
        assert_eq!(second.find()?, None);
        assert_eq!(NOWHERE.find()?, None);
        Ok(())
    }

    #[test]
    fn the_error_says_what_is_missing() {
        assert_eq!(
            NOWHERE.what_is_missing(),
            "Two programs are not on the PATH, and the environment names no other place (XTASK_TESTS_FIRST and XTASK_TESTS_SECOND)"
        );
    }
}
