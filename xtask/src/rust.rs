//! The wasm target of Rust.

use std::path::Path;

use anyhow::{Context, Result};
use duct::cmd;

use crate::paths::root;
use crate::steps::step;

pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Adds the wasm target to the current toolchain if it is missing. rustup does so itself only if its automatic
/// installation is on.
pub(crate) fn ensure_wasm_target() -> Result<()> {
    let libraries = cmd!("rustc", "--print", "target-libdir", "--target", WASM)
        .dir(root(""))
        .read()?;
    if Path::new(&libraries).exists() {
        return Ok(());
    }
    let rustup = which::which("rustup").ok().with_context(|| {
        format!("Rust's standard library for {WASM} is missing, and rustup, which can add it, is not on the PATH: https://rustup.rs")
    })?;
    step(&format!("rustup target add {WASM}"), |step| {
        step.run(cmd!(rustup, "target", "add", WASM).dir(root("")))
    })
}
