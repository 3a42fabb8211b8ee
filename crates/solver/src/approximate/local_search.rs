//! A pairing made better, a few pairs at a time.

use super::FREE;
use super::best_first::pair_best_first;
use super::exchange::Exchange;
use super::graph::Graph;
use super::padded::{place_all, solve_padded};
use super::partners::{Lists, Partners};
use crate::costs::{CostOracle, Counted};
use crate::error::SolveError;
use crate::limits::{Limits, Meter, Status};
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::simple::GreedyPairing;
use crate::solver::{PairingSolver, Workspace};

/// Starts from a pairing and exchanges partners among two or three pairs as long as that lowers the sum (or
/// raises it, if maximised).
///
/// The start is [`GreedyPairing`]'s; where that ends with forbidden pairs alone, augmenting paths complete it,
/// so that there is an answer whenever there is a pairing. [`starting_from`](Self::starting_from) takes
/// another solver's pairing instead, [`improve`](Self::improve) a given one.
///
/// A move takes two pairs ab and cd apart and pairs ac and bd (2-opt), or three and pairs ac, de and bf
/// (3-opt, which also finds what needs three at once); the first that gains is made. Of the new pairs all but
/// one must be among the [`candidates`](Self::with_candidates), the k cheapest partners of one of their
/// vertices. At the end no such move gains; with k >= n - 1 no exchange among two or three pairs at all does.
/// A move must gain more than 2^-48 of the magnitudes of its costs, so that rounding never keeps the search
/// going.
///
/// There is no guarantee on the sum: the table of [`Approximate`](crate::Approximate) shows what to expect,
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
/// use matchwright_solver::{DenseCosts, GreedyPairing, LocalSearch, Objective, PairingSolver, Workspace};
///
/// // Greedy takes the pair in the middle and pays for it; one exchange mends that.
/// let at = [0.0, 10.0, 19.0, 30.0_f64];
/// let costs = DenseCosts::from_fn(4, |i, j| (at[i] - at[j]).abs()).unwrap();
/// let mut workspace = Workspace::new();
/// assert_eq!(GreedyPairing::new(Objective::Minimize).solve(&mut workspace, &costs)?.cost(), 39.0);
/// assert_eq!(LocalSearch::new(Objective::Minimize).solve(&mut workspace, &costs)?.cost(), 21.0);
/// # Ok::<(), matchwright_solver::SolveError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalSearch<S = GreedyPairing> {
    objective: Objective,
    /// None for our own greedy start, which shares the lists.
    start: Option<S>,
    candidates: usize,
    pairs: usize,
    evaluations: u64,
}

impl LocalSearch {
    /// How many candidates a vertex has by default.
    pub const CANDIDATES: usize = 8;

    /// From a greedy start, by 2-opt and 3-opt, until no move gains.
    #[must_use]
    pub const fn new(objective: Objective) -> Self {
        Self {
            objective,
            start: None,
            candidates: Self::CANDIDATES,
            pairs: 3,
            evaluations: u64::MAX,
        }
    }
}

impl Default for LocalSearch {
    /// For the least sum.
    fn default() -> Self {
        Self::new(Objective::Minimize)
    }
}

impl<S> LocalSearch<S> {
    /// The same search from the pairing of another solver, such as [`SortAdjacent`](crate::SortAdjacent).
    ///
    /// ```
    /// use matchwright_solver::{DenseCosts, LocalSearch, PairingSolver, SortAdjacent, Workspace};
    ///
    /// // By skill, but nobody meets the player that they met last.
    /// let (skills, last) = ([0.0, 1.0, 4.0, 6.0_f64], [1, 0, 3, 2]);
    /// let cost = |i: usize, j: usize| (skills[i] - skills[j]).abs() + if last[i] == j { 9.0 } else { 0.0 };
    /// let costs = DenseCosts::from_fn(4, cost).unwrap();
    /// let search = LocalSearch::default().starting_from(SortAdjacent::by_keys(skills.to_vec()));
    /// assert_eq!(search.solve(&mut Workspace::new(), &costs)?.cost(), 9.0);
    /// # Ok::<(), matchwright_solver::SolveError>(())
    /// ```
    #[must_use]
    pub fn starting_from<T: PairingSolver>(self, start: T) -> LocalSearch<T> {
        LocalSearch {
            objective: self.objective,
            start: Some(start),
            candidates: self.candidates,
            pairs: self.pairs,
            evaluations: self.evaluations,
        }
    }

