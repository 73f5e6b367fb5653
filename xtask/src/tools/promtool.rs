//! promtool, Prometheus' own test of its rules. It is taken out of Debian's package and not installed with it: the package
//! would start a server.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use duct::cmd;

use super::software::{Program, Software, apt_get};
use crate::checkout::{make_empty, matching, work_directory};
use crate::steps::{Step, step};

const PACKAGE: &str = "prometheus";

const PROMTOOL: Software<1> = Software {
    name: "promtool",
    programs: [Program {
        variable: "PROMTOOL",
        names: &["promtool"],
    }],
    packages: &[PACKAGE],
    works: |_| true,
};

/// Finds it on the machine, or where `find_or_install` has put it.
pub(crate) fn find() -> Result<PathBuf> {
    let own = own()?;
    let found = PROMTOOL.find_or_missing().map(|[program]| program);
    found.or_else(|missing| own.is_file().then_some(own).ok_or(missing))
}

/// Finds it, or takes it out of Debian's package. Only an update of the list of packages needs root.
pub(crate) fn find_or_install() -> Result<PathBuf> {
    find().or_else(|missing| {
        step("fetch promtool", |step| fetch(step, &own()?))
            .map_err(|error| anyhow!("{error:#}. {missing}"))?;
        find()
    })
}

fn own() -> Result<PathBuf> {
    Ok(work_directory()?.join("promtool"))
}

fn fetch(step: &Step, own: &Path) -> Result<()> {
    let folder = own.with_extension("package");
    make_empty(&folder)?;
    let download = || step.run(cmd!("apt-get", "download", PACKAGE).dir(&folder));
    download().or_else(|_| {
        step.run(apt_get(&["update"])?)?;
        download()
    })?;
    let archives = matching(&folder.join("*.deb"))?;
    let archive = archives.first().context("apt-get downloaded no package")?;
    step.run(cmd!("dpkg-deb", "--extract", archive, &folder))?;
    fs::rename(folder.join("usr/bin/promtool"), own)?;
    fs::remove_dir_all(folder)?;
    Ok(())
}
