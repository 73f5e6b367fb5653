//! How many tests ran, in the words of the runners: `cargo test` (natively, in Node.js and in a browser) and
//! `node --test` with its spec reporter.

use std::ops::AddAssign;

/// Tests of one suite, or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
    pub(crate) skipped: u32,
}

impl Counts {
    /// Sums what the runner's count lines say.
    pub(crate) fn read(output: &str) -> Self {
        let mut counts = Self::default();
        count_lines(output).for_each(|line| counts += Self::read_line(line));
        counts
    }

    /// `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; …`, or one of `ℹ pass 3`, `ℹ fail 0`, ….
    fn read_line(line: &str) -> Self {
        let before = |word: &str| {
            number(
                line.split_once(word)
                    .and_then(|(before, _)| before.split(' ').next_back()),
            )
        };
        let after = |word: &str| number(line.strip_prefix(word));
        Self {
            passed: before(" passed;") + after("ℹ pass "),
            failed: before(" failed;") + after("ℹ fail ") + after("ℹ cancelled "),
            skipped: before(" ignored;") + after("ℹ skipped ") + after("ℹ todo "),
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// What is worth showing of a suite that passed: how many tests did what, and
/// what the tests themselves counted.
pub(crate) fn report_lines(output: &str) -> impl Iterator<Item = &str> {
    const IDLE: [&str; 3] = ["ℹ tests ", "ℹ suites ", "ℹ duration_ms "];
    count_lines(output)
        .filter(|line| !line.ends_with(" 0") && !IDLE.iter().any(|start| line.starts_with(start)))
}

/// The lines of the runners, and of what tests tell through them.
fn count_lines(output: &str) -> impl Iterator<Item = &str> {
    let is_count = |line: &&str| line.starts_with("test result: ") || line.starts_with("ℹ ");
    output.lines().filter(is_count)
}

fn number(text: Option<&str>) -> u32 {
    text.and_then(|text| text.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_binary_of_cargo_test_counts() {
        let output = "\
     Running unittests src/lib.rs
test money::tests::adds ... ok
test result: ok. 41 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.05s
     Running tests/golden.rs
test result: FAILED. 7 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.00s
";
        assert_eq!(
            Counts::read(output),
            Counts {
                passed: 48,
                failed: 2,
                skipped: 1
            }
        );
    }

    #[test]
    fn the_wasm_runners_line_counts() {
        let output =
            "test result: ok. 5 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.01s\n";
        assert_eq!(
            Counts::read(output),
            Counts {
                passed: 5,
                failed: 0,
                skipped: 0
            }
        );
    }

    #[test]
    fn node_counts_cancelled_as_failed_and_todo_as_skipped() {
        let output = "✔ a (1 ms)\nℹ tests 10\nℹ suites 0\nℹ pass 4\nℹ fail 1\nℹ cancelled 2\nℹ skipped 1\nℹ todo 2\nℹ duration_ms 12.5\n";
        assert_eq!(
            Counts::read(output),
            Counts {
                passed: 4,
                failed: 3,
                skipped: 3
            }
        );
    }

    #[test]
    fn only_a_line_of_the_runner_counts() {
        let output = "it printed test result: ok. 9 passed; 0 failed;\nerror: 3 passed; could not compile\n  ℹ pass 3\n";
        assert_eq!(Counts::read(output), Counts::default());
    }

    #[test]
    fn what_tests_count_is_shown_and_what_did_not_happen_is_not() {
        let output = "\
\u{2139} 1446 product: controlled
\u{2139} tests 12
\u{2139} suites 3
\u{2139} pass 12
\u{2139} fail 0
\u{2139} duration_ms 20.5
\u{2714} a test of its own";
        let shown: Vec<_> = report_lines(output).collect();
        assert_eq!(
            shown,
            ["\u{2139} 1446 product: controlled", "\u{2139} pass 12"]
        );
    }
}
