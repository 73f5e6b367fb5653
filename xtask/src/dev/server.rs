//! The local server: wrangler, or the script of the shadow, and workerd.

use std::fs;
use std::io::{BufRead, BufReader, pipe};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use process_wrap::std::{ChildWrapper, CommandWrap};
use serde_json::Value;

use crate::checkout::root;

const WRANGLER: &str = "worker/node_modules/wrangler/bin/wrangler.js";

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

/// How many of the server's lines to show when it does not start.
const SHOWN_LINES: usize = 10;

/// The server and its child processes. Dropping this ends all of them.
pub(crate) struct Server {
    group: Box<dyn ChildWrapper>,
    /// What it prints. The thread that reads it ends with it
    lines: Receiver<String>,
    reader: JoinHandle<()>,
}

impl Server {
    /// Starts the Worker and its services in one workerd, as `npm run dev` in worker/ does.
    pub(crate) fn start(port: u16) -> Result<Self> {
        let manifest: Value = serde_json::from_slice(&fs::read(root("worker/package.json"))?)?;
        let script = manifest["scripts"]["dev"].as_str();
        let script = script.context("worker/package.json has no script `dev`")?;
        let mut command = Command::new("node");
        command
            .current_dir(root("worker"))
            .arg(root(WRANGLER))
            .args(script.split(' ').skip(1)) // wrangler itself
            .args(["--ip", "127.0.0.1", "--inspector-port", "0"])
            .args(["--port", &port.to_string()]);
        Self::spawn(command)
    }

    /// Starts the shadow Worker on `port`, and behind it the Worker and the double of the old service on the next two.
    pub(crate) fn start_shadow(port: u16) -> Result<Self> {
        let mut command = Command::new("node");
        command
            .arg(root("xtask/shop/shadow.mjs"))
            .arg(port.to_string());
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
        let group = command.spawn().context("cannot start node")?;
        let (sender, lines) = channel();
        let reader = thread::spawn(move || {
            let mut lines = BufReader::new(reader).lines().map_while(Result::ok);
            let _ = lines.try_for_each(|line| sender.send(line));
        });
        Ok(Self {
            group,
            lines,
            reader,
        })
    }

    /// Waits until `order` is priced. Then the Worker, its services and its stores work.
    pub(crate) fn wait_for_price(&self, site: &str, order: &str, stop: &AtomicBool) -> Result<()> {
        let (deadline, mut printed) = (Instant::now() + START_WITHIN, Vec::new());
        while let Some(reason) = unpriced(site, order)? {
            ensure!(!stop.load(Ordering::Relaxed), "interrupted");
            thread::sleep(POLL);
            let has_ended = self.reader.is_finished();
            printed.extend(self.lines.try_iter());
            ensure!(!has_ended, "the server ended{}", last_of(&printed));
            let is_late = Instant::now() > deadline;
            ensure!(!is_late, "{reason}{}", last_of(&printed));
        }
        Ok(())
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
}

impl Drop for Server {
    fn drop(&mut self) {
        #[cfg(unix)]
        {
            const SIGTERM: i32 = 15;
            let deadline = Instant::now() + END_WITHIN;
            let asked = self.group.signal(SIGTERM).is_ok();
            while asked && matches!(self.group.try_wait(), Ok(None)) && Instant::now() < deadline {
                thread::sleep(POLL);
            }
        }
        // Kills the rest of the group, even after its leader has ended. An error means that nobody is left.
        let _ = self.group.start_kill();
        let _ = self.group.wait();
    }
}

/// What the server printed last.
fn last_of(printed: &[String]) -> String {
    let (_, last) = printed.split_at(printed.len().saturating_sub(SHOWN_LINES));
    format!("; it printed last:\n\n{}", last.join("\n"))
}

/// Sends an order. Gives why it is not priced yet; the error is a refusal, which would come again.
fn unpriced(site: &str, order: &str) -> Result<Option<String>> {
    let sent = ureq::post(format!("{site}/calculatecost4"))
        .content_type("application/json")
        .config()
        .timeout_global(Some(Duration::from_secs(5)))
        .http_status_as_error(false)
        .build()
        .send(order);
    let mut response = match sent {
        Ok(response) if response.status() == 200 => return Ok(None),
        Ok(response) => response,
        Err(error) => return Ok(Some(error.to_string())),
    };
    let text = response.body_mut().read_to_string().unwrap_or_default();
    let status = response.status();
    let reason = format!("the sample order was answered with {status}: {text}");
    let code = response.headers().get("x-order-cost-error");
    ensure!(code.is_none_or(|code| may_pass(code.as_bytes())), reason);
    Ok(Some(reason))
}

/// Whether the error may disappear once everything has started.
fn may_pass(code: &[u8]) -> bool {
    code.ends_with(b"_FAILED") || code == b"DEADLINE_EXCEEDED" || code == b"INTERNAL"
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    /// Why no order is priced at `site` while `script` is the server.
    fn failure(script: &str, site: &str) -> String {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let server = Server::spawn(command).unwrap();
        let waited = server.wait_for_price(site, "{}", &AtomicBool::new(false));
        waited.unwrap_err().to_string()
    }

    #[test]
    fn a_refused_order_is_told_at_once() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let site = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let head = "HTTP/1.1 500 Failed\r\nx-order-cost-error: PRODUCT_PRICE_NOT_FOUND";
            let _ = write!(
                stream,
                "{head}\r\nconnection: close\r\n\r\nNo price for 1/1000"
            );
        });
        assert_eq!(
            failure("sleep 60", &site),
            "the sample order was answered with 500 Internal Server Error: No price for 1/1000"
        );
    }

    #[test]
    fn a_server_that_ends_is_told_in_a_few_lines() {
        // Nobody listens on port 9 of this machine.
        let told = failure("seq 3000", "http://127.0.0.1:9");
        let lines: Vec<_> = told.lines().collect();
        assert_eq!(lines[0], "the server ended; it printed last:");
        let last: Vec<_> = (2991..=3000).map(|line| line.to_string()).collect();
        assert_eq!(lines[2..], last);
    }
}
