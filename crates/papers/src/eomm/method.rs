//! The four methods of matchmaking that section 5.3 compares: who plays whom in one pool.

use matchwright_solver::{
    CostOracle, ExactPairing, Limits, Pairing, PairingSolver, RandomPairing, SolveError, SortAdjacent,
    Workspace,
};
use rand::Rng;
use serde::{Deserialize, Serialize};

/// A method of matchmaking for one pool, by the names of the paper's Table 2, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Method {
    /// The opposite of EOMM: the pairing with the most expected churn, a check from the other side.
    ///
    /// The paper says that it "minimises the objective", which is EOMM itself; what it ran, and what is
    /// meant, is the maximum.
    #[serde(rename = "WorstMM")]
    Worst,
    /// Sorts by skill and pairs neighbours: what most games do in the name of fairness.
    #[serde(rename = "SkillMM")]
    Skill,
    /// Pairs at random: each perfect matching is equally likely.
    #[serde(rename = "RandomMM")]
    Random,
    /// Engagement optimised: the pairing with the least expected churn (Eq. 1), exactly.
    #[serde(rename = "EOMM")]
    Eomm,
}

impl Method {
    /// All four, in the order of Table 2.
    pub const ALL: [Self; 4] = [Self::Worst, Self::Skill, Self::Random, Self::Eomm];

    /// The paper's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Worst => "WorstMM",
            Self::Skill => "SkillMM",
            Self::Random => "RandomMM",
            Self::Eomm => "EOMM",
        }
    }

    /// Pairs every player of a pool with exactly one other.
    ///
    /// `skills` in rating points, one a player; `costs` are EOMM's edges: the expected number of the two who churn. All
    /// randomness comes from `rng`; buffers in `workspace` are reused.
    ///
    /// # Errors
    /// [`SolveError`], for example for an odd pool.
    ///
    /// ```
    /// use matchwright_papers::eomm::Method;
    /// use matchwright_sim::random::{Purpose, stream};
    /// use matchwright_solver::{DenseCosts, Workspace};
    ///
    /// let skills = [1500.0, 1100.0, 1900.0, 1480.0, 1120.0, 1700.0];
    /// let costs = DenseCosts::from_fn(6, |_, _| 1.0)?;
    /// let mut rng = stream(1, Purpose::Traits, 6, 0);
    /// let pairing = Method::Skill.pair(&skills, &costs, &mut rng, &mut Workspace::new())?;
    /// assert_eq!(pairing.pairs().collect::<Vec<_>>(), [(0, 3), (1, 4), (2, 5)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pair(
        self,
        skills: &[f64],
        costs: &dyn CostOracle,
        rng: &mut dyn Rng,
        workspace: &mut Workspace,
    ) -> Result<Pairing, SolveError> {
        match self {
            Self::Worst => {
                ExactPairing::maximum()
                    .with_canonical_ties()
                    .solve_in(workspace, costs, &Limits::unlimited())
            }
            Self::Skill => {
                SortAdjacent::by_keys(skills.to_vec()).solve_in(workspace, costs, &Limits::unlimited())
            }
            Self::Random => {
                RandomPairing::new(rng.next_u64()).solve_in(workspace, costs, &Limits::unlimited())
            }
            Self::Eomm => {
                ExactPairing::minimum()
                    .with_canonical_ties()
                    .solve_in(workspace, costs, &Limits::unlimited())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;
    use matchwright_sim::random::stream;
    use matchwright_solver::DenseCosts;

    #[test]
    fn no_method_beats_eomm_and_none_is_worse_than_worst() {
        let skills = [1500.0, 1100.0, 1900.0, 1480.0, 1120.0, 1700.0];
        let costs = DenseCosts::from_fn(6, |i, j| ((i * 7 + j * 7) % 11) as f64 / 11.0).unwrap();
        let cost_of = |method: Method| {
            let mut rng = stream(1, Purpose::Pairing, 6, 0);
            let pairing = method.pair(&skills, &costs, &mut rng, &mut Workspace::new());
            pairing.unwrap().cost()
        };
        let (best, worst) = (cost_of(Method::Eomm), cost_of(Method::Worst));
        assert!(best < worst);
        for method in Method::ALL {
            let cost = cost_of(method);
            assert!(best <= cost && cost <= worst, "{}", method.name());
        }
    }
}
