//! A history of one-against-one matches in time order: what every estimator reads.

use std::collections::HashMap;

use matchwright_churn::Outcome;
use serde::Serialize;

/// A player's index in [`MatchHistory::players`].
pub type PlayerIndex = u32;

/// One match, seen from its first player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MatchRecord {
    /// When it ended, Unix seconds.
    pub time: i64,
    /// First player.
    pub player1: PlayerIndex,
    /// Second player; never the first.
    pub player2: PlayerIndex,
    /// The first player's outcome.
    pub outcome: Outcome,
    /// First player's score minus the second's; 0 where only a result is known.
    pub score_difference: f64,
}

impl MatchRecord {
    /// Both players with the match as each saw it: who, outcome, own minus other score.
    #[must_use]
    pub fn sides(&self) -> [(PlayerIndex, Outcome, f64); 2] {
        [
            (self.player1, self.outcome, self.score_difference),
            (self.player2, self.outcome.reversed(), -self.score_difference),
        ]
    }
}

/// Matches in time order and the names of those who played them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchHistory {
    players: Vec<String>,
    matches: Vec<MatchRecord>,
}

impl MatchHistory {
    /// Names, by [`PlayerIndex`].
    #[must_use]
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Matches, oldest first.
    #[must_use]
    pub fn matches(&self) -> &[MatchRecord] {
        &self.matches
    }

    /// Times of the first and the last match, Unix seconds; none when empty.
    #[must_use]
    pub fn span(&self) -> Option<(i64, i64)> {
        Some((self.matches.first()?.time, self.matches.last()?.time))
    }
}

/// Why a match cannot join a history. Times are Unix seconds.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HistoryError {
    /// A player against himself.
    #[error("player `{player}` plays against itself")]
    SelfMatch {
        /// Who.
        player: String,
    },
    /// A match older than the one before it.
    #[error("the match is {seconds} s older than the one before it")]
    Unsorted {
        /// By how much.
        seconds: i64,
    },
    /// A repetition of a match: same time, players and scores.
    #[error("the match repeats an earlier one: same time, players and scores")]
    Duplicate,
    /// A score difference that is no number.
    #[error("the score difference is {value}, not a finite number")]
    Score {
        /// What it was.
        value: f64,
    },
    /// More players than an index can hold.
    #[error("more than {} players", u32::MAX)]
    TooManyPlayers,
}

/// A match as it comes from outside, with names.
#[derive(Clone, Copy, Debug)]
pub struct NamedMatch<'a> {
    /// When it ended, Unix seconds.
    pub time: i64,
    /// First player's name.
    pub player1: &'a str,
    /// Second player's name.
    pub player2: &'a str,
    /// First player's outcome.
    pub outcome: Outcome,
    /// First player's score minus the second's.
    pub score_difference: f64,
}

/// Collects matches one by one and refuses those that would spoil the history; a refused match
/// changes nothing, so a caller may count it and go on.
///
/// ```
/// use matchwright_churn::Outcome;
/// use matchwright_sim::history::{HistoryBuilder, HistoryError, NamedMatch};
///
/// let game = NamedMatch { time: 100, player1: "ann", player2: "bob", outcome: Outcome::Win, score_difference: 2.0 };
/// let mut builder = HistoryBuilder::default();
/// builder.push(&game)?;
/// assert_eq!(builder.push(&game), Err(HistoryError::Duplicate));
/// assert_eq!(builder.push(&NamedMatch { time: 99, ..game }), Err(HistoryError::Unsorted { seconds: 1 }));
/// assert_eq!(builder.finish().matches().len(), 1);
/// # Ok::<(), HistoryError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct HistoryBuilder {
    history: MatchHistory,
    index: HashMap<String, PlayerIndex>,
}

