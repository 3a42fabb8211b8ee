//! A pairing made better, a few pairs at a time.

use super::FREE;
use super::best_first::pair_best_first;
use super::exchange::Exchange;
use super::graph::Graph;
use super::padded::{place_all, run_heuristic};
use super::partners::{Lists, Partners};
use crate::costs::{CostOracle, Counted};
use crate::error::SolveError;
use crate::limits::{Limits, Meter, Status};
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::solver::{PairingSolver, Workspace};

/// Starts from a pairing and exchanges partners among two or three pairs as long as that lowers the sum (or
/// raises it, if maximised).
///
/// The start is [`GreedyPairing`](crate::GreedyPairing)'s; where that ends with forbidden pairs alone, augmenting
/// paths complete it, so that there is an answer whenever there is a pairing. [`improve`](Self::improve) starts from a
/// given pairing instead, such as another solver's.
///
/// A move takes two pairs ab and cd apart and pairs ac and bd (2-opt), or three and pairs ac, de and bf
/// (3-opt); the first that gains is made. Of the new pairs all but
/// one must be among the [`candidates`](Self::with_candidates), the k cheapest partners of one of their
/// vertices. At the end no such move gains; with k >= n - 1 no exchange among two or three pairs at all does.
/// A move must gain more than 2^-48 of the magnitudes of its costs, so that rounding never keeps the search
/// going.
///
/// There is no guarantee on the sum: the table of [`BoundedPairing`](crate::BoundedPairing) shows what to expect,
/// and [`approximate`](crate::approximate()) proves a gap for each answer. No worse than its start, and
/// deterministic.
///
/// Time: O(n^2 + n k) for the lists, O(m + n k) on a sparse graph, and O(n k^2) for a round of moves, a few
/// of them in practice. If costs are minimised and have [coordinates](CostOracle::coordinates), partners are
/// found by a k-d tree, so never n^2 pairs are looked at. Memory: O(n k), and all costs of up to 1,024
/// vertices.
///
/// Croes, "A method for solving traveling-salesman problems", Operations Research 6 (1958),
/// doi:10.1287/opre.6.6.791, for 2-opt; Lin and Kernighan, ibid. 21 (1973), doi:10.1287/opre.21.2.498, for
/// how moves are searched; Bentley, "Fast algorithms for geometric traveling salesman problems", ORSA Journal
/// on Computing 4 (1992), doi:10.1287/ijoc.4.4.387, for lists of neighbours and queues.
///
/// ```
/// use matchwright_solver::{DenseCosts, GreedyPairing, LocalSearch, Objective, PairingSolver};
///
/// // Greedy takes the pair in the middle and pays for it; one exchange repairs that.
/// let at = [0.0, 10.0, 19.0, 30.0_f64];
/// let costs = DenseCosts::from_fn(4, |i, j| (at[i] - at[j]).abs()).unwrap();
/// assert_eq!(GreedyPairing::new(Objective::Minimize).solve(&costs)?.cost(), 39.0);
/// assert_eq!(LocalSearch::new(Objective::Minimize).solve(&costs)?.cost(), 21.0);
/// # Ok::<(), matchwright_solver::SolveError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalSearch {
    objective: Objective,
    candidates: usize,
}

impl LocalSearch {
    /// How many candidates a vertex has by default.
    pub const CANDIDATES: usize = 8;

    /// From a greedy start, by 2-opt and 3-opt, until no move gains.
    #[must_use]
    pub const fn new(objective: Objective) -> Self {
        Self {
            objective,
            candidates: Self::CANDIDATES,
        }
    }

    /// The same search with the `candidates` cheapest partners of each vertex, at least 1. More find more and
    /// take longer.
    #[must_use]
    pub fn with_candidates(mut self, candidates: usize) -> Self {
        self.candidates = candidates.max(1);
        self
    }

    /// A pairing at least as good as that of `mates`, from there.
    ///
    /// # Errors
    /// [`SolveError::BadMates`] or [`SolveError::ForbiddenPair`] if `mates` are no pairing of this graph; or
    /// the oracle breaks its contract.
    ///
    /// ```
    /// use matchwright_solver::{DenseCosts, LocalSearch, PairingSolver, SortAdjacent, Workspace};
    ///
    /// // By skill, but nobody meets the player that they met last.
    /// let (skills, last) = ([0.0, 1.0, 4.0, 6.0_f64], [1, 0, 3, 2]);
    /// let cost = |i: usize, j: usize| (skills[i] - skills[j]).abs() + if last[i] == j { 9.0 } else { 0.0 };
    /// let costs = DenseCosts::from_fn(4, cost).unwrap();
    /// let mut workspace = Workspace::new();
    /// let by_skill = SortAdjacent::by_keys(skills.to_vec()).solve(&costs)?;
    /// assert_eq!(LocalSearch::default().improve(&mut workspace, &costs, by_skill.mates())?.cost(), 9.0);
    /// # Ok::<(), matchwright_solver::SolveError>(())
    /// ```
    pub fn improve(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        mates: &[usize],
    ) -> Result<Pairing, SolveError> {
        let (costs, meter) = (&Counted::new(costs)?, &Meter::default());
        let start = Pairing::from_mates(costs, mates.to_vec())?;
        let graph = Graph::open(costs, self.objective, workspace)?;
        let lists = Lists::new(&mut Partners::new(&graph, meter), self.candidates)?;
        search(&graph, &lists, start.mates().to_vec(), meter)
    }
}

impl Default for LocalSearch {
    /// For the least sum.
    fn default() -> Self {
        Self::new(Objective::Minimize)
    }
}

impl PairingSolver for LocalSearch {
    /// The unit of work is a search for the cheapest partners of one vertex, or an exchange that is weighed.
    ///
    /// # Errors
    /// [`SolveError::NoPerfectMatching`] if there is no pairing; [`SolveError::OddVertices`]; or the oracle breaks its
    /// contract. Costs that are not symmetric are found on all pairs of up to 2,048 vertices and of sparse graphs, else
    /// on those of the pairing.
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
            |workspace, costs, meter| {
                let graph = Graph::open(costs, self.objective, workspace)?;
                let mut partners = Partners::new(&graph, meter);
                let lists = Lists::new(&mut partners, self.candidates)?;
                let mut mates = vec![FREE; graph.vertices()];
                pair_best_first(&mut partners, &lists, &mut mates)?;
                place_all(costs, &mut mates, meter)?;
                search(&graph, &lists, mates, meter)
            },
        )
    }
}

fn search(
    graph: &Graph<'_>,
    lists: &Lists,
    mates: Vec<usize>,
    meter: &Meter<'_>,
) -> Result<Pairing, SolveError> {
    let mut exchange = Exchange::new(graph, lists, mates, meter);
    let status = exchange.run(meter).err().unwrap_or(Status::Finished);
    Ok(graph.finish(exchange.mates)?.with_status(status))
}
