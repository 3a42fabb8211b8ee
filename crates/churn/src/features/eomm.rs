//! [`EommState`]: the 67 inputs of the EOMM paper's churn model, and flags for missing history.

use super::history::{REMEMBERED, Scale, seconds_between};
use super::{FeatureSpec, MatchObserved, flag, one_hot};
use crate::Outcome;

/// Recent matches that enter the model: the paper's ten.
const SLOTS: usize = REMEMBERED - 1;
/// Inputs per recent match: outcome one-hot (3), two gaps, goal difference.
const PER_SLOT: usize = 6;
/// Where the one-hot of the upcoming outcome starts.
const UPCOMING: usize = SLOTS * PER_SLOT;

/// The inputs of the paper: 10 x 6 + 3 + 4 = 67.
pub const EOMM_INPUTS: usize = UPCOMING + 3 + 4;

/// The inputs of the paper and, apart from them, 11 flags for missing history.
pub const EOMM_COLUMNS: usize = EOMM_INPUTS + SLOTS + 1;

/// A player's state before a match, as the EOMM paper's churn model sees it.
///
/// s^update = \[o^(K+1), s-hat^update\]        EOMM, eq. 9: the state and the upcoming outcome together are the
/// model's row
///
/// The row, 78 columns named by [`eomm_feature_specs`]: for each of the ten most recent matches, the newest first,
/// {win, draw, loss; gap to the match before it; gap to the upcoming match; goal difference}; the upcoming outcome
/// {win, draw, loss}; matches in the last 8 hours, day, week, month (30 days), the ends of the windows included; then
/// the flags. Gaps and counts are ln(1 + x) of seconds and matches unless the history was made with another
/// [`Scale`].
///
/// Missing history is zero in the inputs **and** flagged: `matchK_missing` is 1 if there was no K-th most recent
/// match. The gap of match K to the one before it is known exactly when match K+1 is; `match10_previous_missing`
/// says it for the tenth.
///
/// The state holds the matches rather than the row (about 300 bytes, `Copy`), so that a large collection stays small.
///
/// Source: Chen et al., EOMM, WWW 2017, section 5.2, DOI 10.1145/3038912.3052559.
///
/// ```
/// use matchwright_churn::{EOMM_COLUMNS, MatchObserved, Outcome, PlayerHistory, eomm_feature_specs};
///
/// let mut history = PlayerHistory::new();
/// history.push(&MatchObserved { time: 1_000, outcome: Outcome::Draw, goal_difference: 0.0 })?;
/// let row = history.state_at(1_599)?.columns_after(Outcome::Win);
///
/// let column = |name: &str| eomm_feature_specs().iter().position(|spec| spec.name == name).map(|at| row[at]);
/// assert_eq!(column("match1_draw"), Some(1.0));
/// assert_eq!(column("match1_gap_to_upcoming"), Some(600_f64.ln()));      // ln(1 + 599 s)
/// assert_eq!(column("upcoming_win"), Some(1.0));
/// assert_eq!(column("match2_missing"), Some(1.0));
/// # Ok::<(), matchwright_churn::HistoryError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "super::saved::SavedState", into = "super::saved::SavedState")
)]
pub struct EommState {
    pub(super) time: i64,
    pub(super) scale: Scale,
    /// Newest first.
    pub(super) recent: [Option<MatchObserved>; REMEMBERED],
    /// The outcomes of up to ten recent matches, oldest first: what `last_outcomes` lends.
    outcomes: [Outcome; SLOTS],
    known: usize,
    pub(super) counts: [usize; 4],
}

impl EommState {
    pub(super) fn new(
        time: i64,
        newest_first: impl Iterator<Item = MatchObserved>,
        counts: [usize; 4],
        scale: Scale,
    ) -> Self {
        let mut recent = [None; REMEMBERED];
        let mut known = 0;
        for (slot, observed) in recent.iter_mut().zip(newest_first) {
            *slot = Some(observed);
            known += 1;
        }
        let known = SLOTS.min(known);
        let mut outcomes = [Outcome::Draw; SLOTS];
        for (slot, observed) in outcomes.iter_mut().zip(recent[..known].iter().rev().flatten()) {
            *slot = observed.outcome;
        }
        Self {
            time,
            scale,
            recent,
            outcomes,
            known,
            counts,
        }
    }

    /// The time of the upcoming match, Unix seconds.
    #[must_use]
    pub const fn time(&self) -> i64 {
        self.time
    }

    /// The outcomes of up to ten most recent matches, oldest to newest: o^K of the paper.
    #[must_use]
    pub fn last_outcomes(&self) -> &[Outcome] {
        self.outcomes.get(..self.known).unwrap_or(&[])
    }

    /// The match `back` matches before the last one, 0 being the last.
    pub(super) fn recent(&self, back: usize) -> Option<MatchObserved> {
        self.recent.get(back).copied().flatten()
    }

    /// The model's row once the upcoming match has ended with `outcome`.
    ///
    /// Two outcomes give rows that differ in the upcoming one-hot alone.
    #[must_use]
    pub fn columns_after(&self, outcome: Outcome) -> [f64; EOMM_COLUMNS] {
        let mut row = [0.0; EOMM_COLUMNS];
        self.fill(outcome, &mut row);
        row
    }

