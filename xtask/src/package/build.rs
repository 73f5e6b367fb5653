//! Builds the npm package: Rust to wasm, the bindings, wasm-opt, then pkg/. No step edits another step's output.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use duct::Expression;

use super::bindgen::Tool;
use super::project::Project;
use super::{bindgen, reference};
use crate::checkout::{
    cargo_target, copy_tree, make_empty, root, unless_unchanged, work_directory,
};
use crate::site;
use crate::steps::{Step, beside, step};
use crate::tools::{NODE, WASM, WASM_TARGET, node, npm_install};

const OUT_NAME: &str = "order_cost";

/// The package with faults.
const FAULTY: &str = "target/faulty-pkg";

/// The module of which the bindings were made, beside them.
const LAST_INPUT: &str = "input.wasm";

/// The module of `order-cost/calculate`.
const CALCULATE: &str = "calculate.wasm";

/// -O3, because speed counts more than the last kilobytes. wasm-opt must not inline functions with a single caller once
/// more: that costs 1.6 kB of brotli and gains nothing.
const WASM_OPT: [&str; 4] = [
    "-O3",
    "--one-caller-inline-max-function-size=0",
    "--strip-producers",
    "--strip-target-features",
];

/// Those in rustc's output.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// What the package and the site are made of.
const SOURCES: [&str; 10] = [
    ".cargo",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "pkg-template",
    "rust-toolchain.toml",
    "src",
    "worker",
    "www",
    "xtask",
];

/// Builds pkg/ and target/site/.
pub(crate) fn build() -> Result<()> {
    NODE.find_or_install()?;
    WASM_TARGET.find_or_install()?;
    npm_install("xtask")?;
    let outputs = ["pkg", "target/site", "target/reference.json"];
    unless_unchanged(&outputs, &SOURCES, build_whole)
}

/// The same, while npm installs the packages of these folders.
pub(crate) fn build_beside(folders: &[&str]) -> Result<()> {
    NODE.find_or_install()?;
    let install = || folders.iter().try_for_each(|folder| npm_install(folder));
    beside(install, build)
}

fn build_whole() -> Result<()> {
    let (target, work) = (cargo_target()?, work_directory()?);
    // Beside each other, because the linker of the one uses a single core.
    beside(|| bindgen::compile(Tool::Bindings), compile)?;
    let module = target.join(format!("{WASM}/release/{OUT_NAME}.wasm"));
    let bindings = work.join("bindings");
    step("generate the bindings", |step| {
        bind(step, &module, &bindings)
    })?;
    let bound = bindings.join(wasm_file());
    let modules = beside(
        || step("read the error codes and the options", reference::write),
        || {
            step("optimise the wasm", |step| {
                Modules::without_baskets(&bound, &work)?.optimised(step, &work)
            })
        },
    )?;
    step("assemble pkg/ and target/site/", |_| {
        assemble(&bindings, &modules, &root("pkg"))?;
        site::assemble()
    })
}

fn compile() -> Result<()> {
    step("compile order-cost to wasm", |step| {
        let paths = without_local_paths()?;
        let args = ["build", "--release", "--target", WASM, "--lib"];
        let args = args
            .into_iter()
            .chain(["--package", "order-cost", "--config", &paths]);
        step.run(duct::cmd("cargo", args).dir(root("")))
    })
}

/// Builds target/faulty-pkg, after pkg/: the package with the faults of src/quote/faults.rs, for the tests of recovery.
pub(crate) fn build_faulty() -> Result<()> {
    npm_install("xtask")?;
    unless_unchanged(&[FAULTY], &SOURCES, build_whole_with_faults)
}

fn build_whole_with_faults() -> Result<()> {
    let folder = work_directory()?.join("faulty");
    fs::create_dir_all(&folder)?;
    // Without optimisation: it shares what the tests in wasm are made of, and no test measures it.
    let module = cargo_target()?.join(format!("{WASM}/debug/{OUT_NAME}.wasm"));
    step("compile order-cost with faults", |step| {
        let args = [
            "rustc",
            "--package",
            "order-cost",
            "--lib",
            "--target",
            WASM,
            "--",
            "--cfg=faults",
        ];
        step.run(duct::cmd("cargo", args).dir(root("")))
    })?;
    let bindings = folder.join("bindings");
    bindgen::compile(Tool::Bindings)?;
    step("generate the bindings with faults", |step| {
        bind(step, &module, &bindings)
    })?;
    let modules = Modules::without_baskets(&bindings.join(wasm_file()), &folder)?;
    assemble(&bindings, &modules, &root(FAULTY))
}

/// Removes the folders of the build machine from the panic locations in the module.
fn without_local_paths() -> Result<String> {
    let cargo_home = home::cargo_home()?;
    let flags = [root(""), cargo_home.join("registry/src")]
        .map(|folder| format!("--remap-path-prefix={}/=", folder.display()).replace("//=", "/="));
    Ok(format!("target.{WASM}.rustflags={flags:?}"))
}

