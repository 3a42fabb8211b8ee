//! Everyone with anyone.

use super::pair_in_order;
use crate::bits::SplitMix64;
use crate::costs::CostOracle;
use crate::error::SolveError;
use crate::limits::Limits;
use crate::pairing::Pairing;
use crate::solver::{PairingSolver, Workspace};

/// A pairing drawn uniformly from all (n-1)!! of them: random matchmaking.
///
/// The seed is part of the solver, so that it draws the same pairing for the same number of vertices each
/// time; give every round a seed of its own. Costs are only added up. Made for complete graphs: there is no
/// second draw if a drawn pair is forbidden, since drawing until all pairs are allowed may take for ever.
///
/// Method: Fisher-Yates shuffle of the vertices, then neighbours are paired; each pairing comes from
/// 2^(n/2) (n/2)! orders. Random bits are [`SplitMix64`](https://doi.org/10.1145/2714064.2660195) (Steele,
/// Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, figure 16), bounded
/// numbers without bias by rejection. O(n).
///
/// ```
/// use matchwright_solver::{DenseCosts, PairingSolver, RandomPairing};
///
/// let costs = DenseCosts::from_fn(6, |_, _| 0.5).unwrap();
/// let pairing = RandomPairing::new(7).solve(&costs)?;
/// assert_eq!(pairing.cost(), 1.5);
/// # Ok::<(), matchwright_solver::SolveError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomPairing {
    seed: u64,
}

impl RandomPairing {
    /// The pairing number `seed`, so to speak.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }
}

impl PairingSolver for RandomPairing {
    /// The unit of work is a pair that is priced.
    ///
    /// # Errors
    /// [`SolveError::ForbiddenPair`] names the first pair drawn that is not allowed;
    /// [`SolveError::OddVertices`].
    fn solve_within(&self, costs: &dyn CostOracle, limits: &Limits<'_>) -> Result<Pairing, SolveError> {
        self.solve_in(&mut Workspace::new(), costs, limits)
    }

    fn solve_in(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        limits: &Limits<'_>,
    ) -> Result<Pairing, SolveError> {
        pair_in_order(workspace, costs, limits, |order| {
            SplitMix64(self.seed).shuffle(order);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::{DenseCosts, SparseCosts};

    #[test]
    fn all_fifteen_pairings_of_six_are_equally_likely() {
        let costs = DenseCosts::from_fn(6, |_, _| 1.0).unwrap();
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..30_000 {
            let pairing = RandomPairing::new(seed).solve(&costs).unwrap();
            *counts.entry(pairing.mates().to_vec()).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 15);
        let chi_squared: f64 = counts
            .values()
            .map(|&count| (f64::from(count) - 2000.0).powi(2) / 2000.0)
            .sum();
        // 14 degrees of freedom: more than 36.1 has probability 0.001.
        assert!(chi_squared < 36.1, "{chi_squared}");
    }

    #[test]
    fn a_seed_is_a_promise() {
        let costs = DenseCosts::from_fn(8, |_, _| 1.0).unwrap();
        let pairing = RandomPairing::new(42).solve(&costs).unwrap();
        assert_eq!(
            pairing.pairs().collect::<Vec<_>>(),
            [(0, 4), (1, 3), (2, 6), (5, 7)]
        );
    }

    #[test]
    fn a_forbidden_draw_is_an_error() {
        let costs = SparseCosts::from_edges(2, []).unwrap();
        let error = RandomPairing::new(1).solve(&costs).unwrap_err();
        assert_eq!(error, SolveError::ForbiddenPair { i: 0, j: 1 });
    }
}
