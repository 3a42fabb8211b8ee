//! Small graphs: all costs in one matrix, read once and checked.

use std::borrow::Cow;

use super::lists::Lists;
use super::rows::{Rows, Sampled, maybe_violated_in_row};
use super::survey::Survey;
use super::{Graph, Query, threads};
use crate::costs::CostOracle;
use crate::error::SolveError;
use crate::objective::Objective;

/// Costs to be minimised, row by row; NaN where the pair is forbidden and on the diagonal.
#[derive(Debug)]
pub(crate) struct Matrix<'a> {
    vertices: usize,
    costs: Cow<'a, [f64]>,
    pub(crate) survey: Survey,
}

impl<'a> Matrix<'a> {
    /// Reads all of `costs` by rows, into `memory` unless they are a matrix that will do as it is.
    ///
    /// # Errors
    /// A cost that is NaN or infinite; a pair whose two costs differ.
    pub(crate) fn read(
        costs: &'a dyn CostOracle,
        objective: Objective,
        memory: &'a mut Vec<f64>,
    ) -> Result<Self, SolveError> {
        let vertices = costs.vertices();
        let dense = costs.as_dense().filter(|dense| dense.vertices() == vertices);
        let costs = match dense {
            Some(dense) if objective == Objective::Minimize => dense.rows(),
            Some(dense) => {
                memory.clear();
                memory.extend(dense.rows().iter().map(|cost| -cost));
                memory.as_slice()
            }
            None => {
                copy(costs, memory)?;
                check_symmetry(memory, costs)?;
                if objective == Objective::Maximize {
                    for cost in memory.iter_mut() {
                        *cost = -*cost;
                    }
                }
                memory.as_slice()
            }
        };
        let later = (0..vertices).map(|i| &costs[i * vertices + i + 1..(i + 1) * vertices]);
        Ok(Self {
            vertices,
            survey: later.fold(Survey::of(&[]), Survey::with),
            costs: Cow::Borrowed(costs),
        })
    }
}

impl Matrix<'_> {
    /// The same graph as a matrix, in `memory`.
    pub(crate) fn of_lists<'b>(lists: &Lists<'_>, memory: &'b mut Vec<f64>) -> Matrix<'b> {
        let vertices = lists.vertices();
        memory.clear();
        memory.resize(vertices * vertices, f64::NAN);
        for (i, row) in memory.chunks_exact_mut(vertices.max(1)).enumerate() {
            for (j, cost) in lists.row(i) {
                row[j as usize] = cost;
            }
        }
        Matrix {
            vertices,
            costs: Cow::Borrowed(memory),
            survey: lists.survey,
        }
    }

    /// The cost of a pair; NaN if it is forbidden.
    pub(crate) fn weight(&self, i: usize, j: usize) -> f64 {
        self.costs[i * self.vertices + j]
    }

    /// The costs of a vertex with all.
    pub(crate) fn whole_row(&self, i: usize) -> &[f64] {
        &self.costs[i * self.vertices..(i + 1) * self.vertices]
    }

    /// The costs of every allowed pair, once.
    pub(crate) fn all(&self) -> impl Iterator<Item = f64> + '_ {
        let n = self.vertices;
        let rows = (0..n).flat_map(move |i| &self.costs[i * n + i + 1..(i + 1) * n]);
        rows.copied().filter(|cost| !cost.is_nan())
    }
}

/// Copies all rows of an oracle.
fn copy(costs: &dyn CostOracle, memory: &mut Vec<f64>) -> Result<(), SolveError> {
    let vertices = costs.vertices();
    memory.clear();
    memory.resize(vertices * vertices, f64::NAN);
    for (i, row) in memory.chunks_exact_mut(vertices.max(1)).enumerate() {
        costs.cost_row(i, 0, row);
        row[i] = f64::NAN;
        if let Some(j) = row.iter().position(|cost| cost.is_infinite()) {
            let value = costs
                .cost(i, j)
                .filter(|cost| !cost.is_finite())
                .unwrap_or(row[j]);
            return Err(SolveError::NotFinite { i, j, value });
        }
    }
    Ok(())
}

