//! A contender in a process of its own: commands go in and answers come out, a line each. `benches/solver` has the
//! other end.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, Result};

/// A running worker; it ends with this value.
pub(crate) struct Worker {
    child: Child,
    commands: ChildStdin,
    answers: Receiver<String>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    #[error("stopped after {} s", .0.as_secs())]
    TooLong(Duration),
    #[error("ended without an answer ({0})")]
    Ended(String),
    #[error("{0}")]
    Refused(String),
}

impl Worker {
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        // Contenders that would use more threads are asked not to.
        command.env("RAYON_NUM_THREADS", "1").env("OMP_NUM_THREADS", "1");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("could not start {}", command.get_program().to_string_lossy()))?;
        let commands = child.stdin.take().context("the worker has no input")?;
        let output = child.stdout.take().context("the worker has no output")?;
        let (send, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            child,
            commands,
            answers,
        })
    }

    /// Sends a command and waits for the answer that starts with `expected`, of which the other words are returned.
    pub(crate) fn ask(
        &mut self,
        command: &str,
        expected: &str,
        limit: Duration,
    ) -> Result<Vec<String>, Failure> {
        // A worker that has ended takes no command; that shows below.
        let _ = writeln!(self.commands, "{command}");
        match self.answers.recv_timeout(limit) {
            Ok(line) => parse(&line, expected),
            Err(RecvTimeoutError::Timeout) => Err(Failure::TooLong(limit)),
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.child.wait();
                let reason = status.map_or_else(|error| error.to_string(), |status| status.to_string());
                Err(Failure::Ended(reason))
            }
        }
    }

    /// As [`ask`](Self::ask), for an answer whose first word is a number of seconds.
    pub(crate) fn time(
        &mut self,
        command: &str,
        expected: &str,
        limit: Duration,
    ) -> Result<(f64, Vec<String>), Failure> {
        let words = self.ask(command, expected, limit)?;
        let seconds = words.first().and_then(|word| word.parse().ok());
        match seconds.filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0) {
            Some(seconds) => Ok((seconds, words)),
            None => Err(Failure::Refused(format!("`{expected}` came without seconds"))),
        }
    }

    /// The most memory that the process has held so far, in bytes, where the system tells.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        peak(&status.ok()?)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Neither can fail in a way that matters: the process has ended then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn parse(line: &str, expected: &str) -> Result<Vec<String>, Failure> {
    let mut words = line.split_whitespace();
    match words.next() {
        Some(word) if word == expected => Ok(words.map(str::to_owned).collect()),
        Some("failed") => Err(Failure::Refused(
            line.trim_start_matches("failed").trim().to_owned(),
        )),
        _ => Err(Failure::Refused(format!(
            "answered `{line}` instead of `{expected}`"
        ))),
    }
}

/// `VmHWM` of Linux's process status.
fn peak(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers each command by the next line of a script.
    #[cfg(unix)]
    fn worker(script: &str) -> Worker {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Worker::start(command).unwrap()
    }

    const SOON: Duration = Duration::from_secs(20);

    #[test]
    fn an_answer_is_its_words() {
        assert_eq!(parse("solved 0.5 17", "solved").unwrap(), ["0.5", "17"]);
        assert_eq!(parse("written", "written").unwrap(), [""; 0]);
        let refused = |line| parse(line, "solved").unwrap_err().to_string();
        assert_eq!(refused("failed no perfect matching"), "no perfect matching");
        assert_eq!(refused("sloved 1"), "answered `sloved 1` instead of `solved`");
        assert_eq!(refused(""), "answered `` instead of `solved`");
    }

    #[test]
    fn the_peak_is_read_in_bytes() {
        assert_eq!(
            peak("Name:\tx\nVmPeak:\t  9 kB\nVmHWM:\t    2048 kB\n"),
            Some(2 << 20)
        );
        assert_eq!(peak("Name:\tx\n"), None);
        assert_eq!(peak("VmHWM:\t many kB\n"), None);
    }

    #[cfg(unix)]
    #[test]
    fn commands_are_answered_in_turn() {
        let mut worker = worker("while read -r one two; do echo \"did 0.25 $two\"; done");
        assert_eq!(worker.ask("draw 1", "did", SOON).unwrap(), ["0.25", "1"]);
        assert_eq!(worker.time("solve 2", "did", SOON).unwrap().0, 0.25);
        assert!(matches!(
            worker.ask("solve 3", "solved", SOON),
            Err(Failure::Refused(_))
        ));
    }

    #[cfg(unix)]
    #[test]
    fn a_worker_that_ends_or_hangs_is_a_failure_and_not_a_wait() {
        let ended = worker("read -r line; exit 3").ask("solve", "solved", SOON);
        assert!(matches!(ended, Err(Failure::Ended(_))), "{ended:?}");
        let limit = Duration::from_millis(50);
        let hangs = worker("exec sleep 600").ask("solve", "solved", limit);
        assert_eq!(hangs, Err(Failure::TooLong(limit)));
        let no_number = worker("read -r line; echo solved soon").time("solve", "solved", SOON);
        assert!(matches!(no_number, Err(Failure::Refused(_))), "{no_number:?}");
    }
}
