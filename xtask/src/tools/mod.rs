//! The programs of others that the commands run: each is found, or installed.

mod browsers;
mod crates;
mod doctor;
mod languages;
mod needs;
mod node;
mod promtool;
mod python;
mod rust;
mod software;

pub(crate) use browsers::{CHROMIUM, ChromiumServer, with_engines};
pub(crate) use crates::install as cargo_install;
pub(crate) use doctor::run as doctor;
pub(crate) use languages::with_languages;
pub(crate) use needs::Need;
pub(crate) use node::{check as check_node, install as npm_install, node, npm};
pub(crate) use promtool::find_or_install as promtool;
pub(crate) use python::install as pip_install;
pub(crate) use rust::{NIGHTLY_TOOLCHAIN, WASI, WASM, ensure_target, nightly};
