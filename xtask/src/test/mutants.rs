//! Plants faults, one after another, and lists those that no test finds: in Rust with cargo-mutants, in the package's
//! JavaScript with Stryker's instrumenter (tests/mutants). `.cargo/mutants.toml` and tests/mutants/survivors.json say
//! which may stay, and why.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use duct::cmd;
use serde::Deserialize;

use crate::checkout::{make_empty, root, work_directory};
use crate::steps::{follow, print_error, step};
use crate::suites::{Suite, prepare};
use crate::tools::{cargo_install, node};

const CARGO_MUTANTS: &str = "26.0.0";

/// The folders of Rust that decide what an order costs, and the part of their mutants, in percent, that tests must find.
const BARS: [(&str, usize); 3] = [("src/money", 100), ("src/quote", 100), ("src/rules", 100)];

const PARTS: u64 = 20;

/// The options of `cargo xtask mutants`.
#[derive(Args)]
pub(crate) struct Options {
    /// Only in this language
    #[arg(long, value_enum)]
    only: Option<Language>,
    /// Only in this file. Repeat for several (`src/rules/row.rs`, `zones.js`)
    #[arg(long, value_name = "FILE")]
    file: Vec<String>,
    /// Only in lines that changed in the last DAYS days
    #[arg(long)]
    days: Option<u32>,
    /// Stop each language after this time
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    Rust,
    Javascript,
}

impl Options {
    /// What the night runs.
    pub(crate) fn of_a_week(seconds: Option<u64>) -> Self {
        Self {
            only: None,
            file: Vec::new(),
            days: Some(7),
            seconds,
        }
    }

    /// Whether the language is asked for. With `--file`, a file must be of it.
    fn asks(&self, language: Language) -> bool {
        let is_of = |file: &String| file.ends_with(".rs") == (language == Language::Rust);
        self.only.is_none_or(|only| only == language)
            && (self.file.is_empty() || self.file.iter().any(is_of))
    }
}

/// Fails if a folder or a file is under its bar.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let mut outcome = ExitCode::SUCCESS;
    for (language, plant) in [
        (Language::Rust, in_rust as fn(&Options) -> Result<()>),
        (Language::Javascript, in_javascript),
    ] {
        if !options.asks(language) {
            continue;
        }
        if let Err(error) = plant(options) {
            print_error(&error);
            outcome = ExitCode::FAILURE;
        }
    }
    Ok(outcome)
}

fn in_javascript(options: &Options) -> Result<()> {
    prepare(&[Suite::Package])?;
    let mut args: Vec<String> = Vec::new();
    for file in options.file.iter().filter(|file| !file.ends_with(".rs")) {
        args.extend(["--file".to_owned(), file.clone()]);
    }
    if let Some(days) = options.days {
        args.extend(["--since".to_owned(), days.to_string()]);
    }
    if let Some(seconds) = options.seconds {
        args.extend(["--seconds".to_owned(), seconds.to_string()]);
    }
    follow(
        "the mutants of JavaScript",
        &node("tests/mutants/run.mjs", args),
    )
}

fn in_rust(options: &Options) -> Result<()> {
    let program = cargo_install("cargo-mutants", CARGO_MUTANTS)?;
    check_exemptions(&program)?;
    let folder = work_directory()?.join("mutants-rust");
    let compiled = work_directory()?.join("mutants-compiled");
    make_empty(&folder)?;
    let mut args: Vec<String> = ["mutants", "--no-shuffle", "--jobs=1", "--output"]
        .map(str::to_owned)
        .to_vec();
    args.push(folder.display().to_string());
    for file in options.file.iter().filter(|file| file.ends_with(".rs")) {
        args.extend(["--file".to_owned(), file.clone()]);
    }
    if let Some(days) = options.days {
        let changes = changes(days)?;
        if changes.is_empty() {
            println!("nothing in src/ has changed in {days} days");
            return Ok(());
        }
        let diff = folder.join("changes.diff");
        fs::write(&diff, changes)?;
        args.extend(["--in-diff".to_owned(), diff.display().to_string()]);
    }
    let started = Instant::now();
    let limit = Duration::from_secs(options.seconds.unwrap_or(u64::MAX));
    // A run cannot be cut off without losing its scratch folder, so a limited one goes on in parts.
    let parts = if options.seconds.is_some() { PARTS } else { 1 };
    let mut scores = Scores::default();
    for part in 0..parts {
        if started.elapsed() >= limit {
            println!("{part} of {parts} parts were tried");
            break;
        }
        let shard = format!("--shard={part}/{parts}");
        let report = folder.join("mutants.out/outcomes.json");
        make_empty(&folder.join("mutants.out"))?;
        step(
            &format!("plant faults in Rust, part {} of {parts}", part + 1),
            |step| {
                let args = args.iter().map(String::as_str).chain([shard.as_str()]);
                let command = duct::cmd(&program, args)
                    // A target folder that stays: in the scratch folder everything would be compiled again.
                    .env("CARGO_TARGET_DIR", &compiled)
                    // Few random cases find most faults, and a mutant waits for them.
                    .env("ORDER_COST_TIMES", "0.1")
                    .dir(root(""));
                let ran = step.capture(command)?;
                // Mutants that were missed make it fail, too; without any there is no report.
                if !report.exists() && !ran.status.success() {
                    step.print(&ran.output);
                    bail!("cargo-mutants ended with {}", ran.status);
                }
                Ok(())
            },
        )?;
        if report.exists() {
            scores.add(&report)?;
        }
    }
    scores.judge()
}

