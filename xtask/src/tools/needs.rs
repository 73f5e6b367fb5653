//! What the commands need on a machine: how it is found, and how it is installed.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use duct::cmd;

use super::browsers::{CHROMIUM, FIREFOX_AND_WEBKIT};
use super::languages::JAVA;
use super::python::PYTHON;
use super::rust::nightly;
use super::{node, promtool};

/// Something that has to be on the machine. [`super::doctor`] lists them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Linker,
    Rustup,
    Node,
    Chromium,
    Engines,
    Java,
    Python,
    Promtool,
    Nightly,
}

/// A need in words.
pub(crate) struct Words {
    pub(crate) name: &'static str,
    /// What runs only with it
    pub(crate) serves: &'static str,
    pub(crate) debian: &'static str,
    pub(crate) fedora: &'static str,
    pub(crate) macos: &'static str,
}

/// The oldest rustup whose `rustup toolchain install` reads rust-toolchain.toml.
const OLDEST_RUSTUP: (u32, u32) = (1, 28);

const RUSTUP: &str =
    "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh   # or: rustup self update";
const NIGHTLY: &str = "rustup toolchain install nightly --profile minimal";

impl Need {
    pub(crate) const ALL: [Self; 9] = [
        Self::Linker,
        Self::Rustup,
        Self::Node,
        Self::Chromium,
        Self::Engines,
        Self::Java,
        Self::Python,
        Self::Promtool,
        Self::Nightly,
    ];

    /// Whether `cargo xtask test` needs it; the others serve single commands.
    pub(crate) fn is_required(self) -> bool {
        matches!(
            self,
            Self::Linker
                | Self::Rustup
                | Self::Node
                | Self::Chromium
                | Self::Python
                | Self::Promtool
        )
    }

    pub(crate) fn words(self) -> Words {
        match self {
            Self::Linker => Words {
                name: "C compiler and linker",
                serves: "everything: Rust links with it",
                debian: "apt-get install gcc libc6-dev",
                fedora: "dnf install gcc",
                macos: "xcode-select --install",
            },
            Self::Rustup => Words {
                name: "rustup 1.28 or later",
                serves: "the toolchain of rust-toolchain.toml and its targets for wasm",
                debian: RUSTUP,
                fedora: RUSTUP,
                macos: RUSTUP,
            },
            Self::Node => Words {
                name: "Node.js 20.11 or later, with npm",
                serves: "the package, the page, the Worker, and every suite but native",
                debian: "apt-get install nodejs npm   # Debian 13; before it, from https://nodejs.org/en/download",
                fedora: "dnf install nodejs npm",
                macos: "brew install node",
            },
            Self::Chromium => Words {
                name: "Chromium",
                serves: "the suites browser, site, everywhere and matrix, and the benchmark's pages",
                debian: "apt-get install chromium-headless-shell   # as root, the tests do this themselves",
                fedora: "dnf install chromium",
                macos: "brew install --cask chromium && export CHROMIUM=/Applications/Chromium.app/Contents/MacOS/Chromium",
            },
            Self::Engines => Words {
                name: "Firefox and WebKitGTK",
                serves: "cargo xtask test --engines",
                debian: "apt-get install firefox-esr webkit2gtk-driver xvfb gjs gir1.2-webkit2-4.1   # as root, the tests do this themselves",
                fedora: "a container with Debian",
                macos: "a container with Debian",
            },
            Self::Java => Words {
                name: "Java 17 or later, with JUnit 5",
                serves: "the suite matrix: the example in Java",
                debian: "apt-get install default-jdk-headless junit5   # as root, the tests do this themselves",
                fedora: "dnf install java-latest-openjdk-devel && export JUNIT=…/junit-platform-console-standalone-1.11.4.jar   # from Maven Central",
                macos: "brew install openjdk && export JUNIT=…/junit-platform-console-standalone-1.11.4.jar   # from Maven Central",
            },
            Self::Python => Words {
                name: "Python 3.11 or later, with venv",
                serves: "the suites node and matrix, with the example in Python, and cargo xtask contract",
                debian: "apt-get install python3 python3-venv   # as root, the tests do this themselves",
                fedora: "dnf install python3",
                macos: "brew install python",
            },
            Self::Promtool => Words {
                name: "promtool",
                serves: "the suite node",
                debian: "apt-get install prometheus   # the tests take the program out of the package themselves",
                fedora: "dnf install golang-github-prometheus",
                macos: "brew install prometheus",
            },
            Self::Nightly => Words {
                name: "Rust's nightly toolchain",
                serves: "cargo xtask fuzz",
                debian: NIGHTLY,
                fedora: NIGHTLY,
                macos: NIGHTLY,
            },
        }
    }

