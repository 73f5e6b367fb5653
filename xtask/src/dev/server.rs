//! The local server: wrangler, or the script of the shadow, and workerd.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead, BufReader, PipeReader, pipe};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
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
    lines: Receiver<String>,
}

impl Server {
    /// Starts the Worker and its services in one workerd, as `npm run dev` in worker/ does.
    pub(crate) fn start(port: u16) -> Result<Self> {
        let manifest: Value = serde_json::from_slice(&fs::read(root("worker/package.json"))?)?;
        let script = manifest["scripts"]["dev"].as_str();
        let script = script.and_then(|script| script.strip_prefix("wrangler "));
        let script = script.context("worker/package.json: expected a script `dev` of wrangler")?;
        let mut command = Command::new("node");
        command
            .current_dir(root("worker"))
            .arg(root(WRANGLER))
            .args(script.split(' '))
            .args(["--ip", "127.0.0.1", "--inspector-port", "0"])
            .arg("--port")
            .arg(port.to_string());
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
        Ok(Self {
            group: command.spawn().context("cannot start node")?,
            lines: lines_of(reader),
        })
    }

    /// Waits until `order` is priced. Then the Worker, its services and its stores work.
    pub(crate) fn wait_for_price(&self, site: &str, order: &str, stop: &AtomicBool) -> Result<()> {
        let (deadline, mut printed) = (Instant::now() + START_WITHIN, VecDeque::new());
        loop {
            let reason = match price(site, order) {
                Answer::Priced => return Ok(()),
                Answer::Refused(reason) => bail!(reason),
                Answer::NotYet(reason) => reason,
            };
            ensure!(!stop.load(Ordering::Relaxed), "interrupted");
            let is_running = self.read_for(POLL, &mut printed);
            ensure!(is_running, "the server ended{}", last_lines(&printed));
            ensure!(
                Instant::now() < deadline,
                "{reason}{}",
                last_lines(&printed)
            );
        }
    }

    /// Keeps the last lines that the server prints within `time`. False: it has ended.
    fn read_for(&self, time: Duration, last: &mut VecDeque<String>) -> bool {
        let end = Instant::now() + time;
        while let Some(rest) = end.checked_duration_since(Instant::now()) {
            match self.lines.recv_timeout(rest) {
                Ok(line) => {
                    last.truncate(SHOWN_LINES - 1);
                    last.push_front(line);
                }
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
        true
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

/// What the server printed last, the latest line first in `lines`.
fn last_lines(lines: &VecDeque<String>) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let lines: Vec<_> = lines.iter().rev().map(String::as_str).collect();
    format!("; it printed last:\n\n{}", lines.join("\n"))
}

/// What became of an order.
enum Answer {
    Priced,
    /// Trying again would fail in the same way.
    Refused(String),
    /// No answer, or one of a service that has not started.
    NotYet(String),
}

fn price(site: &str, order: &str) -> Answer {
    let request = ureq::post(format!("{site}/calculatecost4")).content_type("application/json");
    let sent = request
        .config()
        .timeout_global(Some(Duration::from_secs(5)))
        .http_status_as_error(false)
        .build()
        .send(order);
    let mut response = match sent {
        Ok(response) => response,
        Err(error) => return Answer::NotYet(error.to_string()),
    };
    let status = response.status();
    if status == 200 {
        return Answer::Priced;
    }
    let code = response.headers().get("x-order-cost-error");
    let code = code.and_then(|code| code.to_str().ok());
    let is_refused = code.is_some_and(|code| !may_pass(code));
    let text = response.body_mut().read_to_string().unwrap_or_default();
    let reason = format!("the sample order was answered with {status}: {text}");
    if is_refused {
        Answer::Refused(reason)
    } else {
        Answer::NotYet(reason)
    }
}

/// Whether the error may disappear once everything has started.
fn may_pass(code: &str) -> bool {
    code.ends_with("_FAILED") || ["DEADLINE_EXCEEDED", "INTERNAL"].contains(&code)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    fn server(script: &str) -> Server {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Server::spawn(command).unwrap()
    }

    /// A site that gives one answer, however often it is asked.
    fn site(answer: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let site = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 4096]);
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        site
    }

    fn failure(server: &Server, site: &str) -> String {
        let stop = AtomicBool::new(false);
        let waited = server.wait_for_price(site, "{}", &stop);
        waited.unwrap_err().to_string()
    }

    #[test]
    fn a_refused_order_is_told_at_once() {
        let site = site(
            "HTTP/1.1 500 Internal Server Error\r\nx-order-cost-error: PRODUCT_PRICE_NOT_FOUND\r\ncontent-length: 31\r\nconnection: close\r\n\r\n{\"error\":\"No price for 1/1000\"}",
        );
        assert_eq!(
            failure(&server("sleep 60"), &site),
            "the sample order was answered with 500 Internal Server Error: {\"error\":\"No price for 1/1000\"}"
        );
    }

    #[test]
    fn a_server_that_ends_is_told_in_a_few_lines() {
        // Nobody listens on port 9 of this machine.
        let told = failure(&server("seq 3000"), "http://127.0.0.1:9");
        let lines: Vec<_> = told.lines().collect();
        assert_eq!(lines[0], "the server ended; it printed last:");
        let last: Vec<_> = (2991..=3000).map(|line| line.to_string()).collect();
        assert_eq!(lines[2..], last);
    }

    #[test]
    fn a_service_that_starts_late_is_waited_for() {
        let codes = ["NATIONWIDE_RATE_FAILED", "INTERNAL", "BRANCH_NOT_AVAILABLE"];
        assert_eq!(codes.map(may_pass), [true, true, false]);
    }
}
