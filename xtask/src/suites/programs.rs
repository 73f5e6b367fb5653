//! The programs that suites compile themselves: Cargo skips what has not changed.

use std::path::PathBuf;

use anyhow::Result;

use crate::checkout::{cargo_target, root};
use crate::steps::Step;
use crate::tools::WASI;

pub(super) struct Program {
    /// The variable that names it to the tests
    pub(super) variable: &'static str,
    build: &'static [&'static str],
    /// Where Cargo puts it in its target folder
    path: &'static str,
    /// The only test file that needs it, if it takes long to compile
    pub(super) only_for: Option<&'static str>,
}

/// tests/node/work as WebAssembly.
pub(super) const WORK: Program = Program {
    variable: "WORK",
    build: &[
        "--release",
        "--target",
        WASI,
        "--package",
        "order-cost-work",
    ],
    path: "wasm32-wasip2/release/work.wasm",
    only_for: None,
};

/// examples/component.rs, as its users compile it.
pub(super) const COMPONENT: Program = Program {
    variable: "COMPONENT",
    build: &[
        "--release",
        "--target",
        WASI,
        "--package",
        "order-cost",
        "--example",
        "component",
    ],
    path: "wasm32-wasip2/release/examples/component.wasm",
    only_for: Some("night/component.test.js"),
};

/// tests/everywhere/native.rs.
pub(super) const NATIVE: Program = Program {
    variable: "NATIVE",
    build: &["--package", "order-cost", "--example", "everywhere"],
    path: if cfg!(windows) {
        "debug/examples/everywhere.exe"
    } else {
        "debug/examples/everywhere"
    },
    only_for: None,
};

impl Program {
    pub(super) fn compile(&self, step: &Step) -> Result<PathBuf> {
        let args = ["build"].iter().chain(self.build);
        step.run(duct::cmd("cargo", args).dir(root("")))?;
        Ok(cargo_target()?.join(self.path))
    }
}
