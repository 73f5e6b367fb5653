//! A release: packs the package, checks it and lists its contents. The workflow release.yml publishes what it leaves.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duct::cmd;
use glob::Pattern;
use serde_json::Value;

use super::rebuild::{build_equals, git, is_committed, pack};
use crate::checkout::{make_empty, root, work_directory};
use crate::package::{self, Project};
use crate::steps::step;
use crate::tools::{node, npm, npm_install};

/// What is checked before publishing, and what holds, or why not.
type Check = (&'static str, Result<String>);

/// Packs the package and runs the checks. Fails if one fails, unless `dry_run`.
pub(crate) fn run(dry_run: bool) -> Result<()> {
    package::build()?;
    npm_install("tests")?;
    let name = "check the package with publint and are-the-types-wrong";
    let packaging = cmd!("node", "--test", "tests/package/packaging.test.js");
    step(name, |step| step.run(packaging.dir(root(""))))?;
    let folder = work_directory()?.join("release");
    make_empty(&folder)?;
    let tarball = pack(&root("pkg"), &folder)?;
    let manifest: Value = serde_json::from_slice(&fs::read(root("pkg/package.json"))?)?;
    let version = manifest["version"]
        .as_str()
        .context("the package has no version")?;
    let symbols = keep_symbols(&folder, version)?;
    let sbom = folder.join(format!("order-cost-{version}.cdx.json"));
    step("write the bill of materials", |step| {
        step.run(node("xtask/package/sbom.mjs", [&root("pkg"), &sbom]))
    })?;
    let checks = checks(version, build_equals(&tarball))?;
    print_checks(&checks);
    let failed = checks
        .iter()
        .filter(|(_, outcome)| outcome.is_err())
        .count();
    ensure!(
        dry_run || failed == 0,
        "{failed} of the checks failed; do not publish this package"
    );
    println!(
        "Nothing was published. The package is {}, its symbols {}, its bill of materials {}",
        tarball.display(),
        symbols.display(),
        sbom.display()
    );
    Ok(())
}

/// Copies the names of the modules' functions beside the package, for `cargo xtask trace`. Returns those of `order-cost`.
fn keep_symbols(folder: &Path, version: &str) -> Result<PathBuf> {
    let kept = ["order-cost", "order-cost-calculate"]
        .map(|name| folder.join(format!("{name}-{version}.symbols")));
    for (from, to) in package::symbols()?.iter().zip(&kept) {
        fs::copy(from, to)?;
    }
    let [whole, _] = kept;
    Ok(whole)
}

fn checks(version: &str, reproduced: Result<String>) -> Result<[Check; 7]> {
    let project = Project::read()?;
    let changelog = fs::read_to_string(root("CHANGELOG.md"))?;
    let codeowners = fs::read_to_string(root(".github/CODEOWNERS"))?;
    Ok([
        (
            "versions",
            is_same_version(version, project.field("version")),
        ),
        ("changelog", has_section(&changelog, version)),
        ("project", project.is_filled_in()),
        ("owners", has_owners(&codeowners)),
        ("second build", reproduced),
        ("commit", is_tagged(version)),
        ("registry", is_new(version)),
    ])
}

fn print_checks(checks: &[Check]) {
    println!();
    for (what, outcome) in checks {
        match outcome {
            Ok(what_holds) => println!("ok       {what}: {what_holds}"),
            Err(error) => println!("FAILED   {what}: {error:#}"),
        }
    }
    println!();
}

fn is_same_version(version: &str, of_crate: &str) -> Result<String> {
    ensure!(
        version == of_crate,
        "pkg-template/package.json has version {version}, but Cargo.toml has {of_crate}"
    );
    Ok(format!("{version} in Cargo.toml and package.json"))
}

/// The heading `## 1.2.3 - 2026-11-27`.
fn has_section(changelog: &str, version: &str) -> Result<String> {
    let date = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]";
    let expected = Pattern::new(&format!("## {version} - {date}"))?;
    let mut lines = changelog.lines();
    let heading = lines.find(|line| expected.matches(line));
    let heading = heading
        .with_context(|| format!("CHANGELOG.md has no section `## {version} - YYYY-MM-DD`"))?;
    Ok(format!("CHANGELOG.md has the section `{heading}`"))
}

/// Whether CODEOWNERS names anybody. GitHub reads it as it is, so it cannot be derived.
fn has_owners(codeowners: &str) -> Result<String> {
    let is_rule = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let rule = codeowners.lines().find(is_rule);
    let rule = rule.context("name who reviews in .github/CODEOWNERS: it has comments only")?;
    Ok(rule.to_owned())
}

fn is_tagged(version: &str) -> Result<String> {
    is_committed()?;
    let tag = format!("v{version}");
    let tags = git(&["tag", "--points-at", "HEAD"]).read()?;
    ensure!(
        tags.lines().any(|line| line == tag),
        "the commit has no tag {tag}"
    );
    Ok(format!("clean, tagged {tag}"))
}

fn is_new(version: &str) -> Result<String> {
    let name = format!("order-cost@{version}");
    let told = npm(["view", &name, "version", "--json"])?;
    let told = told.stderr_null().unchecked().read()?;
    let told: Value = serde_json::from_str(&told).unwrap_or_default();
    ensure!(
        told.as_str() != Some(version),
        "{name} is already published"
    );
    ensure!(
        told["error"]["code"] == "E404",
        "the registry did not say whether {name} exists"
    );
    Ok(format!("{name} is new"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_of_a_release_has_a_date() {
        let of = |heading: &str| has_section(&format!("# Changelog\n\n{heading}\n"), "1.2.3");
        assert!(of("## 1.2.3 - 2026-11-27").is_ok());
        for heading in [
            "## 1.2.3 - unreleased",
            "## 1.2.30 - 2026-11-27",
            "## 1.2.3 - 2026-11-7",
        ] {
            assert!(of(heading).is_err(), "{heading}");
        }
    }

    #[test]
    fn owners_are_no_comment() {
        assert!(has_owners("# * @shop/pricing\n\n").is_err());
        assert!(has_owners("# Who reviews.\n* @shop/pricing\n").is_ok());
    }
}
