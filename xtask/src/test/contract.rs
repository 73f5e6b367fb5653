//! Holds the running service against worker/openapi.json: Schemathesis makes requests from the document and checks
//! every answer. The service's start and the orders' facts are in tests/contract/, and so are the options.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, ensure};
use duct::cmd;
use serde_json::Value;

use crate::checkout::{make_empty, root, work_directory};
use crate::package;
use crate::steps::step;
use crate::tools::{npm_install, pip_install};

const FEWEST_CASES: u64 = 2_000;

const PRICED: &str = "200 priced";
const INTERNAL: &str = "500 INTERNAL";

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
    let tally = tally(&report.context("Schemathesis wrote no report")?)?;
    println!("\n{:34}{:>8}", "answer", "cases");
    for (answer, count) in &tally {
        println!("{answer:34}{count:>8}");
    }
    judge(&tally)
}

/// The number of cases by their answer.
type Tally = BTreeMap<String, u64>;

/// Counts the answers in an HTTP archive.
fn tally(archive: &str) -> Result<Tally> {
    let archive: Value = serde_json::from_str(archive)?;
    let entries = archive["log"]["entries"]
        .as_array()
        .context("the report has no entries")?;
    let mut tally = Tally::new();
    for entry in entries {
        *tally.entry(answer(entry)).or_default() += 1;
    }
    Ok(tally)
}

/// The status, and what the service says of the order.
fn answer(entry: &Value) -> String {
    let response = &entry["response"];
    if response["status"] == 200 && entry["request"]["method"] == "POST" {
        return PRICED.to_owned();
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let headers = response["headers"].as_array().into_iter().flatten();
    let mut codes =
        headers.filter(|header| text(&header["name"]).eq_ignore_ascii_case("x-order-cost-error"));
    let code = codes
        .next()
        .map(|header| format!(" {}", text(&header["value"])));
    format!("{}{}", response["status"], code.unwrap_or_default())
}

fn judge(tally: &Tally) -> Result<()> {
    let of = |answer: &str| tally.get(answer).copied().unwrap_or_default();
    let (cases, priced, internal) = (tally.values().sum::<u64>(), of(PRICED), of(INTERNAL));
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
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_answer_counts_once() -> Result<()> {
        let failed = r#"{"request":{"method":"POST"},"response":{"status":500,"headers":[{"name":"X-Order-Cost-Error","value":"INVALID_JSON"}]}}"#;
        let [priced, page] = ["POST", "GET"].map(|method| {
            format!(
                r#"{{"request":{{"method":"{method}"}},"response":{{"status":200,"headers":[]}}}}"#
            )
        });
        let archive = format!(r#"{{"log":{{"entries":[{failed},{failed},{priced},{page}]}}}}"#);
        let tally: Vec<_> = tally(&archive)?.into_iter().collect();
        let counts = [("200", 1), (PRICED, 1), ("500 INVALID_JSON", 2)];
        assert_eq!(
            tally,
            counts.map(|(answer, count)| (answer.to_owned(), count))
        );
        Ok(())
    }

    #[test]
    fn a_run_that_tried_too_little_fails() {
        let verdict = |answers: &[(&str, u64)]| {
            let tally = answers
                .iter()
                .map(|&(answer, count)| (answer.to_owned(), count))
                .collect();
            judge(&tally).map_err(|error| error.to_string())
        };
        let fails = |answers, why: &str| verdict(answers).is_err_and(|error| error.contains(why));
        assert_eq!(verdict(&[(PRICED, 1_000), ("405", 1_000)]), Ok(()));
        assert!(fails(&[(PRICED, 1_999)], "expected 2000"));
        assert!(fails(
            &[(PRICED, 1_000), ("405", 1_001)],
            "1000 priced orders in 2001"
        ));
        assert!(fails(
            &[(PRICED, 2_000), (INTERNAL, 1)],
            "the service itself"
        ));
    }
}
