//! The exact solver: minimum-weight perfect matching by the primal-dual blossom algorithm.
//!
//! One file a stage, in the order of a solve:
//!
//! 1. [`quantise`]: costs become integers; [`integer`]: of 64 or 128 bits; [`graph`]: as a matrix or lists.
//! 2. [`fractional`]: the best fractional matching, whose duals are nearly right.
//! 3. [`forest`]: the state of the blossom stage; [`search`]: one tree, event by event; [`shrink`],
//!    [`expand`]: blossoms come and go; [`augment`]: the matching grows.
//! 4. [`certify`]: the duals as a certificate; or [`barrier`]: why there is no perfect matching.
//!
//! Sources: Edmonds, "Paths, trees, and flowers", Canad. J. Math. 17 (1965), doi:10.4153/CJM-1965-045-4,
//! and "Maximum matching and a polyhedron with 0,1-vertices" (1965); Galil, "Efficient algorithms for
//! finding maximum matching in graphs", ACM Computing Surveys 18 (1986), doi:10.1145/6462.6502, for O(n^3)
//! by the best edges between blossoms.

mod augment;
mod barrier;
mod certify;
mod expand;
mod forest;
mod fractional;
mod graph;
mod integer;
mod quantise;
mod search;
mod shrink;

use crate::certificate::Certificate;
use crate::costs::{Adjacency, CostOracle};
use crate::error::{Barrier, SolveError};
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::solver::{PairingSolver, Workspace};
use forest::{Forest, NONE};
use fractional::Fractional;
use graph::IntegerGraph;
use integer::{Integer, Overflow};
use quantise::{COARSEST_BITS, Scale};
use search::Outcome;

/// The pairing with the least (or largest) sum of costs of all, with its proof.
///
/// ```text
/// min (or max)  sum of c_ij over the pairs {i, j}, every vertex in exactly one pair
/// ```
///
/// On any graph: complete or sparse, costs of any sign. The pairing always has a [`Certificate`], which
/// [`verify`](crate::verify()) checks independently.
///
/// # Exactness
/// Costs are rounded once to multiples of a power of two, the certificate's
/// [`resolution`](Certificate::resolution), and the optimum of these is found in integers:
///
/// 1. First in 64-bit integers, with costs of up to 54 bits. Nothing is rounded if all costs are integers
///    below 2^54, or share a power of two as a divisor within 54 bits; else a cost is off by at most 2^-55
///    of the largest one (rounded up to a power of two).
/// 2. In 128-bit integers, with costs of up to 118 bits, where that rounding might matter: always if there
///    are no more than 32 vertices; else if the first step's
///    [`quantisation_error`](Certificate::quantisation_error) exceeds 5e-13 of the sum of the magnitudes of
///    its matched costs; and if duals outgrew 64 bits. Nothing is rounded if the leading bit of the largest
///    cost and the last bit of any are within 118 bits, as for thousandths beside 10^15.
/// 3. Coarser by 10 bits at a time, should duals outgrow even 128 bits: only where costs span more than 100
///    bits and chains of hundreds of large costs have forbidden pairs between.
///
/// So large graphs whose costs are all of a size, such as fractions from 0 to 1, take the fast first step
/// alone: it settles all differences but those of 1e-12 of the total. What rounding is left is stated in the
/// certificate, and [`Verdict`](crate::Verdict) says whether it
/// matters. The costs alone decide how far to go, so that the answer is always the same.
///
/// Among optimal pairings it always picks the same one. O(n^3); on matchmaking costs, n = 500 takes some
/// tens of milliseconds. Memory: 48 bytes a pair, and 32 more
/// in the second step, which takes about twice the time of the first.
///
/// Edmonds 1965, Galil 1986; the start is the fractional optimum of Derigs and Metz 1986.
///
/// ```
/// use matchwright_solver::{CostOracle, DenseCosts, ExactPairing, PairingSolver, Workspace, verify};
///
/// // Six players in two triangles of friends who like to play each other; one pair must cross.
/// let friends = |i: usize, j: usize| i / 3 == j / 3;
/// let costs = DenseCosts::from_fn(6, |i, j| if friends(i, j) { 1.0 } else { 5.0 + (i * j) as f64 })?;
/// let pairing = ExactPairing::minimum().solve(&mut Workspace::new(), &costs)?;
/// assert_eq!(pairing.cost(), 7.0);
/// // The proof: a pair must cross, which only the blossom {0, 1, 2} or {3, 4, 5} can say.
/// let certificate = pairing.certificate().unwrap();
/// assert_eq!(certificate.dual_bound(), 7.0);
/// assert!(!certificate.blossoms().is_empty());
/// assert!(verify(&costs, &pairing)?.optimal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExactPairing {
    objective: Objective,
}

/// The error of rounding that is harmless, as a part of the sum of the magnitudes of the matched costs: half
/// of what a verdict of optimality allows.
const HARMLESS: f64 = 5e-13;

/// So few vertices are solved in microseconds either way, hence without rounding if possible.
const SMALL: usize = 32;

/// Memory of the exact solver.
#[derive(Debug, Default)]
pub(crate) struct ExactBuffers {
    narrow: Stages<i64>,
    wide: Stages<i128>,
}