/// The expressions of `exclude_re` in `.cargo/mutants.toml`, one on a line.
fn exemptions() -> Result<Vec<String>> {
    let config = fs::read_to_string(root(".cargo/mutants.toml"))?;
    let quoted = |line: &str| {
        let line = line.trim().strip_prefix('\'')?;
        Some(line.strip_suffix("',")?.to_owned())
    };
    Ok(config.lines().filter_map(quoted).collect())
}

/// Fails if one of them matches no mutant: it would hide the next fault that it matches.
fn check_exemptions(program: &Path) -> Result<()> {
    for exemption in exemptions()? {
        let list = ["mutants", "--list", "--no-config", "--file=src/**", "--re"];
        let mutants = duct::cmd(program, list.into_iter().chain([exemption.as_str()]));
        let mutants = mutants.dir(root("")).read()?;
        ensure!(
            !mutants.is_empty(),
            ".cargo/mutants.toml: no mutant matches {exemption}"
        );
    }
    Ok(())
}

/// What has changed in `src` since then, as a diff.
fn changes(days: u32) -> Result<String> {
    let since = format!("--before={days}.days");
    let base = cmd!("git", "rev-list", "-1", since, "HEAD")
        .dir(root(""))
        .read()?;
    // The whole history is younger: everything has changed.
    let nothing = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    let base = if base.is_empty() { nothing } else { &base };
    Ok(cmd!("git", "diff", base, "HEAD", "--", "src")
        .dir(root(""))
        .read()?)
}

/// How many mutants of each folder the tests found.
#[derive(Default)]
struct Scores {
    folders: BTreeMap<String, Score>,
    survivors: Vec<String>,
}

#[derive(Default)]
struct Score {
    found: usize,
    all: usize,
}

/// The parts of cargo-mutants' report that count.
#[derive(Deserialize)]
struct Report {
    outcomes: Vec<Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    scenario: Scenario,
    summary: String,
}

#[derive(Deserialize)]
enum Scenario {
    Baseline,
    Mutant(Mutant),
}

#[derive(Deserialize)]
struct Mutant {
    file: String,
    span: Span,
    function: Option<Function>,
    replacement: String,
}

#[derive(Deserialize)]
struct Span {
    start: Start,
}

#[derive(Deserialize)]
struct Start {
    line: usize,
    column: usize,
}

#[derive(Deserialize)]
struct Function {
    function_name: String,
}

impl Scores {
    fn add(&mut self, file: &Path) -> Result<()> {
        let report = File::open(file).context("cargo-mutants wrote no report")?;
        let report: Report = serde_json::from_reader(BufReader::new(report))
            .with_context(|| format!("cannot read {}", file.display()))?;
        for Outcome { scenario, summary } in report.outcomes {
            match scenario {
                Scenario::Baseline if summary != "Success" => {
                    bail!("the tests fail without a mutant")
                }
                Scenario::Baseline => {}
                Scenario::Mutant(mutant) => self.count(&mutant, &summary),
            }
        }
        Ok(())
    }

    /// A mutant that does not compile does not count. One that never ends counts as found.
    fn count(&mut self, mutant: &Mutant, summary: &str) {
        let is_found = match summary {
            "CaughtMutant" | "Timeout" => true,
            "MissedMutant" => false,
            _ => return,
        };
        let score = self.folders.entry(mutant.folder()).or_default();
        score.all += 1;
        score.found += usize::from(is_found);
        if !is_found {
            self.survivors.push(mutant.in_words());
        }
    }

    fn judge(&self) -> Result<()> {
        println!(
            "\n{:18}{:>8}{:>8}{:>8}{:>8}",
            "folder", "mutants", "found", "score", "bar"
        );
        let mut low = Vec::new();
        for (folder, score) in &self.folders {
            let bar = BARS
                .iter()
                .find(|(name, _)| name == folder)
                .map(|&(_, bar)| bar);
            let is_low = bar.is_some_and(|bar| score.found * 100 < bar * score.all);
            if is_low {
                low.push(folder.as_str());
            }
            let percent = format!("{:.1} %", score.percent());
            let bar = bar.map_or_else(|| "-".to_owned(), |bar| format!("{bar} %"));
            println!(
                "{folder:18}{:>8}{:>8}{percent:>8}{bar:>8}",
                score.all, score.found
            );
        }
        for survivor in &self.survivors {
            println!("survived  {survivor}");
        }
        if !low.is_empty() {
            bail!("under the bar: {}", low.join(", "));
        }
        Ok(())
    }
}

