//! Progress on a terminal; silence elsewhere.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use matchwright_sim::progress::Progress;

/// One bar on standard error, one stage at a time. It draws nothing unless that is a terminal.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    pub(crate) fn new() -> Self {
        Self(ProgressBar::no_length())
    }

    /// Says something else about the stage at hand.
    pub(crate) fn say(&self, text: String) {
        self.0.set_message(text);
    }
}

impl Progress for Bar {
    fn begin(&self, stage: &str, steps: u64) {
        let bar = &self.0;
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
        bar.set_message(stage.to_owned());
        bar.reset();
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
    }

    fn advance(&self, steps: u64) {
        self.0.inc(steps);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
