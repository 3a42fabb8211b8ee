//! Whether intervals hold the truth as often as they say.

use matchwright_mmr_forensics::{Answer, Interval};
use serde::Serialize;

/// How often 95 % intervals held the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Held {
    /// Intervals.
    pub intervals: u32,
    /// Those that held it.
    pub held: u32,
}

impl Held {
    /// The share that held.
    #[must_use]
    pub fn share(&self) -> f64 {
        f64::from(self.held) / f64::from(self.intervals)
    }

    pub(crate) fn count(&mut self, answer: &Answer<Interval>, truth: f64) {
        if let Some(interval) = answer.found() {
            self.intervals += 1;
            self.held += u32::from(interval.holds(truth));
        }
    }
}
