//! The modules of the package and their bindings, made of what rustc compiled.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::checkout::{make_empty, root, unless_unchanged, work_directory};
use crate::steps::{Step, step};
use crate::tools::node;

/// The name of what rustc compiles.
pub(super) const OUT_NAME: &str = "order_cost";

/// The module of `order-cost`, as wasm-bindgen names it, and that of `order-cost/calculate`, which has no baskets.
pub(super) const NAMES: [&str; 2] = ["order_cost_bg.wasm", "calculate.wasm"];

/// -O3, because speed counts more than the last kilobytes. wasm-opt must not inline functions with a single caller once
/// more: that costs 1.6 kB of brotli and gains nothing.
const WASM_OPT: [&str; 4] = [
    "-O3",
    "--one-caller-inline-max-function-size=0",
    "--strip-producers",
    "--strip-target-features",
];

/// No path by default, because the loaders know where the module is; a bundler would follow it in vain.
const BINDINGS: &str = "--target=web --no-typescript --omit-default-module-path \
    --experimental-reset-state-function --out-name";

/// Makes both modules and their bindings in `folder`. Skipped after an edit of the package's JavaScript.
pub(super) fn bind_both(compiled: &Path, folder: &Path) -> Result<()> {
    unless_unchanged(&[folder], &sources(compiled), || {
        step("generate the bindings", |step| {
            bind(step, compiled, folder, OUT_NAME)
        })?;
        step("take the baskets out of the module", |step| {
            let files = NAMES.map(|name| folder.join(name));
            step.run(node("xtask/package/without-baskets.mjs", files))
        })
    })
}

/// Optimises both modules into `folder`. The slowest step, so it is skipped like the other one.
pub(super) fn optimise_both(bound: &Path, folder: &Path) -> Result<()> {
    unless_unchanged(&[folder], &sources(bound), || {
        make_empty(folder)?;
        step("optimise the wasm", |step| {
            NAMES
                .iter()
                .try_for_each(|name| optimise(step, &bound.join(name), &folder.join(name)))
        })
    })
}

/// Generates the JavaScript of a module and the matching wasm.
pub(crate) fn bind(step: &Step, wasm: &Path, out_dir: &Path, out_name: &str) -> Result<()> {
    make_empty(out_dir)?;
    let line = format!("run --package xtask-bindgen --bin bindings -- {BINDINGS} {out_name}");
    let words = line.split(' ').map(OsString::from);
    let files = ["--out-dir".into(), out_dir.into(), wasm.into()];
    step.run(duct::cmd("cargo", words.chain(files)).dir(root("")))
}

/// What modules are made of: other modules, and how this is done.
fn sources(from: &Path) -> [PathBuf; 4] {
    let how = [
        "xtask/src/package",
        "xtask/package/without-baskets.mjs",
        "xtask/package-lock.json",
    ];
    let [options, script, programs] = how.map(root);
    [from.to_owned(), options, script, programs]
}

/// Writes the functions' names beside the optimised module: the module itself has none.
pub(crate) fn optimise(step: &Step, wasm: &Path, optimised: &Path) -> Result<()> {
    let mut symbolmap = OsString::from("--symbolmap=");
    symbolmap.push(symbols_of(optimised));
    let files = [symbolmap, wasm.into(), "-o".into(), optimised.into()];
    let args = WASM_OPT.map(OsString::from).into_iter().chain(files);
    step.run(node("xtask/node_modules/binaryen/bin/wasm-opt", args))
}

/// The names of the functions of both modules, by their numbers.
pub(crate) fn symbols() -> Result<[PathBuf; 2]> {
    let folder = optimised()?;
    Ok(NAMES.map(|name| symbols_of(&folder.join(name))))
}

fn symbols_of(module: &Path) -> PathBuf {
    module.with_extension("symbols")
}

/// The folder of the package's modules.
pub(super) fn optimised() -> Result<PathBuf> {
    Ok(work_directory()?.join("optimised"))
}
