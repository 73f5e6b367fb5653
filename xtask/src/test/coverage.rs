//! Which lines the tests ran: of Rust by cargo-llvm-cov, of JavaScript by Node.js and c8. It judges nothing.

use std::process::ExitCode;

use anyhow::Result;
use duct::cmd;

use crate::checkout::{make_empty, root, work_directory};
use crate::steps::step;
use crate::suites::{Selection, Suite, all_pass};
use crate::tools::{cargo_install, node};

const CARGO_LLVM_COV: &str = "0.6.21";

/// Runs the suites and prints the coverage of each file; the pages in target/xtask/coverage show the lines.
pub(crate) fn run(suites: &[Suite], selection: &mut Selection) -> Result<ExitCode> {
    let folder = work_directory()?.join("coverage");
    let raw = folder.join("raw");
    make_empty(&raw)?;
    let (native, others): (Vec<_>, Vec<_>) =
        suites.iter().partition(|&&suite| suite == Suite::Native);
    let mut outcome = ExitCode::SUCCESS;
    if !others.is_empty() {
        selection.coverage = Some(raw.clone());
        outcome = all_pass(&others, selection)?;
        let pages = folder.join("javascript");
        let args = [
            "report".into(),
            "--temp-directory".into(),
            raw.into_os_string(),
            "--reports-dir".into(),
            pages.clone().into_os_string(),
            "--reporter=text".into(),
            "--reporter=html".into(),
            "--include=pkg/**/*.js".into(),
            "--include=worker/**/*.js".into(),
            "--exclude=**/node_modules/**".into(),
        ];
        node("tests/node_modules/c8/bin/c8.js", args).run()?;
        println!("the lines: {}", pages.join("index.html").display());
    }
    if !native.is_empty() {
        let program = cargo_install("cargo-llvm-cov", CARGO_LLVM_COV)?;
        step("rustup component add llvm-tools", |step| {
            step.run(cmd!("rustup", "component", "add", "llvm-tools").dir(root("")))
        })?;
        let pages = folder.join("rust");
        let llvm_cov = |args: &[&str]| -> Result<()> {
            let args = [&["llvm-cov"], args].concat();
            duct::cmd(&program, args).dir(root("")).run()?;
            Ok(())
        };
        llvm_cov(&["--package", "order-cost", "--no-report"])?;
        llvm_cov(&["report"])?;
        llvm_cov(&["report", "--html", "--output-dir", &pages.to_string_lossy()])?;
        println!("the lines: {}", pages.join("html/index.html").display());
    }
    Ok(outcome)
}
