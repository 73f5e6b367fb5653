//! The commands of wasm-bindgen, which the package `xtask-bindgen` holds at the version of Cargo.lock.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;
use duct::cmd;

use crate::checkout::{make_empty, root};
use crate::steps::{Step, step};

/// A command of wasm-bindgen.
#[derive(Clone, Copy)]
pub(crate) enum Tool {
    /// Generates the bindings
    Bindings,
    /// Runs the tests in wasm; .cargo/config.toml names it
    TestRunner,
}

/// Compiles a command, which takes minutes the first time: as a step of its own it shows its progress.
pub(crate) fn compile(tool: Tool) -> Result<()> {
    let name = match tool {
        Tool::Bindings => "bindings",
        Tool::TestRunner => "test-runner",
    };
    step("compile wasm-bindgen's command line", |step| {
        let build = cmd!(
            "cargo",
            "build",
            "--package",
            "xtask-bindgen",
            "--bin",
            name
        );
        step.run(build.dir(root("")))
    })
}

/// Generates the JavaScript of a module and the matching wasm.
pub(crate) fn bind(step: &Step, wasm: &Path, out_dir: &Path, out_name: &str) -> Result<()> {
    make_empty(out_dir)?;
    let run = [
        "run",
        "--package",
        "xtask-bindgen",
        "--bin",
        "bindings",
        "--",
    ];
    let options = [
        "--target=web",
        "--no-typescript",
        // The loaders know where the module is; a bundler would follow the default path in vain.
        "--omit-default-module-path",
        "--experimental-reset-state-function",
        "--out-name",
        out_name,
        "--out-dir",
    ];
    let args = run.into_iter().chain(options).map(OsString::from);
    let files = [out_dir, wasm].map(OsString::from);
    step.run(duct::cmd("cargo", args.chain(files)).dir(root("")))
}
