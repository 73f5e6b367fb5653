//! The browsers that tests drive.

use std::path::PathBuf;

use anyhow::Result;
use duct::{Expression, cmd};

use crate::software::{Program, Software};

pub(crate) const CHROMIUM: Software<1> = Software {
    name: "Chromium",
    programs: [Program {
        variable: "CHROMIUM",
        names: &["chromium", "chromium-browser", "google-chrome"],
    }],
    packages: &["chromium"],
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
