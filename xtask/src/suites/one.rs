//! Runs one suite.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::ExitStatus;

use anyhow::{Result, ensure};
use duct::Expression;

use super::counts::{Counts, is_passed};
use super::suite::{Runner, Suite};
use crate::checkout::{cargo_target, matching, root, work_directory};
use crate::steps::Step;
use crate::tools::{cargo, node};

/// Which parts of the suites run, and how.
#[derive(Default)]
pub(crate) struct Selection {
    /// Only test files (JavaScript) or tests (Rust) whose names contain one of these
    pub(crate) names: Vec<String>,
    /// Also the files in the suites' folders `night/`
    pub(crate) is_night: bool,
    /// Variables for the tests; the commands that repeat a failure set them, too
    pub(crate) environment: Vec<(&'static str, String)>,
}

/// The folders of test files that only the night runs.
const NIGHT: &str = "night";

impl Suite {
    /// Runs the suite as a step, shows how many tests passed so far, and keeps all that the runner prints in the suite's log.
    pub(super) fn run(
        &self,
        selection: &Selection,
        step: &Step,
        counts: &mut Counts,
    ) -> Result<()> {
        // What fails before the first test must not show what an earlier run printed.
        fs::write(self.log()?, "")?;
        let command = self.command(selection, step)?;
        let mut passed = 0;
        let ran = step.capture_with(command, |line| {
            passed += u32::from(is_passed(line));
            format!("{passed} passed · {line}")
        })?;
        fs::write(self.log()?, &ran.output)?;
        *counts = match self.runner {
            Runner::Cargo(_) => Counts::printed(&ran.output),
            Runner::Node => Counts::reported(&fs::read_to_string(self.counts_file()?)?),
            Runner::TypeScript => Counts {
                passed: usize::from(ran.status.success()),
                ..Counts::default()
            },
        };
        judge(counts, ran.status)
    }

    /// The file that keeps what the suite's runner printed last.
    pub(super) fn log(&self) -> Result<PathBuf> {
        let folder = root("target/test");
        fs::create_dir_all(&folder)?;
        Ok(folder.join(format!("{}.log", self.name)))
    }

    fn command(&self, selection: &Selection, step: &Step) -> Result<Expression> {
        let files = self.files(selection)?;
        let mut command = match self.runner {
            Runner::Cargo(args) => cargo_test(args, selection),
            Runner::Node => self.node_test(&files)?,
            Runner::TypeScript => {
                let project = ["--project".to_owned(), format!("tests/{}", self.name)];
                node("tests/node_modules/typescript/bin/tsc", project)
            }
        };
        for need in self.needs {
            command = need.told_to(command)?;
        }
        if let Some(python) = &self.python {
            command = python.told_to(command)?;
        }
        for program in self.programs {
            let is_needed = |only: &str| files.iter().any(|file| file.ends_with(only));
            if program.only_for.is_none_or(is_needed) {
                step.run(cargo(program.build))?;
                command = command.env(program.variable, cargo_target()?.join(program.path));
            }
        }
        for (variable, value) in self.environment {
            command = command.env(variable, value);
        }
        for (variable, value) in &selection.environment {
            command = command.env(variable, value);
        }
        Ok(command)
    }

    fn node_test(&self, files: &[PathBuf]) -> Result<Expression> {
        ensure!(
            !files.is_empty(),
            "tests/{}/ has no such *.test.js or *.test.mjs",
            self.name
        );
        let counts = self.counts_file()?;
        // Removes the counts of an earlier run.
        fs::write(&counts, "")?;
        let options = [
            "--test",
            &format!("--test-concurrency={}", self.files_at_once),
            "--test-reporter=spec",
            "--test-reporter-destination=stdout",
            "--test-reporter=./tests/counts.mjs",
            &format!("--test-reporter-destination={}", counts.display()),
            &format!("--test-timeout={}", self.seconds * 1000),
        ];
        let options = options.map(OsString::from).into_iter();
        Ok(duct::cmd("node", options.chain(files.iter().map(Into::into))).dir(root("")))
    }

    /// The test files of a JavaScript suite.
    fn files(&self, selection: &Selection) -> Result<Vec<PathBuf>> {
        let folder = root(&format!("tests/{}", self.name));
        let mut files = matching(&folder.join("**/*.test.*js"))?;
        files.retain(|file| {
            // A checkout may lie anywhere, also in a folder of such a name.
            let inside = file.strip_prefix(&folder).unwrap_or(file);
            let is_in = |folder: &str| inside.iter().any(|part| part == folder);
            let path = file.to_string_lossy();
            let is_asked = match &selection.names[..] {
                [] => selection.is_night || !is_in(NIGHT),
                names => names.iter().any(|name| path.contains(name)),
            };
            is_asked && !is_in("node_modules")
        });
        Ok(files)
    }

    /// The file that tests/counts.mjs writes.
    fn counts_file(&self) -> Result<PathBuf> {
        Ok(work_directory()?.join(format!("counts-{}.json", self.name)))
    }
}

fn cargo_test(args: &str, selection: &Selection) -> Expression {
    let args = format!(
        "test --no-fail-fast {args} -- {}",
        selection.names.join(" ")
    );
    // Cargo's own filter is one text; libtest takes several.
    cargo(args.trim_end_matches(" -- "))
}

/// A suite passes if at least one test ran and every test passed.
fn judge(counts: &Counts, status: ExitStatus) -> Result<()> {
    let failed = counts.failures.len();
    ensure!(failed == 0, "{failed} failed");
    ensure!(status.success(), "the runner ended with {status}");
    ensure!(counts.passed > 0, "no test ran");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_passes_only_by_tests_that_ran() {
        let verdict = |output: &str| judge(&Counts::printed(output), ExitStatus::default());
        assert!(verdict("test a ... ok").is_ok());
        assert!(verdict("").is_err() && verdict("test a ... ok\ntest b ... FAILED").is_err());
    }

    #[test]
    fn the_workflow_runs_every_suite() -> Result<()> {
        let workflow = fs::read_to_string(root(".github/workflows/ci.yml"))?;
        let words: Vec<_> = workflow.split_whitespace().collect();
        for suite in Suite::unnamed() {
            let is_named = |pair: &[&str]| pair == ["--only", suite.name];
            assert!(words.windows(2).any(is_named), "{}", suite.name);
        }
        Ok(())
    }

    #[test]
    fn a_name_selects_files_also_those_of_the_night() -> Result<()> {
        let of = |names: &[&str]| {
            let names = names.iter().map(|&name| name.to_owned()).collect();
            Suite::named("package").files(&Selection {
                names,
                ..Selection::default()
            })
        };
        let [one] = &of(&["package/golden.test.js"])?[..] else {
            panic!("one file has this name");
        };
        assert!(one.ends_with("tests/package/golden.test.js"));
        assert!(!of(&["night/"])?.is_empty() && of(&["no such file"])?.is_empty());
        assert!(of(&[])?.len() > 20);
        Ok(())
    }
}
