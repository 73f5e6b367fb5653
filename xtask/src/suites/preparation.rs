//! What suites need before they run.

use anyhow::Result;

use super::suite::{Build, Suite};
use crate::package::{self, BindgenTool};
use crate::site::build_docs;
use crate::steps::beside;
use crate::tools::npm_install;

/// Installs and builds what the suites need. Cargo and npm work beside each other; the packages of tests/ link to
/// pkg/, so they come after it.
pub(crate) fn prepare(suites: &[&Suite]) -> Result<()> {
    let builds = |build: Build| suites.iter().any(|suite| suite.builds.contains(&build));
    if builds(Build::Package) {
        let documents: &[_] = if builds(Build::Documents) {
            &["www/docs"]
        } else {
            &[]
        };
        package::build_beside(&[&["worker"], documents].concat())?;
    }
    let mut packages = suites.iter().flat_map(|suite| suite.packages);
    beside(
        || {
            when(builds(Build::Package), || npm_install("tests"))?;
            packages.try_for_each(|folder| npm_install(folder))?;
            when(builds(Build::Documents), build_docs)
        },
        || {
            when(builds(Build::FaultyPackage), package::build_faulty)?;
            when(builds(Build::TestRunner), || {
                package::compile_bindgen(BindgenTool::TestRunner)
            })
        },
    )
}

fn when(is_needed: bool, work: impl FnOnce() -> Result<()>) -> Result<()> {
    if is_needed { work() } else { Ok(()) }
}
