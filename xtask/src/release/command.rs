//! A release: packs the package, checks it and lists its contents. The workflow release.yml publishes what it leaves.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duct::{Expression, cmd};
use serde_json::Value;

use super::rebuild;
use super::tarball::Tarball;
use crate::checkout::{git, is_committed, make_empty, root, work_directory};
use crate::package::{self, Project, has_owners};
use crate::steps::{Step, step};
use crate::tools::{node, npm, npm_install};

/// A check before publishing, and its outcome.
struct Check {
    what: &'static str,
    outcome: Result<String>,
}

/// Packs the package and runs the checks. Fails if one fails, unless `dry_run`.
pub(crate) fn run(dry_run: bool) -> Result<()> {
    package::build()?;
    npm_install("tests")?;
    step(
        "check the package with publint and are-the-types-wrong",
        |step| step.run(packaging()),
    )?;
    let manifest = read_json(&root("pkg/package.json"))?;
    let version = manifest["version"]
        .as_str()
        .context("the package has no version")?;
    let folder = release_folder()?;
    make_empty(&folder)?;
    let tarball = step("pack", |_| Tarball::pack(&root("pkg"), &folder))?;
    let symbols = step("keep the symbols", |_| keep_symbols(version))?;
    let sbom = step("write the bill of materials", |step| {
        write_sbom(step, version)
    })?;
    let reproduced = rebuild::build_equals(&tarball);
    tarball.print_contents();
    let checks = checks(version, reproduced);
    print_checks(&checks);
    let missing = checks.iter().filter(|check| check.outcome.is_err()).count();
    ensure!(
        dry_run || missing == 0,
        "{missing} of the checks failed; do not publish this package"
    );
    println!(
        "Nothing was published. The package is {}, its symbols {}, its bill of materials {}",
        tarball.file.display(),
        symbols.display(),
        sbom.display()
    );
    Ok(())
}

/// The checks of the packed package, as npm users get it.
fn packaging() -> Expression {
    let args = ["--test", "tests/package/packaging.test.js"];
    duct::cmd("node", args).dir(root(""))
}

/// Copies the names of the modules' functions beside the package, for `cargo xtask trace`. Returns those of `order-cost`.
fn keep_symbols(version: &str) -> Result<PathBuf> {
    let folder = release_folder()?;
    let package::Symbols { whole, calculate } = package::symbols()?;
    let kept = folder.join(format!("order-cost-{version}.symbols"));
    fs::copy(whole, &kept)?;
    fs::copy(
        calculate,
        folder.join(format!("order-cost-calculate-{version}.symbols")),
    )?;
    Ok(kept)
}

/// What the package contains of others, as CycloneDX.
fn write_sbom(step: &Step, version: &str) -> Result<PathBuf> {
    let file = release_folder()?.join(format!("order-cost-{version}.cdx.json"));
    let args = [root("pkg"), file.clone()];
    step.run(node("xtask/package/sbom.mjs", args))?;
    Ok(file)
}

fn release_folder() -> Result<PathBuf> {
    Ok(work_directory()?.join("release"))
}

fn checks(version: &str, reproduced: Result<String>) -> Vec<Check> {
    let check = |what, outcome| Check { what, outcome };
    vec![
        check("versions", same_version(version)),
        check("changelog", changelog(version)),
        check(
            "project",
            Project::read().and_then(|project| project.is_filled_in()),
        ),
        check("owners", owners()),
        check("second build", reproduced),
        check("commit", is_tagged(version)),
        check("registry", is_new(version)),
    ]
}

fn same_version(version: &str) -> Result<String> {
    let cargo = cmd!("cargo", "pkgid", "--package", "order-cost")
        .dir(root(""))
        .read()?;
    ensure!(
        cargo.trim().ends_with(&format!("@{version}"))
            || cargo.trim().ends_with(&format!("#{version}")),
        "pkg-template/package.json has version {version}, but Cargo.toml has {}",
        cargo.rsplit(['#', '@']).next().unwrap_or_default()
    );
    Ok(format!("{version} in Cargo.toml and package.json"))
}

fn changelog(version: &str) -> Result<String> {
    has_section(&fs::read_to_string(root("CHANGELOG.md"))?, version)
}

/// The heading `## 1.2.3 - 2026-11-27`.
fn has_section(changelog: &str, version: &str) -> Result<String> {
    let heading = format!("## {version} - ");
    let date = changelog
        .lines()
        .find_map(|line| line.strip_prefix(&heading))
        .with_context(|| format!("CHANGELOG.md has no section `{heading}YYYY-MM-DD`"))?;
    let is_date = date.len() == 10
        && date.chars().enumerate().all(|(at, sign)| match at {
            4 | 7 => sign == '-',
            _ => sign.is_ascii_digit(),
        });
    ensure!(
        is_date,
        "the section `{heading}{date}` of CHANGELOG.md has no date: expected YYYY-MM-DD"
    );
    Ok(format!("CHANGELOG.md has a section of {version}, {date}"))
}

fn owners() -> Result<String> {
    has_owners(&fs::read_to_string(root(".github/CODEOWNERS"))?)
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
    let code = told["error"]["code"].as_str();
    ensure!(
        code == Some("E404"),
        "the registry did not say whether {name} exists"
    );
    Ok(format!("{name} is new"))
}

fn print_checks(checks: &[Check]) {
    println!();
    for Check { what, outcome } in checks {
        match outcome {
            Ok(what_holds) => println!("ok       {what}: {what_holds}"),
            Err(error) => println!("FAILED   {what}: {error:#}"),
        }
    }
    println!();
}

fn read_json(file: &Path) -> Result<Value> {
    let text = fs::read_to_string(file)?;
    serde_json::from_str(&text).with_context(|| format!("{} is not JSON", file.display()))
}

#[cfg(test)]
mod tests {
    use super::has_section;

    #[test]
    fn the_section_of_a_release_has_a_date() {
        let of = |heading: &str| has_section(&format!("# Changelog\n\n{heading}\n"), "1.2.3");
        assert!(of("## 1.2.3 - 2026-11-27").is_ok());
        for heading in [
            "## Unreleased",
            "## 1.2.3",
            "## 1.2.3 - unreleased",
            "## 1.2.30 - 2026-11-27",
            "## 1.2.3 - 2026-11-7",
        ] {
            assert!(of(heading).is_err(), "{heading}");
        }
    }
}
