//! One queue under events and its own wakeups.

use std::sync::Arc;

use super::violation::{Law, LawViolation};
use crate::event::{Event, EventKind, PolicyLabel};
use crate::outcome::Outcome;
use crate::policy::{Budget, MatchPolicy};
use crate::settings::QueueSettings;
use crate::state::{State, step_within};
use crate::ticket::Ticket;
use crate::time::Time;

/// Steps without events until a queue must be quiet, and unfinished ones at one moment.
pub(super) const MOST_WAKEUPS: usize = 20_000;

/// A queue whose matches start without being asked for, and what it draws.
pub(super) struct Run<P> {
    pub(super) state: State,
    pub(super) policy: P,
    pub(super) budget: Budget,
    pub(super) now: Time,
    seed: u64,
    word: u64,
    events: u64,
}

impl<P: MatchPolicy> Run<P> {
    pub(super) fn new(policy: P, settings: &QueueSettings, seed: u64) -> Self {
        let settings = QueueSettings {
            accept_within: None,
            ..settings.clone()
        };
        Self {
            state: State::new(PolicyLabel::default(), settings),
            policy,
            budget: Budget::default(),
            now: Time::default(),
            seed,
            word: seed,
            events: 0,
        }
    }

    pub(super) fn draw(&mut self) -> f64 {
        uniform(&mut self.word)
    }

    pub(super) fn broken(&self, law: Law, detail: impl Into<String>) -> LawViolation {
        LawViolation {
            law,
            detail: detail.into(),
            at: self.now,
            seed: self.seed,
        }
    }

    /// The ticket of the next number.
    pub(super) fn ticket(&mut self, ticket: &dyn Fn(u64, &mut dyn FnMut() -> f64) -> Ticket) -> Arc<Ticket> {
        let number = self.events + 1;
        Arc::new(ticket(number, &mut || self.draw()))
    }

    pub(super) fn step(&mut self, now: Time, kinds: Vec<EventKind>) -> Result<Outcome, LawViolation> {
        self.now = now;
        let event = |kind| {
            self.events += 1;
            Event::new(self.events, kind)
        };
        let events: Vec<Event> = kinds.into_iter().map(event).collect();
        let outcome = step_within(&mut self.state, &mut self.policy, now, &events, self.budget);
        outcome.map_err(|error| self.broken(Law::Lobbies, error.to_string()))
    }

    /// Its wakeups by then, with nothing else.
    pub(super) fn wait(
        &mut self,
        until: Time,
        mut each: impl FnMut(&mut Self, &Outcome) -> Result<(), LawViolation>,
    ) -> Result<(), LawViolation> {
        for _ in 0..MOST_WAKEUPS {
            let Some(wakeup) = self.state.wakeup().filter(|&wakeup| wakeup <= until) else {
                return Ok(());
            };
            let outcome = self.step(wakeup, Vec::new())?;
            each(self, &outcome)?;
        }
        Err(self.broken(Law::Quiet, format!("{MOST_WAKEUPS} wakeups without events")))
    }
}

/// In [0, 1): Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
pub(super) fn uniform(word: &mut u64) -> f64 {
    *word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut word = *word;
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((word ^ (word >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
