//! [`HistoryError`]: why a game cannot join a history.

use thiserror::Error;

/// Why a game cannot join a history. Sides are counted from 1, times are Unix seconds.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// Fewer than two sides.
    #[error("the game has {sides} side(s); give two or more")]
    TooFewSides {
        /// How many there are.
        sides: usize,
    },
    /// More sides than a rank can count.
    #[error("the game has {sides} sides; give {} or fewer", u16::MAX)]
    TooManySides {
        /// How many there are.
        sides: usize,
    },
    /// A side without players.
    #[error("side {side} has no players; give each side one or more")]
    EmptySide {
        /// Which.
        side: usize,
    },
    /// A player on two sides.
    #[error("player `{player}` plays against itself, on sides {one} and {other}")]
    TwoSides {
        /// The player's name.
        player: String,
        /// The first of the sides.
        one: usize,
        /// The second of them.
        other: usize,
    },
    /// A player in two seats of a side.
    #[error("player `{player}` is on side {side} twice")]
    Twice {
        /// The player's name.
        player: String,
        /// Which side.
        side: usize,
    },
    /// A share outside \[0, 1\].
    #[error("the share of player `{player}` is {share}; give a number from 0 to 1")]
    Share {
        /// The player's name.
        player: String,
        /// What was given; it may be NaN.
        share: f64,
    },
    /// A performance that is not finite.
    #[error("the performance of player `{player}` is {value}, not a finite number")]
    Performance {
        /// The player's name.
        player: String,
        /// What was given.
        value: f64,
    },
    /// A side without a player who took part.
    #[error("all shares of side {side} are below 0.000001; a side needs a player who took part")]
    NobodyPlayed {
        /// Which.
        side: usize,
    },
    /// A score that is not finite.
    #[error("the score of side {side} is {value}, not a finite number")]
    Score {
        /// Which side's.
        side: usize,
        /// What was given.
        value: f64,
    },
    /// Scores whose difference is not finite.
    #[error(
        "the scores {lowest} and {highest} of a game are too far apart: their difference is no finite number"
    )]
    ScoreDifference {
        /// The lowest score of the game.
        lowest: f64,
        /// The highest.
        highest: f64,
    },
    /// A game older than the one before it.
    #[error("the match is {seconds} s older than the one before it")]
    Unsorted {
        /// By how much.
        seconds: u64,
    },
    /// A repetition of a game: same time, sides, places and score differences.
    #[error("the match repeats an earlier one: same time, players and scores")]
    Duplicate,
    /// More players than an index can count.
    #[error("more than {} players", u32::MAX)]
    TooManyPlayers,
    /// More games than the tables can count: all seats of all games are numbered.
    #[error("more games than fit: their sides have more than {} seats", u32::MAX)]
    TooManyGames,
}