    /// Writes [`columns_after`](Self::columns_after) into `row`.
    ///
    /// # Panics
    ///
    /// If `row` is not [`EOMM_COLUMNS`] long.
    pub fn write_after(&self, outcome: Outcome, row: &mut [f64]) {
        row.copy_from_slice(&self.columns_after(outcome));
    }

    fn fill(&self, outcome: Outcome, row: &mut [f64; EOMM_COLUMNS]) {
        let gap = |earlier, later| self.scale.apply(seconds_between(earlier, later));
        for (index, pair) in self.recent.windows(2).enumerate() {
            let [current, previous] = pair else { continue };
            let slot = &mut row[index * PER_SLOT..(index + 1) * PER_SLOT];
            if let Some(observed) = current {
                slot[..3].copy_from_slice(&one_hot(observed.outcome));
                slot[3] = previous.map_or(0.0, |previous| gap(previous.time, observed.time));
                slot[4] = gap(observed.time, self.time);
                slot[5] = observed.goal_difference;
            }
        }
        row[UPCOMING..UPCOMING + 3].copy_from_slice(&one_hot(outcome));
        for (column, &count) in row[UPCOMING + 3..EOMM_INPUTS].iter_mut().zip(&self.counts) {
            *column = self.scale.apply(count as f64);
        }
        for (column, known) in row[EOMM_INPUTS..].iter_mut().zip(&self.recent) {
            *column = flag(known.is_none());
        }
    }
}

/// One static table per unit of gaps and counts: names cannot drift from the order in which `fill` writes.
macro_rules! specs {
    ($seconds:literal, $matches:literal, $($k:literal)+) => {
        [
            $(
                FeatureSpec { name: concat!("match", $k, "_win"), unit: "0 or 1",
                    description: concat!("Match ", $k, " back was won; 0 if there was none.") },
                FeatureSpec { name: concat!("match", $k, "_draw"), unit: "0 or 1",
                    description: concat!("Match ", $k, " back was drawn; 0 if there was none.") },
                FeatureSpec { name: concat!("match", $k, "_loss"), unit: "0 or 1",
                    description: concat!("Match ", $k, " back was lost; 0 if there was none.") },
                FeatureSpec { name: concat!("match", $k, "_gap_to_previous"), unit: $seconds,
                    description: concat!("From the match before match ", $k, " back to it; 0 if there was none.") },
                FeatureSpec { name: concat!("match", $k, "_gap_to_upcoming"), unit: $seconds,
                    description: concat!("From match ", $k, " back to the upcoming match; 0 if there was none.") },
                FeatureSpec { name: concat!("match", $k, "_goal_difference"), unit: "points",
                    description: concat!("Own less the opponent's score in match ", $k, " back; 0 if there was none.") },
            )+
            FeatureSpec { name: "upcoming_win", unit: "0 or 1", description: "The upcoming match ends in a win." },
            FeatureSpec { name: "upcoming_draw", unit: "0 or 1", description: "The upcoming match ends in a draw." },
            FeatureSpec { name: "upcoming_loss", unit: "0 or 1", description: "The upcoming match ends in a loss." },
            FeatureSpec { name: "matches_last_8h", unit: $matches, description: "Earlier matches in the last 8 hours." },
            FeatureSpec { name: "matches_last_day", unit: $matches, description: "Earlier matches in the last 24 hours." },
            FeatureSpec { name: "matches_last_week", unit: $matches, description: "Earlier matches in the last 7 days." },
            FeatureSpec { name: "matches_last_month", unit: $matches, description: "Earlier matches in the last 30 days." },
            $(
                FeatureSpec { name: concat!("match", $k, "_missing"), unit: "0 or 1",
                    description: concat!("There was no match ", $k, " back.") },
            )+
            FeatureSpec { name: "match10_previous_missing", unit: "0 or 1",
                description: "There was no match before match 10 back, whose gap is then unknown." },
        ]
    };
}

static LOG_SPECS: [FeatureSpec; EOMM_COLUMNS] = specs!("ln(1 + s)", "ln(1 + matches)", 1 2 3 4 5 6 7 8 9 10);
static RAW_SPECS: [FeatureSpec; EOMM_COLUMNS] = specs!("s", "matches", 1 2 3 4 5 6 7 8 9 10);

/// The columns of [`EommState::columns_after`] in order: the paper's 67 inputs, then 11 flags for missing history.
///
/// ```
/// use matchwright_churn::{EOMM_INPUTS, eomm_feature_specs};
///
/// let specs = eomm_feature_specs();
/// assert_eq!((EOMM_INPUTS, specs.len()), (67, 78));
/// assert_eq!((specs[0].name, specs[4].unit), ("match1_win", "ln(1 + s)"));
/// assert!(specs[EOMM_INPUTS..].iter().all(|spec| spec.name.ends_with("_missing")));
/// ```
#[must_use]
pub fn eomm_feature_specs() -> &'static [FeatureSpec] {
    &LOG_SPECS
}

/// The same columns with the units of a history made with [`Scale::Raw`].
#[must_use]
pub fn eomm_raw_feature_specs() -> &'static [FeatureSpec] {
    &RAW_SPECS
}
