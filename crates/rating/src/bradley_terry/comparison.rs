//! [`Comparison`]: the input of Bradley-Terry, its checks and errors, and the sums by pair of players.

use thiserror::Error;

use crate::error::most_players;
use crate::score::Score;

/// A game of two players, or several games of theirs with the same result.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Comparison {
    /// Who moved first or played at home, counted from 0; it matters only if that advantage is estimated.
    pub first: usize,
    /// The opponent, counted from 0.
    pub second: usize,
    /// The first player's score; a draw counts as half a win for each.
    pub score: Score,
    /// How many games this stands for, or how much the game counts; above 0, up to 1e9.
    #[cfg_attr(feature = "serde", serde(default = "one_game"))]
    pub weight: f64,
}

/// A weight that nobody wrote down.
#[cfg(feature = "serde")]
const fn one_game() -> f64 {
    1.0
}

impl Comparison {
    /// One game, with the score of `first`.
    #[must_use]
    pub const fn new(first: usize, second: usize, score: Score) -> Self {
        Self {
            first,
            second,
            score,
            weight: 1.0,
        }
    }

    /// The same result, `weight` times.
    #[must_use]
    pub const fn times(self, weight: f64) -> Self {
        Self { weight, ..self }
    }
}

/// Why strengths could not be fitted.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum BradleyTerryError {
    /// There is nobody to rate.
    #[error("0 players: give one or more")]
    NoPlayers,
    /// Far more players than were compared.
    #[error(
        "{players} players for {comparisons} comparisons: give at most {most}, and number those who played from 0"
    )]
    TooManyPlayers {
        /// What was given.
        players: usize,
        /// How many comparisons there are.
        comparisons: usize,
        /// How many players are taken for that many comparisons.
        most: usize,
    },
    /// A comparison names a player who is not there.
    #[error("comparison {index} names player {player} of {players}: count players from 0")]
    UnknownPlayer {
        /// Where in the input, from 0.
        index: usize,
        /// The number that was given.
        player: usize,
        /// How many players there are.
        players: usize,
    },
    /// A player against itself.
    #[error("comparison {index} is player {player} against itself: leave it out")]
    SamePlayer {
        /// Where in the input, from 0.
        index: usize,
        /// The player.
        player: usize,
    },
    /// A weight that is none.
    #[error("comparison {index} has a weight of {weight}: give a number above 0, up to 1e9")]
    Weight {
        /// Where in the input, from 0.
        index: usize,
        /// What was given; it may be NaN.
        weight: f64,
    },
    /// Newton's method did not get there.
    #[error(
        "the gradient is still {gradient:e} after {steps} steps: allow more steps, a larger tolerance, or a prior \
         of higher precision"
    )]
    NotConverged {
        /// Steps taken.
        steps: u32,
        /// The largest component of the gradient, in games.
        gradient: f64,
    },
}

/// All comparisons of two players, in one number each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    pub(super) first: usize,
    pub(super) second: usize,
    /// What the first player scored, in games.
    pub(super) won: f64,
    /// What the second player scored.
    pub(super) lost: f64,
}

/// The pairs of a checked list, sorted; if `ordered`, who came first counts.
pub(super) fn pairs(
    players: usize,
    comparisons: &[Comparison],
    ordered: bool,
) -> Result<Vec<Pair>, BradleyTerryError> {
    if players == 0 {
        return Err(BradleyTerryError::NoPlayers);
    }
    let most = most_players(comparisons.len().saturating_mul(2));
    if players > most {
        return Err(BradleyTerryError::TooManyPlayers {
            players,
            comparisons: comparisons.len(),
            most,
        });
    }
    let mut pairs = Vec::with_capacity(comparisons.len());
    for (index, comparison) in comparisons.iter().enumerate() {
        check(index, comparison, players)?;
        let won = comparison.weight * comparison.score.value();
        let lost = comparison.weight * comparison.score.reversed().value();
        let (first, second) = (comparison.first, comparison.second);
        pairs.push(if ordered || first < second {
            Pair {
                first,
                second,
                won,
                lost,
            }
        } else {
            Pair {
                first: second,
                second: first,
                won: lost,
                lost: won,
            }
        });
    }
    pairs.sort_by_key(|pair| (pair.first, pair.second));
    pairs.dedup_by(|next, sum| {
        let same = (next.first, next.second) == (sum.first, sum.second);
        if same {
            sum.won += next.won;
            sum.lost += next.lost;
        }
        same
    });
    Ok(pairs)
}

fn check(index: usize, comparison: &Comparison, players: usize) -> Result<(), BradleyTerryError> {
    for player in [comparison.first, comparison.second] {
        if player >= players {
            return Err(BradleyTerryError::UnknownPlayer {
                index,
                player,
                players,
            });
        }
    }
    if comparison.first == comparison.second {
        return Err(BradleyTerryError::SamePlayer {
            index,
            player: comparison.first,
        });
    }
    // Written so that NaN fails.
    if !(comparison.weight > 0.0 && comparison.weight <= 1e9) {
        return Err(BradleyTerryError::Weight {
            index,
            weight: comparison.weight,
        });
    }
    Ok(())
}
