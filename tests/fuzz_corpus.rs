//! Replays the corpora of the fuzz targets that `cargo xtask fuzz` runs.

#![allow(clippy::unwrap_used)]
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

#[allow(unreachable_pub)]
#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::panic;
use std::path::Path;

#[test]
fn request() {
    replay("request", targets::request::run);
}

#[test]
fn order_and_facts() {
    replay("order_and_facts", targets::order_and_facts::run);
}

#[test]
fn zones() {
    replay("zones", targets::zones::run);
}

#[test]
fn answers() {
    replay("answers", targets::answers::run);
}

#[test]
fn basket() {
    replay("basket", targets::basket::run);
}

fn replay(target: &str, run: fn(&[u8])) {
    // Cargo runs tests in the folder of the package.
    let folder = Path::new("fuzz/corpus");
    let inputs = fs::read_dir(folder.join(target)).expect("the corpus is there");
    let inputs: Vec<_> = inputs.map(|input| input.unwrap().path()).collect();
    assert!(inputs.len() >= 20, "only {} inputs", inputs.len());
    for input in inputs {
        let bytes = fs::read(&input).expect("the input can be read");
        let outcome = panic::catch_unwind(|| run(&bytes));
        assert!(outcome.is_ok(), "{} is a finding", input.display());
    }
}
