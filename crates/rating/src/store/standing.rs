//! [`Standing`], and what a store has besides: [`Keep`].

use serde::{Deserialize, Serialize};

/// The number of an event in a store (a game, a rating that was set, a season), counted from 0 in the order in which they came in.
pub type EventNumber = u64;

/// Where a player stands after the last event.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing<R> {
    /// The rating just after it.
    pub rating: R,
    /// When it was, Unix seconds.
    pub last_time: i64,
    /// How many games there were.
    pub games: u32,
    /// Whether there was any event.
    pub(super) is_known: bool,
}

impl<R> Standing<R> {
    /// Before the first event.
    pub(super) const fn newcomer(rating: R) -> Self {
        Self {
            rating,
            last_time: 0,
            games: 0,
            is_known: false,
        }
    }
}

/// Which events can be changed. The others' ratings stay, and nothing else of them does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Keep {
    /// All.
    #[default]
    All,
    /// This many of the latest.
    Latest(usize),
    /// Those of this many seconds before the latest one.
    Seconds(u64),
}

impl Keep {
    /// Whether the oldest of some events is too many.
    pub(super) const fn lets_go(self, events: usize, oldest: i64, latest: i64) -> bool {
        match self {
            Self::All => false,
            Self::Latest(kept) => events > kept,
            Self::Seconds(seconds) => latest.abs_diff(oldest) > seconds,
        }
    }
}
