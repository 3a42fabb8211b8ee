//! Where the costs come from: four ways to read an oracle, behind one trait.
//!
//! | way | of which oracles | memory | checked |
//! |---|---|---|---|
//! | [`matrix`] | rows, up to [`MATRIX_VERTICES`] | n^2 | every pair, both ways |
//! | [`rows`] | rows, larger | n | every pair that becomes a candidate |
//! | [`lists`] | sparse | m | every edge, both ways |
//! | [`space`] | coordinates, to minimise | n | every pair that becomes a candidate |
//!
//! All give costs to be minimised: negated if the objective is to maximise. [`shrunk`] is for costs that floats
//! cannot add.

use lists::Lists;
use matrix::Matrix;
use rows::Implicit;
use space::Space;

pub(crate) mod lists;
pub(crate) mod matrix;
pub(crate) mod rows;
pub(crate) mod shrunk;
pub(crate) mod space;
pub(crate) mod survey;
mod threads;

use crate::costs::{Adjacency, CostOracle, Counted};
use crate::error::SolveError;
use crate::objective::Objective;

/// Fewer vertices are read as a matrix even with coordinates, and solved without samples.
pub(crate) const FEW_VERTICES: usize = 64;

/// Larger graphs are not copied.
pub(crate) const MATRIX_VERTICES: usize = 2048;

/// A vertex or node in 32 bits: graphs have fewer than 2^28 vertices.
#[allow(clippy::cast_possible_truncation, reason = "fewer than 2^29 nodes")]
pub(crate) fn short(node: usize) -> u32 {
    node as u32
}

/// A graph as it is read, by the way that suits it.
pub(crate) enum Reading<'a> {
    Matrix(Matrix<'a>),
    Precise(Implicit<'a, f64>),
    Quick(Implicit<'a, f32>),
    Lists(Lists<'a>),
    Space(Space<'a>),
}

impl<'a> Reading<'a> {
    /// Chooses how to read an oracle, and reads what is read once.
    pub(crate) fn open(
        objective: Objective,
        costs: &'a Counted<'a>,
        adjacency: &'a mut Adjacency,
        matrix: &'a mut Vec<f64>,
    ) -> Result<Reading<'a>, SolveError> {
        if costs.is_sparse() {
            adjacency.read(costs)?;
            return Ok(Reading::Lists(Lists::new(adjacency, objective)));
        }
        let vertices = costs.vertices();
        let small = vertices < FEW_VERTICES;
        if let Some(coordinates) = costs
            .coordinates()
            .filter(|_| objective == Objective::Minimize && !small)
        {
            return Ok(Reading::Space(Space::build(costs, coordinates)?));
        }
        if vertices <= MATRIX_VERTICES {
            return Ok(Reading::Matrix(Matrix::read(costs, objective, matrix)?));
        }
        let quick = objective == Objective::Minimize && costs.lower_bounds(0, 0, &mut [0.0]);
        Ok(if quick {
            Reading::Quick(Implicit::new(Box::new(costs), objective))
        } else {
            Reading::Precise(Implicit::new(Box::new(costs), objective))
        })
    }

    pub(crate) fn as_graph(&self) -> &dyn Graph {
        match self {
            Self::Matrix(matrix) => matrix,
            Self::Precise(rows) => rows,
            Self::Quick(rows) => rows,
            Self::Lists(lists) => lists,
            Self::Space(space) => space,
        }
    }
}

/// A graph as the algorithms read it. Vertices are `u32` here: there are never 2^28 of them.
pub(crate) trait Graph: Sync {
    fn vertices(&self) -> usize;

    /// The cost of a pair, to be minimised; `None` if it is forbidden.
    fn cost(&self, i: u32, j: u32) -> Result<Option<f64>, SolveError>;

    /// Visits every allowed partner of `i` with the cost of the pair, in any order.
    fn for_each_neighbour(&self, i: u32, visit: &mut dyn FnMut(u32, f64)) -> Result<(), SolveError>;

    /// Whether [`for_each_neighbour`](Self::for_each_neighbour) is better than [`cost_row`](Self::cost_row).
    fn is_sparse(&self) -> bool {
        false
    }

    /// Costs of `i` with the vertices from `from` on, to be minimised, unchecked; NaN for a forbidden pair.
    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]);

    /// The c-transform of duals, in floats: of each vertex the least of `c_ij` - `y_j`, or its dual if it has no
    /// partner; and what rounding may make that too large by. One look at all pairs.
    fn c_transform(&self, duals: &[f64]) -> (Vec<f64>, f64) {
        let mut row = vec![f64::NAN; if self.is_sparse() { 0 } else { duals.len() }];
        let left = |i: usize| {
            if self.is_sparse() {
                let mut left = f64::INFINITY;
                let mut offer = |j: u32, cost: f64| left = left.min(cost - duals[j as usize]);
                // An error is found again where costs are checked.
                let _ = self.for_each_neighbour(short(i), &mut offer);
                return left;
            }
            self.cost_row(i, 0, &mut row);
            row[i] = f64::NAN;
            least(&row, duals)
        };
        transformed::<f64>(duals, left)
    }

    /// Appends the pairs (i < j) whose reduced cost `c_ij` - `y_i` - `y_j` may be 0 or less, judged in floating point
    /// with a margin. The same list for any number of threads.
    fn maybe_violated(&self, query: &Query<'_>, found: &mut Vec<(u32, u32)>);
}

/// A graph as an oracle again, for algorithms that need only know which pairs are allowed.
pub(crate) struct Allowed<'a, G: ?Sized>(pub(crate) &'a G);

impl<G: Graph + ?Sized> CostOracle for Allowed<'_, G> {
    fn vertices(&self) -> usize {
        self.0.vertices()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        // Dropped: costs were checked when they were read.
        self.0.cost(short(i), short(j)).ok().flatten()
    }

    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        // What is wrong with a graph is found where costs matter.
        let _ = self
            .0
            .for_each_neighbour(short(i), &mut |j, cost| visit(j as usize, cost));
    }

    fn is_sparse(&self) -> bool {
        self.0.is_sparse()
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        self.0.cost_row(i, from, out);
    }
}

