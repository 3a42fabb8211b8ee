//! A pool small enough to look at every pairing.

use itertools::Itertools;
use matchwright_scoring::{ChurnByOutcome, churn_edge};
use matchwright_solver::{
    BruteForce, CostOracle, DenseCosts, ExactPairing, PairingSolver, RandomPairing, SortAdjacent,
};

use super::draw_law::DrawLaw;
use super::report::ScoredPairs;
use anyhow::{Result, ensure};

/// Players with skills (rating points) and what each pair costs.
///
/// ```
/// use matchwright_scoring::ChurnByOutcome;
/// use matchwright_papers::eomm::theory::{DrawLaw, SmallPool};
///
/// // Churn that depends on the outcome alone, under the paper's constant draw rate: every pairing ties.
/// let churn = vec![ChurnByOutcome::new(0.3, 0.35, 0.6)?; 4];
/// let pool = SmallPool::of_churn(&[900.0, 1500.0, 1520.0, 2100.0], &churn, &DrawLaw::constant(0.2)?)?;
/// let all = pool.extremes()?;
/// assert!((all.least.cost - 2.0 * (0.8 * 0.9 + 0.4 * 0.35)).abs() < 1e-12);
/// assert!(all.most.cost - all.least.cost < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SmallPool {
    skills: Vec<f64>,
    costs: DenseCosts,
}

/// The ends of the scale, over all pairings of a pool.
#[derive(Clone, Debug, PartialEq)]
pub struct Extremes {
    /// The first pairing of least cost: EOMM where costs are its edges.
    pub least: ScoredPairs,
    /// The first pairing of largest cost.
    pub most: ScoredPairs,
    /// Mean cost over all pairings.
    pub mean: f64,
}

impl SmallPool {
    /// A pool whose pair `i < j` costs `cost(i, j)`.
    ///
    /// # Errors
    /// For a number of players whose pairings are not listed, and a cost that is not finite.
    pub fn of_costs(skills: Vec<f64>, cost: impl FnMut(usize, usize) -> f64) -> Result<Self> {
        let players = skills.len();
        ensure!(
            players >= 2 && players.is_multiple_of(2) && players <= BruteForce::MAX_VERTICES,
            "{players} players cannot be paired in every way; give an even number up to 12"
        );
        let costs = DenseCosts::from_fn(players, cost)?;
        Ok(Self { skills, costs })
    }

    /// A pool whose pairs cost EOMM's edge (Eq. 4-6): the expected number of the two who churn.
    ///
    /// # Errors
    /// As [`of_costs`](Self::of_costs), and unless there is one churn for each skill.
    pub fn of_churn(skills: &[f64], churn: &[ChurnByOutcome], law: &DrawLaw) -> Result<Self> {
        ensure!(
            skills.len() == churn.len(),
            "the pool has {} skills and {} players' churn; give one of each a player",
            skills.len(),
            churn.len()
        );
        let edge = |i: usize, j: usize| {
            let chances = law.chances(skills[i] - skills[j]);
            // NaN, which no graph accepts, where the chances are no distribution.
            chances.map_or(f64::NAN, |chances| churn_edge(&chances, &churn[i], &churn[j]))
        };
        Self::of_costs(skills.to_vec(), edge)
    }

    /// The skills, rating points.
    #[must_use]
    pub fn skills(&self) -> &[f64] {
        &self.skills
    }

    fn cost_of(&self, pairs: impl IntoIterator<Item = (usize, usize)>) -> f64 {
        pairs.into_iter().filter_map(|(i, j)| self.costs.cost(i, j)).sum()
    }

    /// The best and the worst of all pairings (the first one, if several tie), and their mean.
    ///
    /// # Errors
    /// None: the pool is small enough.
    pub fn extremes(&self) -> Result<Extremes> {
        let none = |cost| ScoredPairs {
            cost,
            pairs: Vec::new(),
        };
        let (mut least, mut most, mut sum) = (none(f64::INFINITY), none(f64::NEG_INFINITY), 0.0);
        let count = BruteForce::visit_pairings(self.skills.len(), &mut |mates| {
            let pairs = || mates.iter().copied().enumerate().filter(|(i, j)| i < j);
            let cost = self.cost_of(pairs());
            let scored = || ScoredPairs {
                cost,
                pairs: pairs().collect(),
            };
            sum += cost;
            if cost < least.cost {
                least = scored();
            }
            if cost > most.cost {
                most = scored();
            }
        })?;
        let mean = sum / count as f64;
        Ok(Extremes { least, most, mean })
    }

    /// `E[random]`: each of the N(N-1)/2 pairs meets with probability 1/(N-1).
    #[must_use]
    pub fn expected_random(&self) -> f64 {
        let n = self.skills.len();
        self.cost_of((0..n).array_combinations().map(|[i, j]| (i, j))) / (n as f64 - 1.0)
    }

