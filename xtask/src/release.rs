//! A release: packs the package, checks it and lists its contents. The workflow release.yml publishes what it leaves.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duct::cmd;
use serde_json::Value;

use crate::files;
use crate::node;
use crate::package;
use crate::paths::{root, work_directory};
use crate::steps::step;
use crate::test;

/// A check before publishing, and its outcome.
struct Check {
    what: &'static str,
    outcome: Result<String>,
}

/// Packs the package and fails if a check does; with `dry_run` it only tells.
pub(crate) fn run(dry_run: bool) -> Result<()> {
    package::build()?;
    node::install("tests")?;
    step(
        "check the package with publint and are-the-types-wrong",
        |step| step.run(test::packaging()),
    )?;
    let manifest = read_json(&root("pkg/package.json"))?;
    let version = manifest["version"]
        .as_str()
        .context("the package has no version")?;
    let tarball = step("pack", |_| pack())?;
    let symbols = step("keep the symbols", |_| keep_symbols(version))?;
    print_contents(&tarball);
    let checks = checks(&manifest, version);
    print_checks(&checks);
    let missing = checks.iter().filter(|check| check.outcome.is_err()).count();
    ensure!(
        dry_run || missing == 0,
        "{missing} of the checks failed; do not publish this package"
    );
    println!(
        "Nothing was published. The package is {}, its symbols {}",
        tarball.file.display(),
        symbols.display()
    );
    Ok(())
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

fn release_folder() -> Result<PathBuf> {
    Ok(work_directory()?.join("release"))
}

/// The packed package, and npm's description of it.
struct Tarball {
    file: PathBuf,
    told: Value,
}

fn pack() -> Result<Tarball> {
    let folder = release_folder()?;
    files::make_empty(&folder)?;
    let told = node::npm(["pack", "--json"])?.dir(root("pkg"));
    let told = told
        .env("npm_config_pack_destination", &folder)
        .stderr_null()
        .read()?;
    let mut told: Value = serde_json::from_str(&told).context("npm pack printed no valid JSON")?;
    let told = told
        .get_mut(0)
        .map(Value::take)
        .context("npm pack packed nothing")?;
    let name = told["filename"]
        .as_str()
        .context("npm pack named no file")?;
    Ok(Tarball {
        file: folder.join(name),
        told,
    })
}

fn print_contents(Tarball { told, .. }: &Tarball) {
    println!("\n{:>10}  file", "bytes");
    for file in told["files"].as_array().into_iter().flatten() {
        let path = file["path"].as_str().unwrap_or_default();
        println!("{:>10}  {path}", file["size"].as_u64().unwrap_or_default());
    }
    let [packed, unpacked, count] =
        ["size", "unpackedSize", "entryCount"].map(|key| told[key].as_u64().unwrap_or_default());
    println!("\n{count} files, {unpacked} bytes, packed {packed}");
    println!("{}", told["integrity"].as_str().unwrap_or_default());
}

fn checks(manifest: &Value, version: &str) -> Vec<Check> {
    let check = |what, outcome| Check { what, outcome };
    vec![
        check("versions", same_version(version)),
        check("changelog", has_section(version)),
        check("repository", names_repository(manifest)),
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

fn has_section(version: &str) -> Result<String> {
    let changelog = fs::read_to_string(root("CHANGELOG.md"))?;
    let heading = format!("## {version}");
    ensure!(
        changelog.lines().any(|line| line.starts_with(&heading)),
        "CHANGELOG.md has no section `{heading}`"
    );
    Ok(format!("CHANGELOG.md has a section for {version}"))
}

/// npm compares this URL with the repository of the workflow.
fn names_repository(manifest: &Value) -> Result<String> {
    let url = manifest["repository"]["url"].as_str();
    let url = url.context("package.json has no repository; provenance needs one")?;
    Ok(url.to_owned())
}

fn is_tagged(version: &str) -> Result<String> {
    let git = |args: &[&str]| duct::cmd("git", args).dir(root("")).read();
    ensure!(
        git(&["status", "--porcelain"])?.is_empty(),
        "the working tree has uncommitted changes"
    );
    let tag = format!("v{version}");
    let tags = git(&["tag", "--points-at", "HEAD"])?;
    ensure!(
        tags.lines().any(|line| line == tag),
        "the commit has no tag {tag}"
    );
    Ok(format!("clean, tagged {tag}"))
}

fn is_new(version: &str) -> Result<String> {
    let name = format!("order-cost@{version}");
    let told = node::npm(["view", &name, "version", "--json"])?;
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
