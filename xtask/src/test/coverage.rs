//! Which lines the tests ran: of Rust by cargo-llvm-cov, of JavaScript by Node.js and c8. It judges nothing.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use crate::checkout::{make_empty, root, work_directory};
use crate::suites::{Selection, Suite, all_pass};
use crate::tools::{CARGO_LLVM_COV, LLVM_TOOLS, node};

/// Runs the suites and prints the coverage of each file; the pages in target/xtask/coverage show the lines.
pub(crate) fn run(suites: &[&'static Suite], selection: &mut Selection) -> Result<ExitCode> {
    let folder = work_directory()?.join("coverage");
    make_empty(&folder)?;
    let (native, others): (Vec<_>, Vec<_>) =
        suites.iter().partition(|suite| suite.name == "native");
    if !native.is_empty() {
        of_rust(&folder.join("rust"))?;
    }
    if others.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let raw = folder.join("raw");
    selection.coverage = Some(raw.clone());
    let outcome = all_pass(&others, selection)?;
    let pages = folder.join("javascript");
    // What is counted and how it is shown is in c8's own file.
    let options = ["report", "--config", "tests/c8.json", "--temp-directory"].map(Into::into);
    let folders = [
        raw.into_os_string(),
        "--reports-dir".into(),
        pages.clone().into(),
    ];
    node(
        "tests/node_modules/c8/bin/c8.js",
        options.into_iter().chain(folders),
    )
    .run()?;
    println!("the lines: {}", pages.join("index.html").display());
    Ok(outcome)
}

fn of_rust(pages: &Path) -> Result<()> {
    let program = CARGO_LLVM_COV.install()?;
    LLVM_TOOLS.find_or_install()?;
    let pages = pages.to_string_lossy();
    for args in [
        &["--package", "order-cost", "--no-report"][..],
        &["report"],
        &["report", "--html", "--output-dir", &pages],
    ] {
        duct::cmd(&program, [&["llvm-cov"], args].concat())
            .dir(root(""))
            .run()?;
    }
    println!("the lines: {pages}/html/index.html");
    Ok(())
}
