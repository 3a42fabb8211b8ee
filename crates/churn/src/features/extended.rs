//! [`ExtendedState`]: features of the session, the player's habits and the last two matches.

use super::history::seconds_between;
use super::{
    EommState, FeatureHistory, FeatureSpec, HistoryError, MatchObserved, PlayerHistory, flag, names, one_hot,
};
use crate::Outcome;

/// A pause longer than this starts a new session, seconds.
const SESSION_PAUSE: f64 = 3_600.0;
/// A pause longer than this is a break, seconds: the paper's eight hours.
const LONG_PAUSE: f64 = 8.0 * 3_600.0;
/// Weight of the newest match in the trend of the goal difference.
const TREND_WEIGHT: f64 = 0.3;
/// Pseudo-matches that are added to every share, so that one match does not make it 0 or 1.
const PRIOR_MATCHES: f64 = 2.0;
/// The share of long pauses among the pseudo-matches, of those over an hour as of those over eight.
const PRIOR_BREAKS: f64 = 0.2;
/// Windows in which matches are counted, seconds: shorter than those of the paper, which these features leave out.
const SHORT_WINDOWS: [i64; 5] = [900, 1_800, 3_600, 7_200, 14_400];

/// Columns of the extended row.
pub const EXTENDED_COLUMNS: usize = 32;

/// Running totals and streaks over a player's history, of constant size.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Habits {
    pub(super) matches: u64,
    pub(super) score: f64,
    pub(super) first_time: i64,
    /// Unix seconds.
    pub(super) session_started_at: i64,
    pub(super) session_matches: u64,
    /// How many were over an hour, how many of those over eight hours, and how many within a session.
    pub(super) pauses: [u64; 3],
    /// Sum of ln(1 + pause in seconds), of all pauses.
    pub(super) log_gap: f64,
    pub(super) log_gap_in_session: f64,
    pub(super) win_streak: u32,
    pub(super) loss_streak: u32,
    pub(super) goal_trend: f64,
}

impl Habits {
    /// Takes in the pause from the last match to `time`, which continues the session or starts a new one.
    fn pause(&mut self, last: Option<i64>, time: i64) {
        let Some(last) = last else {
            (self.first_time, self.session_started_at) = (time, time);
            return;
        };
        let gap = seconds_between(last, time);
        self.log_gap += gap.ln_1p();
        self.pauses[1] += u64::from(gap > LONG_PAUSE);
        if gap > SESSION_PAUSE {
            self.pauses[0] += 1;
            self.session_started_at = time;
            self.session_matches = 0;
        } else {
            self.pauses[2] += 1;
            self.log_gap_in_session += gap.ln_1p();
        }
    }

    /// Takes in the match itself, after its pause.
    fn play(&mut self, observed: &MatchObserved) {
        self.matches += 1;
        self.session_matches += 1;
        self.score += observed.outcome.score();
        self.win_streak = if observed.outcome == Outcome::Win {
            self.win_streak + 1
        } else {
            0
        };
        self.loss_streak = if observed.outcome == Outcome::Loss {
            self.loss_streak + 1
        } else {
            0
        };
        self.goal_trend += TREND_WEIGHT * (observed.goal_difference - self.goal_trend);
    }

    /// The share of pauses of a kind. It is asked before a match, when there are as many pauses as earlier matches.
    fn share_of_pauses(&self, kind: usize) -> f64 {
        (self.pauses[kind] as f64 + PRIOR_MATCHES * PRIOR_BREAKS) / (self.matches as f64 + PRIOR_MATCHES)
    }
}

/// One player's history for the extended features, read once in order of time.
///
/// It is used like the [`PlayerHistory`] that it wraps: [`state_at`](Self::state_at) before a match, then
/// [`push`](Self::push). Memory beyond `PlayerHistory`: constant.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        try_from = "super::saved::SavedExtendedHistory",
        into = "super::saved::SavedExtendedHistory"
    )
)]
pub struct ExtendedHistory {
    pub(super) player: PlayerHistory,
    pub(super) habits: Habits,
}

impl ExtendedHistory {
    /// A player who has not played yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next match.
    ///
    /// # Errors
    ///
    /// As [`PlayerHistory::push`]; the history stays as it was.
    pub fn push(&mut self, observed: &MatchObserved) -> Result<(), HistoryError> {
        let last = self.player.last_match().map(|last| last.time);
        self.player.push(observed)?;
        self.habits.pause(last, observed.time);
        self.habits.play(observed);
        Ok(())
    }

    /// The player's state before a match at `time` (Unix seconds): every match pushed so far, nothing else.
    ///
    /// # Errors
    ///
    /// As [`PlayerHistory::state_at`].
    pub fn state_at(&self, time: i64) -> Result<ExtendedState, HistoryError> {
        let eomm = self.player.state_at(time)?;
        // A copy: the pause up to `time` is looked at, not recorded.
        let mut habits = self.habits;
        habits.pause(self.player.last_match().map(|last| last.time), time);
        Ok(ExtendedState {
            eomm,
            habits,
            counts: SHORT_WINDOWS.map(|window| self.player.matches_since(time, window)),
        })
    }

