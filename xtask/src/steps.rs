//! Named steps: a spinner with the elapsed time on a terminal, a line at the start and at the end elsewhere.

use std::io::{BufRead, BufReader, IsTerminal, stderr};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, bail};
use console::style;
use duct::Expression;
use indicatif::{ProgressBar, ProgressStyle};

/// A step under way.
pub(crate) struct Step {
    spinner: ProgressBar,
}

/// What a command printed, stdout and stderr as they came, and how it ended.
pub(crate) struct Captured {
    pub(crate) output: String,
    pub(crate) status: ExitStatus,
}

/// Runs `work` as the step `name`.
pub(crate) fn step<T>(name: &str, work: impl FnOnce(&Step) -> Result<T>) -> Result<T> {
    let started = Instant::now();
    let step = Step::start(name);
    let outcome = work(&step);
    step.finish(name, started.elapsed(), outcome.is_ok());
    outcome.with_context(|| format!("{name} failed"))
}

impl Step {
    fn start(name: &str) -> Self {
        let spinner = ProgressBar::new_spinner();
        if stderr().is_terminal() {
            let template = "{spinner:.cyan} {prefix}  {elapsed:.dim}  {wide_msg:.dim}";
            spinner.set_style(
                ProgressStyle::with_template(template)
                    .unwrap_or_else(|_| ProgressStyle::default_spinner()),
            );
            spinner.set_prefix(name.to_owned());
            spinner.enable_steady_tick(Duration::from_millis(100));
        } else {
            eprintln!("... {name}");
        }
        Self { spinner }
    }

    fn finish(&self, name: &str, elapsed: Duration, success: bool) {
        self.spinner.finish_and_clear();
        let mark = if success {
            style("ok ").green()
        } else {
            style("FAILED").red()
        };
        eprintln!(
            "{} {name}  {}",
            mark.for_stderr(),
            style(seconds(elapsed)).dim().for_stderr()
        );
    }

    /// Runs a command to its end; where it fails, prints all that it printed.
    pub(crate) fn run(&self, command: Expression) -> Result<()> {
        let captured = self.capture(command)?;
        if !captured.status.success() {
            self.print(&captured.output);
            bail!("the command ended with {}", captured.status);
        }
        Ok(())
    }

    /// Runs a command to its end, its newest line beside the spinner.
    pub(crate) fn capture(&self, command: Expression) -> Result<Captured> {
        let reader = command
            .stdin_null()
            .stderr_to_stdout()
            .unchecked()
            .reader()
            .context("cannot start the command")?;
        let (mut lines, mut output) = (BufReader::new(&reader), Vec::new());
        let mut read = 0;
        while lines.read_until(b'\n', &mut output)? > 0 {
            self.show(&output[read..]);
            read = output.len();
        }
        let status = reader
            .try_wait()?
            .context("the command closed its output and went on")?
            .status;
        Ok(Captured {
            output: plain(&output),
            status,
        })
    }

    fn show(&self, line: &[u8]) {
        self.spinner.set_message(plain(line).trim().to_owned());
    }

    /// Prints text above the spinner.
    pub(crate) fn print(&self, text: &str) {
        self.spinner.suspend(|| eprintln!("{}", text.trim_end()));
    }
}

/// Text without the colours that a runner may have been told to use.
fn plain(output: &[u8]) -> String {
    console::strip_ansi_codes(&String::from_utf8_lossy(output)).into_owned()
}

pub(crate) fn seconds(elapsed: Duration) -> String {
    format!("{:.1} s", elapsed.as_secs_f64())
}

pub(crate) fn print_error(error: &Error) {
    eprintln!("{} {error:#}", style("error:").red().bold().for_stderr());
}
