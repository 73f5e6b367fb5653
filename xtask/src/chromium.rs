//! Chromium and its driver. Both are found, or installed with apt-get; a test that needs them is never skipped.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};
use duct::cmd;

use crate::steps::{Step, step};

/// A Chromium and the driver for its version.
pub(crate) struct Chromium {
    pub(crate) browser: PathBuf,
    pub(crate) driver: PathBuf,
}

/// Where each is found: at the path in the variable, else on the PATH.
const BROWSER: Program = Program {
    variable: "CHROMIUM",
    names: &["chromium", "chromium-browser", "google-chrome"],
};
const DRIVER: Program = Program {
    variable: "CHROMEDRIVER",
    names: &["chromedriver"],
};

const WHAT_TO_INSTALL: &str = "Chromium and chromedriver are required, on the PATH or at the paths in CHROMIUM and \
    CHROMEDRIVER. On Debian, install the packages chromium and chromium-driver. For other systems, see \
    https://googlechromelabs.github.io/chrome-for-testing/";

impl Chromium {
    /// Finds both. If they are missing, installs them first, if the machine allows it.
    pub(crate) fn find_or_install() -> Result<Self> {
        if let Some(found) = Self::find()? {
            return Ok(found);
        }
        step("install Chromium", install)
            .map_err(|error| anyhow!("{error:#}. {WHAT_TO_INSTALL}"))?;
        Self::find()?.context(WHAT_TO_INSTALL)
    }

    fn find() -> Result<Option<Self>> {
        let (browser, driver) = (BROWSER.find()?, DRIVER.find()?);
        Ok(browser
            .zip(driver)
            .map(|(browser, driver)| Self { browser, driver }))
    }
}

struct Program {
    variable: &'static str,
    names: &'static [&'static str],
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

fn install(step: &Step) -> Result<()> {
    let apt_get = apt_get()?;
    for arguments in [
        &["update"][..],
        &["install", "--yes", "chromium", "chromium-driver"],
    ] {
        let words = [&apt_get, arguments].concat();
        step.run(duct::cmd(words[0], &words[1..]))?;
    }
    Ok(())
}

/// The command for a non-interactive apt-get: as root, or through sudo without a password.
fn apt_get() -> Result<Vec<&'static str>> {
    which::which("apt-get")
        .ok()
        .context("apt-get is not available")?;
    let plain = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
    if cmd!("id", "-u").read()? == "0" {
        return Ok(plain.to_vec());
    }
    let sudo =
        which::which("sudo").is_ok() && cmd!("sudo", "-n", "true").stderr_null().run().is_ok();
    ensure!(
        sudo,
        "the installation needs root, or sudo without a password"
    );
    Ok([&["sudo", "-n"][..], &plain].concat())
}
