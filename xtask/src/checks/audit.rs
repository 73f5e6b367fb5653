//! The supply chain: licences, sources and known vulnerabilities of all dependencies.

use std::path::Path;

use anyhow::{Context, Result, bail};
use duct::Expression;
use serde_json::Value;

use crate::checkout::root;
use crate::steps::{Captured, all_passed, say, step};
use crate::tools::{CARGO_DENY, NODE, npm};

/// Each manifest is a separate workspace.
const RUST_WORKSPACES: [&str; 2] = ["Cargo.toml", "fuzz/Cargo.toml"];

/// Runs every check, also after one that fails. A check whose data cannot be had is reported, but does not fail.
pub(crate) fn run() -> Result<()> {
    NODE.find_or_install()?;
    let cargo_deny = CARGO_DENY.install()?;
    let mut outcomes = Vec::new();
    for manifest in RUST_WORKSPACES {
        for subject in ["licenses bans sources", "advisories"] {
            let deny = deny(&cargo_deny, manifest, subject);
            outcomes.push(step(
                &format!("cargo deny check {subject}, {manifest}"),
                |step| judge_deny(subject, &step.capture(deny)?),
            ));
        }
    }
    for lock in locks()? {
        outcomes.push(step(&format!("addresses and hashes, {lock}"), |_| {
            judge_lock(&std::fs::read_to_string(root(&lock))?)
        }));
        // Projects of others are in the versions that people have, old ones too.
        let folder = lock.trim_end_matches("package-lock.json");
        if !folder.starts_with("tests/matrix/projects/") {
            outcomes.push(step(&format!("npm audit, {folder}"), |step| {
                let audit = npm(["audit", "--json", "--package-lock-only"])?;
                judge_npm(&step.capture(audit.dir(root(folder)))?)
            }));
        }
    }
    all_passed(outcomes)
}

/// The lock files of npm, those of the matrix' consumers too.
fn locks() -> Result<Vec<String>> {
    let locks = duct::cmd!("git", "ls-files", "*package-lock.json").dir(root(""));
    Ok(locks.read()?.lines().map(str::to_owned).collect())
}

fn deny(program: &Path, manifest: &str, subjects: &str) -> Expression {
    let line = format!("--workspace --color never --manifest-path {manifest} check {subjects}");
    duct::cmd(program, line.split(' ')).dir(root(""))
}

fn judge_deny(subject: &str, ran: &Captured) -> Result<()> {
    if ran.status.success() {
        return Ok(());
    }
    if subject == "advisories" && ran.output.contains("failed to fetch advisory database") {
        say("not checked: the advisory database on github.com cannot be reached");
        return Ok(());
    }
    say(&ran.output);
    bail!("cargo deny found a problem")
}

/// Checks that every package comes from npm's registry and has the hash that pins its content.
fn judge_lock(text: &str) -> Result<()> {
    let lock: Value = serde_json::from_str(text)?;
    let packages = lock["packages"]
        .as_object()
        .context("the lock file has no packages")?;
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
    }
    Ok(())
}

fn judge_npm(ran: &Captured) -> Result<()> {
    let start = ran.output.find('{').unwrap_or(ran.output.len());
    let end = ran.output.rfind('}').map_or(start, |end| end + 1);
    let report: Value = serde_json::from_str(&ran.output[start..end]).unwrap_or_default();
    let Some(total) = report["metadata"]["vulnerabilities"]["total"].as_u64() else {
        let why = report["message"].as_str().unwrap_or(&ran.output).trim();
        say(&format!(
            "not checked: the registry did not answer the audit: {why}"
        ));
        return Ok(());
    };
    if total > 0 {
        say(&ran.output);
        bail!("npm reports {total} known vulnerabilities");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_from_elsewhere_or_without_a_hash_is_found() {
        let is_good = |package: &str| {
            let lock = format!(r#"{{"packages":{{"":{{}},"node_modules/a":{{{package}}}}}}}"#);
            judge_lock(&lock).is_ok()
        };
        let address = r#""resolved":"https://registry.npmjs.org/a/-/a-1.0.0.tgz""#;
        assert!(is_good(&format!(r#"{address},"integrity":"sha512-x""#)));
        assert!(is_good(r#""resolved":"../pkg","link":true"#));
        assert!(is_good(r#""version":"1.0.0","inBundle":true"#));
        assert!(!is_good(address));
        assert!(!is_good(
            r#""resolved":"https://example.com/a.tgz","integrity":"sha512-x""#
        ));
    }
}
