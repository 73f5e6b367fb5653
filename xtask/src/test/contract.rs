//! Holds the running service against worker/openapi.json: Schemathesis makes requests from the document and checks
//! every answer. The service's start and the orders' facts are in tests/contract/, and so are the options.

use std::fs;

use anyhow::{Context, Result, ensure};
use duct::cmd;
use serde_json::Value;

use crate::checkout::{make_empty, root, work_directory};
use crate::package;
use crate::steps::step;
use crate::tools::{npm_install, pip_install};

const FEWEST_CASES: usize = 2_000;

/// Fails if Schemathesis finds anything, and if it tried too little.
pub(crate) fn run(seed: u32) -> Result<()> {
    let programs = pip_install("tests/contract")?;
    package::build()?;
    npm_install("worker")?;
    let folder = work_directory()?.join("contract");
    make_empty(&folder)?;
    step("Schemathesis over workerd", |step| {
        let tests = root("tests/contract");
        let command = cmd!(
            "node",
            tests.join("serve.mjs"),
            programs.join("schemathesis"),
            "--config-file",
            tests.join("schemathesis.toml"),
            "run",
            "{url}/openapi.json",
            "--no-color",
            format!("--seed={seed}"),
            "--report-har-path=requests.har",
        );
        // In its own folder, because Schemathesis keeps notes where it runs.
        let command = command.dir(&folder).env("PYTHONDONTWRITEBYTECODE", "1");
        step.run(command.env("SCHEMATHESIS_HOOKS", tests.join("hooks.py")))
    })?;
    let report = fs::read_to_string(folder.join("requests.har"));
    let told = judge(&report.context("Schemathesis wrote no report")?)?;
    println!("{told}");
    Ok(())
}

/// Counts the cases in an HTTP archive, and fails if they show too little.
fn judge(archive: &str) -> Result<String> {
    let archive: Value = serde_json::from_str(archive)?;
    let entries = archive["log"]["entries"].as_array();
    let entries = entries.context("the report has no entries")?;
    let count = |is: fn(&Value) -> bool| entries.iter().filter(|entry| is(entry)).count();
    let (cases, priced, internal) = (entries.len(), count(is_priced), count(is_internal));
    ensure!(
        cases >= FEWEST_CASES,
        "{cases} cases are too few: expected {FEWEST_CASES} or more"
    );
    ensure!(
        priced * 2 >= cases,
        "{priced} priced orders in {cases} cases are too few: expected half of them"
    );
    ensure!(
        internal == 0,
        "{internal} orders failed by a fault of the service itself"
    );
    Ok(format!("{cases} cases, {priced} priced, no finding"))
}

fn is_priced(entry: &Value) -> bool {
    entry["response"]["status"] == 200 && entry["request"]["method"] == "POST"
}

fn is_internal(entry: &Value) -> bool {
    let headers = entry["response"]["headers"].as_array();
    headers
        .into_iter()
        .flatten()
        .any(|header| header["value"] == "INTERNAL")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_run_that_tried_too_little_fails() {
        let entries = |count: usize, status: u16, code: &str| {
            let headers = json!([{ "name": "x-order-cost-error", "value": code }]);
            let response = json!({ "status": status, "headers": headers });
            vec![json!({ "request": { "method": "POST" }, "response": response }); count]
        };
        let verdict = |priced: usize, refused: usize, code: &str| {
            let entries = [entries(priced, 200, ""), entries(refused, 500, code)].concat();
            judge(&json!({ "log": { "entries": entries } }).to_string())
                .map_err(|error| error.to_string())
        };
        let fails = |verdict: Result<String, String>, why: &str| {
            verdict.is_err_and(|error| error.contains(why))
        };
        assert!(verdict(1_000, 1_000, "INVALID_JSON").is_ok());
        assert!(fails(verdict(1_999, 0, ""), "expected 2000"));
        assert!(fails(
            verdict(1_000, 1_001, ""),
            "1000 priced orders in 2001"
        ));
        assert!(fails(verdict(2_000, 1, "INTERNAL"), "the service itself"));
    }
}
