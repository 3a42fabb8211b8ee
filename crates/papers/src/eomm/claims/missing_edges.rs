//! Pairing single players some of whom must not meet: the part of EOMM-ext whose graph lacks edges.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use std::sync::Arc;

use matchwright_scoring::{
    Blocks, ChurnByOutcome, Friends, MatchScorer, Player, Pool, Regions, ScoringPolicy, TeamChurn, TeamMatch,
    WeightedFactor,
};
use matchwright_solver::{
    CostOracle, Limits, Pairing, PairingSolver, SolveError, UnmatchedPenalties, Workspace,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::check::matches::players;

/// Pools, and players in each: few enough to try all pairings.
const POOLS: u64 = 60;
const PLAYERS: usize = 8;

/// What two players lose to churn under a policy, as a solver asks for it; no edge where the policy forbids the match.
struct Edges<'a> {
    policy: &'a ScoringPolicy,
    pool: &'a Pool,
}

impl CostOracle for Edges<'_> {
    fn vertices(&self) -> usize {
        self.pool.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        // One order for both, so that rounding is the same.
        let teams: [&[usize]; 2] = [&[i.min(j)], &[i.max(j)]];
        let stay = self.policy.quality(&TeamMatch::new(self.pool, &teams).ok()?)?;
        Some(2.0 * (1.0 - stay))
    }
}

/// Players of two regions with friends and black lists.
fn draw(rng: &mut ChaCha8Rng) -> Result<Vec<Player>> {
    let mut all = players(PLAYERS);
    let one_of = |rng: &mut ChaCha8Rng| format!("p{}", rng.random_range(0..PLAYERS));
    for player in &mut all {
        player.skill = Some(rng.random_range(1_000.0..2_000.0));
        player.region = Some(if rng.random_bool(0.8) { "eu" } else { "us" }.to_owned());
        let mut chance = || rng.random_range(0.02..0.6);
        player.churn = Some(ChurnByOutcome::new(chance(), chance(), chance())?);
        for list in [&mut player.friends, &mut player.blocks] {
            let other = one_of(rng);
            list.extend((other != player.id).then_some(other));
        }
    }
    Ok(all)
}

/// Whether two may meet, by their fields alone.
fn may_meet(a: &Player, b: &Player) -> bool {
    let names = |list: &[String], other: &Player| list.contains(&other.id);
    a.region == b.region
        && ![(&a.friends, b), (&b.friends, a), (&a.blocks, b), (&b.blocks, a)]
            .into_iter()
            .any(|(list, other)| names(list, other))
}

/// Tries all matchings of the players who are left, unmatched ones allowed: (how many are unmatched, cost) of the best,
/// as few unmatched as possible.
fn best(left: &[usize], cost: &dyn Fn(usize, usize) -> Option<f64>) -> (usize, f64) {
    let Some((&first, rest)) = left.split_first() else {
        return (0, 0.0);
    };
    let (alone, without) = best(rest, cost);
    let mut found = (alone + 1, without);
    for (place, &mate) in rest.iter().enumerate() {
        let Some(own) = cost(first, mate) else {
            continue;
        };
        let mut others = rest.to_vec();
        others.remove(place);
        let (alone, sum) = best(&others, cost);
        if (alone, sum + own) < found {
            found = (alone, sum + own);
        }
    }
    found
}

/// What the solver makes of the pools.
#[derive(Default)]
struct Tally {
    perfect: u64,
    refused: u64,
    forbidden: u64,
    wrong: u64,
    off: f64,
}

impl Tally {
    /// Counts a pairing that should leave as few unmatched as the best does, at its cost.
    fn count(&mut self, pairing: &Pairing, all: &[Player], (alone, cost): (usize, f64)) {
        let forbidden = pairing.pairs().filter(|&(i, j)| !may_meet(&all[i], &all[j]));
        self.forbidden += forbidden.count() as u64;
        self.wrong += u64::from(pairing.unmatched().count() != alone);
        deviate(&mut self.off, pairing.cost(), cost);
    }
}

/// Pairs single players over the edges that regions, friends and black lists leave, by the policy's factor of churn.
pub(super) fn missing_edges(
    inputs: &EommInputs,
    churn: TeamChurn,
    solver: &dyn PairingSolver,
) -> Result<Finding> {
    let policy = ScoringPolicy::new(vec![WeightedFactor::new(1.0, churn)])?.with_rules(vec![
        Arc::new(Regions::default()),
        Arc::new(Friends::default()),
        Arc::new(Blocks::default()),
    ])?;
    let free = ScoringPolicy::new(vec![WeightedFactor::new(1.0, churn)])?;
    let mut workspace = Workspace::new();
    let mut tally = Tally::default();
    for number in 0..POOLS {
        let all = draw(&mut check_stream(inputs.seed, 61, number))?;
        let pool = Pool::new(all.clone())?;
        let edges = |policy| Edges { policy, pool: &pool };
        let (edges, complete) = (edges(&policy), edges(&free));
        let cost = |i: usize, j: usize| complete.cost(i, j).filter(|_| may_meet(&all[i], &all[j]));
        let names: Vec<usize> = (0..PLAYERS).collect();
        let expected = best(&names, &cost);
        match solver.solve_in(&mut workspace, &edges, &Limits::unlimited()) {
            Ok(pairing) => {
                tally.perfect += 1;
                tally.count(&pairing, &all, (0, expected.1));
                tally.wrong += u64::from(expected.0 > 0);
            }
            Err(SolveError::NoPerfectMatching(_)) => {
                tally.refused += 1;
                tally.wrong += u64::from(expected.0 == 0);
            }
            Err(error) => return Err(error.into()),
        }
        let fewest = UnmatchedPenalties::maximum_cardinality(&edges);
        tally.count(
            &solver.solve_in(&mut workspace, &fewest, &Limits::unlimited())?,
            &all,
            expected,
        );
    }
    Ok(Finding::new()
        .count("pools of single players with a perfect pairing", tally.perfect)
        .count("without, refused as such", tally.refused)
        .count("pairs made that must not meet", tally.forbidden)
        .number("off the cheapest of all pairings by", tally.off, 3)
        .require(tally.perfect > 5 && tally.refused > 5, "pools of both kinds")
        .require(
            tally.forbidden == 0,
            "nobody meets a friend, a blocked player or another region",
        )
        .require(
            tally.wrong == 0,
            "all are paired where that is possible, else as many as possible",
        )
        .require(tally.off < 1e-9, "at the cost of the best of all pairings"))
}
