//! Plants faults, one after another, and lists those that no test finds: in Rust with cargo-mutants, in the package's
//! JavaScript with Stryker's instrumenter (tests/mutants). `.cargo/mutants.toml` and tests/mutants/survivors.json say
//! which may stay, and why.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use clap::Args;
use duct::{Expression, cmd};

use crate::checkout::{cargo_target, make_empty, root, work_directory};
use crate::steps::{all_passed, follow};
use crate::suites::{Suite, prepare};
use crate::tools::{CARGO_MUTANTS, node};

/// A run of cargo-mutants cannot be cut off without losing its scratch folder, so a limited one goes on in parts.
const PARTS: u32 = 20;

/// What cargo-mutants ends with if the tests found all mutants, if they missed some, and if some ran for ever.
const FOUND: i32 = 0;
const MISSED: i32 = 2;
const ENDLESS: i32 = 3;

/// The options of `cargo xtask mutants`.
#[derive(Args)]
pub(crate) struct Options {
    /// Only in this file. Repeat for several (`src/rules/row.rs`, `zones.js`)
    #[arg(long, value_name = "FILE")]
    pub(super) file: Vec<String>,
    /// Only in lines that changed in the last DAYS days
    #[arg(long)]
    pub(super) days: Option<u32>,
    /// Stop each language after this time
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) seconds: Option<u64>,
}

impl Options {
    /// The files of a language; none if files of the other one are asked for.
    fn files(&self, is_of: impl Fn(&str) -> bool) -> Option<Vec<&str>> {
        let files = self.file.iter().map(String::as_str);
        let files: Vec<_> = files.filter(|file| is_of(file)).collect();
        (self.file.is_empty() || !files.is_empty()).then_some(files)
    }
}

/// Fails if a fault survives that may not.
pub(crate) fn run(options: &Options) -> Result<()> {
    let is_rust = |file: &str| Path::new(file).extension().is_some_and(|kind| kind == "rs");
    let rust = options.files(is_rust).map(|files| in_rust(&files, options));
    let javascript = options
        .files(|file| !is_rust(file))
        .map(|files| in_javascript(&files, options));
    all_passed([rust, javascript].into_iter().flatten())
}

fn in_javascript(files: &[&str], options: &Options) -> Result<()> {
    prepare(&[Suite::named("package")])?;
    let files = files.iter().map(|file| format!("--file={file}"));
    let days = options.days.map(|days| format!("--since={days}"));
    let seconds = options.seconds.map(|limit| format!("--seconds={limit}"));
    let script = node("tests/mutants/run.mjs", files.chain(days).chain(seconds));
    follow("plant faults in JavaScript", script)
}

fn in_rust(files: &[&str], options: &Options) -> Result<()> {
    let program = CARGO_MUTANTS.install()?;
    check_exemptions(&program)?;
    let folder = work_directory()?.join("mutants-rust");
    make_empty(&folder)?;
    let mut args: Vec<String> = files.iter().map(|file| format!("--file={file}")).collect();
    if let Some(days) = options.days {
        let changes = changes(days)?;
        if changes.is_empty() {
            println!("nothing in src/ has changed in {days} days");
            return Ok(());
        }
        let diff = folder.join("changes.diff");
        fs::write(&diff, changes)?;
        args.push(format!("--in-diff={}", diff.display()));
    }
    args.push(format!("--output={}", folder.display()));
    let started = Instant::now();
    let limit = Duration::from_secs(options.seconds.unwrap_or(u64::MAX));
    let parts = if options.seconds.is_some() { PARTS } else { 1 };
    let mut is_missed = false;
    for part in 0..parts {
        if started.elapsed() >= limit {
            println!("{part} of {parts} parts were tried");
            break;
        }
        println!("part {} of {parts}", part + 1);
        let shard = format!("--shard={part}/{parts}");
        let command = plant(&program, args.iter().chain([&shard]))?;
        // It prints the mutants that no test found.
        let status = command.unchecked().run()?.status;
        match status.code() {
            Some(FOUND | ENDLESS) => {}
            Some(MISSED) => is_missed = true,
            _ => bail!("cargo-mutants ended with {status}"),
        }
    }
    ensure!(!is_missed, "no test found the mutants of Rust above");
    Ok(())
}

/// The folders and the tests are in `.cargo/mutants.toml`.
fn plant<'a>(program: &PathBuf, args: impl Iterator<Item = &'a String>) -> Result<Expression> {
    let start = ["mutants", "--no-shuffle", "--jobs=1"].into_iter();
    let command = duct::cmd(program, start.chain(args.map(String::as_str))).dir(root(""));
    // A target folder that stays: in the scratch folder everything would be compiled again. Few random cases find most
    // faults, and a mutant waits for them.
    Ok(command
        .env(
            "CARGO_TARGET_DIR",
            cargo_target()?.join("xtask/mutants-compiled"),
        )
        .env("ORDER_COST_TIMES", "0.1"))
}

/// Fails if one of the expressions in `.cargo/mutants.toml`, each on a line, matches no mutant: it would hide the next
/// fault that it matches.
fn check_exemptions(program: &Path) -> Result<()> {
    let config = fs::read_to_string(root(".cargo/mutants.toml"))?;
    let lines = config.lines().map(str::trim);
    for exemption in lines.filter_map(|line| line.strip_prefix('\'')?.strip_suffix("',")) {
        let list = ["mutants", "--list", "--no-config", "--file=src/**", "--re"];
        let mutants = duct::cmd(program, list.into_iter().chain([exemption]));
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
    let git = |command: Expression| command.dir(root("")).read();
    let base = git(cmd!("git", "rev-list", "-1", since, "HEAD"))?;
    // The whole history is younger: everything has changed.
    let nothing = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    let base = if base.is_empty() { nothing } else { &base };
    Ok(git(cmd!("git", "diff", base, "HEAD", "--", "src"))?)
}
