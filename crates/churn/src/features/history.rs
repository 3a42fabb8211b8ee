//! [`PlayerHistory`]: one player's matches as they happen, in bounded memory.

use std::collections::VecDeque;

use thiserror::Error;

use super::{EommState, FeatureHistory, eomm_feature_specs, names};
use crate::Outcome;

/// The paper's ten recent matches and the one before them, whose time gives the tenth its gap.
pub(super) const REMEMBERED: usize = 11;

/// The windows in which matches are counted, in seconds: 8 hours, a day, a week, a month of 30 days.
pub(super) const WINDOWS: [i64; 4] = [8 * 3_600, 86_400, 7 * 86_400, 30 * 86_400];

/// The greatest goal difference: beyond any game, and far from overflow in all sums.
pub(super) const MOST_GOALS: f64 = 1e9;

/// One match of one player, as it was observed.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MatchObserved {
    /// When it was played, Unix seconds.
    pub time: i64,
    /// How it ended for this player.
    pub outcome: Outcome,
    /// The player's score less the opponent's, in the game's own points; 0 if the game has none.
    pub goal_difference: f64,
}

/// A match that does not fit the history.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum HistoryError {
    /// Time runs backwards.
    #[error("a match at {time} comes after one at {previous}: give each player's matches in order of time")]
    TimeBackwards {
        /// Unix time of the match, or of the state that was asked for, seconds.
        time: i64,
        /// Unix time of the latest match already known, seconds.
        previous: i64,
    },
    /// A goal difference that is no number, or a huge one.
    #[error(
        "the match at {time} has goal difference {value}: give a number from -1e9 to 1e9, 0 if the game has no score"
    )]
    GoalDifference {
        /// Unix time of the match, seconds.
        time: i64,
        /// The goal difference given.
        value: f64,
    },
    /// A saved history or state that no matches can have given.
    #[error("the saved history cannot be right: it has {what}; save it again with the program that made it")]
    Saved {
        /// What does not fit.
        what: &'static str,
    },
}

/// How gaps and counts enter a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Scale {
    /// ln(1 + x). The default: gaps span seconds to months, and a model that is linear in seconds sees only the
    /// longest.
    #[default]
    LogOnePlus,
    /// Seconds and counts as they are.
    Raw,
}

impl Scale {
    pub(super) fn apply(self, value: f64) -> f64 {
        match self {
            Self::LogOnePlus => value.ln_1p(),
            Self::Raw => value,
        }
    }
}

/// One player's history, read once in order of time.
///
/// Ask [`state_at`](Self::state_at) for the state before a match, then [`push`](Self::push) the match. What has not
/// been pushed cannot leak into a state.
///
/// Memory: the last 11 matches and the times of those of the last 30 days, however long the history. Time: O(1)
/// amortised per `push`, O(log m) per `state_at` with m matches in the last 30 days.
///
/// ```
/// use matchwright_churn::{MatchObserved, Outcome, PlayerHistory};
///
/// let mut history = PlayerHistory::new();
/// for (time, outcome) in [(0, Outcome::Loss), (600, Outcome::Win), (1_500, Outcome::Loss)] {
///     history.push(&MatchObserved { time, outcome, goal_difference: 0.0 })?;
/// }
/// let state = history.state_at(2_000)?;
/// assert_eq!(state.last_outcomes(), [Outcome::Loss, Outcome::Win, Outcome::Loss]);
/// assert!(history.state_at(1_000).is_err());               // the past is closed
/// # Ok::<(), matchwright_churn::HistoryError>(())
/// ```
///
/// With the feature `serde` a history can be saved between matches and goes on from there to the same bits.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "super::saved::SavedHistory", into = "super::saved::SavedHistory")
)]
pub struct PlayerHistory {
    /// Newest first, at most [`REMEMBERED`].
    pub(super) recent: VecDeque<MatchObserved>,
    /// Ascending, none older than the longest window.
    pub(super) times: VecDeque<i64>,
    pub(super) seen: u64,
    pub(super) scale: Scale,
}

