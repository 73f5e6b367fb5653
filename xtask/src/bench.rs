//! The benchmark: runs the measurements in benches/ and collects the results.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::bindgen;
use crate::browsers::{CHROMIUM, with_engines};
use crate::files::make_empty;
use crate::node::{self, node};
use crate::package;
use crate::paths::{cargo_target, root, work_directory};
use crate::rust::WASM;
use crate::steps::{Step, step};

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
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The package beside other implementations: BENCHMARKS.md
    Package,
    /// Orders at the edge, and publishing prices: CAPACITY.md
    Edge,
    /// The service on Node, on Linux: CAPACITY.md
    Service,
    /// The impact of new prices on captured orders: CAPACITY.md
    Impact,
    /// The page and the package in Chromium, Firefox and WebKitGTK: BENCHMARKS.md. Runs only when named
    Engines,
    /// Cold starts in Node, workerd and on a slow phone, beside other modules: BENCHMARKS.md. Runs only when named
    Cold,
}

/// How long each part is measured.
struct Budget {
    /// Milliseconds for all rounds of a set of orders, in one process.
    set: &'static str,
    /// Seconds of load on a Worker per round.
    load: &'static str,
    /// Number of rounds; each round loads every Worker.
    rounds: &'static str,
    /// Products of the catalogue that is published; it has five branches.
    products: &'static str,
    /// How often the CPU time of an order is measured.
    batches: &'static str,
    /// Sizes of shards in KiB that are compared, and products of the catalogues.
    layouts: [&'static str; 2],
    /// Chains for an operator's day: their branches, the products of each, and the share of prices that are its own.
    chains: [[&'static str; 3]; 2],
    /// How often a fresh browser opens the page, and prices a first order.
    visits: &'static str,
    /// How often a fresh process of Node and of workerd prices a first order.
    starts: &'static str,
    /// Orders of a rolling restart, starts of the service, and switches of its catalogue.
    restarts: [&'static str; 3],
    /// Captured orders, and the products of each branch of their shop.
    captures: [&'static str; 2],
}

const WHOLE: Budget = Budget {
    set: "8000",
    // Many short rounds, because the load from other users of the machine changes every second.
    load: "0.75",
    rounds: "24",
    products: "200000",
    batches: "5",
    layouts: ["16,32,64,128,256", "20000,200000"],
    chains: [["400", "20000", "0.05"], ["40", "200000", "1"]],
    visits: "9",
    starts: "25",
    restarts: ["100000", "10", "5"],
    captures: ["100000", "20000"],
};
const QUICK: Budget = Budget {
    set: "300",
    load: "0.3",
    rounds: "3",
    products: "2000",
    batches: "1",
    layouts: ["64", "2000"],
    chains: [["20", "200", "0.05"], ["4", "2000", "1"]],
    visits: "1",
    starts: "3",
    restarts: ["2000", "2", "1"],
    captures: ["2000", "2000"],
};

/// Measures everything and prints the figures.
pub(crate) fn run(options: &Options) -> Result<()> {
    package::build()?;
    ["benches", "tests", "worker"]
        .iter()
        .try_for_each(|folder| node::install(folder))?;
    let budget = if options.quick { QUICK } else { WHOLE };
    let directory = work_directory()?.join("bench");
    make_empty(&directory.join("results"))?;
    let parts = match options.only {
        Some(part) => vec![part],
        None => vec![Part::Package, Part::Edge, Part::Service, Part::Impact],
    };
    for part in parts {
        match part {
            Part::Package => measure_package(&budget, &directory, options.write)?,
            Part::Edge => measure_edge(&budget, &directory, options.write)?,
            Part::Service => measure_service(&budget, &directory, options.write)?,
            Part::Impact => measure_impact(&budget, &directory, options.write)?,
            Part::Engines => measure_engines(&budget, options.write)?,
            Part::Cold => measure_cold(&budget, &directory, options.write)?,
        }
    }
    Ok(())
}

fn measure_engines(budget: &Budget, write: bool) -> Result<()> {
    let write: &[_] = if write { &["--write"] } else { &[] };
    let options = [&[budget.visits, budget.set], write].concat();
    with_engines(node("benches/run-engines.mjs", options))?
        .run()
        .context("cannot measure the engines")
        .map(drop)
}

fn measure_cold(budget: &Budget, directory: &Path, write: bool) -> Result<()> {
    let [browser] = CHROMIUM.find_or_install()?;
    let write: &[_] = if write { &["--write"] } else { &[] };
    let options = [&[budget.starts, budget.visits], write].concat();
    node(
        "benches/run-cold.mjs",
        with([directory.join("cold")], &options),
    )
    .env("CHROMIUM", browser)
    .run()
    .context("cannot measure cold starts")
    .map(drop)
}

fn measure_package(budget: &Budget, directory: &Path, write: bool) -> Result<()> {
    let bench = Bench::new(budget, directory)?;
    step("write the work", |step| bench.write_work(step))?;
    step("measure in Node.js", |step| bench.in_node(step))?;
    bench.in_chromium()?;
    step("count instructions", |step| bench.instructions(step))?;
    step("load workerd", |step| bench.workerd(step))?;
    bench.report(write)
}

fn measure_edge(budget: &Budget, directory: &Path, write: bool) -> Result<()> {
    let [work, results] = ["edge", "results"].map(|name| directory.join(name));
    let names = ["edge.json", "capacity.json", "branches.json", "layout.json"];
    let [edge, capacity, branches, layout] = names.map(|name| results.join(name));
    step("price and publish at the edge", |step| {
        let options = [budget.products, budget.load, budget.rounds];
        step.run(node(
            "benches/run-edge.mjs",
            with([work.clone(), edge], &options),
        ))
    })?;
    step("count what orders take", |step| {
        let files = [work.join("large"), capacity];
        let options = [budget.products, budget.batches];
        step.run(node("benches/run-capacity.mjs", with(files, &options)))
    })?;
    step("serve the branches of a chain", |step| {
        let options = [budget.products, budget.batches];
        step.run(node("benches/run-branches.mjs", with([branches], &options)))
    })?;
    for (name, chain) in ["walk-near.json", "walk-far.json"]
        .iter()
        .zip(&budget.chains)
    {
        step("publish a chain's prices for a day", |step| {
            let files = [work.join("chain"), results.join(name)];
            step.run(node("benches/run-walk.mjs", with(files, chain)))
        })?;
    }
    step("compare sizes of shards", |step| {
        let files = [work.clone(), layout];
        step.run(node("benches/run-layout.mjs", with(files, &budget.layouts)))
    })?;
    let options: &[_] = if write { &["--write"] } else { &[] };
    node("benches/report-edge.mjs", with([results], options))
        .run()
        .context("cannot report the results of the edge")
        .map(drop)
}

fn measure_service(budget: &Budget, directory: &Path, write: bool) -> Result<()> {
    let [work, results] = ["service", "results"].map(|name| directory.join(name));
    let axum = step("compile the axum example", |step| {
        compile(step, &["build", "--release", "--example", "axum"])
    })?;
    step("measure the service on Node", |step| {
        let files = [work, results.join("service.json"), axum];
        let counts = [budget.products, budget.load, budget.rounds];
        let options = [&counts[..], &budget.restarts].concat();
        step.run(node("benches/run-service.mjs", with(files, &options)))
    })?;
    let options: &[_] = if write { &["--write"] } else { &[] };
    node("benches/report-service.mjs", with([results], options))
        .run()
        .context("cannot report the results of the service")
        .map(drop)
}

fn measure_impact(budget: &Budget, directory: &Path, write: bool) -> Result<()> {
    let write: &[_] = if write { &["--write"] } else { &[] };
    let options = [&budget.captures[..], write].concat();
    node(
        "benches/run-impact.mjs",
        with([directory.join("impact")], &options),
    )
    .run()
    .context("cannot measure the impact on captured orders")
    .map(drop)
}

struct Bench<'a> {
    budget: &'a Budget,
    native: PathBuf,
    /// The JavaScript bindings of the same core in wasm.
    module: PathBuf,
    work: PathBuf,
    results: PathBuf,
}

impl<'a> Bench<'a> {
    fn new(budget: &'a Budget, directory: &Path) -> Result<Self> {
        let [work, results] = ["work", "results"].map(|name| directory.join(name));
        let native = step("compile the core natively", |step| compile_core(step, &[]))?;
        let module = step("compile the core to wasm", |step| {
            core_module(step, directory)
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

    /// Without Chromium, the result holds the reason instead of figures.
    fn in_chromium(&self) -> Result<()> {
        let result = self.result("chromium");
        match CHROMIUM.find_or_install() {
            Ok([browser]) => step("measure in Chromium", |step| {
                let args = with([result], &[self.budget.set]);
                let run = node("benches/run-chromium.mjs", args);
                step.run(run.env("CHROMIUM", browser))
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
            .context("cannot report the results")
            .map(drop)
    }
}

fn with<const N: usize>(files: [PathBuf; N], options: &[&str]) -> Vec<OsString> {
    let options = options.iter().map(OsString::from);
    files.into_iter().map(Into::into).chain(options).collect()
}

/// Compiles benches/core and returns its path.
fn compile_core(step: &Step, target: &[&str]) -> Result<PathBuf> {
    let args = [&["bench", "--no-run", "--bench", "core"], target].concat();
    compile(step, &args)
}

/// Runs a command of cargo that compiles a program of the crate. Returns the program's path.
fn compile(step: &Step, args: &[&str]) -> Result<PathBuf> {
    let args = [args, &["--package", "order-cost"]].concat();
    let cargo = |format: &[&str]| duct::cmd("cargo", [&args, format].concat()).dir(root(""));
    step.run(cargo(&[]))?;
    let messages = cargo(&["--message-format=json"]).stderr_null().read()?;
    messages
        .lines()
        .find_map(executable)
        .with_context(|| format!("cargo {} printed no executable", args.join(" ")))
}

/// Makes a wasm module of benches/core, built like the package's module. Returns the path of its JavaScript.
fn core_module(step: &Step, directory: &Path) -> Result<PathBuf> {
    let compiled = compile_core(step, &["--target", WASM])?;
    let bindings = directory.join("core");
    bindgen::bind(step, &compiled, &bindings, "core")?;
    let bound = bindings.join("core_bg.wasm");
    fs::copy(
        package::optimise(step, &bound, directory, "optimised")?,
        &bound,
    )?;
    Ok(bindings.join("core.js"))
}

/// The executable that a message of cargo names.
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
