//! Chromium and its driver: found, or installed where apt-get can; a test that wants them never skips.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};
use duct::cmd;

use crate::steps::{Step, step};

/// A Chromium and the driver of its version.
pub(crate) struct Chromium {
    pub(crate) browser: PathBuf,
    pub(crate) driver: PathBuf,
}

/// Where each may be: a path in the variable, else a program on the PATH.
const BROWSER: Program = Program {
    variable: "CHROMIUM",
    names: &["chromium", "chromium-browser", "google-chrome"],
};
const DRIVER: Program = Program {
    variable: "CHROMEDRIVER",
    names: &["chromedriver"],
};

const WHAT_TO_INSTALL: &str = "Chromium and chromedriver are needed, on the PATH or named in CHROMIUM and \
    CHROMEDRIVER. Debian has them in the packages chromium and chromium-driver; \
    https://googlechromelabs.github.io/chrome-for-testing/ has them for other systems";

impl Chromium {
    /// Finds both, installing them first where they are not there and the machine lets us.
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
                        "{} names {}, which is no program",
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

/// apt-get, asking nothing: as root, or through a sudo that wants no password.
fn apt_get() -> Result<Vec<&'static str>> {
    which::which("apt-get")
        .ok()
        .context("there is no apt-get to install it with")?;
    let plain = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
    if cmd!("id", "-u").read()? == "0" {
        return Ok(plain.to_vec());
    }
    let sudo =
        which::which("sudo").is_ok() && cmd!("sudo", "-n", "true").stderr_null().run().is_ok();
    ensure!(
        sudo,
        "installing it needs root, or a sudo that wants no password"
    );
    Ok([&["sudo", "-n"][..], &plain].concat())
}
