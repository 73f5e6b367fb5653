//! Runs every test of the project, suite by suite, up to the first failing suite.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::ValueEnum;
use duct::Expression;
use serde_json::json;

use crate::bindgen::{self, Tool};
use crate::browsers::{CHROMIUM, engines, with_engines};
use crate::counts::{Counts, report_lines};
use crate::files::matching;
use crate::node::{self, node};
use crate::package;
use crate::paths::{cargo_target, root, work_directory};
use crate::rust::{WASM, ensure_wasm_target};
use crate::steps::{self, Step, seconds, step};

/// The suites, in the sequence in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Suite {
    /// The crate's unit and golden tests, compiled natively
    Native,
    /// The tests of xtask
    Xtask,
    /// tests/wasm.rs in Node.js
    WasmNode,
    /// tests/wasm.rs in headless Chromium
    WasmBrowser,
    /// tests/model: the naive model and the golden cases
    Model,
    /// tests/package: the built npm package in Node.js
    Package,
    /// tests/frameworks: the package's baskets in React, Vue and Svelte
    Frameworks,
    /// tests/worker: the Worker and its services in workerd
    Worker,
    /// tests/shadow: the shadow Worker between the pricing Worker and an old service
    Shadow,
    /// tests/data: prices published as versions, on the local store and on a fake of Cloudflare's API
    Data,
    /// tests/browser: the page in headless Chromium
    Browser,
    /// tests/everywhere: native Rust, Node.js, Chromium and workerd give the same bytes
    Everywhere,
    /// tests/types: the package's types, checked by TypeScript
    Types,
    /// tests/matrix: the packed package in bundlers, frameworks, runtimes and test runners; runs only when named
    Matrix,
    /// tests/engines: the package and the page in Chromium, Firefox and WebKitGTK; runs only when named
    Engines,
}

/// Which rows of the matrix.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum Rows {
    /// Every consumer
    #[default]
    All,
    /// Those that `.ci/run` tries on each change
    EveryChange,
}

/// The suites that run only when named, because they install for minutes.
const NAMED: [Suite; 2] = [Suite::Matrix, Suite::Engines];

/// The folders of tests/frameworks: each has a framework of its own.
const FRAMEWORKS: [&str; 4] = ["react-18", "react-19", "svelte", "vue"];

/// Ends a hanging test. The matrix needs longer, because it installs and builds for minutes.
const TEST_TIMEOUT: Duration = Duration::from_secs(600);
const MATRIX_TIMEOUT: Duration = Duration::from_secs(3600);

/// The result of a suite.
struct Row {
    suite: Suite,
    counts: Counts,
    elapsed: Duration,
}

