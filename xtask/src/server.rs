//! The local server: wrangler, or the script of the shadow, and workerd.

use std::io::{BufRead, BufReader, PipeReader, pipe};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use process_wrap::std::{ChildWrapper, CommandWrap};

use crate::paths::root;

const WRANGLER: &str = "worker/node_modules/wrangler/bin/wrangler.js";

const WORKERS: [&str; 3] = [
    "worker/wrangler.dev.jsonc",
    "worker/services/nationwide/wrangler.jsonc",
    "worker/services/coupons/wrangler.jsonc",
];

/// Stops wrangler's questions and reports.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("CI", "1"),
    ("CLOUDFLARE_CF_FETCH_ENABLED", "false"),
    ("WRANGLER_HIDE_BANNER", "true"),
    ("WRANGLER_SEND_METRICS", "false"),
];

const START_WITHIN: Duration = Duration::from_secs(60);
const END_WITHIN: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(100);

/// The server and its child processes. Dropping this ends all of them.
pub(crate) struct Server {
    group: Box<dyn ChildWrapper>,
    lines: Receiver<String>,
}

impl Server {
    /// Starts the Worker and its services in one workerd.
    pub(crate) fn start(port: u16) -> Result<Self> {
        let mut command = Command::new("node");
        command
            .arg(root(WRANGLER))
            .args(["dev", "--ip", "127.0.0.1", "--inspector-port", "0"]);
        command.arg("--port").arg(port.to_string());
        for config in WORKERS {
            command.arg("--config").arg(root(config));
        }
        Self::spawn(command)
    }

    /// Starts the shadow Worker on `port`, and behind it the Worker and the double of the old service on the next two.
    pub(crate) fn start_shadow(port: u16) -> Result<Self> {
        let mut command = Command::new("node");
        command.arg(root("xtask/shadow.mjs")).arg(port.to_string());
        Self::spawn(command)
    }

    fn spawn(mut command: Command) -> Result<Self> {
        let (reader, writer) = pipe()?;
        command
            .envs(ENVIRONMENT)
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer);
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        Ok(Self {
            group: command.spawn().context("cannot start node")?,
            lines: lines_of(reader),
        })
    }

    /// Waits until `order` is priced. Then the Worker, its services and its stores work.
    pub(crate) fn wait_for_price(&self, site: &str, order: &str, stop: &AtomicBool) -> Result<()> {
        let (deadline, mut printed) = (Instant::now() + START_WITHIN, String::new());
        loop {
            let Err(error) = price(site, order) else {
                return Ok(());
            };
            ensure!(!stop.load(Ordering::Relaxed), "interrupted");
            ensure!(
                Instant::now() < deadline,
                "{error:#}\n\nThe server printed:\n\n{printed}"
            );
            match self.lines.recv_timeout(POLL) {
                Ok(line) => printed.extend([&line, "\n"]),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("The server ended. It printed:\n\n{printed}")
                }
            }
        }
    }

    /// Prints the server's output until `stop`.
    pub(crate) fn serve(&self, stop: &AtomicBool) -> Result<()> {
        while !stop.load(Ordering::Relaxed) {
            match self.lines.recv_timeout(POLL) {
                Ok(line) => eprintln!("{line}"),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => bail!("the server ended"),
            }
        }
        Ok(())
    }

    fn has_ended(&mut self) -> bool {
        !matches!(self.group.try_wait(), Ok(None))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        #[cfg(unix)]
        {
            const SIGTERM: i32 = 15;
            let deadline = Instant::now() + END_WITHIN;
            let asked = self.group.signal(SIGTERM).is_ok();
            while asked && !self.has_ended() && Instant::now() < deadline {
                thread::sleep(POLL);
            }
        }
        // Kills the rest of the group, even after its leader has ended. An error means that nobody is left.
        let _ = self.group.start_kill();
        let _ = self.group.wait();
    }
}

fn lines_of(reader: PipeReader) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        BufReader::new(reader)
            .lines()
            .map_while(Result::ok)
            .try_for_each(|line| sender.send(line))
    });
    lines
}

fn price(site: &str, order: &str) -> Result<()> {
    let request = ureq::post(format!("{site}/calculatecost4")).content_type("application/json");
    let mut response = request
        .config()
        .timeout_global(Some(Duration::from_secs(5)))
        .http_status_as_error(false)
        .build()
        .send(order)?;
    let status = response.status();
    ensure!(
        status == 200,
        "the sample order was answered with {status}: {}",
        response.body_mut().read_to_string()?
    );
    Ok(())
}
