//! Progress on a terminal; silence elsewhere.

use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use matchwright_sim::progress::Progress;

/// One bar on standard error, one stage at a time. It draws nothing unless that is a terminal.
pub(crate) struct Bar {
    current: Mutex<Option<ProgressBar>>,
}

impl Bar {
    pub(crate) fn new() -> Self {
        Self {
            current: Mutex::new(None),
        }
    }

    /// Says something else about the stage at hand.
    pub(crate) fn say(&self, text: String) {
        let current = self
            .current
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(bar) = current.as_ref() {
            bar.set_message(text);
        }
    }

    fn replace(&self, next: Option<ProgressBar>) {
        // A thread that died while drawing spoils nothing here: the bar itself is always whole.
        let mut current = self
            .current
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(done) = current.take() {
            done.finish_and_clear();
        }
        *current = next;
    }
}

impl Progress for Bar {
    fn begin(&self, stage: &str, steps: u64) {
        let (bar, template) = if steps == 0 {
            (ProgressBar::new_spinner(), "{spinner} {msg} {elapsed}")
        } else {
            (ProgressBar::new(steps), "{msg} {wide_bar} {pos}/{len} {eta}")
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(stage.to_owned());
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        self.replace(Some(bar));
    }

    fn advance(&self, steps: u64) {
        let current = self
            .current
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(bar) = current.as_ref() {
            bar.inc(steps);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.replace(None);
    }
}
