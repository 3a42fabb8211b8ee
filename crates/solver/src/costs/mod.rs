//! What a pair costs: the one thing a solver asks.

mod adjacency;
mod counted;
mod dense;
mod euclidean;
mod multiples;
mod sparse;
mod unmatched;

pub(crate) use adjacency::Adjacency;
pub(crate) use counted::Counted;
pub use dense::DenseCosts;
pub use euclidean::EuclideanCosts;
pub use multiples::WholeMultiples;
pub use sparse::SparseCosts;
pub use unmatched::{Unmatched, UnmatchedPenalties};

use crate::error::GraphError;

/// Graphs with more vertices than this are refused before memory is taken.
pub(crate) const MAX_VERTICES: usize = 1 << 28;

/// Two vertices and the cost of their pair.
type Edge = (usize, usize, f64);

/// Checks the edge at `position` of a list.
///
/// # Errors
/// [`GraphError`] for a vertex out of range, a self loop, a cost that is not finite.
fn check_edge(position: usize, (i, j, value): Edge, vertices: usize) -> Result<(), GraphError> {
    if i >= vertices || j >= vertices {
        return Err(GraphError::OutOfRange {
            position,
            i,
            j,
            vertices,
        });
    }
    if i == j {
        return Err(GraphError::SelfLoop { position, i });
    }
    if !value.is_finite() {
        return Err(GraphError::EdgeNotFinite {
            position,
            i,
            j,
            value,
        });
    }
    Ok(())
}

/// The cost of pairing two vertices, for as many vertices as there are.
///
/// Contract: vertices are `0..vertices()`; costs are finite and symmetric, `cost(i, j) == cost(j, i)`; the
/// answers do not change during a solve; a forbidden pair is `None`, never a huge number. `i != j`: nobody
/// asks for the cost of a vertex with itself. Solvers check what they read and return a typed error on a
/// breach.
///
/// ```
/// use matchwright_solver::{CostOracle, ExactPairing, PairingSolver};
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
/// let pairing = ExactPairing::minimum().solve(&costs)?;
/// assert_eq!(pairing.mates(), [2, 3, 0, 1]);
/// assert_eq!(pairing.cost(), 130.0);
/// # Ok::<(), matchwright_solver::SolveError>(())
/// ```
///
/// # Forms
/// The two methods without a default say all there is to say. The others say how to read faster, and must not
/// contradict them:
///
/// | the graph | implement | so that an exact solve reads |
/// |---|---|---|
/// | complete or nearly | [`cost_row`](Self::cost_row) | whole rows, which compilers vectorise |
/// | sparse | [`for_each_neighbour`](Self::for_each_neighbour), [`is_sparse`](Self::is_sparse) | each edge, never n^2 pairs |
/// | large, costs dear to compute | [`lower_bounds`](Self::lower_bounds) | a pair's cost only where the bound leaves it open |
/// | points in space | [`coordinates`](Self::coordinates) | the pairs that lie near, found by a k-d tree |
///
/// `Sync`, so that a solver may ask from several threads.
pub trait CostOracle: Sync {
    /// How many vertices there are.
    fn vertices(&self) -> usize;

    /// The cost of the pair, or `None` if it is forbidden.
    fn cost(&self, i: usize, j: usize) -> Option<f64>;

