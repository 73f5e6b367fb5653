//! The test suites: what each needs, and the command that runs it.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use duct::Expression;

use super::counts::{Counts, is_passed};
use crate::checkout::{cargo_target, matching, root, work_directory};
use crate::steps::Step;
use crate::tools::{
    CHROMIUM, Need, WASI, WASM, node, pip_install, promtool, with_engines, with_languages,
};

/// The suites. First the one that compiles the longest, then the longest to run, so that no long one runs alone at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub(crate) enum Suite {
    /// The crate's unit and golden tests, compiled natively
    Native,
    /// tests/data: prices published as versions, on the local store and on a fake of Cloudflare's API
    Data,
    /// tests/worker: the service in workerd and on Node.js, and its services
    Worker,
    /// tests/package: the built npm package in Node.js
    Package,
    /// tests/node: the service on Node.js: its processes, its image, its monitoring; and the crate in Python
    Node,
    /// tests/browser: the page in headless Chromium
    Browser,
    /// tests/migration: the shadow Worker between the pricing Worker and an old service
    Migration,
    /// tests/site: the site of documents: its pages, links, tutorials and playground
    Site,
    /// tests/wasm.rs: the binding in Node.js
    WasmNode,
    /// tests/everywhere: native Rust, Node.js, Chromium and workerd give the same bytes
    Everywhere,
    /// tests/simulation: random actions of baskets, hosts and clocks beside a model
    Simulation,
    /// tests/frameworks: the package's baskets in React, Vue and Svelte
    Frameworks,
    /// The tests of xtask
    Xtask,
    /// tests/model: the naive model and the golden cases
    Model,
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
    /// The consumers that `.ci/run` tries on each change
    EveryChange,
}

/// Which parts of the suites run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    /// Only test files (JavaScript) or tests (Rust) whose names contain one of these
    pub(crate) names: Vec<String>,
    pub(crate) rows: Rows,
    /// Set in the night, which also runs the files in the suites' folders `night/`
    pub(crate) night: Option<Night>,
    /// The folder into which Node.js writes what ran
    pub(crate) coverage: Option<PathBuf>,
    /// The address of the run's Chromium
    pub(crate) chromium: Option<String>,
}

/// How the night's random tests run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Night {
    pub(crate) seed: u32,
    /// The number of cases, as a multiple of a change's
    pub(crate) times: u32,
}

/// The suites that run only when named, because they install for minutes.
pub(crate) const NAMED: [Suite; 2] = [Suite::Matrix, Suite::Engines];

/// The tests of the Rust suites, as Cargo is asked for them.
const NATIVE: &[&str] = &["--package", "order-cost"];
const XTASK: &[&str] = &["--package", "xtask"];
const WASM_NODE: &[&str] = &[
    "--package",
    "order-cost",
    "--target",
    WASM,
    "--test",
    "wasm",
];

/// Ends a hanging test. The matrix needs longer, because it installs and builds for minutes.
const TEST_TIMEOUT: Duration = Duration::from_secs(600);
const MATRIX_TIMEOUT: Duration = Duration::from_secs(3600);

impl Suite {
    pub(crate) fn unnamed() -> Vec<Self> {
        let all = Self::value_variants().iter().copied();
        all.filter(|suite| !NAMED.contains(suite)).collect()
    }

    pub(crate) fn name(self) -> String {
        named(self)
    }

    pub(crate) fn is_javascript(self) -> bool {
        !matches!(self, Self::Native | Self::Xtask | Self::WasmNode)
    }

