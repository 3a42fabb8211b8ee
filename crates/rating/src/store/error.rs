//! [`StoreError`]: why a store cannot take, change or load something.

use thiserror::Error;

use super::GameNumber;

/// Why a [`RatingStore`](super::RatingStore) refuses. A refusal changes nothing in it. Times are Unix seconds.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A game older than the last one.
    #[error(
        "the game at {time} s is older than the last one at {last} s: insert it, or sort the games by time"
    )]
    TimeGoesBack {
        /// The last game's time.
        last: i64,
        /// The refused game's.
        time: i64,
    },
    /// A player in two seats of a game.
    #[error(
        "the player in seat {seat} of the game is in an earlier seat too (seats count from 0, side after side)"
    )]
    SamePlayer {
        /// The later of the two seats.
        seat: usize,
    },
    /// No such game, or one that was retracted.
    #[error("there is no game number {0}, or it was retracted")]
    NoSuchGame(GameNumber),
    /// A change from before the games that can still be changed.
    #[error("games up to {until} s can no longer be changed: keep more games")]
    Forgotten {
        /// Time of the last game that is no longer kept.
        until: i64,
    },
    /// More players than can be numbered.
    #[error("more than {} players", u32::MAX)]
    TooManyPlayers,
    /// A snapshot that no store wrote.
    #[error("the saved ratings contradict themselves: {0}")]
    Snapshot(&'static str),
}