    /// Visits each allowed partner of `i` once, with the cost of the pair.
    ///
    /// The default asks `cost` for every other vertex, ascending. A sparse graph does better; it must visit
    /// exactly the vertices for which `cost` is not `None`, in any order, and say so in
    /// [`is_sparse`](Self::is_sparse).
    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        for j in (0..self.vertices()).filter(|&j| j != i) {
            if let Some(cost) = self.cost(i, j) {
                visit(j, cost);
            }
        }
    }

    /// Whether the graph is to be read by [`for_each_neighbour`](Self::for_each_neighbour), because most pairs
    /// are forbidden and that method skips them. By default it is read by rows.
    fn is_sparse(&self) -> bool {
        false
    }

    /// Writes the costs of `i` with the vertices `from`, `from + 1`, ... to `out`: NaN for a forbidden pair and
    /// for `i` itself. All of `out` is within the graph.
    ///
    /// The default asks `cost` for each. A loop without branches over arrays of the players' properties is
    /// several times as fast; it must give the same numbers, to the bit.
    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        for (j, out) in (from..).zip(out) {
            let cost = if i == j { None } else { self.cost(i, j) };
            // A cost of NaN is a mistake, which must not pass for a forbidden pair.
            *out = cost.map_or(f64::NAN, |cost| if cost.is_nan() { f64::INFINITY } else { cost });
        }
    }

    /// Writes numbers that are no larger than the costs of [`cost_row`](Self::cost_row), and near them, for a
    /// forbidden pair and `i` itself any number or NaN; false if there is no such method, the default.
    ///
    /// In single precision, with the rounding error taken off, such a bound takes a fraction of the time of the
    /// cost. A solver then asks for the cost only where the bound does not rule a pair out. [`Maximize`] asks
    /// for no bounds.
    ///
    /// [`Maximize`]: crate::Objective::Maximize
    fn lower_bounds(&self, i: usize, from: usize, out: &mut [f32]) -> bool {
        let _ = (i, from, out);
        false
    }

    /// The same costs among some of the vertices only: vertex k of the new graph is `vertices[k]` of this one.
    /// `None`, the default, if there is nothing better than to look every vertex up.
    ///
    /// Exact solvers of large graphs learn from samples. An oracle that keeps its players' properties in arrays
    /// should copy those of the sample, so that `cost_row` and `lower_bounds` stay as fast.
    fn among<'a>(&'a self, vertices: &[u32]) -> Option<Box<dyn CostOracle + 'a>> {
        let _ = vertices;
        None
    }

    /// The matrix itself, if this is one: known to be finite and symmetric, it need not be copied and checked.
    fn as_dense(&self) -> Option<&DenseCosts> {
        None
    }

    /// Where the vertices lie, if no pair costs less than its Euclidean distance, or than that less a
    /// [slack](Coordinates::slack); `None`, the default, if there is no such space.
    ///
    /// A solver that minimises then looks for partners near by, and never at all pairs. The cost may be the
    /// distance itself (as of [`EuclideanCosts`](crate::EuclideanCosts)) or more, and pairs may be forbidden.
    fn coordinates(&self) -> Option<Coordinates<'_>> {
        None
    }

    /// Whether vertices may stay unmatched, and at which penalties. By default every vertex must be matched;
    /// [`UnmatchedPenalties`] adds penalties to any oracle.
    fn unmatched(&self) -> Unmatched<'_> {
        Unmatched::Forbidden
    }
}

/// The methods of an oracle that passes all questions on to another one.
macro_rules! forward_costs {
    ($self:ident => $inner:expr) => {
        fn cost(&$self, i: usize, j: usize) -> Option<f64> {
            $inner.cost(i, j)
        }

        fn for_each_neighbour(&$self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
            $inner.for_each_neighbour(i, visit);
        }

        fn is_sparse(&$self) -> bool {
            $inner.is_sparse()
        }

        fn cost_row(&$self, i: usize, from: usize, out: &mut [f64]) {
            $inner.cost_row(i, from, out);
        }

        fn lower_bounds(&$self, i: usize, from: usize, out: &mut [f32]) -> bool {
            $inner.lower_bounds(i, from, out)
        }

        fn among<'a>(&'a $self, vertices: &[u32]) -> Option<Box<dyn CostOracle + 'a>> {
            $inner.among(vertices)
        }

        fn as_dense(&$self) -> Option<&DenseCosts> {
            $inner.as_dense()
        }

        fn coordinates(&$self) -> Option<Coordinates<'_>> {
            $inner.coordinates()
        }
    };
}
use forward_costs;

/// Points in a space of a few dimensions, one for each vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coordinates<'a> {
    /// Numbers per point, at least 1.
    pub dimensions: usize,
    /// The points, one after the other: `dimensions` numbers for each vertex, finite.
    pub values: &'a [f64],
    /// By how much a pair may cost less than its distance, 0 or more: one half where distances are rounded to whole
    /// numbers.
    pub slack: f64,
}

impl<'a> Coordinates<'a> {
    /// The point of a vertex.
    ///
    /// # Panics
    /// If there is no such vertex, as indexing does.
    #[must_use]
    pub fn point(&self, i: usize) -> &'a [f64] {
        &self.values[i * self.dimensions..(i + 1) * self.dimensions]
    }

    /// The Euclidean distance of two vertices' points.
    ///
    /// # Panics
    /// As [`point`](Self::point).
    #[must_use]
    pub fn distance(&self, i: usize, j: usize) -> f64 {
        let squares = self
            .point(i)
            .iter()
            .zip(self.point(j))
            .map(|(a, b)| (a - b) * (a - b));
        squares.sum::<f64>().sqrt()
    }
}

impl<C: CostOracle + ?Sized> CostOracle for &C {
    fn vertices(&self) -> usize {
        (**self).vertices()
    }

    fn unmatched(&self) -> Unmatched<'_> {
        (**self).unmatched()
    }

    forward_costs!(self => (**self));
}

impl<C: CostOracle + ?Sized> CostOracle for Box<C> {
    fn vertices(&self) -> usize {
        (**self).vertices()
    }

    fn unmatched(&self) -> Unmatched<'_> {
        (**self).unmatched()
    }

    forward_costs!(self => (**self));
}

// Solvers take `&dyn CostOracle`: the trait must stay object-safe.
const _: fn(&dyn CostOracle) -> usize = |costs| costs.vertices();
