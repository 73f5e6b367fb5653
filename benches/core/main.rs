//! The core without a binding, on the benchmark's work: natively a process, in wasm a module. The calculation of the
//! package is measured against the one, and the two against each other.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

mod item;
#[cfg(target_arch = "wasm32")]
mod module;
#[cfg(not(target_arch = "wasm32"))]
mod process;

fn main() {
    #[cfg(not(target_arch = "wasm32"))]
    process::run();
}
