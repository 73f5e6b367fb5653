//! The benchmark: runs the measurements in benches/ and collects the results.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use duct::Expression;
use serde_json::Value;

use super::scripts::{FIGURES, Part, lines};
use crate::checkout::{cargo_target, make_empty, work_directory};
use crate::package;
use crate::steps::step;
use crate::tools::{CHROMIUM, ENGINES, JRE, SPARK, WASM, cargo, node, npm_install};

/// The options of `cargo xtask bench`.
#[derive(Args)]
pub(crate) struct Options {
    /// Measure for minutes instead of half an hour, to check that the benchmark runs. Do not use its figures
    #[arg(long)]
    quick: bool,
    /// Write the figures to BENCHMARKS.md, benches/chart.svg and CAPACITY.md
    #[arg(long, conflicts_with = "quick")]
    write: bool,
    /// Measure one part alone
    #[arg(long)]
    only: Option<Part>,
    /// Compare this checkout with another one that is built, in turn
    #[arg(long, value_name = "CHECKOUT", conflicts_with_all = ["only", "write"])]
    against: Option<PathBuf>,
}

impl Options {
    /// Those of a benchmark that only has to run.
    pub(crate) fn quick() -> Self {
        Self {
            quick: true,
            write: false,
            only: None,
            against: None,
        }
    }
}

/// Measures everything and prints the figures.
pub(crate) fn run(options: &Options) -> Result<()> {
    package::build()?;
    ["benches", "tests", "worker"]
        .iter()
        .try_for_each(|folder| npm_install(folder))?;
    let folder = work_directory()?.join("bench");
    make_empty(&folder.join("results"))?;
    if let Some(other) = &options.against {
        return compare(other, options, &folder);
    }
    let parts = match options.only {
        Some(part) => vec![part],
        None => vec![Part::Package, Part::Edge, Part::Service, Part::Impact],
    };
    parts
        .into_iter()
        .try_for_each(|part| measure(part, options, &folder))
}

fn measure(part: Part, options: &Options, folder: &Path) -> Result<()> {
    let mut paths = vec![
        ("{folder}", folder.to_owned()),
        ("{results}", folder.join("results")),
        ("{target}", cargo_target()?),
    ];
    paths.extend(programs(part, folder)?);
    for line in lines(part) {
        let (title, line) = line.split_once(": ").unwrap_or(("", line));
        let script = script(line, options, &paths);
        let script = with_programs(part, script)?;
        if title.is_empty() {
            script.run().context("cannot report the figures")?;
        } else {
            step(title, |step| step.run(script))?;
        }
    }
    Ok(())
}

fn compare(other: &Path, options: &Options, folder: &Path) -> Result<()> {
    let other = other.canonicalize()?;
    let built = other.join("pkg/node.js");
    ensure!(
        built.exists(),
        "{}: build it first, with cargo xtask build there",
        other.display()
    );
    let line = "run-against.mjs {folder}/shop {other} {against}";
    let paths = vec![("{folder}", folder.to_owned()), ("{other}", other)];
    script(line, options, &paths).run()?;
    Ok(())
}

fn with_programs(part: Part, script: Expression) -> Result<Expression> {
    match part {
        Part::Engines => ENGINES.told_to(CHROMIUM.told_to(script)?),
        Part::Spark => SPARK.told_to(JRE.told_to(script)?),
        Part::Package | Part::Cold => CHROMIUM.told_to(script),
        _ => Ok(script),
    }
}

/// What the placeholders of paths stand for.
type Paths = Vec<(&'static str, PathBuf)>;

/// Compiles the programs that a part measures.
fn programs(part: Part, folder: &Path) -> Result<Paths> {
    let core = "bench --no-run --bench core";
    match part {
        Part::Package => {
            let native = compile("compile the core natively", core)?;
            let wasm = format!("{core} --target {WASM}");
            let module = core_module(&compile("compile the core to wasm", &wasm)?, folder)?;
            Ok(vec![("{native}", native), ("{module}", module)])
        }
        Part::Service => {
            let axum = "build --release --example axum";
            Ok(vec![("{axum}", compile("compile the axum example", axum)?)])
        }
        _ => Ok(Vec::new()),
    }
}

/// Runs a command of cargo that compiles a program of the crate. Returns the program's path.
fn compile(title: &str, line: &str) -> Result<PathBuf> {
    let line = format!("{line} --package order-cost");
    step(title, |step| step.run(cargo(&line)))?;
    let messages = cargo(&format!("{line} --message-format=json"));
    let messages = messages.stderr_null().read()?;
    let mut messages = messages
        .lines()
        .map_while(|line| serde_json::from_str(line).ok());
    messages
        .find_map(|message: Value| message["executable"].as_str().map(PathBuf::from))
        .with_context(|| format!("cargo {line} printed no executable"))
}

/// Treats the module of benches/core like the package's. Returns the path of its JavaScript.
fn core_module(compiled: &Path, folder: &Path) -> Result<PathBuf> {
    let (bindings, optimised) = (folder.join("core"), folder.join("core.wasm"));
    step("bind and optimise the core", |step| {
        package::bind(step, compiled, &bindings, "core")?;
        let bound = bindings.join("core_bg.wasm");
        package::optimise(step, &bound, &optimised)?;
        fs::copy(optimised, bound)?;
        Ok(bindings.join("core.js"))
    })
}

/// The script of a line of [`lines`].
fn script(line: &str, options: &Options, paths: &Paths) -> Expression {
    let mut line = line.replace("{write}", if options.write { "--write" } else { "" });
    for (name, whole, quick) in FIGURES {
        line = line.replace(name, if options.quick { quick } else { whole });
    }
    // After the line is split: paths may contain spaces.
    let mut words = line.split_whitespace().map(|word| {
        paths.iter().fold(word.to_owned(), |word, (name, path)| {
            word.replace(name, &path.display().to_string())
        })
    });
    let script = format!("benches/{}", words.next().unwrap_or_default());
    node(&script, words)
}
