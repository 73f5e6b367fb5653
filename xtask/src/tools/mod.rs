//! The programs of others that the commands run: each is found, or installed.

mod cargo;
mod doctor;
mod need;
mod needs;
mod node;
mod python;

pub(crate) use cargo::{CARGO_DENY, CARGO_FUZZ, CARGO_MACHETE, CARGO_MUTANTS, cargo};
pub(crate) use doctor::run as doctor;
pub(crate) use need::Need;
pub(crate) use needs::{
    ALL as NEEDS, CHROMIUM, ENGINES, JAVA, JRE, NIGHTLY, NIGHTLY_TOOLCHAIN, NODE, PROMTOOL, PYTHON,
    WASI_TARGET, WASM, WASM_TARGET,
};
pub(crate) use node::{install as npm_install, node, npm};
pub(crate) use python::{Python, SPARK, install as pip_install};
