//! The commands of wasm-bindgen, which the package `xtask-bindgen` holds at the version of Cargo.lock.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;
use duct::Expression;

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
    step("compile wasm-bindgen's command line", |step| {
        step.run(cargo("build", tool, []))
    })
}

/// Generates the JavaScript of a module and the matching wasm.
pub(crate) fn bind(step: &Step, wasm: &Path, out_dir: &Path, out_name: &str) -> Result<()> {
    make_empty(out_dir)?;
    let options = [
        "--",
        "--target",
        "web",
        "--no-typescript",
        // The loaders know where the module is; a bundler would follow the default path in vain.
        "--omit-default-module-path",
        "--experimental-reset-state-function",
        "--out-name",
        out_name,
        "--out-dir",
    ];
    let files = [out_dir, wasm].map(OsString::from);
    let args = options.map(OsString::from).into_iter().chain(files);
    step.run(cargo("run", Tool::Bindings, args))
}

fn cargo(command: &str, tool: Tool, args: impl IntoIterator<Item = OsString>) -> Expression {
    let options = [command, "--package", "xtask-bindgen", "--bin", tool.name()];
    let options = options.map(OsString::from).into_iter();
    duct::cmd("cargo", options.chain(args)).dir(root(""))
}

impl Tool {
    fn name(self) -> &'static str {
        match self {
            Self::Bindings => "bindings",
            Self::TestRunner => "test-runner",
        }
    }
}
