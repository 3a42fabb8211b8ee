//! A history of one-against-one matches in time order: what every estimator reads.

use std::collections::{HashMap, HashSet};

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
    /// Of matches that another history checked.
    pub(crate) fn of_checked(players: Vec<String>, matches: Vec<MatchRecord>) -> Self {
        Self { players, matches }
    }

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
    /// Matches of the latest second.
    this_second: HashSet<Told>,
    keep_repeats: bool,
}

impl HistoryBuilder {
    /// Takes matches that look like repetitions for matches of their own. Where times are whole days
    /// and scores unknown, two players may well have met twice.
    #[must_use]
    pub fn keep_repeats(mut self, keep: bool) -> Self {
        self.keep_repeats = keep;
        self
    }

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
        self.this_second
            .insert(Told::by(player1, player2, game.outcome, game.score_difference));
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

    /// Only matches of the same second can be the same match.
    fn repeats(&mut self, game: &NamedMatch<'_>) -> bool {
        if self.keep_repeats {
            return false;
        }
        if self
            .history
            .matches
            .last()
            .is_none_or(|last| last.time != game.time)
        {
            self.this_second.clear();
        }
        let (Some(&one), Some(&two)) = (self.index.get(game.player1), self.index.get(game.player2)) else {
            return false;
        };
        self.this_second
            .contains(&Told::by(one, two, game.outcome, game.score_difference))
    }
}

/// A match as one of its players would tell it, the same for both: the one with the lower index tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Told {
    players: [PlayerIndex; 2],
    outcome: Outcome,
    /// Bits of the finite score difference; 0 and -0 are one.
    difference: u64,
}

impl Told {
    fn by(one: PlayerIndex, two: PlayerIndex, outcome: Outcome, difference: f64) -> Self {
        let (players, outcome, difference) = if one < two {
            ([one, two], outcome, difference)
        } else {
            ([two, one], outcome.reversed(), -difference)
        };
        let difference = (difference + 0.0).to_bits();
        Self {
            players,
            outcome,
            difference,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    fn repeats_can_be_kept() {
        let mut builder = HistoryBuilder::default().keep_repeats(true);
        builder.push(&game(5, "a", "b", 0.0)).unwrap();
        builder.push(&game(5, "a", "b", 0.0)).unwrap();
        assert_eq!(builder.finish().matches().len(), 2);
    }

    proptest! {
        /// Whatever comes, what was accepted is in order, between two people, and told once; what was
        /// refused left no trace.
        #[test]
        fn accepted_matches_are_sound(
            games in prop::collection::vec((0_i64..5, 0_usize..4, 0_usize..4, -2_i8..3), 0..60),
        ) {
            let names = ["a", "b", "c", "d"];
            let mut builder = HistoryBuilder::default();
            let mut accepted: Vec<(i64, usize, usize, i8)> = Vec::new();
            for (time, one, two, difference) in games {
                let outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][usize::from(difference >= 0) + usize::from(difference > 0)];
                let told = NamedMatch { outcome, ..game(time, names[one], names[two], difference.into()) };
                let last = accepted.last().map_or(i64::MIN, |&(time, ..)| time);
                let mirrored = (time, two, one, -difference);
                let sound = one != two && time >= last
                    && !accepted.contains(&(time, one, two, difference))
                    && !accepted.contains(&mirrored);
                prop_assert_eq!(builder.push(&told).is_ok(), sound);
                if sound {
                    accepted.push((time, one, two, difference));
                }
            }
            let history = builder.finish();
            prop_assert_eq!(history.matches().len(), accepted.len());
            for (kept, (time, one, two, _)) in history.matches().iter().zip(accepted) {
                prop_assert_eq!(kept.time, time);
                prop_assert_eq!(&history.players()[kept.player1 as usize], names[one]);
                prop_assert_eq!(&history.players()[kept.player2 as usize], names[two]);
            }
        }
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
