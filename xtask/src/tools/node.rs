//! Node.js and npm: checks that they are available, and installs a folder's packages as its lock file says.

use std::ffi::OsString;
use std::iter::once;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use duct::{Expression, cmd};

use crate::checkout::root;
use crate::steps::{Step, step};

/// The first version with `import.meta.dirname` and JSON imports.
const OLDEST_NODE: (u32, u32) = (20, 11);

/// The version of Node.js. Without it or npm, the error says what to install, and from where.
pub(crate) fn check() -> Result<String> {
    let version = cmd!(find("node")?, "--version")
        .read()
        .context("`node --version` failed")?;
    let (major, minor) = OLDEST_NODE;
    if numbers(&version).is_none_or(|version| version < OLDEST_NODE) {
        bail!(
            "Node.js {major}.{minor} or later is required, but this is {version}; get it from https://nodejs.org/en/download"
        );
    }
    find("npm").map(|_| version)
}

fn find(program: &str) -> Result<PathBuf> {
    // `which` also finds npm.cmd on Windows; a bare name does not.
    which::which(program).ok().with_context(|| {
        format!(
            "`{program}` is not on the PATH; it is part of Node.js: https://nodejs.org/en/download"
        )
    })
}

/// The major and minor numbers of a version such as `v20.20.2`.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.trim().strip_prefix('v')?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// The command that runs `script`, a path in the repository, in the repository's root.
pub(crate) fn node<T: Into<OsString>>(
    script: &str,
    args: impl IntoIterator<Item = T>,
) -> Expression {
    let args = args.into_iter().map(Into::into);
    duct::cmd("node", once(root(script).into_os_string()).chain(args)).dir(root(""))
}

/// The npm command with these arguments.
pub(crate) fn npm<const N: usize>(args: [&str; N]) -> Result<Expression> {
    Ok(duct::cmd(find("npm")?, args))
}

/// Installs the packages of the folder exactly as its lock file says.
pub(crate) fn install(folder: &str) -> Result<()> {
    let directory = root(folder);
    if is_installed(&directory) {
        return Ok(());
    }
    step(&format!("npm packages of {folder}/"), |step: &Step| {
        step.run(npm(["ci", "--no-audit", "--no-fund"])?.dir(directory))
    })
}

/// npm writes `node_modules/.package-lock.json` last, so that file is newer than the lock file.
fn is_installed(directory: &Path) -> bool {
    let modified = |file: &str| {
        directory
            .join(file)
            .metadata()
            .and_then(|file| file.modified())
            .ok()
    };
    let installed: Option<SystemTime> = modified("node_modules/.package-lock.json");
    installed.is_some()
        && installed >= modified("package-lock.json")
        && installed >= modified("package.json")
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn the_version_is_read() {
        assert_eq!(numbers("v20.20.2\n"), Some((20, 20)));
        assert_eq!(numbers("v9.11.2"), Some((9, 11)));
        assert_eq!(numbers("20.0.0"), None);
        assert_eq!(numbers("v20"), None);
    }
}
