//! What false lineups, or a false proof of theirs, get wrong.

use thiserror::Error;

/// Why lineups or their certificate were rejected, or which contract the objective broke.
///
/// Matches count from 0 in the order of [`Lineups::lobbies`](crate::Lineups::lobbies), parties in that of
/// [`LobbyPool::parties`](crate::LobbyPool::parties).
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum LobbyVerifyError {
    /// The matches were not all looked through within the work allowed; used inside alone.
    #[error("the work allowed is spent")]
    #[doc(hidden)]
    OutOfWork,
    /// A team that is not full, or too full.
    #[error("match {index} has teams of {team_a} and {team_b}: the pool's have {wanted_a} and {wanted_b}")]
    TeamSize {
        index: usize,
        team_a: usize,
        team_b: usize,
        wanted_a: usize,
        wanted_b: usize,
    },
    /// A player whom the pool does not have.
    #[error("player {player} is in the lineups, but the pool has {players} players, counted from 0")]
    UnknownPlayer { player: usize, players: usize },
    /// A player in two teams, twice in one, or in a team and left out.
    #[error(
        "player {player} comes up twice, the second time in {place}: everybody plays once or is left out"
    )]
    Twice { player: usize, place: String },
    /// A player who neither plays nor is left out.
    #[error("player {player} neither plays nor is left out")]
    Lost { player: usize },
    /// A party whose members are not in one team.
    #[error("match {index} has player {player} without all of his party {party}: parties stay together")]
    TornParty {
        index: usize,
        party: usize,
        player: usize,
    },
    /// A match that the objective forbids.
    #[error("match {index} is forbidden by the objective")]
    Forbidden { index: usize },
    /// A quality that is none.
    #[error(
        "the objective gives {team_a:?} against {team_b:?} the quality {quality}: give a number from 0 to 1"
    )]
    BadQuality {
        team_a: Vec<usize>,
        team_b: Vec<usize>,
        quality: f64,
    },
    /// A quality that is not the objective's.
    #[error("match {index} claims the quality {claimed}, the objective gives {actual}")]
    WrongQuality { index: usize, claimed: f64, actual: f64 },
    /// A value that the matches and those left out do not sum to.
    #[error("the lineups claim the value {claimed}, their matches and those left out sum to {actual}")]
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
    /// A certificate for an objective that does not say how it adds up, so that nobody can look through all matches.
    #[error("there is a certificate, but the objective has no terms by which all matches could be checked")]
    NoTerms,
    /// Terms for another number of players.
    #[error("the objective's terms are for {given} players where {players} were asked for")]
    Terms { given: usize, players: usize },
    /// Terms that are not the quality; `None` is forbidden.
    #[error(
        "{team_a:?} against {team_b:?} have the quality {quality:?}, but their terms say {terms:?}: make them agree"
    )]
    TermsDisagree {
        team_a: Vec<usize>,
        team_b: Vec<usize>,
        quality: Option<f64>,
        terms: Option<f64>,
    },
    /// Lineups said to be the optimum when there are better ones.
    #[error("the lineups claim to be the optimum with {value}, but others are worth {better}")]
    NotOptimal { value: f64, better: f64 },
}