impl HistoryBuilder {
    /// Adds a match, or says why not.
    ///
    /// # Errors
    /// [`HistoryError`] when the match is out of order, repeated, against oneself or without a
    /// finite score difference.
    pub fn push(&mut self, game: &NamedMatch<'_>) -> Result<(), HistoryError> {
        if game.player1 == game.player2 {
            return Err(HistoryError::SelfMatch {
                player: game.player1.to_owned(),
            });
        }
        if !game.score_difference.is_finite() {
            return Err(HistoryError::Score {
                value: game.score_difference,
            });
        }
        if let Some(last) = self.history.matches.last()
            && game.time < last.time
        {
            return Err(HistoryError::Unsorted {
                seconds: last.time.saturating_sub(game.time),
            });
        }
        if self.repeats(game) {
            return Err(HistoryError::Duplicate);
        }
        let player1 = self.intern(game.player1)?;
        let player2 = self.intern(game.player2)?;
        self.history.matches.push(MatchRecord {
            time: game.time,
            player1,
            player2,
            outcome: game.outcome,
            score_difference: game.score_difference,
        });
        Ok(())
    }

    /// How many matches are in.
    #[must_use]
    pub fn len(&self) -> usize {
        self.history.matches.len()
    }

    /// Whether no match is in yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.history.matches.is_empty()
    }

    /// The history.
    #[must_use]
    pub fn finish(self) -> MatchHistory {
        self.history
    }

    fn intern(&mut self, name: &str) -> Result<PlayerIndex, HistoryError> {
        if let Some(&index) = self.index.get(name) {
            return Ok(index);
        }
        let index = u32::try_from(self.history.players.len()).map_err(|_| HistoryError::TooManyPlayers)?;
        self.history.players.push(name.to_owned());
        self.index.insert(name.to_owned(), index);
        Ok(index)
    }

    /// Only matches of the same second can be the same match, and they are the latest ones.
    fn repeats(&self, game: &NamedMatch<'_>) -> bool {
        let (Some(&one), Some(&two)) = (self.index.get(game.player1), self.index.get(game.player2)) else {
            return false;
        };
        let same = [
            (one, two, game.outcome, game.score_difference),
            (two, one, game.outcome.reversed(), -game.score_difference),
        ];
        let latest = self
            .history
            .matches
            .iter()
            .rev()
            .take_while(|m| m.time == game.time);
        latest
            .into_iter()
            .any(|m| same.contains(&(m.player1, m.player2, m.outcome, m.score_difference)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game<'a>(time: i64, player1: &'a str, player2: &'a str, difference: f64) -> NamedMatch<'a> {
        NamedMatch {
            time,
            player1,
            player2,
            outcome: Outcome::Win,
            score_difference: difference,
        }
    }

    #[test]
    fn a_refused_match_changes_nothing() {
        let mut builder = HistoryBuilder::default();
        builder.push(&game(5, "a", "b", 1.0)).unwrap();
        let before = builder.clone().finish();
        assert!(builder.push(&game(6, "c", "c", 1.0)).is_err());
        assert!(builder.push(&game(6, "c", "d", f64::NAN)).is_err());
        assert!(builder.push(&game(4, "c", "d", 1.0)).is_err());
        assert!(builder.push(&game(5, "a", "b", 1.0)).is_err());
        assert_eq!(builder.finish(), before);
    }

    #[test]
    fn the_same_match_told_by_the_other_side_is_a_duplicate() {
        let mut builder = HistoryBuilder::default();
        builder.push(&game(5, "a", "b", 1.0)).unwrap();
        builder.push(&game(5, "c", "d", 1.0)).unwrap();
        let told_by_b = NamedMatch {
            outcome: Outcome::Loss,
            ..game(5, "b", "a", -1.0)
        };
        assert_eq!(builder.push(&told_by_b), Err(HistoryError::Duplicate));
        builder.push(&game(5, "b", "a", 1.0)).unwrap();
        builder.push(&game(6, "a", "b", 1.0)).unwrap();
        assert_eq!(builder.len(), 4);
    }

    #[test]
    fn both_sides_see_opposite_outcomes() {
        let mut builder = HistoryBuilder::default();
        builder.push(&game(5, "a", "b", 3.0)).unwrap();
        let history = builder.finish();
        assert_eq!(
            history.matches()[0].sides(),
            [(0, Outcome::Win, 3.0), (1, Outcome::Loss, -3.0)]
        );
        assert_eq!(history.span(), Some((5, 5)));
    }
}