/// Compares each pair with its mirror image, a tile at a time so that both stay in the cache.
fn check_symmetry(matrix: &[f64], costs: &dyn CostOracle) -> Result<(), SolveError> {
    const TILE: usize = 32;
    let n = matrix.len().isqrt();
    for top in (0..n).step_by(TILE) {
        for left in (top..n).step_by(TILE) {
            for i in top..n.min(top + TILE) {
                for j in left.max(i + 1)..n.min(left + TILE) {
                    let (forward, backward) = (matrix[i * n + j], matrix[j * n + i]);
                    // Forbidden both ways is as well.
                    if forward != backward && !(forward.is_nan() && backward.is_nan()) {
                        return Err(asymmetric(costs, i, j, forward, backward));
                    }
                }
            }
        }
    }
    Ok(())
}

/// The two answers as the oracle gives them one by one, if they differ there as well.
fn asymmetric(costs: &dyn CostOracle, i: usize, j: usize, forward: f64, backward: f64) -> SolveError {
    let some = |cost: f64| Some(cost).filter(|cost| !cost.is_nan());
    let (mut forward, mut backward) = (some(forward), some(backward));
    let asked = (costs.cost(i, j), costs.cost(j, i));
    if asked.0 != asked.1 {
        (forward, backward) = asked;
    }
    SolveError::Asymmetric {
        i,
        j,
        forward,
        backward,
    }
}

impl Graph for Matrix<'_> {
    fn vertices(&self) -> usize {
        self.vertices
    }

    fn cost(&self, i: u32, j: u32) -> Result<Option<f64>, SolveError> {
        Ok(Some(self.weight(i as usize, j as usize)).filter(|cost| !cost.is_nan()))
    }

    fn for_each_neighbour(&self, i: u32, visit: &mut dyn FnMut(u32, f64)) -> Result<(), SolveError> {
        for (j, &cost) in (0..).zip(self.whole_row(i as usize)) {
            if !cost.is_nan() {
                visit(j, cost);
            }
        }
        Ok(())
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        let start = i * self.vertices + from;
        out.copy_from_slice(&self.costs[start..start + out.len()]);
    }

    fn maybe_violated(&self, query: &Query<'_>, found: &mut Vec<(u32, u32)>) {
        let margin = query.margin::<f64>();
        threads::for_each_row(
            self.vertices,
            query.threads,
            found,
            || (),
            |i, (), found| {
                let row = &self.costs[i * self.vertices + i + 1..(i + 1) * self.vertices];
                maybe_violated_in_row(i, row, query.duals, (query, margin), found);
            },
        );
    }
}

impl Rows for Matrix<'_> {
    type Real = f64;

    fn row<'a>(&'a self, i: usize, from: usize, _: &'a mut Vec<f64>) -> &'a [f64] {
        &self.costs[i * self.vertices + from..(i + 1) * self.vertices]
    }

    fn as_graph(&self) -> &dyn Graph {
        self
    }
}

impl Sampled for Matrix<'_> {
    type Sample<'a>
        = Matrix<'a>
    where
        Self: 'a;

    fn sample<'a>(&'a self, vertices: &[u32], mut pool: Vec<f64>) -> Matrix<'a> {
        pool.clear();
        pool.reserve(vertices.len() * vertices.len());
        for &i in vertices {
            let row = self.whole_row(i as usize);
            pool.extend(vertices.iter().map(|&j| row[j as usize]));
        }
        Matrix {
            vertices: vertices.len(),
            costs: Cow::Owned(pool),
            survey: self.survey,
        }
    }

    fn recycle(sample: Matrix<'_>) -> Vec<f64> {
        sample.costs.into_owned()
    }
}