    /// Equal-skill matching: neighbours in the order of skill.
    ///
    /// # Errors
    /// For a skill that is NaN.
    pub fn sort_adjacent(&self) -> Result<ScoredPairs> {
        self.solved(&SortAdjacent::by_keys(self.skills.clone()))
    }

    /// EOMM: the pairing of least cost, by the exact solver.
    ///
    /// # Errors
    /// Never for a pool that was made.
    pub fn exact(&self) -> Result<ScoredPairs> {
        self.solved(&ExactPairing::minimum().with_canonical_ties())
    }

    /// One random pairing, each equally likely.
    ///
    /// # Errors
    /// Never for a pool that was made.
    pub fn random(&self, seed: u64) -> Result<ScoredPairs> {
        self.solved(&RandomPairing::new(seed))
    }

    fn solved(&self, solver: &dyn PairingSolver) -> Result<ScoredPairs> {
        let pairing = solver.solve(&self.costs)?;
        Ok(ScoredPairs {
            cost: pairing.cost(),
            pairs: pairing.pairs().collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_solver::GraphError;
    use proptest::prelude::*;

    fn pool(weights: &[f64]) -> SmallPool {
        let skills = vec![0.0; 6];
        SmallPool::of_costs(skills, |i, j| weights[i * 6 + j]).unwrap()
    }

    #[test]
    fn ends_and_mean_are_those_of_a_pool_worked_by_hand() {
        // Pairings of four: 1 + 6, 2 + 5, 4 + 3.5.
        let pool = SmallPool::of_costs(vec![3.0, 1.0, 2.0, 0.0], |i, j| match (i, j) {
            (0, 1) => 1.0,
            (0, 2) => 2.0,
            (0, 3) => 4.0,
            (1, 2) => 3.5,
            (1, 3) => 5.0,
            _ => 6.0,
        });
        let pool = pool.unwrap();
        let all = pool.extremes().unwrap();
        assert_eq!((all.least.cost, all.least.pairs), (7.0, vec![(0, 1), (2, 3)]));
        assert_eq!((all.most.cost, all.most.pairs), (7.5, vec![(0, 3), (1, 2)]));
        assert_eq!(all.mean * 3.0, 21.5);
        assert_eq!(pool.expected_random() * 3.0, 21.5);
        assert_eq!(pool.sort_adjacent().unwrap().pairs, [(0, 2), (1, 3)]);
    }

    #[test]
    fn what_is_no_pool_is_refused() {
        let law = DrawLaw::constant(0.2).unwrap();
        let churn = vec![ChurnByOutcome::new(0.1, 0.1, 0.1).unwrap(); 3];
        let error = SmallPool::of_churn(&[0.0; 4], &churn, &law).unwrap_err();
        assert!(
            error.to_string().contains("4 skills and 3 players' churn"),
            "{error}"
        );
        let error = SmallPool::of_churn(&[0.0; 3], &churn, &law).unwrap_err();
        assert!(error.to_string().starts_with("3 players"), "{error}");
        let error = SmallPool::of_costs(vec![0.0; 4], |_, _| f64::NAN).unwrap_err();
        assert!(error.is::<GraphError>(), "{error}");
    }

    proptest! {
        #[test]
        fn the_exact_solver_finds_the_least_and_random_lies_between(
            weights in prop::collection::vec(0.0..2.0_f64, 36),
            seed: u64,
        ) {
            let pool = pool(&weights);
            let all = pool.extremes().unwrap();
            prop_assert!((pool.exact().unwrap().cost - all.least.cost).abs() < 1e-12);
            prop_assert!((pool.expected_random() - all.mean).abs() < 1e-12);
            prop_assert!(all.least.cost <= all.mean && all.mean <= all.most.cost);
            let drawn = pool.random(seed).unwrap();
            prop_assert!((pool.cost_of(drawn.pairs.clone()) - drawn.cost).abs() < 1e-12);
        }

        /// The converse of Th3: take a splitting cost, change one edge, and pairings differ.
        #[test]
        fn all_pairings_tie_exactly_where_costs_split(
            own in prop::collection::vec(0.0..1.0_f64, 6),
            bump in 0.01..1.0_f64,
            edge in (0..6_usize, 0..6_usize).prop_filter("a pair", |(i, j)| i < j),
        ) {
            let spread = |bump: f64| {
                let pool = SmallPool::of_costs(vec![0.0; 6], |i, j| {
                    own[i] + own[j] + if (i, j) == edge { bump } else { 0.0 }
                });
                let all = pool.unwrap().extremes().unwrap();
                all.most.cost - all.least.cost
            };
            prop_assert!(spread(0.0) < 1e-12);
            prop_assert!((spread(bump) - bump).abs() < 1e-12);
        }
    }
}
