//! The exact solver: minimum-weight perfect matching by the primal-dual blossom algorithm.
//!
//! One file a stage, in the order of a solve:
//!
//! 1. [`quantise`]: costs become integers; [`graph`]: as a matrix or lists.
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
mod quantise;
mod search;
mod shrink;

use crate::costs::{Adjacency, CostOracle};
use crate::error::{Barrier, SolveError};
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::solver::{PairingSolver, Workspace};
use forest::{Forest, NONE};
use fractional::Fractional;
use graph::{IntegerGraph, Overflow};
use quantise::{COARSEST_BITS, FINEST_BITS, Scale};
use search::Outcome;

/// The pairing with the least (or largest) sum of costs of all, with its proof.
///
/// ```text
/// min (or max)  sum of c_ij over the pairs {i, j}, every vertex in exactly one pair
/// ```
///
/// On any graph: complete or sparse, costs of any sign. The pairing always has a
/// [`Certificate`](crate::Certificate), which [`verify`](crate::verify()) checks independently. Costs are
/// rounded once to integers of up to 54 bits, at a power of two that the certificate states: without any
/// error for integers below 2^54 and for all costs that share a power of two as a divisor within 54 bits,
/// else by at most 2^-54 of the largest cost. Should duals outgrow 64 bits, which takes long chains of
/// large costs with forbidden pairs between, the resolution is coarser, and stated.
///
/// Among optimal pairings it always picks the same one. O(n^3); on matchmaking costs, n = 500 takes some
/// tens of milliseconds. Memory: 48 bytes a pair.
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

/// Memory of the exact solver.
#[derive(Debug, Default)]
pub(crate) struct ExactBuffers {
    graph: IntegerGraph,
    fractional: Fractional,
    forest: Forest,
}

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
        let overflow = |_| SolveError::Overflow { vertices };
        if !vertices.is_multiple_of(2) {
            return Err(SolveError::NoPerfectMatching(
                exact.barrier(adjacency).map_err(overflow)?,
            ));
        }
        let mut bits = FINEST_BITS;
        loop {
            let scale = Scale::choose(adjacency, self.objective, bits);
            exact.graph.fill(adjacency, |cost| scale.halves(cost));
            match exact.optimise() {
                Ok(true) => {
                    let mates = exact.forest.mate.clone();
                    let certificate = exact.forest.certificate(&scale);
                    let pairing = Pairing::from_mates(costs, mates)?.with_objective(self.objective);
                    return Ok(pairing.with_certificate(certificate));
                }
                Ok(false) => {
                    return Err(SolveError::NoPerfectMatching(
                        exact.barrier(adjacency).map_err(overflow)?,
                    ));
                }
                Err(Overflow) if scale.bits > COARSEST_BITS => bits = (scale.bits - 10).max(COARSEST_BITS),
                Err(Overflow) => return Err(overflow(Overflow)),
            }
        }
    }
}

impl ExactBuffers {
    /// An optimal matching with its duals in `forest`. False if there is no perfect one.
    fn optimise(&mut self) -> Result<bool, Overflow> {
        let Self {
            graph,
            fractional,
            forest,
        } = self;
        if !fractional.solve(graph)? {
            return Ok(false);
        }
        fractional.open_cycles();
        forest.start(&fractional.mate, &fractional.dual);
        for root in 0..graph.vertices() {
            if forest.mate[root] == NONE && forest.search(graph, root)? == Outcome::Stuck {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Why the graph of `adjacency` has no perfect matching.
    fn barrier(&mut self, adjacency: &Adjacency) -> Result<Barrier, Overflow> {
        self.graph.fill(adjacency, |_| 0);
        self.forest.barrier(&self.graph)
    }
}
