//! Compares the recipes of CONTRIBUTING.md with the tree: each names the files
//! that have its samples, and no others.

#![allow(clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const DOCUMENT: &str = "CONTRIBUTING.md";
/// How the headings of recipes begin.
const RECIPE: &str = "## Add ";
const RECIPES: usize = 4;
/// How the line begins that names the samples of a recipe.
const SAMPLES: &str = "Samples: ";
/// Marks an entry whose files do not have the samples.
const NO_MENTION: &str = "no mention";
/// Files that a recipe does not change by hand: history, results, what a tool or a
/// fuzzer made, the recipes and this test.
const LEFT_OUT: [&str; 7] = [
    DOCUMENT,
    "CHANGELOG.md",
    "BENCHMARKS.md",
    "Cargo.lock",
    "*package-lock.json",
    "fuzz/corpus",
    "tests/contributing.rs",
];

#[test]
fn every_recipe_names_the_files_that_have_its_samples() {
    let document = document();
    let recipes = recipes(&document);
    assert_eq!(recipes.len(), RECIPES, "the recipes of {DOCUMENT}");
    let faults: Vec<_> = recipes.iter().flat_map(Recipe::faults).collect();
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// The check finds each kind of fault, and says what and where.
#[test]
fn a_fault_of_a_recipe_is_found() {
    let document = document();
    for (part, broken, expected) in [
        (
            "- `src/lookup.rs`:",
            "- `src/word.rs`:",
            "`src/lookup.rs` has a sample of \"Add a callback of the host\", which does not name it",
        ),
        (
            "- `src/lookup.rs`:",
            "- `src/lookup.rs`, `src/word.rs`:",
            "\"Add a callback of the host\" names `src/word.rs`, which has none of its samples",
        ),
        (
            "- `src/lookup.rs`:",
            "- `src/lookup.rs`, `src/lookups.rs`:",
            "\"Add a callback of the host\" names `src/lookups.rs`, which does not exist",
        ),
        (
            "- `tests/golden/`:",
            "- `tests/golden`:",
            "`tests/golden/d01-all-35-keys.json` has a sample of \"Add a field of the response\"",
        ),
        (
            "`lookupVouchers`",
            "`lookupVoucherz`",
            "\"Add a callback of the host\" has the sample `lookupVoucherz`, which no file has",
        ),
        (
            SAMPLES,
            "Such as: ",
            "\"Add a field of the response\" has no line \"Samples: \"",
        ),
    ] {
        assert!(
            document.contains(part),
            "this test breaks {part:?}, which {DOCUMENT} no longer has: break another part"
        );
        let document = document.replace(part, broken);
        let recipes = recipes(&document);
        let found: Vec<_> = recipes.iter().flat_map(Recipe::faults).collect();
        assert!(
            found.iter().any(|fault| fault.contains(expected)),
            "{part:?} as {broken:?}: expected {expected:?}, found {found:#?}"
        );
    }
}

/// A section that says what to change for something new.
struct Recipe<'a> {
    name: &'a str,
    /// Words of one such thing that is there.
    samples: Vec<&'a str>,
    entries: Vec<Entry<'a>>,
}

/// A line `- paths: what to do`. A path with a `/` at its end is a folder and
/// all that is in it.
struct Entry<'a> {
    paths: Vec<&'a str>,
    needs_mention: bool,
}

impl Recipe<'_> {
    fn faults(&self) -> Vec<String> {
        let name = self.name;
        if self.samples.is_empty() {
            return vec![format!("{DOCUMENT}: \"{name}\" has no line \"{SAMPLES}\".")];
        }
        let mut faults = Vec::new();
        let mut files = BTreeSet::new();
        for sample in &self.samples {
            let found = files_with(sample);
            if found.is_empty() {
                faults.push(format!(
                    "\"{name}\" has the sample `{sample}`, which no file has"
                ));
            }
            files.extend(found);
        }
        for file in files.iter().filter(|file| !self.names(file)) {
            faults.push(format!(
                "`{file}` has a sample of \"{name}\", which does not name it"
            ));
        }
        for entry in &self.entries {
            for path in &entry.paths {
                let fault = if !Path::new(path).exists() {
                    "does not exist"
                } else if entry.needs_mention && !files.iter().any(|file| covers(path, file)) {
                    "has none of its samples"
                } else {
                    continue;
                };
                faults.push(format!("\"{name}\" names `{path}`, which {fault}"));
            }
        }
        let where_to = |fault| format!("{DOCUMENT}: {fault}.");
        faults.into_iter().map(where_to).collect()
    }

    fn names(&self, file: &str) -> bool {
        let mut paths = self.entries.iter().flat_map(|entry| &entry.paths);
        paths.any(|path| covers(path, file))
    }
}

fn document() -> String {
    fs::read_to_string(DOCUMENT).expect("the document is there, and is UTF-8")
}

fn recipes(document: &str) -> Vec<Recipe<'_>> {
    let mut recipes = Vec::<Recipe<'_>>::new();
    let mut is_in_recipe = false;
    for line in document.lines() {
        if line.starts_with("## ") {
            is_in_recipe = line.starts_with(RECIPE);
            recipes.extend(is_in_recipe.then(|| Recipe {
                name: line.trim_start_matches("## "),
                samples: Vec::new(),
                entries: Vec::new(),
            }));
        }
        let Some(recipe) = recipes.last_mut().filter(|_| is_in_recipe) else {
            continue;
        };
        if let Some(samples) = line.strip_prefix(SAMPLES) {
            recipe.samples = code_spans(samples);
        } else if let Some(entry) = line.strip_prefix("- ") {
            let (paths, what_to_do) = entry.split_once(": ").unwrap_or((entry, ""));
            recipe.entries.push(Entry {
                paths: code_spans(paths),
                needs_mention: !what_to_do.contains(NO_MENTION),
            });
        }
    }
    recipes
}

/// What stands between backticks.
fn code_spans(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn covers(path: &str, file: &str) -> bool {
    file == path || path.ends_with('/') && file.starts_with(path)
}

/// The files of the repository that have the word.
fn files_with(word: &str) -> Vec<String> {
    let left_out = LEFT_OUT.map(|path| format!(":(exclude){path}"));
    let found = Command::new("git")
        .args(["grep", "--files-with-matches", "--word-regexp"])
        .args(["--fixed-strings", "-I"])
        .args(["-e", word])
        .args(["--", "."])
        .args(left_out)
        .output()
        .expect("git is installed");
    let fault = String::from_utf8_lossy(&found.stderr);
    assert!(fault.is_empty(), "git grep: {fault}");
    let files = String::from_utf8(found.stdout).expect("paths are UTF-8");
    files.lines().map(str::to_owned).collect()
}
