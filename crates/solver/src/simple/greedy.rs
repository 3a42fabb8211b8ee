//! The best pair first.

use std::cmp::Ordering;

use super::even_vertices;
use crate::costs::CostOracle;
use crate::error::SolveError;
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::solver::{PairingSolver, Workspace};

/// Takes the cheapest pair (the dearest, if maximised) of vertices that are both free, until nobody is.
///
/// Ties go to the pair with the smaller first, then the smaller second vertex. O(m log m) for m allowed
/// pairs.
///
/// It can cost any multiple of the optimum; on metric costs up to about n^0.585 times as much (Reingold and
/// Tarjan, "On a greedy heuristic for complete matching", SIAM J. Comput. 10 (1981)). Maximised over
/// non-negative weights on a complete graph, it gets at least half of the largest sum. With forbidden pairs
/// it can get stuck although a pairing exists.
///
/// ```
/// use matchwright_solver::{DenseCosts, ExactPairing, GreedyPairing, Objective, PairingSolver, Workspace};
///
/// // Four players at 0, 10, 19 and 30: greedy takes the pair in the middle.
/// let at = [0.0, 10.0, 19.0, 30.0_f64];
/// let costs = DenseCosts::from_fn(4, |i, j| (at[i] - at[j]).abs()).unwrap();
/// let mut workspace = Workspace::new();
/// assert_eq!(GreedyPairing::new(Objective::Minimize).solve(&mut workspace, &costs)?.cost(), 39.0);
/// assert_eq!(ExactPairing::minimum().solve(&mut workspace, &costs)?.cost(), 21.0);
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
    /// # Errors
    /// [`SolveError::Stuck`] names the vertices left when no two of them may be paired;
    /// [`SolveError::OddVertices`]; or the oracle breaks its contract.
    fn solve(&self, workspace: &mut Workspace, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
        const FREE: usize = usize::MAX;
        let vertices = even_vertices(costs)?;
        workspace.adjacency.read(costs)?;
        let mut edges: Vec<_> = workspace.adjacency.edges().collect();
        // Edges arrive in the order of their vertices, and a stable sort keeps it among ties.
        edges.sort_by(|a, b| {
            let (a, b) = (self.objective.as_minimum(a.2), self.objective.as_minimum(b.2));
            a.partial_cmp(&b).unwrap_or(Ordering::Equal)
        });
        let mut mates = vec![FREE; vertices];
        for (i, j, _) in edges {
            if mates[i] == FREE && mates[j] == FREE {
                (mates[i], mates[j]) = (j, i);
            }
        }
        let unplaced: Vec<_> = (0..vertices).filter(|&i| mates[i] == FREE).collect();
        if unplaced.is_empty() {
            Ok(Pairing::from_mates(costs, mates)?.with_objective(self.objective))
        } else {
            Err(SolveError::Stuck { unplaced })
        }
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
            let pairing = GreedyPairing::new(objective)
                .solve(&mut Workspace::new(), &costs)
                .unwrap();
            assert_eq!(pairing.mates(), [1, 0, 3, 2, 5, 4]);
            assert_eq!(pairing.objective(), Some(objective));
        }
    }

    #[test]
    fn zeros_of_both_signs_tie() {
        let costs = DenseCosts::from_fn(4, |i, _| if i == 0 { 0.0 } else { -0.0 }).unwrap();
        let pairing = GreedyPairing::default()
            .solve(&mut Workspace::new(), &costs)
            .unwrap();
        assert_eq!(pairing.mates(), [1, 0, 3, 2]);
    }

    #[test]
    fn a_dead_end_names_who_is_left() {
        let path = SparseCosts::from_edges(4, [(0, 1, 5.0), (1, 2, 1.0), (2, 3, 5.0)]).unwrap();
        let error = GreedyPairing::default()
            .solve(&mut Workspace::new(), &path)
            .unwrap_err();
        assert_eq!(error, SolveError::Stuck { unplaced: vec![0, 3] });
        let most = GreedyPairing::new(Objective::Maximize)
            .solve(&mut Workspace::new(), &path)
            .unwrap();
        assert_eq!(most.cost(), 10.0);
    }
}
