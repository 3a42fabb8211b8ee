//! The result `T`: true beside `F`, a tie beside `W` and `L`, and nothing by itself. All results of a file decide.

use crate::error::Fault;
use crate::matches::field::{Field, Standings};

/// What a result says of the letters that a file writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letter {
    /// `T`
    T,
    /// `F`
    F,
    /// Another word for true or false.
    Truth,
    /// A word for won or lost.
    WonLost,
}

impl Letter {
    pub(crate) fn of(text: &str) -> Option<Self> {
        // No other word is as short or begins so.
        if text.len() > 7 || !text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) {
            return None;
        }
        match &*text.to_ascii_lowercase() {
            "t" => Some(Self::T),
            "f" => Some(Self::F),
            "false" | "true" => Some(Self::Truth),
            "w" | "l" | "win" | "won" | "victory" | "loss" | "lose" | "lost" | "defeat" => {
                Some(Self::WonLost)
            }
            _ => None,
        }
    }
}

/// A result in such letters.
#[derive(Clone)]
pub(crate) struct Said {
    pub(crate) letter: Letter,
    /// The name of its column, and where it stands.
    name: String,
    column: u64,
    /// What a `T` makes of the game: as a win of the first side, and as a tie.
    pub(crate) with_t: Option<[Result<Standings, Fault>; 2]>,
}

impl Said {
    pub(crate) fn new(
        letter: Letter,
        result: Field<'_>,
        with_t: Option<[Result<Standings, Fault>; 2]>,
    ) -> Box<Self> {
        Box::new(Self {
            letter,
            name: result.name.into_owned(),
            column: result.column,
            with_t,
        })
    }

    pub(crate) fn refuse(&self, what: &str) -> Fault {
        (self.column, format!("{} is {what}", self.name))
    }
}
