//! The core without a binding, on the benchmark's work: a process natively, a module in wasm. The benchmark compares the
//! package with the core, and the two builds of the core with each other.
#![allow(
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
