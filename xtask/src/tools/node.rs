//! Node.js and npm: runs scripts, and installs a folder's packages as its lock file says.

use std::ffi::OsString;
use std::iter::once;
use std::path::Path;

use anyhow::{Context, Result};
use duct::Expression;

use crate::checkout::root;
use crate::steps::step;

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
    // On Windows it is npm.cmd, which a bare name does not find.
    Ok(duct::cmd(
        which::which("npm").context("`npm` is not on the PATH")?,
        args,
    ))
}

/// Installs the packages of the folder exactly as its lock file says.
pub(crate) fn install(folder: &str) -> Result<()> {
    let directory = root(folder);
    if is_installed(&directory) {
        return Ok(());
    }
    step(&format!("npm packages of {folder}/"), |step| {
        step.run(npm(["ci", "--no-audit", "--no-fund"])?.dir(directory))
    })
}

/// npm writes `node_modules/.package-lock.json` last, so that file is newer than the lock file.
fn is_installed(directory: &Path) -> bool {
    let modified = |file: &str| {
        let file = directory.join(file).metadata();
        file.and_then(|file| file.modified()).ok()
    };
    let installed = modified("node_modules/.package-lock.json");
    installed.is_some()
        && installed >= modified("package-lock.json")
        && installed >= modified("package.json")
}
