//! Runs the fuzz targets of fuzz/, one after another.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, ensure};
use clap::Args;
use duct::Expression;

use crate::checkout::{matching, root, work_directory};
use crate::steps::{Captured, say, step};
use crate::tools::{CARGO_FUZZ, NIGHTLY, NIGHTLY_TOOLCHAIN};

/// The options of `cargo xtask fuzz`.
#[derive(Args)]
pub(crate) struct Options {
    /// Seconds for each target
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) seconds: u64,
    /// Run only this target
    #[arg(long, value_name = "NAME")]
    pub(super) target: Option<String>,
    /// Repeat the run that printed this seed
    #[arg(long)]
    pub(super) seed: Option<u32>,
}

/// Runs the targets and prints how to reproduce the findings.
pub(crate) fn run(options: &Options) -> Result<()> {
    NIGHTLY_TOOLCHAIN.find_or_install()?;
    let fuzzer = Fuzzer {
        program: CARGO_FUZZ.install()?,
        seconds: options.seconds,
        seed: options.seed.unwrap_or_else(any_seed),
    };
    println!("seed {}", fuzzer.seed);
    let mut rows = Vec::new();
    let name = options.target.as_deref().unwrap_or("*");
    for target in targets(name)? {
        step(&format!("build {target}"), |step| {
            step.run(fuzzer.command(&["build", &target]))
        })?;
        let ran = step(&format!("fuzz {target}"), |step| {
            step.capture(fuzzer.fuzz(&target)?)
        })?;
        rows.push((target, verdict(&ran)));
    }
    ensure!(!rows.is_empty(), "fuzz/fuzz_targets has no such target");
    println!();
    for (target, verdict) in &rows {
        let (Ok(told) | Err(told)) = verdict;
        println!("{target:18}{told}");
    }
    let failed = rows.iter().filter(|(_, verdict)| verdict.is_err()).count();
    ensure!(failed == 0, "{failed} of {} targets failed", rows.len());
    Ok(())
}

/// A random seed.
pub(super) fn any_seed() -> u32 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |time| time.subsec_nanos().max(1))
}

/// The targets of this name, which may be `*`.
fn targets(name: &str) -> Result<impl Iterator<Item = String>> {
    let files = matching(&root(&format!("fuzz/fuzz_targets/{name}.rs")))?.into_iter();
    Ok(files.filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())))
}

struct Fuzzer {
    program: PathBuf,
    seconds: u64,
    seed: u32,
}

impl Fuzzer {
    fn command(&self, args: &[&str]) -> Expression {
        let command = duct::cmd(&self.program, args).dir(root(""));
        command.env("RUSTUP_TOOLCHAIN", NIGHTLY)
    }

    /// New inputs stay out of the repository: the committed corpus is only read.
    fn fuzz(&self, target: &str) -> Result<Expression> {
        let corpus = work_directory()?.join("fuzz").join(target);
        fs::create_dir_all(&corpus)?;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        Ok(self.command(&[
            "run",
            target,
            &text(&corpus),
            &text(&root("fuzz/corpus").join(target)),
            "--",
            &format!("-max_total_time={}", self.seconds),
            &format!("-seed={}", self.seed),
            &format!("-dict={}", text(&root("fuzz/json.dict"))),
            "-max_len=4096",
            "-len_control=0",
            "-timeout=20",
        ]))
    }
}

/// What libFuzzer says at its end: `Done 1243106 runs in 606 second(s)`. A finding and a target that did not run are
/// errors; of a finding cargo-fuzz says how to repeat it.
fn verdict(Captured { output, status }: &Captured) -> Result<String, String> {
    if !status.success() {
        say(output);
        return Err(format!(
            "FAILED; to repeat it, with RUSTUP_TOOLCHAIN={NIGHTLY}, see above"
        ));
    }
    let done = output.lines().rev().find(|line| line.starts_with("Done "));
    let done = done.filter(|done| !done.starts_with("Done 0 "));
    done.map(str::to_owned)
        .ok_or("the target did not run".to_owned())
}

#[cfg(test)]
mod tests {
    use std::process::ExitStatus;

    use super::*;

    #[test]
    fn what_did_not_run_is_not_clean() {
        let verdict = |output: &str| {
            verdict(&Captured {
                output: output.to_owned(),
                status: ExitStatus::default(),
            })
        };
        assert_eq!(
            verdict("#2\tINITED\nDone 82 runs in 2 second(s)\n"),
            Ok("Done 82 runs in 2 second(s)".to_owned())
        );
        assert!(verdict("").is_err() && verdict("Done 0 runs in 1 second(s)\n").is_err());
    }
}
