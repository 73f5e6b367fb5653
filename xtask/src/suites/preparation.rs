//! What suites need before they run.

use anyhow::Result;

use super::suite::Suite;
use crate::package::{self, BindgenTool};
use crate::site::build_docs;
use crate::steps::beside;
use crate::tools::{WASI, WASM, ensure_target, npm_install};

/// The folders of tests/frameworks: each has a framework of its own.
const FRAMEWORKS: [&str; 4] = ["react-18", "react-19", "svelte", "vue"];

/// Installs and builds what several suites need; a suite compiles its own programs itself. Cargo and npm work beside each
/// other; the packages of tests/ and its frameworks link to pkg/, so they come after it.
pub(crate) fn prepare(suites: &[Suite]) -> Result<()> {
    let any = |is: fn(Suite) -> bool| suites.iter().any(|&suite| is(suite));
    let javascript = any(Suite::is_javascript);
    if javascript || suites.contains(&Suite::WasmNode) {
        ensure_target(WASM)?;
    }
    if suites.contains(&Suite::Node) {
        ensure_target(WASI)?;
    }
    if javascript {
        package::build_beside(if suites.contains(&Suite::Site) {
            &["worker", "www/docs"]
        } else {
            &["worker"]
        })?;
    }
    beside(
        || {
            when(javascript, || npm_install("tests"))?;
            when(any(Suite::has_frameworks), || {
                let folders = FRAMEWORKS.map(|name| format!("tests/frameworks/{name}"));
                folders.iter().try_for_each(|folder| npm_install(folder))
            })?;
            when(suites.contains(&Suite::Site), build_docs)
        },
        || {
            when(any(Suite::has_faults), package::build_faulty)?;
            when(suites.contains(&Suite::WasmNode), || {
                package::compile_bindgen(BindgenTool::TestRunner)
            })
        },
    )
}

fn when(is_needed: bool, work: impl FnOnce() -> Result<()>) -> Result<()> {
    if is_needed { work() } else { Ok(()) }
}
