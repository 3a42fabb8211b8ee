//! Matches of one against one are pairs: the exact pairing is the optimum, with its proof.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use matchwright_solver::{
    BoundedPairing, CostOracle, ExactPairing, Limits, Progress, SolveError, UnmatchedPenalties, Workspace,
};

use super::error::LobbyError;
use super::lineup::{BoundSource, Lineups, LobbyCertificate};
use super::objective::{LobbyObjective, ObjectiveError};
use super::pool::LobbyPool;

/// The lineups of a pool whose teams have one player each. A row of qualities counts as many units of work as it has.
///
/// # Errors
/// [`LobbyError::Objective`] if the objective breaks its contract; [`LobbyError::Pairing`].
pub(super) fn solve(
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    limits: &Limits<'_>,
) -> Result<Lineups, LobbyError> {
    let qualities = Qualities {
        players: pool.players(),
        objective,
        broken: Mutex::new(None),
    };
    let (players, spent) = (pool.players() as u64, AtomicU64::new(0));
    let watch = |progress: &Progress| {
        spent.fetch_max(progress.work, Ordering::Relaxed);
        limits.watch().map_or(0.0, |watch| watch(progress))
    };
    let mut rows = Limits::unlimited().with_watch(&watch);
    if let Some(work) = limits.work() {
        rows = rows.with_work(work / players);
    }
    // To maximise, what an unmatched player costs is taken off.
    let penalties = pool
        .unmatched_penalties()
        .iter()
        .map(|penalty| -penalty)
        .collect();
    let problem = UnmatchedPenalties::new(&qualities, penalties).map_err(SolveError::from)?;
    let found = ExactPairing::maximum().approximate_within(&mut Workspace::new(), &problem, &rows);
    if let Some(error) = qualities
        .broken
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
    {
        return Err(error.into());
    }
    let found = found?;
    let pairing = found.pairing();
    let teams = pairing.pairs().map(|(i, j)| vec![vec![i], vec![j]]);
    Ok(Lineups {
        status: pairing.status(),
        certificate: Some(certificate(pool, &found)),
        work: players.saturating_mul(spent.load(Ordering::Relaxed)),
        ..Lineups::of_teams(pool, objective, teams)?
    })
}

/// The pairing's duals, which are of costs to be minimised, for the parties, each of one player.
fn certificate(pool: &LobbyPool, found: &BoundedPairing) -> LobbyCertificate {
    let proof = found.certificate();
    let mut duals = vec![0.0; pool.parties().len()];
    for (player, dual) in proof.duals().enumerate() {
        let party = pool.party_index(player);
        duals[party] = (-dual).max(-pool.penalty(&[player]));
    }
    let party = |player: usize| u32::try_from(pool.party_index(player)).unwrap_or(u32::MAX);
    let half = 0.5 * proof.resolution();
    let odd_sets = (0..proof.blossoms().len()).map(|k| {
        let players = proof.blossom_vertices(k).into_iter();
        (
            players.map(party).collect(),
            proof.blossoms()[k].dual as f64 * half,
        )
    });
    let mut certificate = LobbyCertificate {
        duals,
        cuts: Vec::new(),
        odd_sets: odd_sets.collect(),
        excess: 0.0,
        bound: 0.0,
        source: BoundSource::Relaxation,
    };
    certificate.bound = certificate.sum(0);
    certificate
}

/// The quality of each pair as its cost, asked for with the smaller player first, so that rounding cannot tell sides
/// apart.
struct Qualities<'a> {
    players: usize,
    objective: &'a dyn LobbyObjective,
    /// What the objective did wrong.
    broken: Mutex<Option<ObjectiveError>>,
}

impl CostOracle for Qualities<'_> {
    fn vertices(&self) -> usize {
        self.players
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        match self.objective.checked_duel(i.min(j), i.max(j)) {
            Ok(quality) => quality,
            Err(error) => {
                let mut broken = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
                broken.get_or_insert(error);
                None
            }
        }
    }
}
