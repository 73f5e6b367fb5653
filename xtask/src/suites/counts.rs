//! What the tests of a suite did. `node --test` reports it through tests/counts.mjs; `cargo test` has no other stable form
//! than the lines that it prints.

use serde::Deserialize;

#[derive(Default, Deserialize)]
pub(super) struct Counts {
    pub(super) passed: usize,
    pub(super) failures: Vec<Failure>,
}

/// A test that failed, or was skipped, which counts as failed.
#[derive(Deserialize)]
pub(super) struct Failure {
    /// The test file of a JavaScript suite
    pub(super) file: Option<String>,
    pub(super) name: String,
    /// What the runner says of it
    pub(super) said: String,
}

impl Counts {
    /// What tests/counts.mjs wrote; nothing if the runner ended before that.
    pub(super) fn reported(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }

    /// What `cargo test` printed, natively, in Node.js or in a browser.
    pub(super) fn printed(output: &str) -> Self {
        let mut counts = Self::default();
        for (name, verdict) in output.lines().filter_map(of_cargo) {
            match verdict {
                "ok" => counts.passed += 1,
                _ if ["FAIL", "ignored"]
                    .iter()
                    .any(|bad| verdict.starts_with(bad)) =>
                {
                    counts.failures.push(Failure {
                        file: None,
                        name: name.to_owned(),
                        said: verdict.to_owned(),
                    });
                }
                _ => {}
            }
        }
        counts
    }
}

/// The name and the verdict in a line such as `test money::adds ... ok`.
fn of_cargo(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("test ")?.split_once(" ... ")
}

/// Whether a runner says in this line that a test passed.
pub(super) fn is_passed(line: &str) -> bool {
    line.trim().starts_with('✔') || of_cargo(line).is_some_and(|(_, verdict)| verdict == "ok")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkout::{root, work_directory};

    fn names(counts: &Counts) -> Vec<&str> {
        let failures = counts.failures.iter();
        failures.map(|failure| failure.name.as_str()).collect()
    }

    #[test]
    fn every_test_of_cargo_counts() {
        let output = "\
     Running unittests src/lib.rs
test money::tests::adds ... ok
test rules::weighs ... FAILED
test rules::zones ... ignored, because
test wasm::a_host ... FAIL
test result: FAILED. 1 passed; 2 failed; 1 ignored; 0 filtered out; finished in 1.00s
";
        let counts = Counts::printed(output);
        assert_eq!(counts.passed, 1);
        assert_eq!(
            names(&counts),
            ["rules::weighs", "rules::zones", "wasm::a_host"]
        );
    }

    #[test]
    fn tests_of_node_that_are_cancelled_skipped_or_todo_count_as_failed() {
        let example = r#"
            import { describe, test } from "node:test";
            describe("a suite is no test", () => {
              test("passes", () => {});
              test("fails", () => { throw new Error("as it should"); });
            });
            test("ends before its subtest", (t) => {
              t.test("is cancelled", () => new Promise(() => {}));
            });
            test("skipped", { skip: true }, () => {});
            test("todo", { todo: true }, () => {});
        "#;
        let file = work_directory().unwrap().join("counts-example.mjs");
        std::fs::write(&file, example).unwrap();
        let reporter = "--test-reporter=./tests/counts.mjs";
        let test = duct::cmd!("node", "--test", reporter, &file);
        let reported = test.dir(root("")).unchecked().read().unwrap();
        let counts = Counts::reported(&reported);
        assert_eq!(counts.passed, 1);
        assert_eq!(names(&counts), ["fails", "is cancelled", "skipped", "todo"]);
        let Failure { file, said, .. } = &counts.failures[0];
        assert!(file.as_ref().unwrap().ends_with("counts-example.mjs"));
        assert!(said.starts_with("Error: as it should\n"), "{said}");
        // A report that is cut short counts nothing.
        assert_eq!(Counts::reported(&reported[..10]).passed, 0);
    }
}
