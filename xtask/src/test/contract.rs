//! Holds the running service against worker/openapi.json: Schemathesis makes requests from the document and checks
//! every answer. The service's start and the orders' facts are in tests/contract/, and so are the options.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use console::style;
use indicatif::HumanCount;
use serde::Deserialize;

use super::seed::any_seed;
use crate::checkout::{make_empty, root, work_directory};
use crate::package;
use crate::steps::step;
use crate::tools::{check_node, npm_install, pip_install};

const FEWEST_CASES: u64 = 2_000;

const PRICED: &str = "200 priced";
const INTERNAL: &str = "500 INTERNAL";

/// Fails if Schemathesis finds anything, and if it tried too little. `seed` repeats an earlier run.
pub(crate) fn run(seed: Option<u32>) -> Result<()> {
    check_node()?;
    let programs = pip_install("tests/contract")?;
    package::build()?;
    npm_install("worker")?;
    let folder = work_directory()?.join("contract");
    make_empty(&folder)?;
    let report = folder.join("requests.har");
    let seed = seed.unwrap_or_else(any_seed);
    let again = format!("to repeat: cargo xtask contract --seed {seed}");
    step("Schemathesis over workerd", |step| {
        let program = programs.join("schemathesis").into_os_string();
        let serve = root("tests/contract/serve.mjs").into_os_string();
        let args = [serve, program].into_iter().chain(arguments(seed, &report));
        // In its own folder, because Schemathesis keeps notes where it runs.
        let command = duct::cmd("node", args)
            .env("SCHEMATHESIS_HOOKS", root("tests/contract/hooks.py"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .dir(&folder);
        step.run(command)
    })
    .map_err(|error| anyhow!("{error:#}; {again}"))?;
    let tally = Tally::read(&report)?;
    tally.print();
    println!("{}", style(&again).dim());
    tally.judge()
}

fn arguments(seed: u32, report: &Path) -> [OsString; 8] {
    [
        "--config-file".into(),
        root("tests/contract/schemathesis.toml").into(),
        "run".into(),
        "{url}/openapi.json".into(),
        "--no-color".into(),
        format!("--seed={seed}").into(),
        "--report-har-path".into(),
        report.into(),
    ]
}

/// The number of cases by their answer.
#[derive(Debug, Default)]
struct Tally {
    answers: BTreeMap<String, u64>,
}

/// The parts of an HTTP archive that are counted.
#[derive(Deserialize)]
struct Archive {
    log: Log,
}

#[derive(Deserialize)]
struct Log {
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    request: Request,
    response: Response,
}

#[derive(Deserialize)]
struct Request {
    method: String,
}

#[derive(Deserialize)]
struct Response {
    status: u16,
    headers: Vec<Header>,
}

#[derive(Deserialize)]
struct Header {
    name: String,
    value: String,
}

impl Tally {
    fn read(report: &Path) -> Result<Self> {
        let file = File::open(report).context("Schemathesis wrote no report")?;
        let archive: Archive = serde_json::from_reader(BufReader::new(file))
            .with_context(|| format!("cannot read {}", report.display()))?;
        let mut tally = Self::default();
        for entry in &archive.log.entries {
            tally.count(entry.answer());
        }
        Ok(tally)
    }

    fn count(&mut self, answer: String) {
        let count = self.answers.entry(answer).or_default();
        *count = count.saturating_add(1);
    }

    fn of(&self, answer: &str) -> u64 {
        self.answers.get(answer).copied().unwrap_or_default()
    }

    fn cases(&self) -> u64 {
        self.answers.values().sum()
    }

    fn print(&self) {
        println!("\n{:34}{:>8}", "answer", "cases");
        for (answer, &count) in &self.answers {
            println!("{answer:34}{:>8}", HumanCount(count).to_string());
        }
        let (cases, priced) = (self.cases(), self.of(PRICED));
        let share = priced.saturating_mul(100) / cases.max(1);
        let cases = HumanCount(cases).to_string();
        println!("\n{cases} cases, {share} % priced, no finding");
    }

    fn judge(&self) -> Result<()> {
        let (cases, priced) = (self.cases(), self.of(PRICED));
        ensure!(
            cases >= FEWEST_CASES,
            "{cases} cases are too few: expected {FEWEST_CASES} or more"
        );
        ensure!(
            priced >= cases.div_ceil(2),
            "{priced} priced orders in {cases} cases are too few: expected half of them"
        );
        let internal = self.of(INTERNAL);
        ensure!(
            internal == 0,
            "{internal} orders failed by a fault of the service itself"
        );
        Ok(())
    }
}

impl Entry {
    /// The status, and what the service says of the order.
    fn answer(&self) -> String {
        let Response { status, headers } = &self.response;
        if *status == 200 && self.request.method == "POST" {
            return PRICED.to_owned();
        }
        let is_code = |header: &&Header| header.name.eq_ignore_ascii_case("x-order-cost-error");
        let code = headers.iter().find(is_code);
        code.map_or(status.to_string(), |code| {
            format!("{status} {}", code.value)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(answers: &[(&str, u64)]) -> Tally {
        let answers = answers.iter();
        Tally {
            answers: answers.map(|&(name, n)| (name.to_owned(), n)).collect(),
        }
    }

    #[test]
    fn each_answer_counts_once() {
        let entry = |method: &str, status: u16, code: &str| {
            format!(
                r#"{{"request":{{"method":"{method}","url":"/"}},"response":{{"status":{status},"headers":[{{"name":"X-Order-Cost-Error","value":"{code}"}}]}}}}"#
            )
        };
        let entries = [
            entry("POST", 500, "INVALID_JSON"),
            entry("POST", 500, "INVALID_JSON"),
            r#"{"request":{"method":"POST"},"response":{"status":200,"headers":[]}}"#.to_owned(),
            r#"{"request":{"method":"GET"},"response":{"status":200,"headers":[]}}"#.to_owned(),
        ];
        let folder = work_directory().unwrap();
        let file = folder.join(format!("contract-{}.har", std::process::id()));
        let archive = format!(r#"{{"log":{{"entries":[{}]}}}}"#, entries.join(","));
        std::fs::write(&file, archive).unwrap();
        let tally = Tally::read(&file).unwrap();
        std::fs::remove_file(file).unwrap();
        let counts: Vec<_> = tally.answers.into_iter().collect();
        assert_eq!(
            counts,
            [
                ("200".to_owned(), 1),
                (PRICED.to_owned(), 1),
                ("500 INVALID_JSON".to_owned(), 2)
            ]
        );
    }

    #[test]
    fn a_run_that_tried_too_little_fails() {
        let verdict = |answers| tally(answers).judge().map_err(|error| error.to_string());
        assert_eq!(verdict(&[(PRICED, 1_000), ("405", 1_000)]), Ok(()));
        let few = verdict(&[(PRICED, 1_999)]).unwrap_err();
        assert!(few.contains("expected 2000"), "{few}");
        let poor = verdict(&[(PRICED, 1_000), ("405", 1_001)]).unwrap_err();
        assert!(poor.contains("1000 priced orders in 2001"), "{poor}");
        let broken = verdict(&[(PRICED, 2_000), (INTERNAL, 1)]).unwrap_err();
        assert!(broken.contains("the service itself"), "{broken}");
    }
}