impl Score {
    #[allow(clippy::cast_precision_loss)]
    fn percent(&self) -> f64 {
        100.0 * self.found as f64 / self.all.max(1) as f64
    }
}

impl Mutant {
    /// `src/rules` of `src/rules/delivery/zones.rs`, and `src` of `src/error.rs`.
    fn folder(&self) -> String {
        let mut parts = self.file.split('/');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(src), Some(folder), Some(_)) => format!("{src}/{folder}"),
            (Some(src), ..) => src.to_owned(),
            (None, ..) => String::new(),
        }
    }

    fn in_words(&self) -> String {
        let Start { line, column } = self.span.start;
        let function = self.function.as_ref();
        let function = function.map_or_else(String::new, |function| {
            format!(" in {}", function.function_name)
        });
        format!(
            "{}:{line}:{column}{function}: {}",
            self.file, self.replacement
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkout::matching;

    fn scores(outcomes: &[(&str, &str)]) -> Result<Scores> {
        let mut scores = Scores::default();
        for (file, summary) in outcomes {
            let mutant = format!(
                r#"{{"file":"{file}","span":{{"start":{{"line":3,"column":5}}}},"function":{{"function_name":"fee"}},"replacement":"0"}}"#
            );
            scores.count(&serde_json::from_str(&mutant)?, summary);
        }
        Ok(scores)
    }

    #[test]
    fn a_folder_under_its_bar_fails() -> Result<()> {
        let mut outcomes = vec![("src/rules/row.rs", "CaughtMutant"); 99];
        assert!(scores(&outcomes)?.judge().is_ok());
        outcomes.push(("src/rules/delivery/zones.rs", "MissedMutant"));
        let error = scores(&outcomes)?
            .judge()
            .map_err(|error| error.to_string());
        assert_eq!(error, Err("under the bar: src/rules".to_owned()));
        Ok(())
    }

    #[test]
    fn what_does_not_compile_counts_nowhere_and_what_has_no_bar_is_shown() -> Result<()> {
        let outcomes = [
            ("src/error.rs", "MissedMutant"),
            ("src/error.rs", "Timeout"),
            ("src/error.rs", "Unviable"),
        ];
        let scores = scores(&outcomes)?;
        assert_eq!(scores.folders["src"].all, 2);
        assert_eq!(scores.survivors, ["src/error.rs:3:5 in fee: 0"]);
        assert!(scores.judge().is_ok());
        Ok(())
    }

    /// `cargo xtask mutants` looks for the mutants themselves.
    #[test]
    fn what_an_exemption_names_is_there() -> Result<()> {
        let sources = matching(&root("src/**/*.rs"))?;
        let sources: Vec<_> = sources
            .iter()
            .map(fs::read_to_string)
            .collect::<Result<_, _>>()?;
        let exemptions = exemptions()?;
        assert!(exemptions.len() > 1, "{exemptions:?}");
        for exemption in exemptions {
            let name = match exemption.split_once(" in ") {
                Some((_, name)) => name.trim_end_matches('$'),
                None => exemption["replace ".len()..]
                    .split(' ')
                    .next()
                    .unwrap_or_default(),
            };
            let (owner, function) = name.rsplit_once("::").unwrap_or(("", name));
            let starts = ["(", "<"].map(|next| format!("fn {function}{next}"));
            // A function without an owner is no method: it is not indented.
            let declares = |line: &str| {
                let is_it = starts.iter().any(|start| line.contains(start));
                is_it && line.starts_with(' ') != owner.is_empty()
            };
            let has = |text: &String| text.contains(owner) && text.lines().any(declares);
            assert!(
                sources.iter().any(has),
                ".cargo/mutants.toml: no function for {exemption}"
            );
        }
        Ok(())
    }

    #[derive(Deserialize)]
    struct Survivor {
        file: String,
        line: String,
    }

    /// tests/mutants/score.mjs looks for the mutants themselves.
    #[test]
    fn the_lines_of_survivors_are_there() -> Result<()> {
        let survivors = fs::read_to_string(root("tests/mutants/survivors.json"))?;
        let survivors: Vec<Survivor> = serde_json::from_str(&survivors)?;
        assert!(!survivors.is_empty());
        for Survivor { file, line } in survivors {
            let text = fs::read_to_string(root(&file))?;
            let is_there = text.lines().any(|other| other.trim() == line);
            assert!(is_there, "survivors.json: {file} has no line {line}");
        }
        Ok(())
    }
}
