//! The benchmark: what is measured is in benches/, this brings it together.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::files::make_empty;
use crate::node::{self, node};
use crate::package;
use crate::paths::{cargo_target, root, work_directory};
use crate::rust::WASM;
use crate::steps::{Step, step};

/// What `cargo xtask bench` is told.
#[derive(Args)]
pub(crate) struct Options {
    /// A minute in place of ten: to see that all of it works, not for figures
    #[arg(long)]
    quick: bool,
    /// Write the figures into BENCHMARKS.md and benches/chart.svg
    #[arg(long, conflicts_with = "quick")]
    write: bool,
}

/// How long things are measured.
struct Budget {
    /// Milliseconds for the rounds of a set of orders, in one process.
    set: &'static str,
    /// Seconds that a Worker is loaded in a round.
    load: &'static str,
    /// Rounds of loading every Worker.
    rounds: &'static str,
}

const WHOLE: Budget = Budget {
    set: "8000",
    // Many short loads: what a neighbour of the machine does changes by the second.
    load: "0.75",
    rounds: "24",
};
const QUICK: Budget = Budget {
    set: "300",
    load: "0.3",
    rounds: "3",
};

/// Measures everything and prints it.
pub(crate) fn run(options: &Options) -> Result<()> {
    package::build()?;
    ["benches", "tests", "worker"]
        .iter()
        .try_for_each(|folder| node::install(folder))?;
    let bench = Bench::new(if options.quick { QUICK } else { WHOLE })?;
    step("write the work", |step| bench.write_work(step))?;
    step("measure in Node.js", |step| bench.in_node(step))?;
    bench.in_chromium()?;
    step("count instructions", |step| bench.instructions(step))?;
    step("load workerd", |step| bench.workerd(step))?;
    bench.report(options.write)
}

struct Bench {
    budget: Budget,
    native: PathBuf,
    /// The same core in wasm: its bindings.
    module: PathBuf,
    work: PathBuf,
    results: PathBuf,
}

impl Bench {
    fn new(budget: Budget) -> Result<Self> {
        let directory = work_directory()?.join("bench");
        let [work, results] = ["work", "results"].map(|name| directory.join(name));
        make_empty(&results)?;
        let native = step("compile the core natively", |step| compile_core(step, &[]))?;
        let module = step("compile the core to wasm", |step| {
            core_module(step, &directory)
        })?;
        Ok(Self {
            budget,
            native,
            module,
            work,
            results,
        })
    }

    fn result(&self, part: &str) -> PathBuf {
        self.results.join(part).with_extension("json")
    }

    fn write_work(&self, step: &Step) -> Result<()> {
        step.run(node("benches/write-work.mjs", [&self.work]))
    }

    fn in_node(&self, step: &Step) -> Result<()> {
        let files = [
            self.native.clone(),
            self.module.clone(),
            self.work.clone(),
            self.result("node"),
        ];
        step.run(node(
            "benches/run-node.mjs",
            with(files, &[self.budget.set]),
        ))
    }

    /// Where there is no Chromium, its figures are replaced by the reason.
    fn in_chromium(&self) -> Result<()> {
        let result = self.result("chromium");
        match Chromium::find_or_install() {
            Ok(chromium) => step("measure in Chromium", |step| {
                let args = with([result], &[self.budget.set]);
                let run = node("benches/run-chromium.mjs", args);
                step.run(run.env("CHROMIUM", chromium.browser))
            }),
            Err(error) => {
                let unavailable = json!({ "unavailable": format!("{error:#}") });
                fs::write(result, unavailable.to_string()).map_err(Into::into)
            }
        }
    }

    fn instructions(&self, step: &Step) -> Result<()> {
        let files = [
            self.native.clone(),
            self.work.clone(),
            self.result("callgrind"),
        ];
        step.run(node("benches/run-callgrind.mjs", files))
    }

    fn workerd(&self, step: &Step) -> Result<()> {
        let files = [self.work.clone(), self.result("workerd")];
        let budget = [self.budget.load, self.budget.rounds];
        step.run(node("benches/run-workerd.mjs", with(files, &budget)))
    }

    fn report(&self, write: bool) -> Result<()> {
        let files = [self.results.clone(), cargo_target()?.join("bench.json")];
        let options: &[_] = if write { &["--write"] } else { &[] };
        node("benches/report.mjs", with(files, options))
            .run()
            .context("cannot report what was measured")
            .map(drop)
    }
}

fn with<const N: usize>(files: [PathBuf; N], options: &[&str]) -> Vec<OsString> {
    let options = options.iter().map(OsString::from);
    files.into_iter().map(Into::into).chain(options).collect()
}

/// Compiles benches/core and returns where it is.
fn compile_core(step: &Step, target: &[&str]) -> Result<PathBuf> {
    const NO_RUN: [&str; 6] = [
        "bench",
        "--no-run",
        "--package",
        "order-cost",
        "--bench",
        "core",
    ];
    let args = [&NO_RUN, target].concat();
    let cargo = |format: &[&str]| duct::cmd("cargo", [&args, format].concat()).dir(root(""));
    step.run(cargo(&[]))?;
    let messages = cargo(&["--message-format=json"]).stderr_null().read()?;
    messages
        .lines()
        .find_map(executable)
        .context("cargo names no executable of benches/core")
}

/// Makes a module of benches/core as the package's is made; gives its JavaScript.
fn core_module(step: &Step, directory: &Path) -> Result<PathBuf> {
    let compiled = compile_core(step, &["--target", WASM])?;
    let bindings = directory.join("core");
    package::bind(&compiled, &bindings, "core")?;
    let bound = bindings.join("core_bg.wasm");
    fs::copy(package::optimise(step, &bound, directory)?, &bound)?;
    Ok(bindings.join("core.js"))
}

/// What a message of cargo's says that it made.
fn executable(message: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(message).ok()?;
    message["executable"].as_str().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_message_with_an_executable_names_one() {
        let library = r#"{"reason":"compiler-artifact","executable":null}"#;
        let bench = r#"{"reason":"compiler-artifact","executable":"/t/core-1"}"#;
        assert_eq!(executable(library), None);
        assert_eq!(executable("Finished"), None);
        assert_eq!(executable(bench), Some("/t/core-1".into()));
    }
}
