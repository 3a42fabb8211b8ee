//! [`Dataset::from_matches`]: labelled rows of features from a history of matches.

use thiserror::Error;

use super::folds::mix;
use super::{Dataset, DatasetError};
use crate::{FeatureHistory, HistoryError, Horizon, Label, LabelError, MatchObserved, label_matches};

/// Which matches become rows, and with which label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RowParams {
    /// How long a player must stay away to count as a churner. Default 8 hours.
    pub horizon: Horizon,
    /// Unix time up to which all matches of all players are recorded. Default `None`: the time of the last match.
    pub observed_until: Option<i64>,
    /// Keep at most this many rows, drawn evenly from all that have a label. Default `None`: all.
    pub max_rows: Option<usize>,
    /// Of that draw; the same seed draws the same rows. Default 0.
    pub seed: u64,
}

impl Default for RowParams {
    fn default() -> Self {
        Self {
            horizon: Horizon::hours(8),
            observed_until: None,
            max_rows: None,
            seed: 0,
        }
    }
}

/// Matches that do not make a [`Dataset`].
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MatchesError {
    /// A player's matches are not in order of time, or one is after the end of the observation. The index counts the
    /// matches of this player.
    #[error("player {player}: {source}")]
    Label {
        /// The player.
        player: u64,
        /// What is wrong with which match.
        source: LabelError,
    },
    /// The features refuse a match.
    #[error("player {player}: {source}")]
    History {
        /// The player.
        player: u64,
        /// What is wrong with which match.
        source: HistoryError,
    },
    /// More numbers than can be counted.
    #[error("{rows} rows of {columns} columns do not fit in memory: set max_rows")]
    TooLarge {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// The features gave columns or numbers that no data set takes.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
}

impl Dataset {
    /// A row for each match of each player, with the label of what became of the player after it.
    ///
    /// `matches` are (player, match as that player saw it): two entries for a match of two players. Each player's
    /// entries are in order of time; those of different players may come in any order. Rows come in the order of the
    /// entries, censored ones left out (`matches.len() - data.len()` of them without `max_rows`), with the player as
    /// group and the time of the match. `newcomer` is the history of a player who has not played: [`PlayerHistory`],
    /// [`ExtendedHistory`] or your own.
    ///
    /// A row holds what was known before the match and the match's own outcome; its label is that of
    /// [`label_matches`]. Complexity: O(n log n) and a row per match; memory: the rows, and one player's history at a
    /// time.
    ///
    /// # Errors
    ///
    /// [`MatchesError`], naming the player.
    ///
    /// [`PlayerHistory`]: crate::PlayerHistory
    /// [`ExtendedHistory`]: crate::ExtendedHistory
    ///
    /// ```
    /// use matchwright_churn::{Dataset, ExtendedHistory, MatchObserved, Outcome, RowParams};
    ///
    /// let lost = |time| MatchObserved { time, outcome: Outcome::Loss, goal_difference: -1.0 };
    /// let matches = [(7, lost(0)), (9, lost(60)), (7, lost(900)), (9, lost(90_000))];
    /// let data = Dataset::from_matches(&ExtendedHistory::new(), &matches, &RowParams::default())?;
    ///
    /// // The last match of player 9 ends the observation: nothing is known of what came after it.
    /// assert_eq!(data.groups(), Some(&[7, 9, 7][..]));
    /// assert_eq!(data.labels(), [false, true, true]);
    /// let streak = data.columns().iter().position(|name| name == "loss_streak").map(|at| data.row(2)[at]);
    /// assert_eq!(streak, Some(2_f64.ln()));                              // ln(1 + the loss before it)
    /// # Ok::<(), matchwright_churn::MatchesError>(())
    /// ```
    pub fn from_matches<H: FeatureHistory>(
        newcomer: &H,
        matches: &[(u64, MatchObserved)],
        params: &RowParams,
    ) -> Result<Self, MatchesError> {
        let mut order: Vec<usize> = (0..matches.len()).collect();
        // Stable: each player's entries stay in their order.
        order.sort_by_key(|&index| matches[index].0);
        let labels = labels(matches, &order, params)?;
        let kept = params.draw(&labels);
        let columns = newcomer.columns();
        let width = columns.len();
        let size = kept.len().checked_mul(width).ok_or(MatchesError::TooLarge {
            rows: kept.len(),
            columns: width,
        })?;
        let mut values = vec![0.0; size];
        for of_player in order.chunk_by(|&a, &b| matches[a].0 == matches[b].0) {
            let mut history = newcomer.clone();
            for &index in of_player {
                let (player, observed) = &matches[index];
                let refused = |source| MatchesError::History {
                    player: *player,
                    source,
                };
                if let Ok(row) = kept.binary_search(&index) {
                    let row = &mut values[row * width..(row + 1) * width];
                    history
                        .write_row(observed.time, observed.outcome, row)
                        .map_err(refused)?;
                }
                history.push(observed).map_err(refused)?;
            }
        }
        let churned = kept
            .iter()
            .map(|&index| labels[index] == Label::Churned)
            .collect();
        let players = kept.iter().map(|&index| matches[index].0).collect();
        let times = kept.iter().map(|&index| matches[index].1.time).collect();
        Ok(Self::new(columns, values, churned)?
            .with_groups(players)?
            .with_times(times)?)
    }
}

/// The label of every entry.
fn labels(
    matches: &[(u64, MatchObserved)],
    order: &[usize],
    params: &RowParams,
) -> Result<Vec<Label>, MatchesError> {
    let last = matches.iter().map(|entry| entry.1.time).max();
    let observed_until = params.observed_until.or(last).unwrap_or_default();
    let mut labels = vec![Label::Censored; matches.len()];
    for of_player in order.chunk_by(|&a, &b| matches[a].0 == matches[b].0) {
        let times: Vec<i64> = of_player.iter().map(|&index| matches[index].1.time).collect();
        let found =
            label_matches(&times, params.horizon, observed_until).map_err(|source| MatchesError::Label {
                player: matches[of_player[0]].0,
                source,
            })?;
        for (&index, label) in of_player.iter().zip(found) {
            labels[index] = label;
        }
    }
    Ok(labels)
}

impl RowParams {
    /// The entries that become rows, ascending.
    fn draw(&self, labels: &[Label]) -> Vec<usize> {
        let labelled = (0..labels.len()).filter(|&index| labels[index] != Label::Censored);
        let mut kept: Vec<usize> = labelled.collect();
        if let Some(most) = self.max_rows.filter(|&most| most < kept.len()) {
            kept.sort_by_cached_key(|&index| (mix(self.seed, index as u64), index));
            kept.truncate(most);
            kept.sort_unstable();
        }
        kept
    }
}
