//! The benchmark: runs the measurements in benches/ and collects the results.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use serde_json::json;

use super::budget::{Budget, QUICK, WHOLE};
use super::programs::{compile, compile_core, core_module};
use crate::checkout::{cargo_target, make_empty, work_directory};
use crate::package;
use crate::steps::{Step, step};
use crate::tools::{CHROMIUM, ENGINES, node, npm_install};

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

/// Measures everything and prints the figures.
pub(crate) fn run(options: &Options) -> Result<()> {
    package::build()?;
    ["benches", "tests", "worker"]
        .iter()
        .try_for_each(|folder| npm_install(folder))?;
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
    let command = CHROMIUM.told_to(node("benches/run-engines.mjs", options))?;
    (ENGINES.told_to(command)?)
        .run()
        .context("cannot measure the engines")
        .map(drop)
}

fn measure_cold(budget: &Budget, directory: &Path, write: bool) -> Result<()> {
    let write: &[_] = if write { &["--write"] } else { &[] };
    let options = [&[budget.starts, budget.visits], write].concat();
    let args = with([directory.join("cold")], &options);
    (CHROMIUM.told_to(node("benches/run-cold.mjs", args))?)
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
    node("benches/reports/report-edge.mjs", with([results], options))
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
    node(
        "benches/reports/report-service.mjs",
        with([results], options),
    )
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
        step.run(node("benches/orders/write-work.mjs", [&self.work]))
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
        let args = with([result.clone()], &[self.budget.set]);
        match CHROMIUM.told_to(node("benches/run-chromium.mjs", args)) {
            Ok(run) => step("measure in Chromium", |step| step.run(run)),
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
        node("benches/reports/report.mjs", with(files, options))
            .run()
            .context("cannot report the results")
            .map(drop)
    }
}

fn with<const N: usize>(files: [PathBuf; N], options: &[&str]) -> Vec<OsString> {
    let options = options.iter().map(OsString::from);
    files.into_iter().map(Into::into).chain(options).collect()
}
