//! [`ExactPairs`]: the choice among pairs that may start at once, by the exact solver.

use matchwright_queue::{CheapestFirst, ChoosePairs};
use matchwright_solver::{ExactPairing, PairingSolver, SparseCosts, UnmatchedPenalties, Workspace};

use super::failures::failed;

/// As many pairs as possible, and of those the least sum of costs: a minimum-cost matching of maximum cardinality.
///
/// Costs that the solver refuses (none that windows or prices admit) are paired by [`CheapestFirst`], and that is told as a
/// failure, so that nobody waits for a solve that fails again.
///
/// ```
/// use matchwright_queue::ChoosePairs;
/// use matchwright_sim::policy::ExactPairs;
///
/// // The cheapest pair, 1 and 2, would leave 0 and 3 without partners.
/// let edges = [(0, 1, 10.0), (1, 2, 1.0), (2, 3, 10.0)];
/// assert_eq!(ExactPairs::default().choose(4, &edges), [(0, 1), (2, 3)]);
/// ```
#[derive(Default)]
pub struct ExactPairs {
    workspace: Workspace,
    failures: Vec<String>,
}

impl ExactPairs {
    fn solve(
        &mut self,
        vertices: usize,
        edges: &[(usize, usize, f64)],
    ) -> Result<Vec<(usize, usize)>, String> {
        let costs = SparseCosts::from_edges(vertices, edges.iter().copied()).map_err(failed)?;
        let costs = UnmatchedPenalties::maximum_cardinality(&costs);
        let pairing = ExactPairing::minimum().solve(&mut self.workspace, &costs);
        let pairing = pairing.map_err(failed)?;
        Ok(pairing.pairs().collect())
    }
}

impl ChoosePairs for ExactPairs {
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
        Box::new(Self::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solve_that_fails_is_told_once_and_leaves_nobody_waiting() {
        let mut exact = ExactPairs::default();
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
