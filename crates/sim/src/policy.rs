//! Who plays whom in a pool: the four methods that EOMM's section 5.3 compares.
//!
//! A policy sees skills and costs, nothing else: no population, no engine, no report. A live service
//! can run the very same code. One that pairs again and again learns [`StartingDuals`] once, and solves in less than
//! half of the time.

mod among;
mod components;
mod starting_duals;

use matchwright_solver::{
    CostOracle, ExactPairing, Pairing, PairingSolver, RandomPairing, SolveError, SortAdjacent, Workspace,
};
use rand::Rng;
use serde::{Deserialize, Serialize};

pub use starting_duals::{PlayerDual, SamplePlan, StartingDuals};

/// What a policy may know of the players who wait.
#[derive(Clone, Copy)]
pub struct WaitingPool<'a> {
    /// Skill of each player, rating points.
    pub skills: &'a [f64],
    /// Cost of each pair: EOMM's edge, the expected number of the two who churn.
    pub costs: &'a dyn CostOracle,
    /// What exact policies may start from. It changes their speed alone.
    pub starts: PoolStarts<'a>,
}

/// Starting duals of a pool's players, one a player, as of [`StartingDuals::write_pool`]. The default has none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoolStarts<'a> {
    /// For the pairing with the least cost.
    pub least: Option<&'a [f64]>,
    /// For the pairing with the largest cost: duals of the negated costs.
    pub most: Option<&'a [f64]>,
}

/// A method of matchmaking for one batch of players.
pub trait PairingPolicy: Sync {
    /// Pairs every player of the pool with exactly one other.
    ///
    /// All randomness comes from `rng`; buffers in `workspace` are reused.
    ///
    /// # Errors
    /// [`SolveError`], for example for an odd pool.
    fn pair(
        &self,
        pool: WaitingPool<'_>,
        rng: &mut dyn Rng,
        workspace: &mut Workspace,
    ) -> Result<Pairing, SolveError>;
}

/// Pairs at random: each perfect matching is equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomMatchmaking;

/// Sorts by skill and pairs neighbours: what most games do in the name of fairness.
#[derive(Clone, Copy, Debug, Default)]
pub struct SkillMatchmaking;

/// Engagement optimised: the pairing with the least expected churn (EOMM Eq. 1), exactly.
#[derive(Clone, Copy, Debug, Default)]
pub struct EngagementMatchmaking;

/// The opposite of EOMM: the pairing with the most expected churn, a check from the other side.
///
/// The paper says that it "minimises the objective", which is EOMM itself; what it ran, and what is
/// meant, is the maximum.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorstMatchmaking;

impl PairingPolicy for RandomMatchmaking {
    fn pair(
        &self,
        pool: WaitingPool<'_>,
        rng: &mut dyn Rng,
        workspace: &mut Workspace,
    ) -> Result<Pairing, SolveError> {
        RandomPairing::new(rng.next_u64()).solve(workspace, pool.costs)
    }
}

impl PairingPolicy for SkillMatchmaking {
    fn pair(
        &self,
        pool: WaitingPool<'_>,
        _rng: &mut dyn Rng,
        workspace: &mut Workspace,
    ) -> Result<Pairing, SolveError> {
        SortAdjacent::by_keys(pool.skills.to_vec()).solve(workspace, pool.costs)
    }
}

impl PairingPolicy for EngagementMatchmaking {
    fn pair(
        &self,
        pool: WaitingPool<'_>,
        _rng: &mut dyn Rng,
        workspace: &mut Workspace,
    ) -> Result<Pairing, SolveError> {
        solve(
            ExactPairing::minimum().with_canonical_ties(),
            pool.starts.least,
            pool.costs,
            workspace,
        )
    }
}

impl PairingPolicy for WorstMatchmaking {
    fn pair(
        &self,
        pool: WaitingPool<'_>,
        _rng: &mut dyn Rng,
        workspace: &mut Workspace,
    ) -> Result<Pairing, SolveError> {
        solve(
            ExactPairing::maximum().with_canonical_ties(),
            pool.starts.most,
            pool.costs,
            workspace,
        )
    }
}

fn solve(
    solver: ExactPairing,
    start: Option<&[f64]>,
    costs: &dyn CostOracle,
    workspace: &mut Workspace,
) -> Result<Pairing, SolveError> {
    match start {
        Some(duals) => solver.solve_from(workspace, costs, duals),
        None => solver.solve(workspace, costs),
    }
}

/// The four methods by the names of the paper's Table 2, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Method {
    /// [`WorstMatchmaking`].
    #[serde(rename = "WorstMM")]
    Worst,
    /// [`SkillMatchmaking`].
    #[serde(rename = "SkillMM")]
    Skill,
    /// [`RandomMatchmaking`].
    #[serde(rename = "RandomMM")]
    Random,
    /// [`EngagementMatchmaking`].
    #[serde(rename = "EOMM")]
    Eomm,
}

impl Method {
    /// All four, in the order of Table 2.
    pub const ALL: [Self; 4] = [Self::Worst, Self::Skill, Self::Random, Self::Eomm];

    /// The paper's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Worst => "WorstMM",
            Self::Skill => "SkillMM",
            Self::Random => "RandomMM",
            Self::Eomm => "EOMM",
        }
    }

    /// The policy that it names.
    #[must_use]
    pub fn policy(self) -> &'static dyn PairingPolicy {
        match self {
            Self::Worst => &WorstMatchmaking,
            Self::Skill => &SkillMatchmaking,
            Self::Random => &RandomMatchmaking,
            Self::Eomm => &EngagementMatchmaking,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, stream};
    use matchwright_solver::DenseCosts;

    fn cost_of(method: Method, skills: &[f64], costs: &DenseCosts) -> f64 {
        let mut rng = stream(1, Purpose::Pairing, skills.len() as u64, 0);
        let pool = WaitingPool {
            skills,
            costs,
            starts: PoolStarts::default(),
        };
        method
            .policy()
            .pair(pool, &mut rng, &mut Workspace::new())
            .unwrap()
            .cost()
    }

    #[test]
    fn no_method_beats_eomm_and_none_is_worse_than_worst() {
        let skills = [1500.0, 1100.0, 1900.0, 1480.0, 1120.0, 1700.0];
        let costs = DenseCosts::from_fn(6, |i, j| ((i * 7 + j * 7) % 11) as f64 / 11.0).unwrap();
        let best = cost_of(Method::Eomm, &skills, &costs);
        let worst = cost_of(Method::Worst, &skills, &costs);
        assert!(best < worst);
        for method in Method::ALL {
            let cost = cost_of(method, &skills, &costs);
            assert!(best <= cost && cost <= worst, "{}", method.name());
        }
    }

    #[test]
    fn skill_matchmaking_pairs_neighbours_in_skill() {
        let skills = [1500.0, 1100.0, 1900.0, 1480.0, 1120.0, 1700.0];
        let costs = DenseCosts::from_fn(6, |_, _| 1.0).unwrap();
        let mut rng = stream(1, Purpose::Pairing, 6, 0);
        let pool = WaitingPool {
            skills: &skills,
            costs: &costs,
            starts: PoolStarts::default(),
        };
        let pairing = SkillMatchmaking
            .pair(pool, &mut rng, &mut Workspace::new())
            .unwrap();
        assert_eq!(pairing.pairs().collect::<Vec<_>>(), [(0, 3), (1, 4), (2, 5)]);
    }
}
