//! Paths of cheap edges, every second of which is taken.

use super::FREE;
use super::best_first::{AT_A_TIME, pair_best_first};
use super::graph::Graph;
use super::padded::{place_all, run_heuristic};
use super::partners::{Lists, Partners};
use crate::costs::{CostOracle, Counted};
use crate::error::SolveError;
use crate::limits::{Limits, Meter};
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::solver::{PairingSolver, Workspace};

/// Walks along the cheapest edge (the dearest, if maximised) to a vertex where it has not been, until there
/// is none; the edges of each such path go by turns to two matchings, of which the better is taken.
///
/// On a complete graph there is one path through all vertices. Its first, third, fifth edge and so on are one
/// pairing; the others, with the pair of the two ends, another. With forbidden pairs there may be several
/// paths; those of an odd number of vertices leave one of their ends over. A vertex that is left over is paired
/// best first, and augmenting paths, which heed no cost, place the rest: so there is an answer whenever
/// there is a pairing.
///
/// # What is guaranteed
/// Maximised over non-negative weights on a complete graph: at least half of the largest sum. That is the
/// theorem of Drake and Hougardy for matchings of the largest weight, which on such graphs are no heavier
/// than perfect ones. Nothing is guaranteed if costs are minimised, if weights may be negative, or with
/// forbidden pairs, where being perfect may cost any part of the weight;
/// [`approximate`](crate::approximate()) proves a gap for each answer.
///
/// Every row is read once: O(n^2), or O(m log n) on a sparse graph, and O(n log n) in practice if costs are
/// minimised and have [coordinates](CostOracle::coordinates). Memory: O(n), O(m) on a sparse graph.
///
/// Drake and Hougardy, "A simple approximation algorithm for the weighted matching problem", Information
/// Processing Letters 85 (2003), doi:10.1016/S0020-0190(02)00393-9.
///
/// ```
/// use matchwright_solver::{DenseCosts, Objective, PairingSolver, PathGrowing};
///
/// // From 0 by the dearest edges: 7 to vertex 3, then 5 to vertex 1, then 6 to vertex 2.
/// let weights = [[0, 4, 3, 7], [4, 0, 6, 5], [3, 6, 0, 2], [7, 5, 2, 0]];
/// let costs = DenseCosts::from_fn(4, |i, j| f64::from(weights[i][j])).unwrap();
/// let pairing = PathGrowing::new(Objective::Maximize).solve(&costs)?;
/// assert_eq!((pairing.mates(), pairing.cost()), (&[3, 2, 1, 0][..], 13.0));
/// # Ok::<(), matchwright_solver::SolveError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PathGrowing {
    objective: Objective,
}

impl PathGrowing {
    /// Paths for the least or the largest sum.
    #[must_use]
    pub const fn new(objective: Objective) -> Self {
        Self { objective }
    }
}

impl PairingSolver for PathGrowing {
    /// The unit of work is a search for the cheapest partners of one vertex.
    ///
    /// # Errors
    /// [`SolveError::NoPerfectMatching`] if there is no pairing;
    /// [`SolveError::OddVertices`]; or the oracle breaks its contract. Costs that are not symmetric are found on all
    /// pairs of up to 2,048 vertices and of sparse graphs, else on those of the pairing.
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
            |workspace, costs, meter| self.pair(workspace, costs, meter),
        )
    }
}

impl PathGrowing {
    fn pair(
        self,
        workspace: &mut Workspace,
        costs: &Counted<'_>,
        meter: &Meter<'_>,
    ) -> Result<Pairing, SolveError> {
        let vertices = costs.vertices();
        let graph = Graph::open(costs, self.objective, workspace)?;
        let mut partners = Partners::new(&graph, meter);
        let mut mates = vec![FREE; vertices];
        let mut path = Path::default();
        for start in 0..vertices {
            if partners.is_free(start) {
                path.grow(start, &mut partners)?;
                path.split(&graph, &mut mates);
            }
        }
        if mates.contains(&FREE) {
            let mut partners = Partners::new(&graph, meter);
            for i in (0..vertices).filter(|&i| mates[i] != FREE) {
                partners.take(i);
            }
            let lists = Lists::new(&mut partners, AT_A_TIME)?;
            pair_best_first(&mut partners, &lists, &mut mates)?;
            place_all(costs, &mut mates, meter)?;
        }
        graph.finish(mates)
    }
}

#[derive(Default)]
struct Path {
    vertices: Vec<usize>,
    /// From each vertex to the next.
    weights: Vec<f64>,
    next: Vec<(f64, u32)>,
}

impl Path {
    /// The path from `start`; none of its vertices is free any more.
    fn grow(&mut self, start: usize, partners: &mut Partners<'_>) -> Result<(), SolveError> {
        self.vertices.clear();
        self.weights.clear();
        let mut end = start;
        loop {
            self.vertices.push(end);
            partners.take(end);
            partners.cheapest(end, 1, &mut self.next)?;
            let Some(&(weight, next)) = self.next.first() else {
                return Ok(());
            };
            self.weights.push(weight);
            end = next as usize;
        }
    }

    /// Pairs all vertices of the path, or all but one end if they are odd, in the lighter of two ways.
    fn split(&self, graph: &Graph<'_>, mates: &mut [usize]) {
        let [one, other] = [0, 1].map(|from| self.weights.iter().skip(from).step_by(2).sum::<f64>());
        let Some((&first, &last)) = self.vertices.first().zip(self.vertices.last()) else {
            return;
        };
        let even = self.vertices.len().is_multiple_of(2);
        let closing = if even { graph.weight(first, last) } else { 0.0 };
        // False if the ends of an even path may not be paired.
        let skip_first = other + closing < one;
        let mut pair = |i: usize, j: usize| (mates[i], mates[j]) = (j, i);
        for two in self.vertices[usize::from(skip_first)..].chunks_exact(2) {
            pair(two[0], two[1]);
        }
        if even && skip_first {
            pair(first, last);
        }
    }
}
