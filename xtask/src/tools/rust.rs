//! The wasm targets of Rust, and its nightly toolchain.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use duct::cmd;

use crate::checkout::root;
use crate::steps::step;

pub(crate) const WASM: &str = "wasm32-unknown-unknown";
/// The target of components.
pub(crate) const WASI: &str = "wasm32-wasip2";

/// The toolchain of the fuzz targets.
pub(crate) const NIGHTLY_TOOLCHAIN: &str = "nightly";

/// Adds a target to the current toolchain if it is missing. rustup does so itself only if its automatic
/// installation is on.
pub(crate) fn ensure_target(target: &str) -> Result<()> {
    let libraries = cmd!("rustc", "--print", "target-libdir", "--target", target)
        .dir(root(""))
        .read()?;
    if Path::new(&libraries).exists() {
        return Ok(());
    }
    let rustup = which::which("rustup").ok().with_context(|| {
        format!("Rust's standard library for {target} is missing, and rustup, which can add it, is not on the PATH: https://rustup.rs")
    })?;
    step(&format!("rustup target add {target}"), |step| {
        step.run(cmd!(rustup, "target", "add", target).dir(root("")))
    })
}

/// The version of the nightly toolchain.
pub(crate) fn nightly() -> Result<String> {
    let rustc = cmd!("rustc", "--version").env("RUSTUP_TOOLCHAIN", NIGHTLY_TOOLCHAIN);
    let version = rustc.stderr_null().read().unwrap_or_default();
    ensure!(
        version.contains("nightly"),
        "fuzzing needs Rust's nightly toolchain; install it with `rustup toolchain install {NIGHTLY_TOOLCHAIN} --profile minimal`"
    );
    Ok(version)
}