    /// What was found; the error says what is missing.
    pub(crate) fn find(self) -> Result<String> {
        match self {
            Self::Linker => version("cc"),
            Self::Rustup => {
                let found = version("rustup")?;
                ensure!(is_recent(&found), "{found} is too old");
                Ok(found)
            }
            Self::Node => node::check(),
            Self::Chromium => CHROMIUM.find_or_missing().map(|[program]| shown(&program)),
            Self::Engines => (FIREFOX_AND_WEBKIT.find_or_missing())
                .map(|[firefox, webkit, ..]| format!("{}, {}", shown(&firefox), shown(&webkit))),
            Self::Java => JAVA.find_or_missing().map(|[javac, _]| shown(&javac)),
            Self::Python => PYTHON.find_or_missing().map(|[program]| shown(&program)),
            Self::Promtool => promtool::find().map(|program| shown(&program)),
            Self::Nightly => nightly(),
        }
    }

    /// Finds it, or installs it where the tests do that themselves.
    pub(crate) fn find_or_install(self) -> Result<()> {
        match self {
            Self::Chromium => CHROMIUM.find_or_install().map(drop),
            Self::Engines => FIREFOX_AND_WEBKIT.find_or_install().map(drop),
            Self::Java => JAVA.find_or_install().map(drop),
            Self::Python => PYTHON.find_or_install().map(drop),
            Self::Promtool => promtool::find_or_install().map(drop),
            _ => self.find().map(drop),
        }
    }
}

impl Words {
    /// The command for this machine.
    pub(crate) fn command(&self) -> &'static str {
        if cfg!(target_os = "macos") {
            self.macos
        } else if which::which("dnf").is_ok() {
            self.fedora
        } else {
            self.debian
        }
    }
}

fn shown(program: &Path) -> String {
    program.display().to_string()
}

/// The first line that a program prints of its version.
fn version(program: &str) -> Result<String> {
    let found = which::which(program)
        .ok()
        .with_context(|| format!("`{program}` is not on the PATH"))?;
    let printed = cmd!(found, "--version").stderr_null().read()?;
    Ok(printed.lines().next().unwrap_or_default().to_owned())
}

/// Whether `rustup 1.29.0 (…)` is recent enough.
fn is_recent(version: &str) -> bool {
    let mut numbers = version
        .split_whitespace()
        .nth(1)
        .unwrap_or_default()
        .split('.')
        .map(|number| number.parse().unwrap_or(0));
    let found: (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    found >= OLDEST_RUSTUP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_rustup_is_refused() {
        assert!(is_recent("rustup 1.29.0 (28d1352db 2026-03-05)"));
        assert!(is_recent("rustup 2.0.0"));
        assert!(!is_recent("rustup 1.27.1 (54dd3d00f 2024-04-24)"));
        assert!(!is_recent(""));
    }

    #[test]
    fn what_is_found_is_said_and_what_is_not_has_a_command() {
        assert!(Need::Linker.find().is_ok_and(|found| !found.is_empty()));
        for need in Need::ALL {
            let words = need.words();
            for text in [
                words.name,
                words.serves,
                words.debian,
                words.fedora,
                words.macos,
            ] {
                assert!(!text.is_empty(), "{need:?}");
            }
        }
    }
}
