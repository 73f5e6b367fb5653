//! Names the module's functions in a stack trace: a release has no names, only their numbers.

use std::fs;
use std::io::{self, Read, Write};
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
    let built = package::symbols()?;
    let symbols = match &options.symbols {
        Some(file) => file.clone(),
        None if options.calculate => built.calculate,
        None => built.whole,
    };
    let text = read(options.file.as_deref())?;
    let named = with_names(&text, &Names::read(&symbols)?);
    ensure!(
        named != text,
        "no function of {} is in the text: expected places such as {PLACE}348]",
        symbols.display()
    );
    io::stdout()
        .write_all(named.as_bytes())
        .context("cannot write the trace")
}

fn read(file: Option<&Path>) -> Result<String> {
    let Some(file) = file else {
        return io::read_to_string(io::stdin().by_ref()).context("cannot read standard input");
    };
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// The functions' names, by their numbers.
struct Names(Vec<String>);

impl Names {
    fn read(file: &Path) -> Result<Self> {
        let text = fs::read_to_string(file)
            .with_context(|| format!("cannot read the symbols {}", file.display()))?;
        let names = text.lines().enumerate().map(|(number, line)| {
            let (at, name) = line.split_once(':').unwrap_or_default();
            ensure!(
                at == number.to_string(),
                "{} has no symbols: expected the function {number} in line {}",
                file.display(),
                number + 1
            );
            Ok(without_hash(name).to_owned())
        });
        Ok(Self(names.collect::<Result<_>>()?))
    }
}

/// Rust ends a name with the hash of its crate.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once("::h") {
        Some((path, hash)) if hash.len() == 16 => path,
        _ => name,
    }
}

/// The text, with a name after each number that has one.
fn with_names(text: &str, Names(names): &Names) -> String {
    let mut parts = text.split(PLACE);
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        named += PLACE;
        let name = part.split_once(']').and_then(|(number, rest)| {
            let name = names.get(number.parse::<usize>().ok()?)?;
            Some(format!("{number} {name}]{rest}"))
        });
        named += name.as_deref().unwrap_or(part);
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        Names(
            ["core::memchr", "order_cost::json::read"]
                .map(str::to_owned)
                .into(),
        )
    }

    #[test]
    fn every_engine_s_trace_gets_names() {
        for (trace, named) in [
            (
                "at wasm://wasm/00c0ffee:wasm-function[1]:0x4106a",
                "at wasm://wasm/00c0ffee:wasm-function[1 order_cost::json::read]:0x4106a",
            ),
            (
                "@https://shop.example/x.wasm:wasm-function[0]:0x1\n@x.js:1:2",
                "@https://shop.example/x.wasm:wasm-function[0 core::memchr]:0x1\n@x.js:1:2",
            ),
            (
                "<?>.wasm-function[0]@[wasm code]",
                "<?>.wasm-function[0 core::memchr]@[wasm code]",
            ),
        ] {
            assert_eq!(with_names(trace, &names()), named);
        }
    }

    #[test]
    fn other_text_stays() {
        for text in [
            "",
            "no trace",
            "wasm-function[2]",
            "wasm-function[x]",
            "wasm-function[",
            "wasm-function[1",
        ] {
            assert_eq!(with_names(text, &names()), text);
        }
    }

    #[test]
    fn names_have_no_hash() {
        assert_eq!(without_hash("a::b::h0123456789abcdef"), "a::b");
        assert_eq!(without_hash("job_advance"), "job_advance");
    }
}