    /// What has to be on the machine besides Rust.
    pub(crate) fn needs(self) -> &'static [Need] {
        match self {
            Self::Native => &[],
            Self::Browser | Self::Site | Self::Everywhere => &[Need::Node, Need::Chromium],
            Self::Matrix => &[Need::Node, Need::Chromium, Need::Java, Need::Python],
            Self::Engines => &[Need::Node, Need::Chromium, Need::Engines],
            Self::Node => &[Need::Node, Need::Python, Need::Promtool],
            _ => &[Need::Node],
        }
    }

    /// Whether its tests share the run's Chromium.
    pub(crate) fn shares_chromium(self) -> bool {
        matches!(
            self,
            Self::Browser | Self::Site | Self::Everywhere | Self::Matrix
        )
    }

    /// Runs the suite as a step, shows how many tests passed so far, and keeps all that the runner prints in the suite's log.
    pub(crate) fn run(self, selection: &Selection, step: &Step, counts: &mut Counts) -> Result<()> {
        // What fails before the first test must not show what an earlier run printed.
        fs::write(self.log()?, "")?;
        let command = self.command(selection, step)?;
        let command = match &selection.coverage {
            Some(folder) => command.env("NODE_V8_COVERAGE", folder),
            None => command,
        };
        let mut passed = 0;
        let ran = step.capture_with(command, |line| {
            passed += u32::from(is_passed(line));
            format!("{passed} passed · {line}")
        })?;
        fs::write(self.log()?, &ran.output)?;
        *counts = match self {
            Self::Types => Counts {
                passed: u32::from(ran.status.success()),
                ..Counts::default()
            },
            _ if self.is_javascript() => {
                Counts::reported(&fs::read_to_string(self.counts_file()?).unwrap_or_default())
            }
            _ => Counts::printed(&ran.output),
        };
        judge(counts, ran.status)
    }

    /// The file that keeps what the suite's runner printed last.
    pub(crate) fn log(self) -> Result<PathBuf> {
        let folder = root("target/test");
        fs::create_dir_all(&folder)?;
        Ok(folder.join(format!("{}.log", self.name())))
    }

    /// How many of its files run beside each other. The suites do so themselves, but these have the most to do or to wait for.
    fn files_at_once(self) -> u32 {
        if matches!(self, Self::Package | Self::Node) {
            2
        } else {
            1
        }
    }

    /// Whether its tests need the package with faults.
    pub(crate) fn has_faults(self) -> bool {
        self == Self::Package
    }

    fn command(self, selection: &Selection, step: &Step) -> Result<Expression> {
        let command = match self {
            Self::Native => cargo_test(NATIVE, selection),
            Self::Xtask => cargo_test(XTASK, selection),
            // More time than the runner's default: a busy machine must not fail the tests.
            Self::WasmNode => {
                cargo_test(WASM_NODE, selection).env("WASM_BINDGEN_TEST_TIMEOUT", "300")
            }
            Self::Package
            | Self::Simulation
            | Self::Model
            | Self::Worker
            | Self::Migration
            | Self::Data => self.node_test(selection, TEST_TIMEOUT)?,
            // Through its link the package finds the React of the test's folder.
            Self::Frameworks => {
                let preserve = "--preserve-symlinks";
                (self.node_test(selection, TEST_TIMEOUT)?).env("NODE_OPTIONS", preserve)
            }
            Self::Node => {
                let programs = pip_install("tests/node")?;
                let command = self.node_test(selection, TEST_TIMEOUT)?;
                // To generate its bindings takes a minute to compile, so that a change leaves it out.
                let has_component = |file: &PathBuf| file.ends_with("night/component.test.js");
                let command = if self.files(selection)?.iter().any(has_component) {
                    command.env("COMPONENT", build_component(step)?)
                } else {
                    command
                };
                command
                    .env("PROMTOOL", promtool()?)
                    .env("KUBERNETES_VALIDATE", programs.join("kubernetes-validate"))
                    .env("PYTHON_WITH_PACKAGES", programs.join("python"))
                    .env("WORK", build_work(step)?)
            }
            Self::Browser | Self::Site => self.chromium_test(selection, TEST_TIMEOUT)?,
            Self::Matrix => with_languages(self.chromium_test(selection, MATRIX_TIMEOUT)?)?
                .env("MATRIX_ROWS", named(selection.rows)),
            Self::Engines => with_engines(self.node_test(selection, TEST_TIMEOUT)?)?,
            Self::Everywhere => self
                .chromium_test(selection, TEST_TIMEOUT)?
                .env("NATIVE", build_native(step)?),
            Self::Types => node(
                "tests/node_modules/typescript/bin/tsc",
                ["--project", "tests/types"],
            ),
        };
        Ok(match selection.night {
            Some(Night { seed, times }) => command
                .env("ORDER_COST_SEED", seed.to_string())
                .env("ORDER_COST_TIMES", times.to_string()),
            None => command,
        })
    }

    fn node_test(self, selection: &Selection, timeout: Duration) -> Result<Expression> {
        let files = self.files(selection)?;
        ensure!(
            !files.is_empty(),
            "tests/{}/ has no *.test.js or *.test.mjs{}",
            self.name(),
            if selection.names.is_empty() {
                ""
            } else {
                " of this name"
            }
        );
        let counts = self.counts_file()?;
        // Removes the counts of an earlier run.
        fs::write(&counts, "")?;
        let options = [
            "--test",
            &format!("--test-concurrency={}", self.files_at_once()),
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

    fn chromium_test(self, selection: &Selection, timeout: Duration) -> Result<Expression> {
        let [browser] = CHROMIUM.find_or_install()?;
        let command = self.node_test(selection, timeout)?.env("CHROMIUM", browser);
        Ok(match &selection.chromium {
            Some(address) => command.env("CHROMIUM_SERVER", address),
            None => command,
        })
    }

    /// The test files of a JavaScript suite.
    fn files(self, selection: &Selection) -> Result<Vec<PathBuf>> {
        let mut files = matching(&root(&format!("tests/{}/**/*.test.*js", self.name())))?;
        files.retain(|file| {
            let is_in = |folder: &str| file.iter().any(|part| part == folder);
            let path = file.to_string_lossy();
            let is_named = selection.names.iter().any(|name| path.contains(name));
            !is_in("node_modules")
                && (is_named
                    || selection.names.is_empty() && (selection.night.is_some() || !is_in(NIGHT)))
        });
        Ok(files)
    }

    /// The file that tests/counts.mjs writes.
    fn counts_file(self) -> Result<PathBuf> {
        Ok(work_directory()?.join(format!("counts-{}.json", self.name())))
    }
}

/// The folders of test files that only the night runs.
const NIGHT: &str = "night";

/// The name of a value on the command line.
pub(crate) fn named(value: impl ValueEnum) -> String {
    value
        .to_possible_value()
        .map(|value| value.get_name().to_owned())
        .unwrap_or_default()
}

fn cargo_test(args: &[&str], selection: &Selection) -> Expression {
    let args = ["test", "--no-fail-fast"].iter().chain(args).copied();
    // Cargo's own filter is one text; libtest takes several.
    let names = selection.names.iter().map(String::as_str);
    let separator = (!selection.names.is_empty()).then_some("--");
    duct::cmd("cargo", args.chain(separator).chain(names)).dir(root(""))
}

/// Compiles tests/node/work to WebAssembly.
fn build_work(step: &Step) -> Result<PathBuf> {
    let built = build_for_wasi(step, &["--package", "order-cost-work"])?;
    Ok(built.join("work.wasm"))
}

/// Compiles examples/component.rs, as its users do.
fn build_component(step: &Step) -> Result<PathBuf> {
    let built = build_for_wasi(step, &["--package", "order-cost", "--example", "component"])?;
    Ok(built.join("examples/component.wasm"))
}

/// Gives the folder of what Cargo builds for this target.
fn build_for_wasi(step: &Step, what: &[&str]) -> Result<PathBuf> {
    let args = [&["build", "--release", "--target", WASI], what].concat();
    step.run(duct::cmd("cargo", args).dir(root("")))?;
    Ok(cargo_target()?.join(WASI).join("release"))
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

/// A suite passes if at least one test ran and every test passed.
fn judge(counts: &Counts, status: ExitStatus) -> Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(passed: u32, failed: u32, skipped: u32) -> Result<()> {
        let counts = Counts {
            passed,
            failed,
            skipped,
            ..Counts::default()
        };
        judge(&counts, ExitStatus::default())
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
        assert!(judge(&passed, ExitStatus::from_raw(1 << 8)).is_err());
    }

    #[test]
    fn the_workflow_runs_every_suite() -> Result<()> {
        let workflow = fs::read_to_string(root(".github/workflows/ci.yml"))?;
        for suite in Suite::unnamed() {
            let option = format!("--only {}", suite.name());
            let is_option = |at: (usize, &str)| {
                let rest = &workflow[at.0 + option.len()..];
                rest.starts_with(char::is_whitespace)
            };
            assert!(workflow.match_indices(&option).any(is_option), "{option}");
        }
        Ok(())
    }

    #[test]
    fn a_name_selects_files_also_those_of_the_night() -> Result<()> {
        let of = |names: &[&str]| {
            let names = names.iter().map(|&name| name.to_owned()).collect();
            Suite::Package.files(&Selection {
                names,
                ..Selection::default()
            })
        };
        let [one] = &of(&["package/golden.test.js"])?[..] else {
            panic!("one file has this name");
        };
        assert!(one.ends_with("tests/package/golden.test.js"));
        assert!(of(&["no such file"])?.is_empty());
        assert!(of(&[])?.len() > 20);
        Ok(())
    }
}
