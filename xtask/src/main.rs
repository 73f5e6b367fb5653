//! `cargo xtask`: builds the npm package, serves it locally, and runs the tests and measurements.
//!
//! A room's `mod.rs` is its door. Imports point downward only:
//!
//! | layer | rooms |
//! |---|---|
//! | commands | `dev`, `test`, `bench`, `release` |
//! | what they run | `suites`, `checks` |
//! | what is built | `package` on `site` |
//! | programs of others | `tools` |
//! | shared ground | `steps`, `checkout` |

mod bench;
mod checkout;
mod checks;
mod dev;
mod package;
mod release;
mod site;
mod steps;
mod suites;
mod test;
mod tools;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    bin_name = "cargo xtask",
    about = "Build, serve, test and measure order-cost"
)]
struct Cli {
    /// Print no colours, as with NO_COLOR
    #[arg(long, global = true)]
    no_color: bool,
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the npm package (pkg/) and the demo shop (target/site/)
    Build {
        /// Also print what an application loads for each entry of the package
        #[arg(long)]
        sizes: bool,
    },
    /// Build the package and the site of documents (target/site/docs/)
    Site,
    /// Build everything, then serve the page, the documents, the Worker and its two services on this machine
    Dev {
        /// Port on 127.0.0.1. With --shadow, the pricing Worker and the old service use the next two ports
        #[arg(long, default_value_t = 8787, value_parser = clap::value_parser!(u16).range(1..=65533))]
        port: u16,
        /// Serve the shadow Worker in front of the Worker and an imitation of the old service (www/docs/service/migrate.md)
        #[arg(long)]
        shadow: bool,
    },
    /// Install what the tests need, then run every suite except the matrix and the engines. The last lines say what failed
    Test(test::Options),
    /// Check format, lint, types and unused crates, without running anything
    Check {
        /// Format, and mend what the linter can mend
        #[arg(long)]
        fix: bool,
    },
    /// Measure speed and size, and compare them with alternatives and with the targets
    Bench(bench::Options),
    /// Run the fuzz targets. A finding prints the command that reproduces it
    Fuzz(test::FuzzOptions),
    /// Plant faults in Rust and JavaScript, one at a time, and list those that no test finds
    Mutants(test::MutantsOptions),
    /// Pack the npm package, build it again in another folder, check it and list its contents. A tag publishes it
    /// (.github/workflows/release.yml)
    Release {
        /// Succeed even if a check of the release fails
        #[arg(long)]
        dry_run: bool,
    },
    /// Put function names into the stack trace of a log line. A release has only numbers
    Trace(release::TraceOptions),
    /// Check the supply chain: licences, sources and, if the registries answer, known vulnerabilities
    Audit,
    /// Look for what the commands need on this machine, and say how to install the rest
    Doctor,
}

impl Task {
    fn run(self) -> Result<()> {
        match self {
            Self::Build { sizes } => {
                package::build()?;
                if sizes {
                    package::print_sizes()
                } else {
                    Ok(())
                }
            }
            Self::Site => package::build().and_then(|()| site::build_docs()),
            Self::Dev { port, shadow } => dev::run(port, shadow),
            Self::Test(options) => test::run(options),
            Self::Check { fix } => checks::check(fix),
            Self::Bench(options) => bench::run(&options),
            Self::Fuzz(options) => test::fuzz(&options),
            Self::Mutants(options) => test::mutants(&options),
            Self::Release { dry_run } => release::run(dry_run),
            Self::Trace(options) => release::trace(&options),
            Self::Audit => checks::audit(),
            Self::Doctor => tools::doctor(),
        }
    }
}

fn main() -> ExitCode {
    let Cli { no_color, task } = Cli::parse();
    if no_color {
        console::set_colors_enabled(false);
        console::set_colors_enabled_stderr(false);
    }
    if let Err(error) = task.run() {
        steps::print_error(&error);
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
