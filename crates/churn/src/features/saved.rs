//! What files hold of histories and states, and the checks when they are read.

use serde::{Deserialize, Serialize};

use super::extended::{ExtendedHistory, ExtendedState, Habits};
use super::history::{MOST_GOALS, REMEMBERED, WINDOWS};
use super::{EommState, HistoryError, MatchObserved, PlayerHistory, Scale};

/// A [`PlayerHistory`] as it is saved.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedHistory {
    scale: Scale,
    matches_seen: u64,
    /// Newest first.
    recent: Vec<MatchObserved>,
    /// Of the matches in the longest window, rising.
    times: Vec<i64>,
}

/// An [`EommState`] as it is saved.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedState {
    time: i64,
    scale: Scale,
    /// Newest first.
    recent: Vec<MatchObserved>,
    counts: [usize; 4],
}

/// An [`ExtendedHistory`] as it is saved.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedExtendedHistory {
    player: PlayerHistory,
    habits: Habits,
}

/// An [`ExtendedState`] as it is saved.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedExtendedState {
    eomm: EommState,
    habits: Habits,
    counts: [usize; 5],
}

fn ensure(holds: bool, what: &'static str) -> Result<(), HistoryError> {
    if holds {
        Ok(())
    } else {
        Err(HistoryError::Saved { what })
    }
}

/// Newest first, no more than are remembered, numbers in range.
fn check_recent(recent: &[MatchObserved]) -> Result<(), HistoryError> {
    let in_range = |observed: &MatchObserved| (-MOST_GOALS..=MOST_GOALS).contains(&observed.goal_difference);
    ensure(
        recent.len() <= REMEMBERED,
        "more recent matches than are remembered",
    )?;
    ensure(recent.iter().all(in_range), "a goal difference out of range")?;
    let newest_first = recent.is_sorted_by(|newer, older| newer.time >= older.time);
    ensure(newest_first, "recent matches that are not the newest first")
}

impl TryFrom<SavedHistory> for PlayerHistory {
    type Error = HistoryError;

    fn try_from(saved: SavedHistory) -> Result<Self, HistoryError> {
        let SavedHistory {
            scale,
            matches_seen: seen,
            recent,
            times,
        } = saved;
        check_recent(&recent)?;
        let known = usize::try_from(seen).unwrap_or(usize::MAX);
        ensure(
            recent.len() == known.min(REMEMBERED),
            "a number of recent matches that is not that of all",
        )?;
        ensure(times.len() <= known, "more times than matches")?;
        ensure(times.is_sorted(), "times that do not rise")?;
        let newest = times
            .iter()
            .rev()
            .zip(&recent)
            .all(|(time, observed)| *time == observed.time);
        ensure(newest, "times that are not those of the recent matches")?;
        let oldest = recent.first().map(|last| last.time.saturating_sub(WINDOWS[3]));
        ensure(
            times.is_empty() == oldest.is_none(),
            "times without matches, or matches without times",
        )?;
        let in_window = |time: &i64| oldest.is_some_and(|oldest| *time >= oldest);
        ensure(times.iter().all(in_window), "times older than the longest window")?;
        let missing = recent
            .get(times.len())
            .is_some_and(|observed| in_window(&observed.time));
        ensure(!missing, "a recent match whose time is missing")?;
        Ok(Self {
            recent: recent.into(),
            times: times.into(),
            seen,
            scale,
        })
    }
}

impl From<PlayerHistory> for SavedHistory {
    fn from(history: PlayerHistory) -> Self {
        Self {
            scale: history.scale,
            matches_seen: history.seen,
            recent: history.recent.into(),
            times: history.times.into(),
        }
    }
}

impl TryFrom<SavedState> for EommState {
    type Error = HistoryError;

    fn try_from(saved: SavedState) -> Result<Self, HistoryError> {
        let SavedState {
            time,
            scale,
            recent,
            counts,
        } = saved;
        check_recent(&recent)?;
        ensure(
            recent.first().is_none_or(|last| last.time <= time),
            "a match after the state",
        )?;
        ensure(counts.is_sorted(), "more matches in a shorter window")?;
        Ok(Self::new(time, recent.into_iter(), counts, scale))
    }
}

impl From<EommState> for SavedState {
    fn from(state: EommState) -> Self {
        Self {
            time: state.time,
            scale: state.scale,
            recent: state.recent.into_iter().flatten().collect(),
            counts: state.counts,
        }
    }
}

impl Habits {
    /// Whether `pauses` pauses between matches and the matches themselves can have given these sums.
    fn check(&self, pauses: u64) -> Result<(), HistoryError> {
        let of_sessions = self.pauses[0].checked_add(self.pauses[2]);
        ensure(
            of_sessions == Some(pauses),
            "a number of pauses that is not that of the matches",
        )?;
        ensure(self.pauses[1] <= self.pauses[0], "more long pauses than pauses")?;
        ensure(
            self.session_matches <= self.matches,
            "a session of more matches than there were",
        )?;
        let streak = u64::from(self.win_streak.max(self.loss_streak));
        ensure(streak <= self.matches, "a streak of more matches than there were")?;
        ensure(
            (0.0..=self.matches as f64).contains(&self.score),
            "a score that no matches give",
        )?;
        let sums = [self.log_gap, self.log_gap_in_session];
        let gaps = sums.iter().all(|sum| *sum >= 0.0 && sum.is_finite());
        ensure(gaps && self.goal_trend.abs() <= MOST_GOALS, "a sum out of range")
    }
}

impl TryFrom<SavedExtendedHistory> for ExtendedHistory {
    type Error = HistoryError;

    fn try_from(saved: SavedExtendedHistory) -> Result<Self, HistoryError> {
        let SavedExtendedHistory { player, habits } = saved;
        ensure(habits.matches == player.seen, "two numbers of matches")?;
        habits.check(habits.matches.saturating_sub(1))?;
        Ok(Self { player, habits })
    }
}

impl From<ExtendedHistory> for SavedExtendedHistory {
    fn from(history: ExtendedHistory) -> Self {
        Self {
            player: history.player,
            habits: history.habits,
        }
    }
}

impl TryFrom<SavedExtendedState> for ExtendedState {
    type Error = HistoryError;

    fn try_from(saved: SavedExtendedState) -> Result<Self, HistoryError> {
        let SavedExtendedState { eomm, habits, counts } = saved;
        // The pause up to the state is among them.
        habits.check(habits.matches)?;
        let known = eomm.recent.iter().flatten().count() as u64;
        ensure(
            known == habits.matches.min(REMEMBERED as u64),
            "two numbers of matches",
        )?;
        ensure(counts.is_sorted(), "more matches in a shorter window")?;
        Ok(Self { eomm, habits, counts })
    }
}

impl From<ExtendedState> for SavedExtendedState {
    fn from(state: ExtendedState) -> Self {
        Self {
            eomm: state.eomm,
            habits: state.habits,
            counts: state.counts,
        }
    }
}
