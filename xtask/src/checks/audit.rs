//! The supply chain: licences, sources and known vulnerabilities of all dependencies.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use duct::Expression;
use serde_json::Value;

use crate::checkout::root;
use crate::steps::{Captured, Step, step};
use crate::tools::{cargo_install, check_node, npm};

const CARGO_DENY: &str = "0.20.2";

/// Each manifest is a separate workspace.
const RUST_WORKSPACES: [&str; 2] = ["Cargo.toml", "fuzz/Cargo.toml"];

/// The outcome of a check.
enum Verdict {
    Holds(String),
    /// The data was not available, so the outcome is unknown.
    Unknown(String),
}

/// Runs every check. A check without data is reported, but does not fail.
pub(crate) fn run() -> Result<ExitCode> {
    check_node()?;
    let cargo_deny = cargo_install("cargo-deny", CARGO_DENY)?;
    let mut checks: Vec<(String, Result<Verdict>)> = Vec::new();
    for manifest in RUST_WORKSPACES {
        for subject in ["licenses bans sources", "advisories"] {
            let name = format!("cargo deny check {subject}, {manifest}");
            let deny = deny(&cargo_deny, manifest, subject);
            let verdict = step(&name, |step| {
                judge_deny(step, subject, &step.capture(deny)?)
            });
            checks.push((name, verdict));
        }
    }
    for lock in locks()? {
        let folder = lock.parent().context("the lock file has no folder")?;
        let shown = folder.strip_prefix(root(""))?.display();
        let name = format!("addresses and hashes, {shown}/package-lock.json");
        let verdict = step(&name, |_| judge_lock(&std::fs::read_to_string(&lock)?));
        checks.push((name, verdict));
        let name = format!("npm audit, {shown}/");
        let verdict = step(&name, |step| {
            judge_npm(step, &step.capture(npm_audit(folder)?)?)
        });
        checks.push((name, verdict));
    }
    Ok(report(&checks))
}

/// The lock files of npm, those of the matrix' consumers too.
fn locks() -> Result<Vec<PathBuf>> {
    let locks = duct::cmd!("git", "ls-files", "*package-lock.json").dir(root(""));
    Ok(locks.read()?.lines().map(root).collect())
}

fn deny(program: &Path, manifest: &str, subjects: &str) -> Expression {
    let manifest = root(manifest).into_os_string();
    let args = ["--manifest-path".into(), manifest].into_iter();
    let args = args.chain(["--workspace", "--color", "never", "check"].map(Into::into));
    duct::cmd(program, args.chain(subjects.split(' ').map(Into::into)))
}

fn judge_deny(step: &Step, subject: &str, ran: &Captured) -> Result<Verdict> {
    if ran.status.success() {
        return Ok(Verdict::Holds("nothing found".to_owned()));
    }
    if subject == "advisories" && ran.output.contains("failed to fetch advisory database") {
        let why = "the advisory database on github.com cannot be reached";
        return Ok(Verdict::Unknown(why.to_owned()));
    }
    step.print(&ran.output);
    bail!("cargo deny found a problem")
}

/// Checks that every package comes from npm's registry and has the hash that pins its content.
fn judge_lock(text: &str) -> Result<Verdict> {
    let lock: Value = serde_json::from_str(text)?;
    let packages = lock["packages"]
        .as_object()
        .context("the lock file has no packages")?;
    let mut locked = 0;
    for (place, package) in packages {
        // Skip the folder itself, ../pkg, which this repository builds, and what another's tarball holds.
        let is_ours = !place.starts_with("node_modules/") || package["link"] == true;
        if is_ours || package["inBundle"] == true {
            continue;
        }
        let from = package["resolved"].as_str().unwrap_or_default();
        if !from.is_empty() && !from.starts_with("https://registry.npmjs.org/") {
            bail!("{place} comes from {from}, not from registry.npmjs.org");
        }
        if !package["integrity"]
            .as_str()
            .is_some_and(|hash| hash.starts_with("sha512-"))
        {
            bail!("{place} has no sha512 hash");
        }
        locked += 1;
    }
    Ok(Verdict::Holds(format!(
        "{locked} packages, each with its hash"
    )))
}

fn npm_audit(folder: &Path) -> Result<Expression> {
    Ok(npm(["audit", "--json", "--package-lock-only"])?.dir(folder))
}

fn judge_npm(step: &Step, ran: &Captured) -> Result<Verdict> {
    let start = ran.output.find('{').unwrap_or(ran.output.len());
    let end = ran.output.rfind('}').map_or(start, |end| end + 1);
    let report: Value = serde_json::from_str(&ran.output[start..end]).unwrap_or_default();
    let Some(total) = report["metadata"]["vulnerabilities"]["total"].as_u64() else {
        let why = report["message"].as_str().unwrap_or(&ran.output).trim();
        return Ok(Verdict::Unknown(format!(
            "the registry did not answer the audit: {why}"
        )));
    };
    if total > 0 {
        step.print(&ran.output);
        bail!("npm reports {total} known vulnerabilities");
    }
    Ok(Verdict::Holds("no known vulnerability".to_owned()))
}

fn report(checks: &[(String, Result<Verdict>)]) -> ExitCode {
    println!();
    for (name, verdict) in checks {
        let (mark, what) = match verdict {
            Ok(Verdict::Holds(what)) => ("ok", what.clone()),
            Ok(Verdict::Unknown(why)) => ("not checked", why.clone()),
            Err(error) => ("FAILED", format!("{:#}", error.root_cause())),
        };
        println!("{mark:13}{name}: {what}");
    }
    if checks.iter().all(|(_, verdict)| verdict.is_ok()) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(package: &str) -> Result<Verdict> {
        judge_lock(&format!(
            r#"{{"packages":{{"":{{}},"node_modules/a":{package}}}}}"#
        ))
    }

    #[test]
    fn a_package_from_elsewhere_or_without_a_hash_is_found() {
        let address = "https://registry.npmjs.org/a/-/a-1.0.0.tgz";
        assert!(
            lock(&format!(
                r#"{{"resolved":"{address}","integrity":"sha512-x"}}"#
            ))
            .is_ok()
        );
        assert!(lock(&format!(r#"{{"resolved":"{address}"}}"#)).is_err());
        assert!(
            lock(r#"{"resolved":"https://example.com/a.tgz","integrity":"sha512-x"}"#).is_err()
        );
        assert!(lock(r#"{"resolved":"../pkg","link":true}"#).is_ok());
        assert!(lock(r#"{"version":"1.0.0","inBundle":true}"#).is_ok());
    }
}
