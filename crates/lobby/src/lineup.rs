//! The answer of a lobby solver: matches, unmatched players, and how good that is proven to be.

use matchwright_solver::Status;

use super::error::LobbyError;
use super::objective::LobbyObjective;
use super::pool::LobbyPool;

/// One match: its teams and how well they match.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lobby {
    /// The players of each team, rising, in the order of the pool's sizes; among teams of one size the one with the
    /// smallest player comes first.
    pub teams: Vec<Vec<usize>>,
    /// The quality of the match, in [0, 1], as the objective gives it.
    pub quality: f64,
}

impl Lobby {
    /// The first team.
    #[must_use]
    pub fn team_a(&self) -> &[usize] {
        self.teams.first().map_or(&[], Vec::as_slice)
    }

    /// The second team.
    #[must_use]
    pub fn team_b(&self) -> &[usize] {
        self.teams.get(1).map_or(&[], Vec::as_slice)
    }

    /// All players, team by team.
    pub fn players(&self) -> impl Iterator<Item = usize> + '_ {
        self.teams.iter().flatten().copied()
    }
}

/// Puts each team's players in rising order, and teams of one size in that of their players: they may change places.
pub(crate) fn put_in_order(teams: &mut [Vec<usize>]) {
    for team in &mut *teams {
        team.sort_unstable();
    }
    for one in 0..teams.len() {
        for other in one + 1..teams.len() {
            if teams[one].len() == teams[other].len() && teams[other] < teams[one] {
                teams.swap(one, other);
            }
        }
    }
}

/// Where an upper bound comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum BoundSource {
    /// No quality exceeds 1: nothing is known of this input.
    Trivial,
    /// A linear or semidefinite program over the objective's terms.
    Relaxation,
    /// Everything that could be better was looked through: the bound is the optimum.
    Complete,
}

/// Proves an upper bound on the value of lineups: a dual for each party, such that no match that is allowed is worth
/// more than the duals of its parties and `excess` together.
///
/// In any lineups each party pays its dual if it plays, and else its unmatched penalty with the sign turned, so that
/// no lineups are worth more than
///
/// ```text
/// bound = sum over parties of max(dual, -unmatched penalty) + sum over cuts of dual
///       + sum over odd sets of dual x (parties - 1) / 2 + matches x excess
/// ```
///
/// with as many matches as the players could fill. [`verify_lobbies`](crate::verify_lobbies) checks it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LobbyCertificate {
    /// The dual of each party, in the order of [`LobbyPool::parties`].
    pub duals: Vec<f64>,
    /// Cuts, three parties and a dual of 0 or more: a match with two or three of them pays the dual. No lineups have
    /// two such matches, so that none pays it twice.
    pub cuts: Vec<([u32; 3], f64)>,
    /// Where matches are pairs: an odd number of parties, rising, and a dual of 0 or more, which a match between two of
    /// them pays. No lineups have more than (parties - 1) / 2 such matches.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub odd_sets: Vec<(Vec<u32>, f64)>,
    /// By how much a match may be worth more than what it pays, 0 or more.
    pub excess: f64,
    /// The upper bound on the value of lineups.
    pub bound: f64,
    /// Where the bound comes from.
    pub source: BoundSource,
}

#[cfg(feature = "bounds")]
impl LobbyCertificate {
    /// What holds for any qualities: no match is worth more than 1, and every player has the same share of it.
    pub(crate) fn trivial(pool: &LobbyPool) -> Self {
        let share = 1.0 / pool.match_size() as f64;
        let duals: Vec<f64> = pool
            .parties()
            .iter()
            .map(|party| party.len() as f64 * share)
            .collect();
        Self {
            bound: duals.iter().sum(),
            duals,
            cuts: Vec::new(),
            odd_sets: Vec::new(),
            excess: 0.0,
            source: BoundSource::Trivial,
        }
    }

    /// What this many matches and all parties pay, where each party's dual is at least minus its unmatched penalty.
    pub(crate) fn sum(&self, matches: usize) -> f64 {
        let cuts = self.cuts.iter().map(|cut| cut.1);
        let sets = self
            .odd_sets
            .iter()
            .map(|(parties, dual)| (parties.len() / 2) as f64 * dual);
        self.duals.iter().copied().chain(cuts).chain(sets).sum::<f64>() + matches as f64 * self.excess
    }
}

/// Matches, unmatched players, and how good that is proven to be.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lineups {
    /// The matches, by their first players.
    pub lobbies: Vec<Lobby>,
    /// The unmatched players, rising.
    pub unmatched: Vec<usize>,
    /// Sum of the matches' qualities, less the unmatched penalties.
    pub value: f64,
    /// How the call ended. [`Status::Optimal`]: no lineups are worth more, but for rounding of 1e-9 a match.
    pub status: Status,
    /// What proves an upper bound, if there is one.
    pub certificate: Option<LobbyCertificate>,
    /// Units of work that the solver spent, such as exchanges tried.
    pub work: u64,
}

impl Lineups {
    /// The lineups made of these matches, the teams of each in the order of the pool's sizes, all other players unmatched:
    /// qualities by `objective`, without the matches that it forbids. [`Status::Finished`], no certificate, no work.
    ///
    /// # Errors
    /// [`LobbyError::Objective`] if the objective breaks its contract.
    pub fn of_teams(
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        matches: impl IntoIterator<Item = Vec<Vec<usize>>>,
    ) -> Result<Self, LobbyError> {
        let mut lobbies = Vec::new();
        let mut plays = vec![false; pool.players()];
        for mut teams in matches {
            put_in_order(&mut teams);
            let Some(quality) = objective.checked_quality(&teams)? else {
                continue;
            };
            for &player in teams.iter().flatten() {
                plays[player] = true;
            }
            lobbies.push(Lobby { teams, quality });
        }
        lobbies.sort_by(|a, b| a.teams.cmp(&b.teams));
        let unmatched: Vec<usize> = (0..pool.players()).filter(|&player| !plays[player]).collect();
        let qualities: f64 = lobbies.iter().map(|lobby| lobby.quality).sum();
        Ok(Self {
            lobbies,
            value: qualities - pool.penalty(&unmatched),
            unmatched,
            status: Status::Finished,
            certificate: None,
            work: 0,
        })
    }

    /// Mean quality of the matches; 0 if there are none.
    #[must_use]
    pub fn mean_quality(&self) -> f64 {
        let sum: f64 = self.lobbies.iter().map(|lobby| lobby.quality).sum();
        sum / self.lobbies.len().max(1) as f64
    }

    /// Whether no lineups are worth more, but for rounding of 1e-9 a match.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.status == Status::Optimal
    }

    /// The upper bound on the value of lineups that the certificate proves, if there is one.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        self.certificate.as_ref().map(|certificate| certificate.bound)
    }

    /// What proves how good the lineups are, if anything does: the certificate's source, or
    /// [`BoundSource::Complete`] if they are optimal.
    #[must_use]
    pub fn bound_source(&self) -> Option<BoundSource> {
        let source = self.certificate.as_ref().map(|certificate| certificate.source);
        if self.is_optimal() {
            Some(BoundSource::Complete)
        } else {
            source
        }
    }

    /// The share of the optimum that may be missing, if that is known: 0 of optimal lineups, however far the certificate's
    /// bound is above them, and else (bound - value) / |bound|, 0 or more.
    #[must_use]
    pub fn gap(&self) -> Option<f64> {
        if self.is_optimal() {
            return Some(0.0);
        }
        let bound = self.bound()?;
        Some(((bound - self.value) / bound.abs().max(f64::MIN_POSITIVE)).max(0.0))
    }
}
