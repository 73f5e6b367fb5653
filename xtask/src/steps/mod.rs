//! What a command shows while it works.

mod progress;
mod step;

pub(crate) use progress::follow;
pub(crate) use step::{Captured, Step, beside, exit_code, print_error, say, seconds, step};
