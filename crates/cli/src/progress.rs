//! Progress on standard error: a bar on a terminal, elsewhere a line every ten seconds.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use matchwright_report::{visible, visible_line};
use matchwright_sim::progress::Progress;

use crate::failure::tell;
use crate::interrupt::Interruptible;

/// Between two lines where there is no terminal.
const INTERVAL: Duration = Duration::from_secs(10);

/// One bar, one stage at a time.
pub(crate) struct Bar {
    drawn: ProgressBar,
    /// Where the bar cannot be drawn.
    lines: Option<Lines>,
    stage: Mutex<String>,
    /// Whether Ctrl-C ends a search.
    interrupt: Option<Interruptible>,
}

/// A thread that tells of the bar in lines until the sender is dropped.
struct Lines(Option<(Sender<()>, JoinHandle<()>)>);

impl Bar {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::no_length();
        let lines = bar.is_hidden().then(|| Lines::start(&bar, INTERVAL, tell));
        Self {
            drawn: bar,
            lines,
            stage: Mutex::default(),
            interrupt: None,
        }
    }

    /// From here on Ctrl-C ends the search with the best so far; the user is told so.
    pub(crate) fn begin_search(&mut self, what: &str) {
        self.interrupt = Some(Interruptible::begin(what));
    }

    /// From here on Ctrl-C ends the program again.
    pub(crate) fn end_search(&mut self) {
        self.interrupt = None;
    }

    /// A bar of one stage without steps.
    pub(crate) fn begun(stage: &str) -> Self {
        let bar = Self::new();
        bar.begin(stage, 0);
        bar
    }

    /// Says something else about the stage at hand.
    pub(crate) fn say(&self, text: &str) {
        self.drawn.set_message(visible_line(text).into_owned());
    }

    /// Shows lines below the bar; nothing where there is no terminal.
    pub(crate) fn show_below(&self, text: &str) {
        if self.lines.is_none() {
            let template = "{msg} {wide_bar} {pos}/{len} {eta}\n{prefix}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                self.drawn.set_style(style);
            }
            self.drawn.set_prefix(visible(text).into_owned());
        }
    }
}

impl Progress for Bar {
    fn begin(&self, stage: &str, steps: u64) {
        let bar = &self.drawn;
        let template = if steps == 0 {
            bar.unset_length();
            "{spinner} {msg} {elapsed}"
        } else {
            bar.set_length(steps);
            "{msg} {wide_bar} {pos}/{len} {eta}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let mut known = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        stage.clone_into(&mut known);
        bar.set_message(visible_line(stage).into_owned());
        bar.reset();
        if self.lines.is_none() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
    }

    fn advance(&self, steps: u64) {
        self.drawn.inc(steps);
    }

    fn found(&self, best: &str) {
        let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        self.say(&format!("{stage}, {best}"));
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.as_ref().is_some_and(Interruptible::is_asked)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.drawn.finish_and_clear();
    }
}

impl Lines {
    fn start(bar: &ProgressBar, interval: Duration, tell: impl Fn(&str) + Send + 'static) -> Self {
        let (sender, receiver) = mpsc::channel();
        let bar = bar.clone();
        let thread = std::thread::Builder::new().spawn(move || {
            while receiver.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                tell(&line(&bar));
            }
        });
        // Without a thread to spare the work goes on in silence.
        Self(thread.ok().map(|thread| (sender, thread)))
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.0.take() {
            drop(sender);
            // Nothing is told after the work.
            let _ = thread.join();
        }
    }
}

/// `ladders as assumed: 7 of 20 (30 s)`.
fn line(bar: &ProgressBar) -> String {
    let steps = bar
        .length()
        .map(|length| format!(": {} of {length}", bar.position()));
    let seconds = bar.elapsed().as_secs();
    format!("{}{} ({seconds} s)", bar.message(), steps.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_terminal_lines_tell_the_stage_and_its_steps_until_the_work_is_done() {
        let (sender, told) = mpsc::channel();
        let hidden = ProgressBar::hidden();
        let tell = move |line: &str| sender.send(line.to_owned()).unwrap();
        let lines = Lines::start(&hidden, Duration::from_millis(1), tell);
        let bar = Bar {
            drawn: hidden,
            lines: Some(lines),
            stage: Mutex::default(),
            interrupt: None,
        };
        let wait_for = |wanted: &str| {
            let mut lines = std::iter::from_fn(|| told.recv_timeout(Duration::from_secs(60)).ok());
            assert!(lines.any(|line| line.starts_with(wanted)), "{wanted}");
        };
        bar.begin("reading", 0);
        wait_for("reading (");
        bar.begin("rating", 20);
        bar.advance(7);
        wait_for("rating: 7 of 20 (");
        drop(bar);
        // The sender is gone with its thread.
        assert!(told.iter().all(|line| line.starts_with("rating: 7 of 20 (")));
    }
}
