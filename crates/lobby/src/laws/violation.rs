//! Which law was broken, and on what.

use std::fmt;

use thiserror::Error;

/// The laws of [`TeamSplitter`](crate::TeamSplitter), [`MatchFinder`](crate::MatchFinder) and [`LobbySolver`](crate::LobbySolver).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Law {
    /// There is an answer where the contract asks for one.
    Answers,
    /// The same input gets the same answer again.
    Deterministic,
    /// A splitter puts every player of the group into one team, once, and fills each.
    Seats,
    /// A splitter keeps parties together.
    Parties,
    /// A split's quality is what the objective says of its teams.
    SplitQuality,
    /// No split of the group is better than a splitter's bound, which is no less than the quality of its split.
    SplitBound,
    /// A lobby's quality is what the objective says of its teams.
    MatchQuality,
    /// A match that is found has the player who was asked for.
    Found,
    /// Where a match is known, one at least as good is found.
    Known,
    /// The value of lineups is the sum of their qualities, less unmatched penalties.
    LineupValue,
    /// No lineups are worth more than a solver's bound, nor than lineups that it calls optimal.
    LineupBound,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Answers => "what can be answered is",
            Self::Deterministic => "the same input gets the same answer",
            Self::Seats => "every player is in one team, and all teams are full",
            Self::Parties => "parties stay together",
            Self::SplitQuality => "the quality of a split is that of its teams",
            Self::SplitBound => "no split is better than the bound",
            Self::MatchQuality => "the quality of a lobby is that of its teams",
            Self::Found => "a match has the player for whom it was found",
            Self::Known => "what is found is at least as good as what was known",
            Self::LineupValue => "the value of lineups is the sum of what they are made of",
            Self::LineupBound => "no lineups are worth more than the bound",
        })
    }
}

/// A law that an implementation breaks.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("broken law: {law}; {detail}, on {input}")]
pub struct LawViolation {
    pub(super) law: Law,
    pub(super) detail: String,
    pub(super) input: String,
}

impl LawViolation {
    /// The law.
    #[must_use]
    pub const fn law(&self) -> Law {
        self.law
    }

    /// The group or pool on which it was broken, and the objective.
    #[must_use]
    pub fn input(&self) -> &str {
        &self.input
    }
}
