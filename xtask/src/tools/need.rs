//! Something that has to be on the machine. It is found, or installed; a test that needs it is never skipped.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use duct::{Expression, cmd};

use crate::checkout::{make_empty, matching, root, work_directory};
use crate::steps::{Step, say, step};

pub(crate) struct Need {
    /// As a sentence names it
    pub(crate) name: &'static str,
    /// What runs only with it
    pub(crate) serves: &'static str,
    /// Whether `cargo xtask test` needs it; the others serve single commands
    pub(crate) is_required: bool,
    pub(super) programs: &'static [Program],
    /// What was found, in words. The error says why it does not do
    pub(super) look: fn(&[PathBuf]) -> Result<String>,
    pub(super) source: Source,
    /// How a person installs it on Fedora and macOS, where that is not `source`
    pub(crate) elsewhere: &'static str,
}

/// A program or a file: at the path in the variable, if it has one, else the first of the names that is there.
pub(super) struct Program(pub(super) &'static str, pub(super) &'static [&'static str]);

/// Where it comes from.
pub(super) enum Source {
    /// These packages of Debian, installed with apt-get
    Packages(&'static [&'static str]),
    /// The program of this package of Debian, taken out of it: the package itself would start a server
    Program(&'static str),
    Rustup(&'static [&'static str]),
    /// Only a person installs it, with this command
    Person(&'static str),
}

/// The variables of the programs that have one, with their paths.
pub(super) type Found = Vec<(&'static str, PathBuf)>;

impl Need {
    /// Finds it. If something is missing, says what and why, and installs it, if the machine allows that.
    pub(crate) fn find_or_install(&self) -> Result<Found> {
        let missing = match self.find() {
            Ok(found) => return Ok(found),
            Err(missing) => missing,
        };
        if let Source::Person(command) = self.source {
            bail!("{missing:#}. Install it: {command}");
        }
        say(&format!(
            "{} is missing; it serves {}. Installing it: {}",
            self.name,
            self.serves,
            self.command()
        ));
        step(&format!("install {}", self.name), |step| self.install(step)).map_err(|error| {
            anyhow!("{error:#}. {missing:#}. `cargo xtask doctor` says how to install it")
        })?;
        self.find()
    }

    /// The command with the variables of the programs.
    pub(crate) fn told_to(&self, command: Expression) -> Result<Expression> {
        let set = |command: Expression, (variable, path)| command.env(variable, path);
        Ok(self.find_or_install()?.into_iter().fold(command, set))
    }

    /// Finds the programs; the error says what is missing.
    pub(crate) fn find(&self) -> Result<Found> {
        let found = self.paths()?;
        (self.look)(&found)?;
        let variables = self.programs.iter().map(|&Program(variable, _)| variable);
        let named = variables
            .zip(found)
            .filter(|(variable, _)| !variable.is_empty());
        Ok(named.collect())
    }

    /// What was found, in words.
    pub(crate) fn in_words(&self) -> Result<String> {
        (self.look)(&self.paths()?)
    }

    fn paths(&self) -> Result<Vec<PathBuf>> {
        let find = |program: &Program| match (program.find()?, &self.source) {
            (Some(path), _) => Ok(path),
            (None, Source::Program(_)) if own(program)?.is_file() => own(program),
            _ => Err(program.missing()),
        };
        self.programs.iter().map(find).collect()
    }

    /// The command that installs it where it comes from.
    pub(crate) fn command(&self) -> String {
        match self.source {
            Source::Packages(packages) => format!("apt-get install {}", packages.join(" ")),
            Source::Program(package) => format!("apt-get download {package}"),
            Source::Rustup(arguments) => format!("rustup {}", arguments.join(" ")),
            Source::Person(command) => command.to_owned(),
        }
    }

    fn install(&self, step: &Step) -> Result<()> {
        match self.source {
            Source::Packages(packages) => {
                step.run(apt_get(&["update"])?)?;
                step.run(apt_get(&[&["install", "--yes"], packages].concat())?)
            }
            Source::Program(package) => self
                .programs
                .iter()
                .try_for_each(|program| take_out(step, package, &own(program)?)),
            Source::Rustup(arguments) => {
                let rustup = which::which("rustup").ok();
                let rustup = rustup.context("rustup is not on the PATH: https://rustup.rs")?;
                step.run(duct::cmd(rustup, arguments).dir(root("")))
            }
            Source::Person(command) => bail!("only a person installs it: {command}"),
        }
    }
}

impl PartialEq for Need {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Program {
    fn find(&self) -> Result<Option<PathBuf>> {
        let &Self(variable, names) = self;
        let Some(named) = env::var_os(variable) else {
            return Ok(names.iter().find_map(|name| at(Path::new(name))));
        };
        let found = at(Path::new(&named)).with_context(|| {
            format!(
                "{variable} is set to {}, where no program is",
                named.display()
            )
        })?;
        Ok(Some(found))
    }

    fn missing(&self) -> anyhow::Error {
        let &Self(variable, names) = self;
        let name = names.first().unwrap_or(&"");
        match variable {
            "" => anyhow!("`{name}` is not on the PATH"),
            _ => anyhow!("`{name}` is not there, and the variable {variable} names no other place"),
        }
    }
}

fn at(name: &Path) -> Option<PathBuf> {
    let is_file = name.is_absolute() && name.is_file();
    which::which(name)
        .ok()
        .or_else(|| is_file.then(|| name.to_owned()))
}

/// Where a program stands that was taken out of its package.
fn own(program: &Program) -> Result<PathBuf> {
    let &Program(_, names) = program;
    Ok(work_directory()?.join(names.first().unwrap_or(&"")))
}

/// Only an update of the list of packages needs root.
fn take_out(step: &Step, package: &str, program: &Path) -> Result<()> {
    let folder = program.with_extension("package");
    make_empty(&folder)?;
    let download = || step.run(cmd!("apt-get", "download", package).dir(&folder));
    download().or_else(|_| {
        step.run(apt_get(&["update"])?)?;
        download()
    })?;
    let archives = matching(&folder.join("*.deb"))?;
    let archive = archives.first().context("apt-get downloaded no package")?;
    step.run(cmd!("dpkg-deb", "--extract", archive, &folder))?;
    let name = program.file_name().unwrap_or_default();
    fs::rename(folder.join("usr/bin").join(name), program)?;
    Ok(fs::remove_dir_all(folder)?)
}

/// apt-get without questions: as root, or through sudo without a password.
fn apt_get(arguments: &[&str]) -> Result<Expression> {
    ensure!(which::which("apt-get").is_ok(), "apt-get is not available");
    let plain = [
        &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"],
        arguments,
    ]
    .concat();
    if cmd!("id", "-u").read()? == "0" {
        return Ok(duct::cmd(plain[0], &plain[1..]));
    }
    let may =
        which::which("sudo").is_ok() && cmd!("sudo", "-n", "true").stderr_null().run().is_ok();
    ensure!(
        may,
        "the installation needs root, or sudo without a password"
    );
    Ok(duct::cmd("sudo", [&["-n"], &plain[..]].concat()))
}
