//! Names the module's functions in a stack trace: a release has no names, only their numbers.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::package;

/// How every engine writes a place in a module without names, up to the function's number.
const PLACE: &str = "wasm-function[";

#[derive(Args)]
pub(crate) struct Options {
    /// The file of symbols of the release [default: those of the last build]
    #[arg(long)]
    symbols: Option<PathBuf>,
    /// The trace is of order-cost/calculate, whose functions have other numbers
    #[arg(long, conflicts_with = "symbols")]
    calculate: bool,
    /// A file with stack traces, such as log lines [default: standard input]
    file: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let [whole, calculate] = package::symbols()?;
    let built = if options.calculate { calculate } else { whole };
    let file = options.symbols.as_ref().unwrap_or(&built);
    let symbols = read(file)?;
    let names: Names = symbols
        .lines()
        .filter_map(|line| line.split_once(':'))
        .collect();
    ensure!(
        names.contains_key("0"),
        "{} has no symbols: expected the function 0 in line 1",
        file.display()
    );
    let text = match &options.file {
        Some(file) => read(file)?,
        None => io::read_to_string(io::stdin()).context("cannot read standard input")?,
    };
    let named = with_names(&text, &names);
    ensure!(
        named != text,
        "no function of {} is in the text: expected places such as {PLACE}348]",
        file.display()
    );
    io::stdout()
        .write_all(named.as_bytes())
        .context("cannot write the trace")
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// The functions' names, by their numbers.
type Names<'a> = HashMap<&'a str, &'a str>;

/// The text, with a name after each number that has one.
fn with_names(text: &str, names: &Names) -> String {
    let named = |part: &str| {
        let (number, rest) = part.split_once(']')?;
        let name = without_hash(names.get(number)?);
        Some(format!("{number} {name}]{rest}"))
    };
    let mut parts = text.split(PLACE);
    let start = parts.next().unwrap_or_default().to_owned();
    parts.fold(start, |text, part| {
        text + PLACE + named(part).as_deref().unwrap_or(part)
    })
}

/// Rust ends a name with the hash of its crate.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once("::h") {
        Some((path, hash)) if hash.len() == 16 => path,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Firefox and Safari; tests/package/trace.test.js has traces of V8 alone.
    #[test]
    fn other_engines_traces_get_names() {
        let text = "@https://shop.example/x.wasm:wasm-function[1]:0x1\n\
            <?>.wasm-function[1]@[wasm code] wasm-function[2] wasm-function[";
        assert_eq!(
            with_names(text, &Names::from([("1", "a::b::h0123456789abcdef")])),
            "@https://shop.example/x.wasm:wasm-function[1 a::b]:0x1\n\
            <?>.wasm-function[1 a::b]@[wasm code] wasm-function[2] wasm-function["
        );
    }
}