/// Runs `only` or these rows of the `matrix`; without either, every suite except the named ones.
pub(crate) fn run(only: Option<Suite>, matrix: Option<Rows>) -> Result<ExitCode> {
    let only = only.or(matrix.map(|_| Suite::Matrix));
    let rows_of_matrix = matrix.unwrap_or_default();
    let suites = only.map_or_else(Suite::unnamed, |suite| vec![suite]);
    prepare(&suites)?;
    let mut rows = Vec::new();
    let mut outcome = Ok(());
    for &suite in &suites {
        let started = Instant::now();
        let mut counts = Counts::default();
        outcome = step(&format!("test {}", suite.name()), |step| {
            suite.run(rows_of_matrix, step, &mut counts)
        });
        counts.failed = counts.failed.max(u32::from(outcome.is_err()));
        rows.push(Row {
            suite,
            counts,
            elapsed: started.elapsed(),
        });
        if let Err(error) = &outcome {
            steps::print_error(error);
            break;
        }
    }
    print_summary(&rows, &suites[rows.len()..]);
    Ok(if outcome.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Installs and builds what the suites need, so that the suites' times do not include it.
fn prepare(suites: &[Suite]) -> Result<()> {
    node::check()?;
    ensure_wasm_target()?;
    if suites.contains(&Suite::WasmNode) || suites.contains(&Suite::WasmBrowser) {
        bindgen::compile(Tool::TestRunner)?;
    }
    if suites.iter().any(|suite| suite.is_in_browser()) {
        CHROMIUM.find_or_install()?;
    }
    if suites.contains(&Suite::Engines) {
        engines()?;
    }
    if suites.iter().any(|suite| suite.is_javascript()) {
        package::build()?;
        node::install("tests")?;
    }
    if suites
        .iter()
        .any(|&suite| suite.is_javascript() && suite != Suite::Matrix)
    {
        package::build_faulty()?;
        node::install("worker")?;
        node::install("benches")?;
        for framework in FRAMEWORKS {
            node::install(&format!("tests/frameworks/{framework}"))?;
        }
    }
    Ok(())
}

impl Suite {
    fn unnamed() -> Vec<Self> {
        let all = Self::value_variants().iter().copied();
        all.filter(|suite| !NAMED.contains(suite)).collect()
    }

    fn name(self) -> String {
        named(self)
    }

    fn is_javascript(self) -> bool {
        !matches!(
            self,
            Self::Native | Self::Xtask | Self::WasmNode | Self::WasmBrowser
        )
    }

    fn is_in_browser(self) -> bool {
        matches!(
            self,
            Self::WasmBrowser | Self::Browser | Self::Everywhere | Self::Matrix
        )
    }

    fn run(self, rows: Rows, step: &Step, counts: &mut Counts) -> Result<()> {
        let command = match self {
            Self::Native => cargo_test(&["--package", "order-cost"]),
            Self::Xtask => cargo_test(&["--package", "xtask"]),
            Self::WasmNode => wasm_test(),
            Self::WasmBrowser => wasm_test_in_browser()?,
            Self::Model | Self::Package | Self::Worker | Self::Shadow | Self::Data => {
                node_test(&self.name(), TEST_TIMEOUT)?
            }
            // Through its link the package finds the framework of the test's folder.
            Self::Frameworks => {
                node_test("frameworks", TEST_TIMEOUT)?.env("NODE_OPTIONS", "--preserve-symlinks")
            }
            Self::Browser => chromium_test("browser", TEST_TIMEOUT)?,
            Self::Matrix => {
                chromium_test("matrix", MATRIX_TIMEOUT)?.env("MATRIX_ROWS", named(rows))
            }
            Self::Engines => with_engines(node_test("engines", TEST_TIMEOUT)?)?,
            Self::Everywhere => {
                chromium_test("everywhere", TEST_TIMEOUT)?.env("NATIVE", build_native(step)?)
            }
            Self::Types => node(
                "tests/node_modules/typescript/bin/tsc",
                ["--project", "tests/types"],
            ),
        };
        let ran = step.capture(command)?;
        *counts = match self {
            Self::Types => Counts {
                passed: u32::from(ran.status.success()),
                ..Counts::default()
            },
            _ if self.is_javascript() => {
                Counts::reported(&fs::read_to_string(counts_file()?).unwrap_or_default())
            }
            _ => Counts::printed(&ran.output),
        };
        let verdict = judge(*counts, ran.status);
        match verdict {
            Ok(()) => report_lines(&ran.output).for_each(|line| step.print(line)),
            Err(_) => step.print(&ran.output),
        }
        verdict
    }
}

/// The name of a value on the command line.
fn named(value: impl ValueEnum) -> String {
    value
        .to_possible_value()
        .map(|value| value.get_name().to_owned())
        .unwrap_or_default()
}

fn cargo_test(args: &[&str]) -> Expression {
    let args = ["test", "--no-fail-fast"]
        .into_iter()
        .chain(args.iter().copied());
    duct::cmd("cargo", args).dir(root(""))
}

/// Allows more time than the runner's defaults: a busy machine must not fail the tests.
fn wasm_test() -> Expression {
    cargo_test(&[
        "--package",
        "order-cost",
        "--target",
        WASM,
        "--test",
        "wasm",
    ])
    .env("WASM_BINDGEN_TEST_TIMEOUT", "300")
    .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
}

/// The same tests in a browser: the environment selects the browser, the test file does not.
fn wasm_test_in_browser() -> Result<Expression> {
    let [browser, driver] = CHROMIUM.find_or_install()?;
    let capabilities = work_directory()?.join("webdriver.json");
    let options = json!({ "goog:chromeOptions": { "binary": browser } });
    fs::write(&capabilities, options.to_string())?;
    Ok(wasm_test()
        .env("CHROMEDRIVER", driver)
        .env("WASM_BINDGEN_USE_BROWSER", "1")
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities))
}

/// Compiles tests/everywhere/native.rs to a program.
fn build_native(step: &Step) -> Result<PathBuf> {
    let args = [
        "build",
        "--package",
        "order-cost",
        "--example",
        "everywhere",
    ];
    step.run(duct::cmd("cargo", args).dir(root("")))?;
    let program = format!("everywhere{}", std::env::consts::EXE_SUFFIX);
    Ok(cargo_target()?.join("debug").join("examples").join(program))
}

/// The checks of the packed package, as npm users get it.
pub(crate) fn packaging() -> Expression {
    let args = ["--test", "tests/package/packaging.test.js"];
    duct::cmd("node", args).dir(root(""))
}

/// The file that tests/counts.mjs writes.
fn counts_file() -> Result<PathBuf> {
    Ok(work_directory()?.join("counts.json"))
}

fn node_test(folder: &str, timeout: Duration) -> Result<Expression> {
    let mut files = matching(&root(&format!("tests/{folder}/**/*.test.*js")))?;
    files.retain(|file| !file.iter().any(|part| part == "node_modules"));
    ensure!(
        !files.is_empty(),
        "tests/{folder}/ has no *.test.js or *.test.mjs"
    );
    let counts = counts_file()?;
    // Removes the counts of an earlier suite.
    fs::write(&counts, "")?;
    let options = [
        "--test",
        "--test-reporter=spec",
        "--test-reporter-destination=stdout",
        "--test-reporter=./tests/counts.mjs",
        &format!("--test-reporter-destination={}", counts.display()),
        &format!("--test-timeout={}", timeout.as_millis()),
    ];
    let options = options.map(OsString::from).into_iter();
    let args = options.chain(files.into_iter().map(Into::into));
    Ok(duct::cmd("node", args).dir(root("")))
}

fn chromium_test(folder: &str, timeout: Duration) -> Result<Expression> {
    let [browser, _] = CHROMIUM.find_or_install()?;
    Ok(node_test(folder, timeout)?.env("CHROMIUM", browser))
}

/// A suite passes if at least one test ran and every test passed.
fn judge(counts: Counts, status: ExitStatus) -> Result<()> {
    ensure!(counts.failed == 0, "{} failed", counts.failed);
    ensure!(status.success(), "the runner ended with {status}");
    ensure!(counts.passed > 0, "no test ran");
    ensure!(
        counts.skipped == 0,
        "{} skipped; a skipped test counts as failed",
        counts.skipped
    );
    Ok(())
}

/// The last line adds up the tests that the suites' runners counted. The type check counts as one test. A suite that
/// fails without a failed test counts as one failure.
fn print_summary(rows: &[Row], not_run: &[Suite]) {
    println!(
        "\n{:14}{:>8}{:>8}{:>10}",
        "suite", "passed", "failed", "time"
    );
    let mut total = Counts::default();
    for Row {
        suite,
        counts,
        elapsed,
    } in rows
    {
        total += *counts;
        println!(
            "{:14}{:>8}{:>8}{:>10}",
            suite.name(),
            counts.passed,
            counts.failed,
            seconds(*elapsed)
        );
    }
    for suite in not_run {
        println!("{:14}{:>8}{:>8}{:>10}", suite.name(), "-", "-", "not run");
    }
    println!("\n{} passed, {} failed", total.passed, total.failed);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(passed: u32, failed: u32, skipped: u32) -> Result<()> {
        judge(
            Counts {
                passed,
                failed,
                skipped,
            },
            ExitStatus::default(),
        )
    }

    #[test]
    fn a_suite_passes_only_by_tests_that_ran() {
        assert!(verdict(3, 0, 0).is_ok());
        assert!(verdict(3, 1, 0).is_err());
        assert!(verdict(3, 0, 1).is_err());
        assert!(verdict(0, 0, 0).is_err());
    }

    #[test]
    fn the_long_suites_run_when_asked_for() {
        let suites = Suite::unnamed();
        assert_eq!(suites.len() + NAMED.len(), Suite::value_variants().len());
        assert!(NAMED.iter().all(|suite| !suites.contains(suite)));
    }

    #[cfg(unix)]
    #[test]
    fn a_runner_that_fails_after_its_last_count_has_failed() {
        use std::os::unix::process::ExitStatusExt;
        let passed = Counts {
            passed: 3,
            ..Counts::default()
        };
        assert!(judge(passed, ExitStatus::from_raw(1 << 8)).is_err());
    }
}
