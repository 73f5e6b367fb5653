//! What `cargo package` puts into the crate: what a service needs, and nothing
//! else.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::expect_used)]

use std::process::Command;

/// What there is beside `src`. Cargo makes the first three, and in a checkout a
/// note of the commit.
const FILES: [&str; 8] = [
    "Cargo.lock",
    "Cargo.toml",
    "Cargo.toml.orig",
    "LICENSE",
    "examples/axum.rs",
    "examples/component.rs",
    "examples/facts/mod.rs",
    "examples/order-cost.wit",
];

const COMMIT: &str = ".cargo_vcs_info.json";

#[test]
fn the_crate_holds_its_source_its_examples_and_no_more() {
    let cargo = std::env::var("CARGO").unwrap_or("cargo".to_owned());
    let args = ["package", "--list", "--allow-dirty", "--offline"];
    let output = Command::new(cargo).args(args).output().expect("cargo runs");
    let list = String::from_utf8(output.stdout).expect("paths are UTF-8");
    let is_source = |file: &&str| file.starts_with("src/");
    let (source, others): (Vec<_>, Vec<_>) = list.lines().partition(is_source);
    let others = Vec::from_iter(others.into_iter().filter(|file| *file != COMMIT));
    assert_eq!(others, FILES);
    assert!(
        source
            .iter()
            .all(|file| file.ends_with(".rs") || *file == "src/README.md")
    );
    assert!(source.contains(&"src/lib.rs") && source.contains(&"src/README.md"));
}
