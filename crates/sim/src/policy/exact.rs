//! [`SolverPairs`]: the choice among pairs that may start at once, by any pairing solver.

use std::sync::Arc;

use matchwright_queue::{CheapestFirst, ChoosePairs};
use matchwright_solver::{ExactPairing, Limits, PairingSolver, SparseCosts, UnmatchedPenalties, Workspace};

use super::failures::failed;

/// A pairing solver that policies share.
pub type SharedPairing = Arc<dyn PairingSolver + Send + Sync>;

/// As many pairs as possible, and of those the least sum of costs that a solver finds: by [`ExactPairing`], the default, a
/// minimum-cost matching of maximum cardinality.
///
/// Costs that the solver refuses (none that windows or prices admit) are paired by [`CheapestFirst`], and that is told as a
/// failure, so that nobody waits for a solve that fails again.
///
/// ```
/// use matchwright_queue::ChoosePairs;
/// use matchwright_sim::policy::SolverPairs;
///
/// // The cheapest pair, 1 and 2, would leave 0 and 3 without partners.
/// let edges = [(0, 1, 10.0), (1, 2, 1.0), (2, 3, 10.0)];
/// assert_eq!(SolverPairs::default().choose(4, &edges), [(0, 1), (2, 3)]);
/// ```
pub struct SolverPairs {
    solver: SharedPairing,
    workspace: Workspace,
    failures: Vec<String>,
}

impl Default for SolverPairs {
    fn default() -> Self {
        Self::new(Arc::new(ExactPairing::minimum()))
    }
}

impl SolverPairs {
    /// By this solver.
    #[must_use]
    pub fn new(solver: SharedPairing) -> Self {
        Self {
            solver,
            workspace: Workspace::new(),
            failures: Vec::new(),
        }
    }

    fn solve(
        &mut self,
        vertices: usize,
        edges: &[(usize, usize, f64)],
    ) -> Result<Vec<(usize, usize)>, String> {
        let costs = SparseCosts::from_edges(vertices, edges.iter().copied()).map_err(failed)?;
        let costs = UnmatchedPenalties::maximum_cardinality(&costs);
        let limits = Limits::unlimited();
        let pairing = self.solver.solve_in(&mut self.workspace, &costs, &limits);
        Ok(pairing.map_err(failed)?.pairs().collect())
    }
}

impl ChoosePairs for SolverPairs {
    fn choose(&mut self, vertices: usize, edges: &[(usize, usize, f64)]) -> Vec<(usize, usize)> {
        self.solve(vertices, edges).unwrap_or_else(|error| {
            self.failures.push(format!(
                "{} pairs were chosen by least cost first: {error}",
                edges.len()
            ));
            CheapestFirst.choose(vertices, edges)
        })
    }

    fn take_failures(&mut self) -> Vec<String> {
        std::mem::take(&mut self.failures)
    }

    fn copy(&self) -> Box<dyn ChoosePairs + Send> {
        Box::new(Self::new(Arc::clone(&self.solver)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solve_that_fails_is_told_once_and_leaves_nobody_waiting() {
        let mut exact = SolverPairs::default();
        assert_eq!(exact.choose(2, &[(0, 1, f64::NAN)]), [(0, 1)]);
        let told = exact.take_failures();
        assert!(
            told.len() == 1 && told[0].starts_with("1 pairs were chosen by least cost first"),
            "{told:?}"
        );
        assert!(exact.take_failures().is_empty());
        assert_eq!(exact.choose(2, &[(0, 1, 1.0)]), [(0, 1)]);
        assert!(exact.take_failures().is_empty());
    }
}