    /// How many matches were pushed in all.
    #[must_use]
    pub const fn matches_seen(&self) -> u64 {
        self.player.matches_seen()
    }
}

/// A player's state before a match: the session so far, the player's habits, the last two matches.
///
/// Of the paper's ten last matches those beyond the second add little, and each column costs a linear model precision. This set
/// says less of single matches and more of the player: how long the session has lasted, how often this player takes
/// breaks, how long they have been around. It is the smaller set, [`EXTENDED_COLUMNS`] against 78, and on a public
/// history of 6,028 Halo 2 matches predicts 8-hour churn better (the figures are in the crate's documentation). It
/// holds nothing of the opponent, so that churn given the outcome depends on the player's own state alone (EOMM, eq. 2), and no
/// hour of the day, which three days of history cannot show.
///
/// Missing history is zero and flagged by `match1_missing` and `match2_missing`, as in [`EommState`].
///
/// ```
/// use matchwright_churn::{ExtendedHistory, MatchObserved, Outcome, extended_feature_specs};
///
/// let mut history = ExtendedHistory::new();
/// for time in [0, 600, 1_200] {
///     history.push(&MatchObserved { time, outcome: Outcome::Loss, goal_difference: -2.0 })?;
/// }
/// let row = history.state_at(1_800)?.columns_after(Outcome::Win);
/// let streak = extended_feature_specs().iter().position(|spec| spec.name == "loss_streak").map(|at| row[at]);
/// assert_eq!(streak, Some(4_f64.ln()));                                  // ln(1 + 3 losses in a row)
/// # Ok::<(), matchwright_churn::HistoryError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        try_from = "super::saved::SavedExtendedState",
        into = "super::saved::SavedExtendedState"
    )
)]
pub struct ExtendedState {
    pub(super) eomm: EommState,
    pub(super) habits: Habits,
    /// Matches in each of [`SHORT_WINDOWS`].
    pub(super) counts: [usize; 5],
}

impl FeatureHistory for ExtendedHistory {
    fn columns(&self) -> Vec<String> {
        names(extended_feature_specs())
    }

    fn write_row(&self, time: i64, outcome: Outcome, row: &mut [f64]) -> Result<(), HistoryError> {
        self.state_at(time)?.write_after(outcome, row);
        Ok(())
    }

    fn push(&mut self, observed: &MatchObserved) -> Result<(), HistoryError> {
        self.push(observed)
    }
}

impl ExtendedState {
    /// The same moment as the EOMM paper sees it.
    #[must_use]
    pub const fn eomm(&self) -> &EommState {
        &self.eomm
    }

    /// The outcomes of up to ten most recent matches, oldest to newest.
    #[must_use]
    pub fn last_outcomes(&self) -> &[Outcome] {
        self.eomm.last_outcomes()
    }

    /// The model's row if the upcoming match ends with `outcome`, which changes the first three columns alone.
    #[must_use]
    pub fn columns_after(&self, outcome: Outcome) -> [f64; EXTENDED_COLUMNS] {
        let (habits, time) = (&self.habits, self.eomm.time());
        let log = |count: u64| (count as f64).ln_1p();
        let mean = |sum: f64, count: u64| if count == 0 { 0.0 } else { sum / count as f64 };
        let [upcoming_win, upcoming_draw, upcoming_loss] = one_hot(outcome);
        let last = self.eomm.recent(0);
        let [win1, draw1, loss1] = last.map_or([0.0; 3], |observed| one_hot(observed.outcome));
        let before = self.eomm.recent(1);
        let [win2, draw2, loss2] = before.map_or([0.0; 3], |observed| one_hot(observed.outcome));
        let counts = self.counts.map(|count| (count as f64).ln_1p());
        let ever = log(habits.matches);
        // In the order of `SPECS`.
        [
            upcoming_win,
            upcoming_draw,
            upcoming_loss,
            win1,
            draw1,
            loss1,
            last.map_or(0.0, |observed| seconds_between(observed.time, time).ln_1p()),
            last.map_or(0.0, |observed| observed.goal_difference),
            win2,
            draw2,
            loss2,
            counts[0],
            counts[1],
            counts[2],
            counts[3],
            counts[4],
            log(habits.session_matches),
            seconds_between(habits.session_started_at, time).ln_1p(),
            flag(habits.session_matches == 0),
            ever,
            ever * ever,
            seconds_between(habits.first_time, time).ln_1p(),
            mean(habits.log_gap, habits.pauses[0] + habits.pauses[2]),
            mean(habits.log_gap_in_session, habits.pauses[2]),
            habits.share_of_pauses(0),
            habits.share_of_pauses(1),
            (habits.score + PRIOR_MATCHES / 2.0) / (habits.matches as f64 + PRIOR_MATCHES),
            log(u64::from(habits.win_streak)),
            log(u64::from(habits.loss_streak)),
            habits.goal_trend,
            flag(last.is_none()),
            flag(before.is_none()),
        ]
    }

