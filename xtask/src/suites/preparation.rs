//! What suites need before they run.

use anyhow::Result;

use super::suite::Suite;
use crate::package::{self, BindgenTool};
use crate::site::build_docs;
use crate::steps::beside;
use crate::tools::{WASI, WASM, ensure_target, npm_install};

/// Installs and builds what several suites need; a suite compiles its own programs itself. Cargo and npm work beside each
/// other; the packages of tests/ link to pkg/, so they come after it.
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
            when(suites.contains(&Suite::Frameworks), || {
                npm_install("tests/frameworks/react-18")
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
