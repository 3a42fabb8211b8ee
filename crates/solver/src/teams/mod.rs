//! One group into two teams.

mod exhaustive;

pub use exhaustive::ExhaustiveSplit;

use thiserror::Error;

use crate::lobby::LobbyObjective;

/// Splits a group of players into two teams.
///
/// Contract: every player is in one of the teams, each team in the group's order; the split is allowed; the
/// same input gives the same split.
pub trait TeamSplitter {
    /// The split that this splitter finds for the group.
    ///
    /// # Errors
    /// [`SplitError`] if there is none, or the input is not what it must be.
    fn split(&self, group: &[usize], objective: &dyn LobbyObjective) -> Result<TeamSplit, SplitError>;
}

const _: fn(&dyn TeamSplitter, &dyn LobbyObjective) = |_, _| {};

/// Two teams and how well they match.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TeamSplit {
    /// One team, in the group's order; of teams of one size the one with the group's first player.
    pub team_a: Vec<usize>,
    /// The other team.
    pub team_b: Vec<usize>,
    /// The quality of the match, in [0, 1].
    pub quality: f64,
}

/// Why a group was not split.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SplitError {
    /// The group does not fill the teams.
    #[error("{players} players do not make teams of {team_a} and {team_b}")]
    WrongSize {
        /// Players in the group.
        players: usize,
        /// Players wanted in the first team.
        team_a: usize,
        /// Players wanted in the second team.
        team_b: usize,
    },
    /// Two teams of one size need an even number.
    #[error("{players} players do not make two equal teams: give an even number, or the sizes of the teams")]
    OddGroup {
        /// Players in the group.
        players: usize,
    },
    /// More players than this splitter takes.
    #[error("{players} players are more than the {limit} that this splitter takes")]
    TooManyPlayers {
        /// Players in the group.
        players: usize,
        /// How many it takes.
        limit: usize,
    },
    /// A player who is in the group twice.
    #[error("player {player} is in the group twice")]
    DuplicatePlayer {
        /// The player.
        player: usize,
    },
    /// A quality outside of [0, 1].
    #[error(
        "the quality of {team_a:?} against {team_b:?} is {quality}: an objective gives numbers from 0 to 1"
    )]
    BadQuality {
        /// One team.
        team_a: Vec<usize>,
        /// The other team.
        team_b: Vec<usize>,
        /// The number given.
        quality: f64,
    },
    /// The objective forbids every split.
    #[error("none of the {tried} splits is allowed: change the group or relax the objective")]
    NoAllowedSplit {
        /// How many splits there are.
        tried: usize,
    },
}
