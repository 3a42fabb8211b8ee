//! What a pair costs: the one thing a solver asks.

mod adjacency;
mod dense;
mod sparse;

pub(crate) use adjacency::Adjacency;
pub use dense::DenseCosts;
pub use sparse::SparseCosts;

/// Graphs with more vertices than this are refused before memory is taken.
pub(crate) const MAX_VERTICES: usize = 1 << 28;

/// The cost of pairing two vertices, for as many vertices as there are.
///
/// Contract: vertices are `0..vertices()`; costs are finite and symmetric, `cost(i, j) == cost(j, i)`; the
/// answers do not change during a solve; a forbidden pair is `None`, never a huge number. `i != j`: nobody
/// asks for the cost of a vertex with itself. Solvers check what they read and return a typed error on a
/// breach.
///
/// ```
/// use matchwright_solver::{CostOracle, ExactPairing, PairingSolver, Workspace};
///
/// /// Pair by skill, but not across regions.
/// struct Gap<'a> {
///     skills: &'a [f64],
///     regions: &'a [u8],
/// }
///
/// impl CostOracle for Gap<'_> {
///     fn vertices(&self) -> usize {
///         self.skills.len()
///     }
///     fn cost(&self, i: usize, j: usize) -> Option<f64> {
///         (self.regions[i] == self.regions[j]).then(|| (self.skills[i] - self.skills[j]).abs())
///     }
/// }
///
/// let costs = Gap { skills: &[1500.0, 1600.0, 1510.0, 1720.0], regions: &[0, 1, 0, 1] };
/// let pairing = ExactPairing::minimum().solve(&mut Workspace::new(), &costs)?;
/// assert_eq!(pairing.mates(), [2, 3, 0, 1]);
/// assert_eq!(pairing.cost(), 130.0);
/// # Ok::<(), matchwright_solver::SolveError>(())
/// ```
pub trait CostOracle {
    /// How many vertices there are.
    fn vertices(&self) -> usize;

    /// The cost of the pair, or `None` if it is forbidden.
    fn cost(&self, i: usize, j: usize) -> Option<f64>;

    /// Visits each allowed partner of `i` once, with the cost of the pair.
    ///
    /// The default asks `cost` for every other vertex, ascending. A sparse graph does better; it must visit
    /// exactly the vertices for which `cost` is not `None`, in any order.
    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        for j in (0..self.vertices()).filter(|&j| j != i) {
            if let Some(cost) = self.cost(i, j) {
                visit(j, cost);
            }
        }
    }
}

impl<C: CostOracle + ?Sized> CostOracle for &C {
    fn vertices(&self) -> usize {
        (**self).vertices()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        (**self).cost(i, j)
    }

    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        (**self).for_each_neighbour(i, visit);
    }
}

impl<C: CostOracle + ?Sized> CostOracle for Box<C> {
    fn vertices(&self) -> usize {
        (**self).vertices()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        (**self).cost(i, j)
    }

    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        (**self).for_each_neighbour(i, visit);
    }
}

// Solvers take `&dyn CostOracle`: the trait must stay object-safe.
const _: fn(&dyn CostOracle) -> usize = |costs| costs.vertices();