/// What pairs to look for.
#[derive(Clone, Copy)]
pub(crate) struct Query<'a> {
    /// y of every vertex, in costs.
    pub(crate) duals: &'a [f64],
    /// How much rounding a cost to integers may add to a reduced cost.
    pub(crate) rounding: f64,
    /// Of the pairs in a row, report the worst [`WORST_OF_A_ROW`] only.
    pub(crate) worst_only: bool,
    /// The duals of the blossoms that hold both vertices, in sum and in costs, which are added to the reduced cost.
    pub(crate) shared: Option<&'a (dyn Fn(u32, u32) -> f64 + Sync)>,
    /// How many threads to use.
    /// Whether a pair that may be violated is, judged exactly, given its cost if that was read. `None`: all that may
    /// be are wanted.
    pub(crate) wanted: Option<&'a (dyn Fn(u32, u32, Option<f64>) -> bool + Sync)>,
    pub(crate) threads: usize,
}

impl Query<'_> {
    /// The largest dual, to know how far rounding goes.
    fn largest(&self) -> f64 {
        self.duals
            .iter()
            .fold(0.0, |largest, dual| dual.abs().max(largest))
    }

    /// Whether a pair whose reduced cost without blossoms is below 0 may still be so with them.
    #[inline]
    fn wants(&self, i: u32, j: u32, cost: Option<f64>) -> bool {
        self.wanted.is_none_or(|wanted| wanted(i, j, cost))
    }

    #[inline]
    fn holds(&self, i: u32, j: u32, reduced: f64, margin: f64) -> bool {
        self.shared.is_none_or(|shared| reduced + shared(i, j) <= margin)
    }

    /// What a reduced cost near 0 may be off by, if rows come in this precision.
    fn margin<T: Real>(&self) -> f64 {
        self.largest() * T::MARGIN + self.rounding
    }
}

/// At most this many pairs of one row are reported if not all are wanted.
const WORST_OF_A_ROW: usize = 32;

/// What an oracle says of a pair, from both sides.
fn ask(costs: &dyn CostOracle, objective: Objective, i: u32, j: u32) -> Result<Option<f64>, SolveError> {
    let (i, j) = (i.min(j) as usize, i.max(j) as usize);
    let (forward, backward) = (costs.cost(i, j), costs.cost(j, i));
    if let Some(value) = [forward, backward]
        .into_iter()
        .flatten()
        .find(|cost| !cost.is_finite())
    {
        return Err(SolveError::NotFinite { i, j, value });
    }
    if forward != backward {
        return Err(SolveError::Asymmetric {
            i,
            j,
            forward,
            backward,
        });
    }
    Ok(forward.map(|cost| objective.as_minimum(cost)))
}

/// Floating-point numbers that rows come in.
pub(crate) trait Real:
    Copy + PartialOrd + Send + Sync + Default + std::ops::Sub<Output = Self> + 'static
{
    /// Several times the relative error of one operation: what a reduced cost may be off by, as a part of the
    /// numbers that it is made of.
    const MARGIN: f64;
    /// Whether rows are the costs themselves.
    const IS_EXACT: bool;
    const INFINITY: Self;
    /// Larger numbers are not for this precision.
    const LARGEST: f64;
    /// The nearest number.
    fn near(value: f64) -> Self;
    fn wide(self) -> f64;
    /// Writes costs to be minimised, or lower bounds, as [`CostOracle::cost_row`] has it.
    fn fill(costs: &dyn CostOracle, objective: Objective, i: usize, from: usize, out: &mut [Self]);
    /// Whether a row may show this number for a pair of this cost.
    fn fits(shown: Self, cost: f64) -> bool;
}