    /// The same search with the `candidates` cheapest partners of each vertex, at least 1. More find more and
    /// take longer.
    #[must_use]
    pub fn with_candidates(mut self, candidates: usize) -> Self {
        self.candidates = candidates.max(1);
        self
    }

    /// The same search without 3-opt: faster, and further from the optimum.
    #[must_use]
    pub fn with_two_opt_only(mut self) -> Self {
        self.pairs = 2;
        self
    }

    /// The same search, ended after so many moves have been weighed, whether they gain or not: a limit on the
    /// work that does not depend on the machine. The start is not counted.
    #[must_use]
    pub fn with_evaluations(mut self, evaluations: u64) -> Self {
        self.evaluations = evaluations;
        self
    }

    /// A pairing at least as good as that of `mates`, from there.
    ///
    /// # Errors
    /// [`SolveError::BadMates`] or [`SolveError::ForbiddenPair`] if `mates` are no pairing of this graph; or
    /// the oracle breaks its contract.
    pub fn improve(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        mates: &[usize],
    ) -> Result<Pairing, SolveError> {
        let costs = &Counted::new(costs)?;
        let start = Pairing::from_mates(costs, mates.to_vec())?;
        let graph = Graph::open(costs, self.objective, &mut workspace.adjacency)?;
        let lists = Lists::new(&mut Partners::new(&graph), self.candidates)?;
        self.search(&graph, &lists, start.mates().to_vec(), &Limits::unlimited())
    }

    fn search(
        &self,
        graph: &Graph<'_>,
        lists: &Lists,
        mates: Vec<usize>,
        limits: &Limits<'_>,
    ) -> Result<Pairing, SolveError> {
        // The last start would exceed a limit of work by the rest of its evaluations.
        let evaluations = self.evaluations.min(limits.work().unwrap_or(u64::MAX));
        let mut exchange = Exchange::new(graph, lists, mates, self.pairs, evaluations);
        let ended = exchange.run(&Meter::new(*limits));
        let status = match ended {
            Err(status) => status,
            Ok(()) if evaluations < self.evaluations && exchange.is_spent() => Status::WorkLimit,
            Ok(()) => Status::Finished,
        };
        Ok(graph.finish(exchange.mates)?.with_status(status))
    }
}

impl<S: PairingSolver> PairingSolver for LocalSearch<S> {
    /// # Errors
    /// [`SolveError::NoPerfectMatching`] if there is no pairing;
    /// [`SolveError::OddVertices`]; what the solver of [`starting_from`](LocalSearch::starting_from) returns;
    /// or the oracle breaks its contract. Costs that are not symmetric are found on all pairs of up to 1,024
    /// vertices and of sparse graphs, else on those of the pairing.
    fn solve(&self, workspace: &mut Workspace, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
        self.solve_within(workspace, costs, &Limits::unlimited())
    }

    /// The unit of work is one exchange that is weighed; the start is not counted, so that there is always a pairing.
    fn solve_within(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        limits: &Limits<'_>,
    ) -> Result<Pairing, SolveError> {
        if let Some(pairing) = solve_padded(self, self.objective, workspace, costs, limits)? {
            return Ok(pairing);
        }
        let costs = &Counted::even(costs)?;
        if let Some(start) = &self.start {
            let start = start.solve(workspace, costs)?;
            let graph = Graph::open(costs, self.objective, &mut workspace.adjacency)?;
            let lists = Lists::new(&mut Partners::new(&graph), self.candidates)?;
            return self.search(&graph, &lists, start.mates().to_vec(), limits);
        }
        let graph = Graph::open(costs, self.objective, &mut workspace.adjacency)?;
        let mut partners = Partners::new(&graph);
        let lists = Lists::new(&mut partners, self.candidates)?;
        let mut mates = vec![FREE; graph.vertices()];
        pair_best_first(&mut partners, &lists, &mut mates)?;
        place_all(costs, &mut mates)?;
        self.search(&graph, &lists, mates, limits)
    }
}
