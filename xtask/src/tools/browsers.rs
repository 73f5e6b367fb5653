//! The browsers that tests drive.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use duct::{Expression, cmd};

use super::software::{Program, Software};
use crate::checkout::root;

pub(crate) const CHROMIUM: Software<1> = Software {
    name: "Chromium",
    programs: [Program {
        variable: "CHROMIUM",
        // The shell has no window: it tests in half the time.
        names: &[
            "chromium-headless-shell",
            "chromium",
            "chromium-browser",
            "google-chrome",
        ],
    }],
    packages: &["chromium-headless-shell"],
    works: |_| true,
};

/// Firefox; WebKitGTK's driver, the display of its windows, and the interpreter of the window that it drives.
pub(crate) const FIREFOX_AND_WEBKIT: Software<4> = Software {
    name: "Firefox, WebKitWebDriver, Xvfb and gjs with the bindings of WebKitGTK 4.1",
    programs: [
        Program {
            variable: "FIREFOX",
            names: &["firefox-esr", "firefox"],
        },
        Program {
            variable: "WEBKIT_WEBDRIVER",
            names: &["WebKitWebDriver"],
        },
        Program {
            variable: "XVFB",
            names: &["Xvfb"],
        },
        Program {
            variable: "GJS",
            names: &["gjs"],
        },
    ],
    packages: &[
        "firefox-esr",
        "webkit2gtk-driver",
        "xvfb",
        "gjs",
        "gir1.2-webkit2-4.1",
    ],
    works: |[.., gjs]| has_bindings(gjs),
};

/// One Chromium for all suites of a run. Its process ends when its input does: when this is dropped, or when xtask ends.
pub(crate) struct ChromiumServer {
    process: Child,
    pub(crate) address: String,
}

impl ChromiumServer {
    pub(crate) fn start() -> Result<Self> {
        let [browser] = CHROMIUM.find_or_install()?;
        let mut process = Command::new("node")
            .arg("tests/chromium-server.mjs")
            .current_dir(root(""))
            .env("CHROMIUM", browser)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start node")?;
        let output = process.stdout.take().context("it has no output")?;
        let mut address = String::new();
        BufReader::new(output).read_line(&mut address)?;
        ensure!(!address.is_empty(), "Chromium did not start");
        let address = address.trim_end().to_owned();
        Ok(Self { process, address })
    }
}

impl Drop for ChromiumServer {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// The three engines: the variables of their programs, with the paths.
pub(crate) fn engines() -> Result<Vec<(&'static str, PathBuf)>> {
    let chromium = CHROMIUM.variables().zip(CHROMIUM.find_or_install()?);
    let others = FIREFOX_AND_WEBKIT.find_or_install()?;
    Ok(chromium
        .chain(FIREFOX_AND_WEBKIT.variables().zip(others))
        .collect())
}

/// The command with the variables of `engines`.
pub(crate) fn with_engines(command: Expression) -> Result<Expression> {
    let set = |command: Expression, (variable, path)| command.env(variable, path);
    Ok(engines()?.into_iter().fold(command, set))
}

/// Whether gjs finds WebKitGTK: Debian has its bindings in a package of their own.
fn has_bindings(gjs: &PathBuf) -> bool {
    let look = "imports.gi.versions.WebKit2 = '4.1'; imports.gi.WebKit2";
    cmd!(gjs, "-c", look)
        .stdout_null()
        .stderr_null()
        .run()
        .is_ok()
}
