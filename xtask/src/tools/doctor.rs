//! Looks at the machine: what the commands need, what is there, and how to install the rest.

use anyhow::{Result, ensure};
use console::style;

use super::needs;

/// Prints the list. Fails if something is missing that `cargo xtask test` needs.
pub(crate) fn run() -> Result<()> {
    let mut is_ready = true;
    for need in needs::ALL {
        match need.find() {
            Ok(paths) => {
                let paths = Vec::from_iter(paths.iter().map(|path| path.to_string_lossy()));
                let (mark, paths) = (style("ok     ").green(), paths.join(", "));
                println!("{mark} {:34}{}", need.name, style(paths).dim());
            }
            Err(error) => {
                is_ready &= !need.is_required;
                println!("{} {:34}{error:#}", style("missing").red(), need.name);
                println!("        serves   {}", need.serves);
                println!("        install  {}", need.command);
                if !need.elsewhere.is_empty() {
                    println!("        else     {}", need.elsewhere);
                }
            }
        }
    }
    ensure!(is_ready, "`cargo xtask test` needs what is missing");
    println!("\n`cargo xtask test` has all that it needs");
    Ok(())
}
