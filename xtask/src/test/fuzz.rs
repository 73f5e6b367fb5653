//! Runs the fuzz targets of fuzz/, one after another.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use duct::Expression;

use super::seed::any_seed;
use crate::checkout::{matching, root, work_directory};
use crate::steps::{Captured, step};
use crate::tools::{NIGHTLY_TOOLCHAIN, cargo_install, nightly};

const CARGO_FUZZ: &str = "0.13.1";

/// The options of `cargo xtask fuzz`.
#[derive(Args)]
pub(crate) struct Options {
    /// Seconds for each target
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// Run only this target
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    /// Repeat the run that printed this seed
    #[arg(long)]
    seed: Option<u32>,
}

impl Options {
    /// Every target, for the night.
    pub(crate) fn of(seconds: u32, seed: u32) -> Self {
        Self {
            seconds,
            target: None,
            seed: Some(seed),
        }
    }
}

/// The outcome of a target.
#[derive(Debug, Default, PartialEq)]
struct Run {
    runs: u64,
    seconds: u64,
    /// Number and size of the inputs, in libFuzzer's notation.
    corpus: String,
    /// The input that made the target fail.
    finding: Option<PathBuf>,
}

/// Runs the targets and prints how to reproduce the findings.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let targets = targets(options.target.as_deref())?;
    nightly()?;
    let fuzzer = Fuzzer {
        program: cargo_install("cargo-fuzz", CARGO_FUZZ)?,
        seconds: options.seconds,
        seed: options.seed.unwrap_or_else(any_seed),
    };
    println!("seed {}", fuzzer.seed);
    let mut rows = Vec::new();
    for target in targets {
        step(&format!("build {target}"), |step| {
            step.run(fuzzer.command(&["build", &target]))
        })?;
        let run = step(&format!("fuzz {target}"), |step| {
            let captured = step.capture(fuzzer.fuzz(&target)?)?;
            Run::read(&captured).inspect_err(|_| step.print(&captured.output))
        })?;
        rows.push((target, run));
    }
    print_summary(&rows);
    let findings = rows.iter().filter_map(|(target, run)| {
        let input = run.finding.as_ref()?;
        Some(fuzzer.reproducer(target, input))
    });
    let findings: Vec<_> = findings.collect();
    for command in &findings {
        println!("\nto reproduce:\n  {command}");
    }
    Ok(if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The names of all targets, or the one requested.
fn targets(wanted: Option<&str>) -> Result<Vec<String>> {
    let name = |file: &PathBuf| Some(file.file_stem()?.to_str()?.to_owned());
    let files = matching(&root("fuzz/fuzz_targets/*.rs"))?;
    let all: Vec<_> = files.iter().filter_map(name).collect();
    let Some(wanted) = wanted else {
        return Ok(all);
    };
    ensure!(
        all.iter().any(|name| name == wanted),
        "unknown fuzz target {wanted}; the targets are {}",
        all.join(", ")
    );
    Ok(vec![wanted.to_owned()])
}

struct Fuzzer {
    program: PathBuf,
    seconds: u32,
    seed: u32,
}

impl Fuzzer {
    fn command(&self, args: &[&str]) -> Expression {
        duct::cmd(&self.program, args)
            .env("RUSTUP_TOOLCHAIN", NIGHTLY_TOOLCHAIN)
            .dir(root(""))
    }

    /// New inputs stay out of the repository: the committed corpus is only read.
    fn fuzz(&self, target: &str) -> Result<Expression> {
        let corpus = work_directory()?.join("fuzz").join(target);
        fs::create_dir_all(&corpus)?;
        let committed = root("fuzz/corpus").join(target);
        let dictionary = root("fuzz/json.dict");
        Ok(self.command(&[
            "run",
            target,
            &corpus.to_string_lossy(),
            &committed.to_string_lossy(),
            "--",
            &format!("-max_total_time={}", self.seconds),
            &format!("-seed={}", self.seed),
            &format!("-dict={}", dictionary.display()),
            "-max_len=4096",
            "-len_control=0",
            "-timeout=20",
        ]))
    }

    fn reproducer(&self, target: &str, input: &Path) -> String {
        let program = self.program.display();
        let input = input.display();
        format!("RUSTUP_TOOLCHAIN={NIGHTLY_TOOLCHAIN} {program} run {target} {input}")
    }
}

impl Run {
    /// What libFuzzer prints: `#8192 pulse cov: 1 ft: 2 corp: 850/203Kb …` while it runs, `Test unit written to …` for
    /// a finding, and `Done 1243106 runs in 606 second(s)` at the end.
    fn read(Captured { output, status }: &Captured) -> Result<Self> {
        let after = |start: &str| {
            let lines = output.lines().rev();
            lines
                .filter_map(|line| Some(line.split_once(start)?.1))
                .next()
        };
        let finding = after("Test unit written to ").map(PathBuf::from);
        if finding.is_none() && !status.success() {
            bail!("the target ended with {status}");
        }
        let corpus = after(" corp: ").and_then(|rest| rest.split(' ').next());
        let mut run = Self {
            corpus: corpus.unwrap_or("-").to_owned(),
            finding,
            ..Self::default()
        };
        if let Some(done) = after("Done ") {
            let mut numbers = done.split(' ').filter_map(|word| word.parse().ok());
            run.runs = numbers
                .next()
                .context("libFuzzer printed no number of runs")?;
            run.seconds = numbers
                .next()
                .context("libFuzzer printed no number of seconds")?;
        }
        ensure!(
            run.runs > 0 || run.finding.is_some(),
            "the target did not run"
        );
        Ok(run)
    }
}

fn print_summary(rows: &[(String, Run)]) {
    println!(
        "\n{:18}{:>12}{:>10}{:>16}  verdict",
        "target", "runs", "runs/s", "corpus"
    );
    for (target, run) in rows {
        let verdict = if run.finding.is_some() {
            "FINDING"
        } else {
            "clean"
        };
        println!(
            "{target:18}{:>12}{:>10}{:>16}  {verdict}",
            run.runs,
            run.runs / run.seconds.max(1),
            run.corpus
        );
    }
}

#[cfg(test)]
mod tests {
    use std::process::ExitStatus;

    use super::*;

    fn read(output: &str) -> Result<Run> {
        Run::read(&Captured {
            output: output.to_owned(),
            status: ExitStatus::default(),
        })
    }

    #[test]
    fn the_last_lines_of_libfuzzer_count() {
        let output = "#2\tINITED cov: 9 ft: 9 corp: 1/2b exec/s: 0 rss: 51Mb\n\
            #8192\tpulse  cov: 7815 ft: 26189 corp: 850/203Kb lim: 1024 exec/s: 327 rss: 488Mb\n\
            Done 8259 runs in 26 second(s)\n";
        let run = read(output).expect("it ran");
        assert_eq!((run.runs, run.seconds, run.finding), (8259, 26, None));
        assert_eq!(run.corpus, "850/203Kb");
    }

    #[test]
    fn a_finding_is_named() {
        let output = "artifact_prefix='fuzz/artifacts/zones/'; Test unit written to fuzz/artifacts/zones/crash-4e12\n";
        let run = read(output).expect("it ran");
        assert_eq!(run.finding, Some("fuzz/artifacts/zones/crash-4e12".into()));
    }

    #[test]
    fn what_did_not_run_is_not_clean() {
        assert!(read("").is_err());
        assert!(read("Done 0 runs in 1 second(s)\n").is_err());
    }

    #[test]
    fn every_target_has_a_name_and_another_is_refused() {
        let all = targets(None).expect("there are targets");
        assert!(all.len() >= 5, "{all:?}");
        assert_eq!(targets(Some("zones")).expect("it is one"), ["zones"]);
        let error = targets(Some("nothing")).expect_err("it is none");
        assert!(error.to_string().contains("zones"), "{error}");
    }
}
