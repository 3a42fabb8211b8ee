//! Large graphs: costs are asked for row by row, as often as needed, and never kept.

use std::marker::PhantomData;

use super::{Graph, Query, Real, WORST_OF_A_ROW, ask, least, threads, transformed, visit_below};
use crate::costs::CostOracle;
use crate::error::SolveError;
use crate::objective::Objective;

/// A graph whose costs, or lower bounds near them, can be had a row at a time.
pub(crate) trait Rows: Graph + Sync {
    type Real: Real;

    /// Of the vertex `i`, the costs from the vertex `from` on, or bounds; NaN where the pair is forbidden. In
    /// `buffer` or elsewhere.
    fn row<'a>(&'a self, i: usize, from: usize, buffer: &'a mut Vec<Self::Real>) -> &'a [Self::Real];

    fn as_graph(&self) -> &dyn Graph;
}

/// Rows of which a part can be taken.
pub(crate) trait Sampled: Rows {
    type Sample<'a>: Rows<Real = Self::Real>
    where
        Self: 'a;

    /// The graph among some vertices, ascending, in the memory of `pool` if it needs any.
    fn sample<'a>(&'a self, vertices: &[u32], pool: Vec<f64>) -> Self::Sample<'a>;

    /// The memory of a sample, to be used again.
    fn recycle(sample: Self::Sample<'_>) -> Vec<f64>;
}

/// An oracle among some of its vertices, each looked up.
struct Among<'a> {
    costs: &'a dyn CostOracle,
    vertices: Vec<u32>,
}

/// The same costs among some of the vertices, as the oracle gives them or else by looking each up.
pub(crate) fn among<'a>(costs: &'a dyn CostOracle, vertices: &[u32]) -> Box<dyn CostOracle + 'a> {
    let own = costs.among(vertices);
    own.filter(|own| own.vertices() == vertices.len())
        .unwrap_or_else(|| {
            let vertices = vertices.to_vec();
            Box::new(Among { costs, vertices })
        })
}

impl CostOracle for Among<'_> {
    fn vertices(&self) -> usize {
        self.vertices.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.costs
            .cost(self.vertices[i] as usize, self.vertices[j] as usize)
    }

    fn lower_bounds(&self, i: usize, from: usize, out: &mut [f32]) -> bool {
        for (out, &j) in out.iter_mut().zip(&self.vertices[from..]) {
            if !self
                .costs
                .lower_bounds(self.vertices[i] as usize, j as usize, std::slice::from_mut(out))
            {
                return false;
            }
        }
        true
    }
}

/// The costs of an oracle in double precision, or its lower bounds in single.
pub(crate) struct Implicit<'a, T> {
    pub(crate) costs: Box<dyn CostOracle + 'a>,
    /// As many as it said when it was first asked.
    vertices: usize,
    objective: Objective,
    precision: PhantomData<T>,
}

impl<'a, T> Implicit<'a, T> {
    pub(crate) fn new(costs: Box<dyn CostOracle + 'a>, objective: Objective) -> Self {
        Self {
            vertices: costs.vertices(),
            costs,
            objective,
            precision: PhantomData,
        }
    }
}

impl<T> Implicit<'_, T> {
    /// The same in double precision.
    fn precise(&self) -> Implicit<'_, f64> {
        Implicit {
            costs: Box::new(&*self.costs),
            vertices: self.vertices,
            objective: self.objective,
            precision: PhantomData,
        }
    }
}

