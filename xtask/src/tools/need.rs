//! Something that has to be on the machine. It is found, or installed; a test that needs it is never skipped.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use duct::{Expression, cmd};

use crate::checkout::root;
use crate::steps::{say, step};

pub(crate) struct Need {
    /// As a sentence names it
    pub(crate) name: &'static str,
    /// What runs only with it
    pub(crate) serves: &'static str,
    /// Whether `cargo xtask test` needs it; the others serve single commands
    pub(crate) is_required: bool,
    pub(super) programs: &'static [Program],
    /// Whether the programs that were found do; the error says why not
    pub(super) check: fn(&[PathBuf]) -> Result<()>,
    /// A line of the shell that installs it, in the repository's root
    pub(crate) command: &'static str,
    /// Whether only a person may run that line
    pub(super) is_for_person: bool,
    /// How a person installs it on Fedora and macOS, where that is not `command`
    pub(crate) elsewhere: &'static str,
}

/// A program or a file: at the path in the variable, if it has one, else the first of the names that is there.
pub(super) struct Program(pub(super) &'static str, pub(super) &'static [&'static str]);

impl Need {
    /// Finds its programs. If something is missing, says what and why, and installs it, if the machine allows that.
    pub(crate) fn find_or_install(&self) -> Result<Vec<PathBuf>> {
        let missing = match self.find() {
            Ok(found) => return Ok(found),
            Err(missing) => missing,
        };
        let (name, serves, command) = (self.name, self.serves, self.command);
        ensure!(!self.is_for_person, "{missing:#}. Install it: {command}");
        say(&format!(
            "{name} is missing; it serves {serves}. Installing it: {command}"
        ));
        step(&format!("install {name}"), |step| {
            step.run(unattended(command).dir(root("")))
        })
        .map_err(|error| {
            anyhow!("{error:#}. {missing:#}. `cargo xtask doctor` says how to install it")
        })?;
        self.find()
    }

    /// The command with the variables of the programs.
    pub(crate) fn told_to(&self, mut command: Expression) -> Result<Expression> {
        let found = self.find_or_install()?;
        for (Program(variable, _), path) in self.programs.iter().zip(found) {
            if !variable.is_empty() {
                command = command.env(variable, path);
            }
        }
        Ok(command)
    }

    /// Finds the programs; the error says what is missing.
    pub(crate) fn find(&self) -> Result<Vec<PathBuf>> {
        let found = self.programs.iter().map(Program::find);
        let found = found.collect::<Result<Vec<_>>>()?;
        (self.check)(&found)?;
        Ok(found)
    }
}

impl Program {
    fn find(&self) -> Result<PathBuf> {
        let &Self(variable, names) = self;
        if let Some(named) = env::var_os(variable) {
            return at(Path::new(&named)).with_context(|| {
                let named = named.display();
                format!("{variable} is set to {named}, where no program is")
            });
        }
        let found = names.iter().find_map(|name| at(Path::new(name)));
        found.with_context(|| {
            let name = names.first().unwrap_or(&"");
            match variable {
                "" => format!("`{name}` is not on the PATH"),
                _ => format!(
                    "`{name}` is not there, and the variable {variable} names no other place"
                ),
            }
        })
    }
}

/// A program on the PATH, or at a path that may begin in the repository; or any file.
fn at(name: &Path) -> Option<PathBuf> {
    let program = which::which_in(name, env::var_os("PATH"), root(""));
    let is_file = name.is_absolute() && name.is_file();
    program.ok().or_else(|| is_file.then(|| name.to_owned()))
}

/// The line of the shell, without questions: as root, or through sudo without a password.
fn unattended(line: &str) -> Expression {
    if cfg!(windows) {
        return cmd!("cmd", "/C", line);
    }
    let is_root = cmd!("id", "-u").read().is_ok_and(|id| id == "0");
    let sudo = if is_root { "" } else { "sudo -n " };
    let as_root = format!("{sudo}env DEBIAN_FRONTEND=noninteractive ");
    cmd!("sh", "-c", line.replace("sudo ", &as_root))
}