impl Real for f64 {
    const MARGIN: f64 = 8.0 * f64::EPSILON;
    const IS_EXACT: bool = true;
    const INFINITY: Self = Self::INFINITY;
    const LARGEST: f64 = Self::INFINITY;
    fn near(value: f64) -> Self {
        value
    }
    fn wide(self) -> f64 {
        self
    }
    fn fill(costs: &dyn CostOracle, objective: Objective, i: usize, from: usize, out: &mut [Self]) {
        costs.cost_row(i, from, out);
        if objective == Objective::Maximize {
            for cost in out {
                *cost = -*cost;
            }
        }
    }
    fn fits(shown: Self, cost: f64) -> bool {
        shown == cost
    }
}

impl Real for f32 {
    const MARGIN: f64 = 8.0 * f32::EPSILON as f64;
    const IS_EXACT: bool = false;
    const INFINITY: Self = Self::INFINITY;
    const LARGEST: f64 = 1e30;
    #[allow(
        clippy::cast_possible_truncation,
        reason = "rounds to the nearest, which the margin covers"
    )]
    fn near(value: f64) -> Self {
        value as Self
    }
    fn wide(self) -> f64 {
        self.into()
    }
    fn fill(costs: &dyn CostOracle, _: Objective, i: usize, from: usize, out: &mut [Self]) {
        if !costs.lower_bounds(i, from, out) {
            // It said before that it has some.
            let mut exact = vec![0.0; out.len()];
            costs.cost_row(i, from, &mut exact);
            for (out, cost) in out.iter_mut().zip(exact) {
                *out = Self::near(cost).next_down();
            }
        }
    }
    fn fits(shown: Self, cost: f64) -> bool {
        f64::from(shown) <= cost
    }
}

/// The c-transform of duals, given its value at each vertex; the error is that of this precision.
pub(crate) fn transformed<T: Real>(duals: &[f64], left: impl FnMut(usize) -> f64) -> (Vec<f64>, f64) {
    let left = (0..duals.len()).map(left).zip(duals);
    let left: Vec<f64> = left
        .map(|(left, &y)| if left.is_finite() { left } else { y })
        .collect();
    let largest = duals.iter().chain(&left).fold(0.0, |a: f64, b| a.max(b.abs()));
    (left, largest * T::MARGIN)
}

/// Visits the places where `row[k] - duals[k]` is at most `limit`; NaN, which marks forbidden pairs, never is.
///
/// Few places are, so that blocks are first asked as a whole, in a loop that compilers vectorise.
#[inline]
fn visit_below<T: Real>(row: &[T], duals: &[T], limit: T, mut visit: impl FnMut(usize, T)) {
    const BLOCK: usize = 32;
    for (block, (row, duals)) in row.chunks(BLOCK).zip(duals.chunks(BLOCK)).enumerate() {
        let mut any = false;
        for (&cost, &dual) in row.iter().zip(duals) {
            any |= cost - dual <= limit;
        }
        if any {
            for (k, (&cost, &dual)) in row.iter().zip(duals).enumerate() {
                if cost - dual <= limit {
                    visit(block * BLOCK + k, cost - dual);
                }
            }
        }
    }
}

/// The least of `row[k] - duals[k]`; infinite if there is no number.
#[inline]
pub(crate) fn least<T: Real>(row: &[T], duals: &[T]) -> T {
    const LANES: usize = 16;
    let mut best = [T::INFINITY; LANES];
    for (row, duals) in row.chunks(LANES).zip(duals.chunks(LANES)) {
        for ((best, &cost), &dual) in best.iter_mut().zip(row).zip(duals) {
            let slack = cost - dual;
            *best = if slack < *best { slack } else { *best };
        }
    }
    best.into_iter()
        .fold(T::INFINITY, |a, b| if b < a { b } else { a })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_is_visited_and_the_least_is_found() {
        let row: Vec<f64> = (0..100)
            .map(|k| {
                if k % 7 == 0 {
                    f64::NAN
                } else {
                    f64::from((k * 37) % 101)
                }
            })
            .collect();
        let duals: Vec<f64> = (0..100).map(|k| f64::from(k % 5)).collect();
        let mut seen = Vec::new();
        visit_below(&row, &duals, 9.0, |k, _| seen.push(k));
        let expected: Vec<_> = (0..100).filter(|&k| row[k] - duals[k] <= 9.0).collect();
        assert_eq!(seen, expected);
        let slacks = (0..100).map(|k| row[k] - duals[k]).filter(|s| !s.is_nan());
        assert_eq!(least(&row, &duals), slacks.fold(f64::INFINITY, f64::min));
        assert_eq!(least::<f32>(&[f32::NAN], &[0.0]), f32::INFINITY);
    }
}
