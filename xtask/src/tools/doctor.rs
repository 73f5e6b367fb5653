//! Looks at the machine: what the commands need, what is there, and how to install the rest.

use std::process::ExitCode;

use console::style;

use super::needs::Need;

/// Prints the list. Fails if something is missing that `cargo xtask test` needs.
pub(crate) fn run() -> ExitCode {
    let mut is_ready = true;
    for need in Need::ALL {
        let words = need.words();
        match need.find() {
            Ok(found) => println!(
                "{} {:34}{}",
                style("ok     ").green(),
                words.name,
                style(found).dim()
            ),
            Err(error) => {
                is_ready &= !need.is_required();
                println!("{} {:34}{error:#}", style("missing").red(), words.name);
                println!("        serves   {}", words.serves);
                for (system, command) in [
                    ("Debian", words.debian),
                    ("Fedora", words.fedora),
                    ("macOS", words.macos),
                ] {
                    println!("        {system:9}{command}");
                }
            }
        }
    }
    if is_ready {
        println!("\n`cargo xtask test` has all that it needs");
        ExitCode::SUCCESS
    } else {
        println!("\n`cargo xtask test` needs what is missing");
        ExitCode::FAILURE
    }
}
