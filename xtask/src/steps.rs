//! Named steps. A terminal shows a spinner with the elapsed time for each step that runs; elsewhere each prints a line at
//! its start and end, and now and then how far it is.

use std::io::{BufRead, BufReader, IsTerminal, stderr};
use std::process::ExitStatus;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use console::style;
use duct::Expression;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// The spinners of the steps that run beside each other.
static SPINNERS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// How long a step says nothing where there is no terminal.
const SILENCE: Duration = Duration::from_secs(30);

/// A running step.
pub(crate) struct Step {
    name: String,
    spinner: ProgressBar,
}

/// A command's output, stdout and stderr in sequence, and its exit status.
pub(crate) struct Captured {
    pub(crate) output: String,
    pub(crate) status: ExitStatus,
}

/// Runs `work` as the step `name`.
pub(crate) fn step<T>(name: &str, work: impl FnOnce(&Step) -> Result<T>) -> Result<T> {
    let started = Instant::now();
    let step = Step::start(name);
    let outcome = work(&step);
    step.finish(started.elapsed(), outcome.is_ok());
    outcome.with_context(|| format!("{name} failed"))
}

/// Does both beside each other; what fails first in the sequence of the arguments is the error.
pub(crate) fn beside<T>(
    one: impl FnOnce() -> Result<()> + Send,
    other: impl FnOnce() -> Result<T>,
) -> Result<T> {
    std::thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        let one = one.join().map_err(|_| anyhow!("a thread panicked"))?;
        one.and(other)
    })
}

/// Runs a script as a step and prints its lines, but those such as `progress 100/2000` only beside the spinner.
pub(crate) fn follow(name: &str, script: Expression) -> Result<()> {
    step(name, |step| {
        let ran = step.capture_with(script, |line| {
            if !line.starts_with("progress ") {
                SPINNERS.suspend(|| println!("{line}"));
            }
            line.to_owned()
        })?;
        ensure!(ran.status.success(), "it ended with {}", ran.status);
        Ok(())
    })
}

/// Prints every error; fails if there is one.
pub(crate) fn all_passed(outcomes: impl IntoIterator<Item = Result<()>>) -> Result<()> {
    let errors: Vec<_> = outcomes.into_iter().filter_map(Result::err).collect();
    errors.iter().for_each(print_error);
    ensure!(errors.is_empty(), "{} failed", errors.len());
    Ok(())
}

impl Step {
    fn start(name: &str) -> Self {
        let spinner = SPINNERS.add(ProgressBar::new_spinner());
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
        Self {
            name: name.to_owned(),
            spinner,
        }
    }

    fn finish(&self, elapsed: Duration, success: bool) {
        self.spinner.finish_and_clear();
        let mark = if success {
            style("ok ").green()
        } else {
            style("FAILED").red()
        };
        SPINNERS.suspend(|| {
            eprintln!(
                "{} {}  {}",
                mark.for_stderr(),
                self.name,
                style(seconds(elapsed)).dim().for_stderr()
            );
        });
    }

    /// Runs a command to its end. If it fails, prints its whole output.
    pub(crate) fn run(&self, command: Expression) -> Result<()> {
        let captured = self.capture(command)?;
        if !captured.status.success() {
            say(captured.output.trim_end());
            bail!("the command ended with {}", captured.status);
        }
        Ok(())
    }

    /// Runs a command to its end and shows its newest line beside the spinner.
    pub(crate) fn capture(&self, command: Expression) -> Result<Captured> {
        self.capture_with(command, |line| line.to_owned())
    }

    /// The same; `shown` says what to show after each line.
    pub(crate) fn capture_with(
        &self,
        command: Expression,
        mut shown: impl FnMut(&str) -> String,
    ) -> Result<Captured> {
        let reader = command
            .stdin_null()
            .stderr_to_stdout()
            .unchecked()
            .reader()
            .context("cannot start the command")?;
        let (mut lines, mut output) = (BufReader::new(&reader), Vec::new());
        let (mut read, mut told) = (0, Instant::now());
        while lines.read_until(b'\n', &mut output)? > 0 {
            let shown = shown(plain(&output[read..]).trim_end());
            if !stderr().is_terminal() && told.elapsed() >= SILENCE {
                eprintln!("... {}  {shown}", self.name);
                told = Instant::now();
            }
            self.spinner.set_message(shown);
            read = output.len();
        }
        let status = reader
            .try_wait()?
            .context("the command closed its output but did not end")?
            .status;
        Ok(Captured {
            output: plain(&output),
            status,
        })
    }
}

/// Removes colours from the text.
fn plain(output: &[u8]) -> String {
    console::strip_ansi_codes(&String::from_utf8_lossy(output)).into_owned()
}

/// Prints a sentence above the spinners, before something happens that a person should know of.
pub(crate) fn say(text: &str) {
    SPINNERS.suspend(|| eprintln!("{text}"));
}

pub(crate) fn seconds(elapsed: Duration) -> String {
    format!("{:.1} s", elapsed.as_secs_f64())
}

pub(crate) fn print_error(error: &Error) {
    eprintln!("{} {error:#}", style("error:").red().bold().for_stderr());
}
