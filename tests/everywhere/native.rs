//! Prices cases in the native build, for everywhere.test.js. Each line of stdin is a case in the shape of a golden
//! file. Each line of stdout is the HTTP body of a case, as a JSON string.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

#[allow(dead_code, reason = "golden.rs and basket.rs use more of it")]
#[path = "../scripted/mod.rs"]
mod scripted;

use std::io::{BufWriter, Write, stdin, stdout};

use serde_json::{Value, json};

fn main() {
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lines() {
        let line = line.expect("stdin is UTF-8");
        let case = serde_json::from_str(&line).expect("each line is a case");
        writeln!(out, "{}", Value::from(body(&case))).expect("stdout");
    }
}

fn body(case: &Value) -> String {
    match scripted::price(case, &mut ()) {
        Ok(outcome) => String::from_utf8(outcome.priced.write()).expect("a response is UTF-8"),
        Err(error) => json!({ "error": error.to_string() }).to_string(),
    }
}
