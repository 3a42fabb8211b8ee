//! Why a group was not split.

use thiserror::Error;

use crate::ObjectiveError;

/// Why a group was not split.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SplitError {
    /// The group does not fill the teams.
    #[error("{players} players do not make teams of {sizes:?}: the sizes must add up to the players")]
    WrongSize {
        /// Players in the group.
        players: usize,
        /// Players wanted in each team.
        sizes: Vec<usize>,
    },
    /// Teams of one size need a multiple of their number.
    #[error("{players} players do not make {teams} equal teams: give a multiple, or the sizes of the teams")]
    UnequalTeams {
        /// Players in the group.
        players: usize,
        /// How many teams.
        teams: usize,
    },
    /// One team alone makes no match.
    #[error("{teams} teams make no match: ask for two or more")]
    TooFewTeams {
        /// How many teams were asked for.
        teams: usize,
    },
    /// A player who is in the group twice.
    #[error("player {player} is in the group twice")]
    DuplicatePlayer {
        /// The player.
        player: usize,
    },
    /// A member of a party who is not in the group.
    #[error(
        "player {player} of the party {party:?} is not in the group: add the player, or leave the party out"
    )]
    NotInGroup {
        /// The player.
        player: usize,
        /// The party.
        party: Vec<usize>,
    },
    /// A player who is in two parties, or in one twice.
    #[error("player {player} is in parties twice: give each player one place in one party")]
    TwoParties {
        /// The player.
        player: usize,
    },
    /// A party that no team has room for.
    #[error(
        "the party {party:?} is larger than a team of {largest}: let parties part, or ask for larger teams"
    )]
    PartyTooLarge {
        /// The party.
        party: Vec<usize>,
        /// The size of the largest team.
        largest: usize,
    },
    /// Parties that fit one by one, but not all at once.
    #[error("parties of {parties:?} do not fill teams of {sizes:?}: let parties part, or change the group")]
    PartiesDoNotFit {
        /// The sizes of the parties, largest first.
        parties: Vec<usize>,
        /// The sizes of the teams.
        sizes: Vec<usize>,
    },
    /// More players than a group holds.
    #[error("{players} players are more than the {limit} of a group")]
    TooManyPlayers {
        /// Players given.
        players: usize,
        /// How many a group holds.
        limit: usize,
    },
    /// More splits than this splitter tries.
    #[error("the group has {splits} splits, more than the {limit} that this splitter tries: use BestSplit")]
    TooManySplits {
        /// Splits there are, sides told apart; counted up to the largest integer.
        splits: u64,
        /// How many it tries.
        limit: u64,
    },
    /// The objective breaks its contract.
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
    /// The objective forbids every split.
    #[error(
        "no split is allowed ({tried} tried, all others ruled out): change the group or relax the objective"
    )]
    NoAllowedSplit {
        /// How many splits were tried: 0 where forbidden pairs rule all out at once.
        tried: u64,
    },
    /// No allowed split was met, though there may be one.
    #[error(
        "none of {tried} splits tried is allowed, and others were not tried: raise the budget or relax the objective"
    )]
    NotFound {
        /// How many splits were tried.
        tried: u64,
    },
}
