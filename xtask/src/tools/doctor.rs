//! Looks at the machine: what the commands need, what is there, and how to install the rest.

use std::process::ExitCode;

use console::style;

use super::needs;

/// Prints the list. Fails if something is missing that `cargo xtask test` needs.
pub(crate) fn run() -> ExitCode {
    let mut is_ready = true;
    for need in needs::ALL {
        match need.in_words() {
            Ok(found) => {
                println!(
                    "{} {:34}{}",
                    style("ok     ").green(),
                    need.name,
                    style(found).dim()
                );
            }
            Err(error) => {
                is_ready &= !need.is_required;
                println!("{} {:34}{error:#}", style("missing").red(), need.name);
                println!("        serves   {}", need.serves);
                println!("        install  {}", need.command());
                if !need.elsewhere.is_empty() {
                    println!("        else     {}", need.elsewhere);
                }
            }
        }
    }
    let (has, outcome) = match is_ready {
        true => ("has all that it needs", ExitCode::SUCCESS),
        false => ("needs what is missing", ExitCode::FAILURE),
    };
    println!("\n`cargo xtask test` {has}");
    outcome
}
