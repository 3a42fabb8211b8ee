//! [`StoreError`]: why a store cannot take or change something, and [`SaveError`]: why it cannot be saved or opened.

use std::io;

use thiserror::Error;

use super::EventNumber;

/// Why a [`RatingStore`](super::RatingStore) refuses. A refusal changes nothing in it. Times are Unix seconds.
#[derive(Clone, Debug, PartialEq, Error)]
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
    /// No such event, or one that was retracted.
    #[error("there is no event number {0}, or it was retracted, or it can no longer be changed")]
    NoSuchEvent(EventNumber),
    /// A rating that is to be set of a player whom the store does not know.
    #[error("the player has no game yet: seed the rating")]
    NoSuchPlayer,
    /// A first rating of a player who has one.
    #[error("the player has a rating: set another, or reset it")]
    AlreadyRated,
    /// A change from before the events that can still be changed.
    #[error("what happened up to {until} s can no longer be changed: keep more")]
    Forgotten {
        /// Time of the last event that is no longer kept.
        until: i64,
    },
    /// More players than can be numbered.
    #[error("more than {} players", u32::MAX)]
    TooManyPlayers,
    /// Something that is not in the range of its kind.
    #[error(transparent)]
    Param(#[from] crate::ParamError),
    /// A game whose serializer fails.
    #[error("cannot be written: {0}")]
    Unwritable(String),
}

/// Why ratings cannot be saved, or what was saved cannot be opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SaveError {
    /// A rating or an id whose serializer fails.
    #[error("cannot be written: {0}")]
    Unwritable(String),
    /// Bytes that do not begin as saved ratings do.
    #[error("these are no saved ratings")]
    NotSaved,
    /// A later format.
    #[error("saved in format {found}; this version reads up to {latest}")]
    Version {
        /// The format.
        found: u8,
        /// The latest that can be read.
        latest: u8,
    },
    /// Saved ratings without their end.
    #[error("the saved ratings end in the middle, after byte {whole}")]
    Truncated {
        /// How many bytes are whole.
        whole: usize,
    },
    /// Bytes that are not those which were saved.
    #[error("the saved ratings are damaged between byte {from} and byte {until}")]
    Damaged {
        /// Where the part that is damaged begins.
        from: usize,
        /// Where it ends.
        until: usize,
    },
    /// What no store wrote.
    #[error("the saved ratings contradict themselves: {0}")]
    Contradiction(&'static str),
    /// A file that cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: std::path::PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
}