/// The state of each stage, in integers of one width.
#[derive(Debug, Default)]
struct Stages<W> {
    graph: IntegerGraph<W>,
    fractional: Fractional<W>,
    forest: Forest<W>,
}

/// Mates that are optimal for costs at a scale, with the proof.
type Proven = (Vec<usize>, Certificate);

impl ExactPairing {
    /// The pairing with the least sum of costs.
    #[must_use]
    pub const fn minimum() -> Self {
        Self::new(Objective::Minimize)
    }

    /// The pairing with the largest sum of costs.
    #[must_use]
    pub const fn maximum() -> Self {
        Self::new(Objective::Maximize)
    }

    /// The pairing at this end of the scale.
    #[must_use]
    pub const fn new(objective: Objective) -> Self {
        Self { objective }
    }
}

impl PairingSolver for ExactPairing {
    /// # Errors
    /// [`SolveError::NoPerfectMatching`] with a [`Barrier`], also if the number of vertices is odd; or the
    /// oracle breaks its contract: [`SolveError::NotFinite`], [`SolveError::Asymmetric`],
    /// [`SolveError::BadNeighbour`], [`SolveError::TooManyVertices`].
    fn solve(&self, workspace: &mut Workspace, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
        let Workspace { adjacency, exact } = workspace;
        adjacency.read(costs)?;
        let vertices = adjacency.vertices();
        let overflow = |Overflow| SolveError::Overflow { vertices };
        let proven = if vertices.is_multiple_of(2) {
            exact.optimise(adjacency, self.objective).map_err(overflow)?
        } else {
            None
        };
        let Some((mates, certificate)) = proven else {
            let barrier = exact.narrow.barrier(adjacency).map_err(overflow)?;
            return Err(SolveError::NoPerfectMatching(barrier));
        };
        let pairing = Pairing::from_mates(costs, mates)?.with_objective(self.objective);
        Ok(pairing.with_certificate(certificate))
    }
}

impl ExactBuffers {
    /// The optimum, in integers no wider than it takes; `None` if there is no perfect matching.
    fn optimise(&mut self, adjacency: &Adjacency, objective: Objective) -> Result<Option<Proven>, Overflow> {
        let scale = Scale::choose(adjacency, objective, i64::FINEST_BITS);
        if scale.largest_error == 0.0 || adjacency.vertices() > SMALL {
            match self.narrow.optimise(adjacency, &scale) {
                Ok(Some((mates, certificate))) => {
                    if certificate.quantisation_error() <= HARMLESS * magnitude(adjacency, &mates) {
                        return Ok(Some((mates, certificate)));
                    }
                }
                Ok(None) => return Ok(None),
                Err(Overflow) => {}
            }
        }
        let mut bits = i128::FINEST_BITS;
        loop {
            let scale = Scale::choose(adjacency, objective, bits);
            match self.wide.optimise(adjacency, &scale) {
                Err(Overflow) if scale.bits > COARSEST_BITS => bits = (scale.bits - 10).max(COARSEST_BITS),
                outcome => return outcome,
            }
        }
    }
}

/// The sum of the magnitudes of the matched costs.
fn magnitude(adjacency: &Adjacency, mates: &[usize]) -> f64 {
    let pairs = mates.iter().enumerate().filter(|&(i, &j)| i < j);
    let costs = pairs.filter_map(|(i, &j)| adjacency.cost(i, j));
    costs.map(f64::abs).sum::<f64>().min(f64::MAX)
}

impl<W: Integer> Stages<W> {
    /// The optimum at this scale; `None` if there is no perfect matching.
    fn optimise(&mut self, adjacency: &Adjacency, scale: &Scale) -> Result<Option<Proven>, Overflow> {
        let Self {
            graph,
            fractional,
            forest,
        } = self;
        graph.fill(adjacency, |cost| scale.halves(cost));
        if !fractional.solve(graph)? {
            return Ok(None);
        }
        fractional.open_cycles();
        forest.start(&fractional.mate, &fractional.dual);
        for root in 0..graph.vertices() {
            if forest.mate[root] == NONE && forest.search(graph, root)? == Outcome::Stuck {
                return Ok(None);
            }
        }
        let certificate = forest.certificate(scale)?;
        Ok(Some((forest.mate.clone(), certificate)))
    }

    /// Why the graph of `adjacency` has no perfect matching.
    fn barrier(&mut self, adjacency: &Adjacency) -> Result<Barrier, Overflow> {
        self.graph.fill(adjacency, |_| W::ZERO);
        self.forest.barrier(&self.graph)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::DenseCosts;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn the_width_of_the_integers_changes_nothing_else() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let (mut narrow, mut wide) = (Stages::<i64>::default(), Stages::<i128>::default());
        for round in 0..60 {
            let mut adjacency = Adjacency::default();
            let range: i64 = [3, 50, 1 << 40][round % 3];
            let costs = DenseCosts::from_fn(30, |_, _| rng.random_range(0..range) as f64).unwrap();
            adjacency.read(&costs).unwrap();
            let scale = Scale::choose(&adjacency, Objective::Maximize, i64::FINEST_BITS);
            let proven = narrow.optimise(&adjacency, &scale).unwrap();
            assert!(proven.is_some());
            assert_eq!(proven, wide.optimise(&adjacency, &scale).unwrap());
        }
    }
}
