//! Builds the npm package: Rust to wasm, the bindings, wasm-opt, then pkg/. No step edits another step's output.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use duct::Expression;

use super::modules::{NAMES, OUT_NAME, bind_both, optimise_both, optimised};
use super::project::Project;
use crate::checkout::{
    cargo_target, copy_tree, make_empty, root, unless_unchanged, work_directory,
};
use crate::site;
use crate::steps::{Step, beside, step};
use crate::tools::{NODE, WASM, WASM_TARGET, cargo, node, npm_install};

/// The package with faults.
const FAULTY: &str = "target/faulty-pkg";

/// What the sources say of the order, the error codes and the options, as JSON: types, the contract of the service and
/// the tables of the site are made of it.
const REFERENCE: &str = "target/reference.json";

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
    unless_unchanged(&["pkg", "target/site", REFERENCE], &SOURCES, build_whole)
}

/// The same, while npm installs the packages of these folders.
pub(crate) fn build_beside(folders: &[&str]) -> Result<()> {
    NODE.find_or_install()?;
    let install = || folders.iter().try_for_each(|folder| npm_install(folder));
    beside(install, build)
}

fn build_whole() -> Result<()> {
    let native = || compile_bindings().and_then(|()| write_reference());
    // Beside each other, because the linker of the one uses a single core.
    beside(native, || {
        let config = without_local_paths()?;
        compile("build", &["--release", "--config", &config])
    })?;
    let (bound, optimised) = (work_directory()?.join("bound"), optimised()?);
    bind_both(&compiled("release")?, &bound)?;
    optimise_both(&bound, &optimised)?;
    step("assemble pkg/ and target/site/", |step| {
        assemble(step, &bound, &optimised, &root("pkg"))?;
        site::assemble(step)
    })
}

/// Takes minutes the first time: as a step of its own it shows its progress.
fn compile_bindings() -> Result<()> {
    let build = cargo("build --package xtask-bindgen --bin bindings");
    step("compile wasm-bindgen's command line", |step| {
        step.run(build)
    })
}

fn compile(command: &str, options: &[&str]) -> Result<()> {
    let line = format!("{command} --package order-cost --lib --target {WASM}");
    let args = line.split(' ').chain(options.iter().copied());
    step("compile order-cost to wasm", |step| {
        step.run(duct::cmd("cargo", args).dir(root("")))
    })
}

/// Removes the folders of the build machine from the panic locations in the module.
fn without_local_paths() -> Result<String> {
    let cargo_home = home::cargo_home()?;
    let flags = [root(""), cargo_home.join("registry/src")]
        .map(|folder| format!("--remap-path-prefix={}/=", folder.display()).replace("//=", "/="));
    Ok(format!("target.{WASM}.rustflags={flags:?}"))
}

/// What rustc compiled.
fn compiled(profile: &str) -> Result<PathBuf> {
    Ok(cargo_target()?.join(format!("{WASM}/{profile}/{OUT_NAME}.wasm")))
}

fn write_reference() -> Result<()> {
    fs::create_dir_all(root("target"))?;
    let program = cargo("run --package xtask-reference");
    step("read the order, the error codes and the options", |step| {
        step.run(program.stdout_path(root(REFERENCE)))
    })
}

/// Fills in what is generated of the types, in a copy of pkg-template that no build makes.
pub(crate) fn fill_types(package: &Path) -> Result<()> {
    write_reference()?;
    step("fill in the types", |step| step.run(types(package)))
}

fn types(package: &Path) -> Expression {
    let args = [package.into(), root(REFERENCE)];
    node("xtask/package/types.mjs", args)
}

/// Builds target/faulty-pkg, after pkg/: the package with the faults of src/quote/faults.rs, for the tests of recovery.
pub(crate) fn build_faulty() -> Result<()> {
    npm_install("xtask")?;
    unless_unchanged(&[FAULTY], &SOURCES, build_whole_with_faults)
}

fn build_whole_with_faults() -> Result<()> {
    compile("rustc", &["--", "--cfg=faults"])?;
    compile_bindings()?;
    let bound = work_directory()?.join("bound-with-faults");
    // Without optimisation: it shares what the tests in wasm are made of, and no test measures it.
    bind_both(&compiled("debug")?, &bound)?;
    step("assemble the package with faults", |step| {
        assemble(step, &bound, &bound, &root(FAULTY))
    })
}

fn assemble(step: &Step, bound: &Path, modules: &Path, package: &Path) -> Result<()> {
    make_empty(package)?;
    copy_tree(&root("pkg-template"), package)?;
    // The MIT licence requires its text to accompany the code.
    fs::copy(root("LICENSE"), package.join("LICENSE"))?;
    let wasm = package.join("wasm");
    copy_tree(bound, &wasm)?;
    for name in NAMES {
        fs::copy(modules.join(name), wasm.join(name))?;
    }
    let fields = serde_json::to_string(&Project::read()?.npm_fields())?;
    let args = [
        package.into(),
        OsString::from(fields),
        root(REFERENCE).into(),
    ];
    step.run(types(package))?;
    step.run(node("xtask/package/package.mjs", args))?;
    // The package has no dependencies: one file with its libraries takes the place of the command line's sources.
    fs::remove_dir_all(package.join("cli"))?;
    step.run(node("xtask/package/cli.mjs", [package]))
}

/// Prints the sizes that a browser loads.
pub(crate) fn print_sizes() -> Result<()> {
    node("xtask/package/sizes.mjs", ["pkg"])
        .run()
        .context("cannot measure pkg/")
        .map(drop)
}
