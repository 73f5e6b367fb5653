//! Counts the tests that ran. `node --test` reports them through tests/counts.mjs; `cargo test` has no other stable
//! form than its count lines.

use std::ops::AddAssign;

use serde::Deserialize;

/// The test counts of one suite, or of all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Counts {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
    pub(crate) skipped: u32,
    #[serde(default)]
    pub(crate) failures: Vec<Failure>,
}

/// A test that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Failure {
    /// The test file of a JavaScript suite
    pub(crate) file: Option<String>,
    pub(crate) name: String,
    /// What the runner says of it
    #[serde(default)]
    pub(crate) said: String,
}

impl Counts {
    /// The counts that tests/counts.mjs wrote; zero if the runner ended before that.
    pub(crate) fn reported(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }

    /// Adds up the count lines of `cargo test`, natively, in Node.js or in a browser:
    /// `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; …`.
    pub(crate) fn printed(output: &str) -> Self {
        let mut counts = Self::default();
        let lines = output.lines().filter(|line| line.starts_with(RESULT));
        for line in lines {
            let before = |word: &str| {
                let number = line
                    .split_once(word)
                    .and_then(|(before, _)| before.split(' ').next_back());
                number
                    .and_then(|number| number.parse().ok())
                    .unwrap_or_default()
            };
            counts += Self {
                passed: before(" passed;"),
                failed: before(" failed;"),
                skipped: before(" ignored;"),
                failures: Vec::new(),
            };
        }
        let failed = output.lines().filter_map(|line| {
            let line = line.strip_prefix("test ")?;
            line.strip_suffix(" ... FAILED")
                .or_else(|| line.strip_suffix(" ... FAIL"))
        });
        counts.failures = failed
            .map(|name| Failure {
                name: name.to_owned(),
                ..Failure::default()
            })
            .collect();
        counts
    }
}

/// Whether a runner says in this line that a test passed.
pub(crate) fn is_passed(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('✔') || line.starts_with("test ") && line.ends_with(" ... ok")
}

const RESULT: &str = "test result: ";

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.failures.extend(other.failures);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkout::{root, work_directory};

    #[test]
    fn every_count_line_of_cargo_test_counts_and_no_other() {
        let output = "\
     Running unittests src/lib.rs
test money::tests::adds ... ok
it printed test result: ok. 9 passed; 0 failed;
test result: ok. 41 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.05s
     Running tests/golden.rs
test rules::weighs ... FAILED
test wasm::a_host ... FAIL
test result: FAILED. 7 passed; 2 failed; 1 ignored; 0 filtered out; finished in 1.00s
";
        let counts = Counts::printed(output);
        assert_eq!((counts.passed, counts.failed, counts.skipped), (48, 2, 1));
        let names: Vec<_> = counts
            .failures
            .iter()
            .map(|failure| &failure.name)
            .collect();
        assert_eq!(names, ["rules::weighs", "wasm::a_host"]);
    }

    #[test]
    fn node_counts_cancelled_as_failed_and_todo_as_skipped() {
        let example = r#"
            import { describe, test } from "node:test";
            describe("a suite is no test", () => {
              test("passes", () => {});
              test("fails", () => { throw new Error("as it should"); });
            });
            test("ends before its subtest, which is cancelled", (t) => {
              t.test("never ends", () => new Promise(() => {}));
            });
            test("skipped", { skip: true }, () => {});
            test("todo", { todo: true }, () => {});
        "#;
        let file = work_directory().unwrap().join("counts-example.mjs");
        std::fs::write(&file, example).unwrap();
        let test = duct::cmd!(
            "node",
            "--test",
            "--test-reporter=./tests/counts.mjs",
            &file
        );
        let reported = test.dir(root("")).unchecked().read().unwrap();
        let counts = Counts::reported(&reported);
        assert_eq!((counts.passed, counts.failed, counts.skipped), (1, 3, 2));
        let failed = counts
            .failures
            .iter()
            .find(|failure| failure.name == "fails")
            .unwrap();
        let of = failed.file.as_deref().unwrap_or_default();
        assert!(of.ends_with("counts-example.mjs"), "{of}");
        assert!(
            failed.said.starts_with("Error: as it should\n"),
            "{}",
            failed.said
        );
        // A report that is cut short counts nothing.
        assert_eq!(Counts::reported(&reported[..10]), Counts::default());
    }
}
