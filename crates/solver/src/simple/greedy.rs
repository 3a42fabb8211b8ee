//! The best pair first.

use crate::approximate::{best_first, run_heuristic};
use crate::costs::CostOracle;
use crate::error::SolveError;
use crate::limits::Limits;
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::solver::{PairingSolver, Workspace};

/// Takes the cheapest pair (the dearest, if maximised) of vertices that are both free, until nobody is.
///
/// Ties go to the pair with the smaller first, then the smaller second vertex.
///
/// Pairs are not sorted: each vertex keeps a few cheapest partners, and looks for more when those are taken.
/// In practice O(n^2), or O(m log n) on a sparse graph, for reading; O(n log n) if costs are minimised and
/// have [coordinates](CostOracle::coordinates). Memory: O(n), O(m) on a sparse graph, and all costs of up to
/// 1,024 vertices.
///
/// It can cost any multiple of the optimum; on metric costs up to about n^0.585 times as much (Reingold and
/// Tarjan, "On a greedy heuristic for complete matching", SIAM J. Comput. 10 (1981)). Maximised over
/// non-negative weights on a complete graph, it gets at least half of the largest sum. With forbidden pairs
/// it can reach a dead end although a pairing exists.
///
/// ```
/// use matchwright_solver::{DenseCosts, ExactPairing, GreedyPairing, Objective, PairingSolver};
///
/// // Four players at 0, 10, 19 and 30: greedy takes the pair in the middle.
/// let at = [0.0, 10.0, 19.0, 30.0_f64];
/// let costs = DenseCosts::from_fn(4, |i, j| (at[i] - at[j]).abs()).unwrap();
/// assert_eq!(GreedyPairing::new(Objective::Minimize).solve(&costs)?.cost(), 39.0);
/// assert_eq!(ExactPairing::minimum().solve(&costs)?.cost(), 21.0);
/// # Ok::<(), matchwright_solver::SolveError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GreedyPairing {
    objective: Objective,
}

impl GreedyPairing {
    /// Greedy for the least or the largest sum.
    #[must_use]
    pub const fn new(objective: Objective) -> Self {
        Self { objective }
    }
}

impl PairingSolver for GreedyPairing {
    /// The unit of work is a search for the cheapest partners of one vertex.
    ///
    /// # Errors
    /// [`SolveError::DeadEnd`] names the vertices left when no two of them may be paired;
    /// [`SolveError::OddVertices`]; or the oracle breaks its contract.
    fn solve_within(&self, costs: &dyn CostOracle, limits: &Limits<'_>) -> Result<Pairing, SolveError> {
        self.solve_in(&mut Workspace::new(), costs, limits)
    }

    fn solve_in(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        limits: &Limits<'_>,
    ) -> Result<Pairing, SolveError> {
        run_heuristic(
            self.objective,
            workspace,
            costs,
            limits,
            |workspace, costs, meter| best_first(workspace, costs, self.objective, meter),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::{DenseCosts, SparseCosts};

    #[test]
    fn ties_go_to_the_smallest_vertices() {
        let costs = DenseCosts::from_fn(6, |_, _| 0.0).unwrap();
        for objective in [Objective::Minimize, Objective::Maximize] {
            let pairing = GreedyPairing::new(objective).solve(&costs).unwrap();
            assert_eq!(pairing.mates(), [1, 0, 3, 2, 5, 4]);
            assert_eq!(pairing.objective(), Some(objective));
        }
    }

    #[test]
    fn zeros_of_both_signs_tie() {
        let costs = DenseCosts::from_fn(4, |i, _| if i == 0 { 0.0 } else { -0.0 }).unwrap();
        let pairing = GreedyPairing::default().solve(&costs).unwrap();
        assert_eq!(pairing.mates(), [1, 0, 3, 2]);
    }

    #[test]
    fn a_dead_end_names_who_is_left() {
        let path = SparseCosts::from_edges(4, [(0, 1, 5.0), (1, 2, 1.0), (2, 3, 5.0)]).unwrap();
        let error = GreedyPairing::default().solve(&path).unwrap_err();
        assert_eq!(error, SolveError::DeadEnd { unplaced: vec![0, 3] });
        let most = GreedyPairing::new(Objective::Maximize).solve(&path).unwrap();
        assert_eq!(most.cost(), 10.0);
    }
}
