//! Why lineups or their certificate are rejected.

use thiserror::Error;

use crate::ObjectiveError;

/// Why lineups or their certificate were rejected, or which contract the objective broke.
///
/// Matches count from 0 in the order of [`Lineups::lobbies`](crate::Lineups::lobbies), parties in that of
/// [`LobbyPool::parties`](crate::LobbyPool::parties).
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum LobbyVerifyError {
    /// A team that is not full, or too full.
    #[error("match {index} has teams of {sizes:?} players: the pool's have {wanted:?}")]
    TeamSize {
        index: usize,
        sizes: Vec<usize>,
        wanted: Vec<usize>,
    },
    /// A player whom the pool does not have.
    #[error("player {player} is in the lineups, but the pool has {players} players, counted from 0")]
    UnknownPlayer { player: usize, players: usize },
    /// A player in two teams, twice in one, or in a team and unmatched.
    #[error(
        "player {player} comes up twice, the second time in {place}: each player plays once or is unmatched"
    )]
    Twice { player: usize, place: String },
    /// A player who neither plays nor is unmatched.
    #[error("player {player} neither plays nor is unmatched")]
    Lost { player: usize },
    /// A party whose members are not in one team.
    #[error("match {index} has player {player} without all of its party {party}: parties stay together")]
    TornParty {
        index: usize,
        party: usize,
        player: usize,
    },
    /// A match that the objective forbids.
    #[error("match {index} is forbidden by the objective")]
    Forbidden { index: usize },
    /// The objective breaks its contract.
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
    /// A quality that is not the objective's.
    #[error("match {index} claims the quality {claimed}, the objective gives {actual}")]
    WrongQuality { index: usize, claimed: f64, actual: f64 },
    /// A value that the matches and unmatched penalties do not sum to.
    #[error("the lineups claim the value {claimed}, their matches and unmatched penalties sum to {actual}")]
    WrongValue { claimed: f64, actual: f64 },
    /// Not one dual for each party.
    #[error("{duals} duals for {parties} parties: the certificate belongs to another pool")]
    DualCount { duals: usize, parties: usize },
    /// A dual, an excess or a bound that is no finite number, or an excess below 0.
    #[error("the certificate has {what} {value}: give finite numbers, and an excess of 0 or more")]
    NotFinite { what: String, value: f64 },
    /// A cut that does not name three different parties of the pool, or has no finite dual of 0 or more.
    #[error(
        "cut {cut} has the parties {parties:?} and the dual {dual}: a cut has three different parties and a finite dual of 0 or more"
    )]
    BadCut {
        cut: usize,
        parties: [u32; 3],
        dual: f64,
    },
    /// An odd set that is none, or where matches are no pairs.
    #[error(
        "odd set {set} has {parties} parties and the dual {dual}: give an odd number of parties, rising, and a finite dual of 0 or more, and none where matches are no pairs"
    )]
    BadOddSet { set: usize, parties: usize, dual: f64 },
    /// The bound is not what duals, cuts and excess sum to.
    #[error("the certificate claims the bound {claimed}, its duals, cuts and excess sum to {actual}")]
    WrongBound { claimed: f64, actual: f64 },
    /// A match that is worth more than it pays: the bound does not hold.
    #[error(
        "{team_a:?} against {team_b:?} have the quality {quality}, but pay {paid} by duals and cuts, and the excess is {excess}: the bound does not hold"
    )]
    WorthMore {
        team_a: Vec<usize>,
        team_b: Vec<usize>,
        quality: f64,
        paid: f64,
        excess: f64,
    },
    /// A certificate for an objective without terms, by which all matches could be looked through.
    #[error("there is a certificate, but the objective has no terms by which all matches could be checked")]
    NoTerms,
    /// Lineups said to be the optimum when there are better ones.
    #[error("the lineups claim to be the optimum with {value}, but others are worth {better}")]
    NotOptimal { value: f64, better: f64 },
}
