//! [`ExactPairs`]: the choice among pairs that may start at once, by the exact solver.

use matchwright_queue::{CheapestFirst, ChoosePairs};
use matchwright_solver::{ExactPairing, PairingSolver, SparseCosts, UnmatchedPenalties, Workspace};

/// As many pairs as possible, and of those the least sum of costs: a minimum-cost matching of maximum cardinality.
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
}

impl ChoosePairs for ExactPairs {
    fn choose(&mut self, vertices: usize, edges: &[(usize, usize, f64)]) -> Vec<(usize, usize)> {
        let Ok(costs) = SparseCosts::from_edges(vertices, edges.iter().copied()) else {
            // A cost that is no number, which windows never admit.
            return CheapestFirst.choose(vertices, edges);
        };
        let costs = UnmatchedPenalties::maximum_cardinality(&costs);
        match ExactPairing::minimum().solve(&mut self.workspace, &costs) {
            Ok(pairing) => pairing.pairs().collect(),
            Err(_) => CheapestFirst.choose(vertices, edges),
        }
    }
}
