//! One Chromium for all suites of a run.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::needs::CHROMIUM;
use crate::checkout::root;

/// Its process ends when its input does: when this is dropped, or when xtask ends.
pub(crate) struct ChromiumServer {
    process: Child,
    pub(crate) address: String,
}

impl ChromiumServer {
    pub(crate) fn start() -> Result<Self> {
        let mut process = Command::new("node")
            .arg("tests/chromium-server.mjs")
            .current_dir(root(""))
            .envs(CHROMIUM.find_or_install()?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start node")?;
        let output = process.stdout.take().context("it has no output")?;
        let mut address = String::new();
        BufReader::new(output).read_line(&mut address)?;
        ensure!(!address.is_empty(), "Chromium did not start");
        let address = address.trim_end().to_owned();
        Ok(Self { process, address })
    }
}

impl Drop for ChromiumServer {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}
