//! Which law was broken, and when.

use std::fmt;

use thiserror::Error;

use crate::time::Time;

/// The laws of [`MatchPolicy`](crate::MatchPolicy).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Law {
    /// Lobbies share no ticket and keep the rules of the core.
    Lobbies,
    /// The same calls get the same answers.
    Deterministic,
    /// Nothing is proposed before the time that was given, unless an event comes.
    NotBefore,
    /// A time that is given is later than the step, unless that was unfinished; and unfinished steps come to an end.
    Progress,
    /// A lobby is proposed at the time that was given.
    Exact,
    /// A snapshot, and the records after it, make a policy that decides as if it had never stopped.
    Recovers,
    /// Without events the wakeups end.
    Quiet,
    /// Tickets leave that never entered, and nothing changes.
    Leaves,
    /// Explanations know the wait, and no time that is past.
    Explains,
    /// No ticket waits longer than the longest wait while there is a permitted partner: for matches of two tickets.
    Liveness,
    /// An event that is sent again is answered as at first, also after a recovery, and changes nothing.
    ToldAgain,
    /// The tickets of a bad lobby are not proposed again before they return.
    BadLobby,
    /// What is proposed takes units of the budget, and a step whose budget cut it is unfinished.
    Bounded,
    /// Cut steps come to an end, after about as many as the work takes without a budget.
    Fair,
    /// After a finished step no two compatible tickets wait: for matches of two tickets.
    Complete,
    /// Only compatible tickets are matched, so that where no ticket has two partners a search through all pairs gives the same.
    Sparse,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lobbies => "lobbies share no ticket and keep the rules",
            Self::Deterministic => "the same calls get the same answers",
            Self::NotBefore => "nothing happens before the given time without an event",
            Self::Progress => "the given time is later than the step, or the step unfinished for a while",
            Self::Exact => "a lobby is proposed at the given time",
            Self::Recovers => "a recovered policy decides as if it had never stopped",
            Self::Quiet => "without events the wakeups end",
            Self::Leaves => "a ticket that did not enter leaves without effect",
            Self::Explains => "an explanation knows the wait, and no time that is past",
            Self::Liveness => "no ticket with a permitted partner waits longer than the longest wait",
            Self::ToldAgain => "an event that is sent again is answered as at first, and changes nothing",
            Self::BadLobby => "tickets of a bad lobby are not proposed again before they return",
            Self::Bounded => "what is proposed takes units, and a step that was cut is unfinished",
            Self::Fair => "cut steps end after about as many as the work takes",
            Self::Complete => "after a finished step no two compatible tickets wait",
            Self::Sparse => "only compatible tickets are matched",
        })
    }
}

/// A law that an implementation breaks.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("broken law: {law}; {detail}, at {} ms of the stream of seed {seed}", at.millis())]
pub struct LawViolation {
    pub(super) law: Law,
    pub(super) detail: String,
    pub(super) at: Time,
    pub(super) seed: u64,
}

impl LawViolation {
    /// The law.
    #[must_use]
    pub const fn law(&self) -> Law {
        self.law
    }

    /// When it was broken, in the time of the stream.
    #[must_use]
    pub const fn at(&self) -> Time {
        self.at
    }
}
