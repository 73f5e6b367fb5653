//! The programs that the benchmark measures, compiled.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::checkout::root;
use crate::package;
use crate::steps::Step;
use crate::tools::WASM;

/// Compiles benches/core and returns its path.
pub(super) fn compile_core(step: &Step, target: &[&str]) -> Result<PathBuf> {
    let args = [&["bench", "--no-run", "--bench", "core"], target].concat();
    compile(step, &args)
}

/// Runs a command of cargo that compiles a program of the crate. Returns the program's path.
pub(super) fn compile(step: &Step, args: &[&str]) -> Result<PathBuf> {
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
pub(super) fn core_module(step: &Step, directory: &Path) -> Result<PathBuf> {
    let compiled = compile_core(step, &["--target", WASM])?;
    let bindings = directory.join("core");
    package::bind(step, &compiled, &bindings, "core")?;
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