impl PlayerHistory {
    /// A player who has not played yet; gaps and counts enter as ln(1 + x).
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A player who has not played yet, with the scale of gaps and counts chosen.
    ///
    /// Danger of [`Scale::Raw`]: one gap of a month outweighs thousands of minutes, also in the standard deviation.
    #[must_use]
    pub fn with_scale(scale: Scale) -> Self {
        Self {
            scale,
            ..Self::default()
        }
    }

    /// Adds the next match.
    ///
    /// Two matches in the same second are taken in the order in which they are pushed.
    ///
    /// # Errors
    ///
    /// [`HistoryError::TimeBackwards`] for a match before one already pushed, [`HistoryError::GoalDifference`] for
    /// NaN and beyond 1e9 either way; the history stays as it was.
    pub fn push(&mut self, observed: &MatchObserved) -> Result<(), HistoryError> {
        self.not_before_the_last(observed.time)?;
        if !(-MOST_GOALS..=MOST_GOALS).contains(&observed.goal_difference) {
            return Err(HistoryError::GoalDifference {
                time: observed.time,
                value: observed.goal_difference,
            });
        }
        self.recent.truncate(REMEMBERED - 1);
        self.recent.push_front(*observed);
        let oldest = observed.time.saturating_sub(WINDOWS[3]);
        while self.times.front().is_some_and(|&time| time < oldest) {
            self.times.pop_front();
        }
        self.times.push_back(observed.time);
        self.seen += 1;
        Ok(())
    }

    /// The player's state before a match at `time` (Unix seconds): every match pushed so far, nothing else.
    ///
    /// # Errors
    ///
    /// [`HistoryError::TimeBackwards`] if a match after `time` was already pushed: the state then cannot be had.
    pub fn state_at(&self, time: i64) -> Result<EommState, HistoryError> {
        self.not_before_the_last(time)?;
        let counts = WINDOWS.map(|window| self.matches_since(time, window));
        Ok(EommState::new(
            time,
            self.recent.iter().copied(),
            counts,
            self.scale,
        ))
    }

    /// How many matches were pushed in all.
    #[must_use]
    pub const fn matches_seen(&self) -> u64 {
        self.seen
    }

    /// The latest match, if there was one.
    #[must_use]
    pub fn last_match(&self) -> Option<&MatchObserved> {
        self.recent.front()
    }

    /// Matches in the `window` seconds up to `time`, both ends included.
    pub(super) fn matches_since(&self, time: i64, window: i64) -> usize {
        let from = time.saturating_sub(window);
        self.times.len() - self.times.partition_point(|&played| played < from)
    }

    fn not_before_the_last(&self, time: i64) -> Result<(), HistoryError> {
        match self.last_match() {
            Some(last) if time < last.time => Err(HistoryError::TimeBackwards {
                time,
                previous: last.time,
            }),
            _ => Ok(()),
        }
    }
}

impl FeatureHistory for PlayerHistory {
    fn columns(&self) -> Vec<String> {
        names(eomm_feature_specs())
    }

    fn write_row(&self, time: i64, outcome: Outcome, row: &mut [f64]) -> Result<(), HistoryError> {
        self.state_at(time)?.write_after(outcome, row);
        Ok(())
    }

    fn push(&mut self, observed: &MatchObserved) -> Result<(), HistoryError> {
        self.push(observed)
    }
}

/// The state before each match of one player, in one pass.
///
/// `states_before(matches)[i]` depends on `matches[..i]` and on the time of `matches[i]` alone.
///
/// # Errors
///
/// As [`PlayerHistory::push`].
pub fn states_before(matches: &[MatchObserved]) -> Result<Vec<EommState>, HistoryError> {
    let mut history = PlayerHistory::new();
    matches
        .iter()
        .map(|observed| {
            let state = history.state_at(observed.time)?;
            history.push(observed)?;
            Ok(state)
        })
        .collect()
}

/// Seconds from `earlier` to `later`, which must not be earlier; exact up to 2^53, never negative.
pub(super) fn seconds_between(earlier: i64, later: i64) -> f64 {
    later.saturating_sub(earlier).max(0) as f64
}