/// Skipped like `optimise`: an edit of the package's JavaScript does not change the module.
fn bind(step: &Step, wasm: &Path, bindings: &Path) -> Result<()> {
    unless_equal(
        wasm,
        &bindings.join(LAST_INPUT),
        &[&bindings.join(wasm_file())],
        || bindgen::bind(step, wasm, bindings, OUT_NAME),
    )
}

/// The module with all parts, and the one without baskets.
struct Modules {
    whole: PathBuf,
    calculate: PathBuf,
}

impl Modules {
    /// Makes the smaller module of the whole one.
    fn without_baskets(whole: &Path, work: &Path) -> Result<Self> {
        let calculate = work.join("without-baskets.wasm");
        unless_equal(
            whole,
            &work.join("without-baskets.input.wasm"),
            &[&calculate],
            || {
                let files = [whole, &calculate].map(OsString::from).into_iter();
                node(
                    "xtask/package/without-baskets.mjs",
                    files.chain(FEATURES.map(OsString::from)),
                )
                .run()
                .context("cannot take the baskets out of the module")
                .map(drop)
            },
        )?;
        Ok(Self {
            whole: whole.to_owned(),
            calculate,
        })
    }

    fn optimised(&self, step: &Step, work: &Path) -> Result<Self> {
        Ok(Self {
            whole: optimise(step, &self.whole, work, "optimised")?,
            calculate: optimise(step, &self.calculate, work, "optimised-calculate")?,
        })
    }
}

/// The names of the functions of both modules, by their numbers: the modules themselves have none.
pub(crate) struct Symbols {
    pub(crate) whole: PathBuf,
    pub(crate) calculate: PathBuf,
}

pub(crate) fn symbols() -> Result<Symbols> {
    let work = work_directory()?;
    Ok(Symbols {
        whole: symbols_of(&work, "optimised"),
        calculate: symbols_of(&work, "optimised-calculate"),
    })
}

fn symbols_of(work: &Path, name: &str) -> PathBuf {
    work.join(format!("{name}.symbols"))
}

/// Writes the functions' names beside the module. The slowest step, so it is skipped if its input equals the last one,
/// which is kept in `work`.
pub(crate) fn optimise(step: &Step, wasm: &Path, work: &Path, name: &str) -> Result<PathBuf> {
    let optimised = work.join(format!("{name}.wasm"));
    let symbols = symbols_of(work, name);
    let last_input = work.join(format!("{name}.input.wasm"));
    unless_equal(wasm, &last_input, &[&optimised, &symbols], || {
        step.run(wasm_opt(wasm, &optimised, &symbols))
    })?;
    Ok(optimised)
}

/// Does `work`, unless its outputs are there and were made of an equal input; `last_input` keeps that.
fn unless_equal(
    input: &Path,
    last_input: &Path,
    outputs: &[&Path],
    work: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let input = fs::read(input)?;
    let is_there = outputs.iter().all(|output| output.exists());
    if is_there && fs::read(last_input).is_ok_and(|last| last == input) {
        return Ok(());
    }
    work()?;
    fs::write(last_input, input)?;
    Ok(())
}

fn wasm_opt(wasm: &Path, optimised: &Path, symbols: &Path) -> Expression {
    let mut symbolmap = OsString::from("--symbolmap=");
    symbolmap.push(symbols);
    let files = [symbolmap, wasm.into(), "-o".into(), optimised.into()];
    let options = WASM_OPT.into_iter().chain(FEATURES).map(OsString::from);
    node(
        "xtask/node_modules/binaryen/bin/wasm-opt",
        options.chain(files),
    )
}

fn assemble(bindings: &Path, modules: &Modules, package: &Path) -> Result<()> {
    make_empty(package)?;
    copy_tree(&root("pkg-template"), package)?;
    // The MIT licence requires its text to accompany the code.
    fs::copy(root("LICENSE"), package.join("LICENSE"))?;
    copy_tree(bindings, &package.join("wasm"))?;
    let wasm = package.join("wasm");
    fs::remove_file(wasm.join(LAST_INPUT))?;
    fs::copy(&modules.whole, wasm.join(wasm_file()))?;
    fs::copy(&modules.calculate, wasm.join(CALCULATE))?;
    let fields = serde_json::to_string(&Project::read()?.npm_fields())?;
    node(
        "xtask/package/package.mjs",
        [
            package.as_os_str(),
            OsStr::new(&fields),
            reference::file().as_os_str(),
        ],
    )
    .run()
    .context("cannot add the generated files to the package")?;
    bundle_cli(package)
}

/// Replaces the sources of the command line by one file that contains its libraries: the package has no dependencies.
fn bundle_cli(package: &Path) -> Result<()> {
    fs::remove_dir_all(package.join("cli"))?;
    node("xtask/package/cli.mjs", [package])
        .run()
        .context("cannot bundle the command line")
        .map(drop)
}

fn wasm_file() -> String {
    format!("{OUT_NAME}_bg.wasm")
}

/// Prints the sizes that a browser loads.
pub(crate) fn print_sizes() -> Result<()> {
    node("xtask/package/sizes.mjs", ["pkg"])
        .run()
        .context("cannot measure pkg/")
        .map(drop)
}
