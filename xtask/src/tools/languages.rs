//! The languages of the package's examples beside JavaScript: what their tests run with.

use std::env;
use std::path::PathBuf;

use anyhow::Result;
use duct::Expression;

use super::python;
use super::software::{Program, Software};

pub(crate) const JAVA: Software<2> = Software {
    name: "javac and java with JUnit's junit-platform-console-standalone.jar (JUNIT)",
    programs: [
        Program {
            variable: "JAVAC",
            names: &["javac"],
        },
        Program {
            variable: "JAVA",
            names: &["java"],
        },
    ],
    packages: &["default-jdk-headless", "junit5"],
    works: |_| junit().is_file(),
};

/// JUnit with its console in one file: at the path in the variable, else where Debian has it.
fn junit() -> PathBuf {
    let debian = "/usr/share/java/junit-platform-console-standalone.jar";
    env::var_os("JUNIT").map_or_else(|| debian.into(), PathBuf::from)
}

/// The command with the variables of the programs, and of pytest.
pub(crate) fn with_languages(command: Expression) -> Result<Expression> {
    let programs = JAVA.variables().zip(JAVA.find_or_install()?);
    let pytest = python::install("tests/matrix/examples/python")?.join("pytest");
    let set = |command: Expression, (variable, path)| command.env(variable, path);
    Ok(programs
        .chain([("JUNIT", junit()), ("PYTEST", pytest)])
        .fold(command, set))
}