    /// Writes [`columns_after`](Self::columns_after) into `row`.
    ///
    /// # Panics
    ///
    /// If `row` is not [`EXTENDED_COLUMNS`] long.
    pub fn write_after(&self, outcome: Outcome, row: &mut [f64]) {
        row.copy_from_slice(&self.columns_after(outcome));
    }
}

const fn spec(name: &'static str, unit: &'static str, description: &'static str) -> FeatureSpec {
    FeatureSpec {
        name,
        unit,
        description,
    }
}

static SPECS: [FeatureSpec; EXTENDED_COLUMNS] = [
    spec("upcoming_win", "0 or 1", "The upcoming match ends in a win."),
    spec("upcoming_draw", "0 or 1", "The upcoming match ends in a draw."),
    spec("upcoming_loss", "0 or 1", "The upcoming match ends in a loss."),
    spec(
        "match1_win",
        "0 or 1",
        "The last match was won; 0 if there was none.",
    ),
    spec(
        "match1_draw",
        "0 or 1",
        "The last match was drawn; 0 if there was none.",
    ),
    spec(
        "match1_loss",
        "0 or 1",
        "The last match was lost; 0 if there was none.",
    ),
    spec(
        "match1_gap_to_upcoming",
        "ln(1 + s)",
        "From the last match to the upcoming one; 0 if there was none.",
    ),
    spec(
        "match1_goal_difference",
        "points",
        "Own score minus the opponent's in the last match; 0 if there was none.",
    ),
    spec(
        "match2_win",
        "0 or 1",
        "The match before the last was won; 0 if there was none.",
    ),
    spec(
        "match2_draw",
        "0 or 1",
        "The match before the last was drawn; 0 if there was none.",
    ),
    spec(
        "match2_loss",
        "0 or 1",
        "The match before the last was lost; 0 if there was none.",
    ),
    spec(
        "matches_last_15min",
        "ln(1 + matches)",
        "Earlier matches in the last 15 minutes.",
    ),
    spec(
        "matches_last_30min",
        "ln(1 + matches)",
        "Earlier matches in the last 30 minutes.",
    ),
    spec(
        "matches_last_hour",
        "ln(1 + matches)",
        "Earlier matches in the last hour.",
    ),
    spec(
        "matches_last_2h",
        "ln(1 + matches)",
        "Earlier matches in the last 2 hours.",
    ),
    spec(
        "matches_last_4h",
        "ln(1 + matches)",
        "Earlier matches in the last 4 hours.",
    ),
    spec(
        "session_matches",
        "ln(1 + matches)",
        "Earlier matches of this session; a pause over an hour ends one.",
    ),
    spec(
        "session_age",
        "ln(1 + s)",
        "From the first match of this session to the upcoming one; 0 if it is the first.",
    ),
    spec(
        "session_start",
        "0 or 1",
        "The upcoming match is the first of its session.",
    ),
    spec("matches_ever", "ln(1 + matches)", "Earlier matches in all."),
    spec(
        "matches_ever_squared",
        "ln(1 + matches)^2",
        "The square of matches_ever: the risk of leaving falls faster over the first matches.",
    ),
    spec(
        "known_for",
        "ln(1 + s)",
        "Tenure: from the player's first match to the upcoming one; 0 if it is the first.",
    ),
    spec(
        "mean_gap",
        "mean ln(1 + s)",
        "Mean pause between matches, this one included; 0 before the second match.",
    ),
    spec(
        "mean_gap_in_session",
        "mean ln(1 + s)",
        "Mean pause of at most an hour; 0 before the first such pause.",
    ),
    spec(
        "share_of_pauses_over_1h",
        "share",
        "(pauses over an hour + 0.4) / (matches + 2).",
    ),
    spec(
        "share_of_pauses_over_8h",
        "share",
        "(pauses over eight hours + 0.4) / (matches + 2).",
    ),
    spec(
        "mean_score",
        "score",
        "(sum of scores + 1) / (matches + 2), a win being 1 and a draw 1/2.",
    ),
    spec(
        "win_streak",
        "ln(1 + matches)",
        "Wins in a row up to the last match.",
    ),
    spec(
        "loss_streak",
        "ln(1 + matches)",
        "Losses in a row up to the last match.",
    ),
    spec(
        "goal_difference_trend",
        "points",
        "Moving average of the goal difference, weight 0.3 on the newest, from 0.",
    ),
    spec(
        "match1_missing",
        "0 or 1",
        "The upcoming match is the player's first.",
    ),
    spec(
        "match2_missing",
        "0 or 1",
        "The player has played one match at most.",
    ),
];

/// The columns of [`ExtendedState::columns_after`] in order.
#[must_use]
pub fn extended_feature_specs() -> &'static [FeatureSpec] {
    &SPECS
}
