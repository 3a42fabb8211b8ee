//! Why there are no lobbies.

use thiserror::Error;

use matchwright_solver::SolveError;

use super::objective::ObjectiveError;
use super::teams::SplitError;

/// Why players were not put into lobbies.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum LobbyError {
    /// Fewer players than one match takes.
    #[error(
        "{players} players do not fill one match of {}: wait for {} more",
        against(sizes),
        sizes.iter().fold(0_usize, |sum, &size| sum.saturating_add(size)) - players
    )]
    TooFewPlayers {
        /// Players in the pool.
        players: usize,
        /// Players of each team.
        sizes: Vec<usize>,
    },
    /// More than two teams, for a solver that makes matches of two.
    #[error("this solver makes matches of two teams, and those of the pool have {teams}: take another one")]
    ManyTeams {
        /// Teams of a match.
        teams: usize,
    },
    /// More players than indices of 32 bits can tell apart, or empty teams.
    #[error("{what} is {given}: give a number from 1 to {most}")]
    Size {
        /// What has a wrong size.
        what: &'static str,
        /// What was given.
        given: usize,
        /// The most that is taken.
        most: usize,
    },
    /// A party that no team has room for.
    #[error(
        "party {party} has {size} players and the largest team {team}: split the party, or choose larger teams"
    )]
    PartyTooLarge {
        /// Its place in the list of parties.
        party: usize,
        /// Its members.
        size: usize,
        /// Players of the largest team.
        team: usize,
    },
    /// A member who is no player of the pool.
    #[error("party {party} has player {player}, but the pool has {players} players, counted from 0")]
    UnknownPlayer {
        /// The party's place in the list.
        party: usize,
        /// The member.
        player: usize,
        /// Players in the pool.
        players: usize,
    },
    /// A player in two parties, or twice in one.
    #[error("player {player} is in a party twice, the second time in party {party}: name each member once")]
    DuplicateMember {
        /// The party's place in the list.
        party: usize,
        /// The member.
        player: usize,
    },
    /// A player asked for who is none of the pool.
    #[error("player {player} is asked for, but the pool has {players} players, counted from 0")]
    NoSuchPlayer {
        /// The player asked for.
        player: usize,
        /// Players in the pool.
        players: usize,
    },
    /// A match to start from that is none.
    #[error(
        "the match to start from is not full teams of whole parties with player {player}: give the players of each team once"
    )]
    Start {
        /// The player whose match it should be.
        player: usize,
    },
    /// An unmatched penalty that is no finite number of 0 or more.
    #[error("the unmatched penalty of player {player} is {penalty}: give a finite number of 0 or more")]
    UnmatchedPenalty {
        /// The player.
        player: usize,
        /// What was given.
        penalty: f64,
    },
    /// An order that does not name each player once.
    #[error("the order has {given} entries for {players} players, or names one twice: name each player once")]
    Order {
        /// Entries of the order.
        given: usize,
        /// Players in the pool.
        players: usize,
    },
    /// The objective breaks its contract.
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
    /// Of one against one: the exact pairing fails.
    #[error(transparent)]
    Pairing(#[from] SolveError),
    /// A group of the pool that a splitter cannot take.
    #[error(transparent)]
    Split(SplitError),
}

/// "3 against 3".
fn against(sizes: &[usize]) -> String {
    sizes
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" against ")
}

impl From<SplitError> for LobbyError {
    fn from(error: SplitError) -> Self {
        match error {
            SplitError::Objective(error) => Self::Objective(error),
            error => Self::Split(error),
        }
    }
}