impl<T: Real> Graph for Implicit<'_, T> {
    fn vertices(&self) -> usize {
        self.vertices
    }

    fn cost(&self, i: u32, j: u32) -> Result<Option<f64>, SolveError> {
        let cost = ask(&*self.costs, self.objective, i, j)?;
        let mut shown = [T::default()];
        T::fill(&*self.costs, self.objective, i as usize, j as usize, &mut shown);
        match cost {
            Some(cost) if !T::fits(shown[0], cost) => Err(SolveError::Contradiction {
                i: i as usize,
                j: j as usize,
                cost,
                shown: shown[0].wide(),
            }),
            _ => Ok(cost),
        }
    }

    fn for_each_neighbour(&self, i: u32, visit: &mut dyn FnMut(u32, f64)) -> Result<(), SolveError> {
        for j in (0..).take(self.vertices()).filter(|&j| j != i) {
            if let Some(cost) = self.cost(i, j)? {
                visit(j, cost);
            }
        }
        Ok(())
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        f64::fill(&*self.costs, self.objective, i, from, out);
    }

    fn c_transform(&self, duals: &[f64]) -> (Vec<f64>, f64) {
        if duals.iter().any(|dual| dual.abs() > T::LARGEST) {
            return self.precise().c_transform(duals);
        }
        let near: Vec<T> = duals.iter().map(|&y| T::near(y)).collect();
        let mut buffer = vec![T::default(); near.len()];
        transformed::<T>(duals, |i| {
            T::fill(&*self.costs, self.objective, i, 0, &mut buffer);
            // No partner of its own.
            buffer[i] = T::INFINITY;
            least(&buffer, &near).wide()
        })
    }

    fn maybe_violated(&self, query: &Query<'_>, found: &mut Vec<(u32, u32)>) {
        if query.largest() > T::LARGEST {
            return self.precise().maybe_violated(query, found);
        }
        let margin = query.margin::<T>();
        let near: Vec<T> = query.duals.iter().map(|&y| T::near(y)).collect();
        threads::for_each_row(near.len(), query.threads, found, Vec::new, |i, buffer, found| {
            let row = self.row(i, i + 1, buffer);
            maybe_violated_in_row(i, row, &near, (query, margin), found);
        });
    }
}

impl<T: Real> Rows for Implicit<'_, T> {
    type Real = T;

    fn row<'a>(&'a self, i: usize, from: usize, buffer: &'a mut Vec<T>) -> &'a [T] {
        buffer.clear();
        buffer.resize(self.vertices() - from, T::default());
        T::fill(&*self.costs, self.objective, i, from, buffer);
        buffer
    }

    fn as_graph(&self) -> &dyn Graph {
        self
    }
}

impl<T: Real> Sampled for Implicit<'_, T> {
    type Sample<'a>
        = Implicit<'a, T>
    where
        Self: 'a;

    fn sample<'a>(&'a self, vertices: &[u32], _: Vec<f64>) -> Implicit<'a, T> {
        Implicit::new(among(&*self.costs, vertices), self.objective)
    }

    fn recycle(_: Implicit<'_, T>) -> Vec<f64> {
        Vec::new()
    }
}

/// The pairs of `i` with later vertices whose reduced cost may be 0 or less. `row` begins at the next vertex;
/// `margin` is what rounding may add to a reduced cost near 0.
pub(crate) fn maybe_violated_in_row<T: Real>(
    i: usize,
    row: &[T],
    duals: &[T],
    (query, margin): (&Query<'_>, f64),
    found: &mut Vec<(u32, u32)>,
) {
    let own = duals[i].wide();
    let clear = T::near(own - margin);
    let start = found.len();
    let first = u32::try_from(i + 1).unwrap_or(u32::MAX);
    visit_below(row, &duals[i + 1..], T::near(own + margin), |k, slack| {
        let j = first + u32::try_from(k).unwrap_or(u32::MAX);
        if slack < clear && !query.holds(first - 1, j, slack.wide() - own, margin) {
            return;
        }
        let cost = T::IS_EXACT.then(|| row[k].wide());
        if query.wants(first - 1, j, cost) {
            found.push((first - 1, j));
        }
    });
    let of_row = &mut found[start..];
    if query.worst_only && of_row.len() > WORST_OF_A_ROW {
        let slack = |j: u32| (row[(j - first) as usize] - duals[j as usize]).wide();
        of_row.select_nth_unstable_by(WORST_OF_A_ROW, |a, b| {
            slack(a.1).total_cmp(&slack(b.1)).then(a.1.cmp(&b.1))
        });
        found.truncate(start + WORST_OF_A_ROW);
        found[start..].sort_unstable();
    }
}

/// The largest magnitude among the costs of a few rows.
pub(crate) fn largest_of_some(costs: &dyn CostOracle) -> f64 {
    const ROWS: usize = 16;
    let vertices = costs.vertices();
    let mut row = vec![0.0; vertices];
    let mut largest = 0.0_f64;
    for i in (0..vertices).step_by(vertices.div_ceil(ROWS).max(1)) {
        costs.cost_row(i, 0, &mut row);
        largest = row
            .iter()
            .filter(|cost| cost.is_finite())
            .fold(largest, |a, b| a.max(b.abs()));
    }
    largest
}
