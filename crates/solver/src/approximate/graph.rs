//! The costs as the heuristics read them: as little as they can, and checked.

use crate::costs::{Adjacency, CostOracle, Counted};
use crate::error::SolveError;
use crate::objective::Objective;
use crate::pairing::Pairing;

/// Up to so many vertices all costs are read at once and kept: 8 MiB.
const KEPT: usize = 1024;

/// The side of the squares in which symmetry is checked: two of them fit into the first cache.
const SIDE: usize = 32;

/// A graph in one of three forms.
///
/// Weights are costs to be made small: negated if the objective is to maximise.
pub(super) struct Graph<'a> {
    pub(super) costs: &'a dyn CostOracle,
    pub(super) objective: Objective,
    vertices: usize,
    form: Form<'a>,
}

enum Form<'a> {
    /// A small graph: row by row, NaN where a pair is forbidden. Finite and symmetric.
    Matrix {
        costs: Vec<f64>,
        /// The largest magnitude of a cost.
        largest: f64,
    },
    /// A large one, asked as we go; what is read is finite.
    Rows,
    /// A sparse one, finite and symmetric.
    Lists(&'a Adjacency),
}

/// The costs of one vertex with all others.
pub(super) enum Row<'r> {
    /// By vertex; NaN for a forbidden pair and the vertex itself.
    Dense(&'r [f64]),
    /// Allowed partners, ascending.
    Sparse(&'r [(u32, f64)]),
}

impl Row<'_> {
    /// Every allowed partner with the cost, ascending.
    pub(super) fn for_each(&self, mut visit: impl FnMut(usize, f64)) {
        match self {
            Self::Dense(row) => {
                let allowed = row.iter().enumerate().filter(|(_, cost)| !cost.is_nan());
                allowed.for_each(|(j, &cost)| visit(j, cost));
            }
            Self::Sparse(row) => row.iter().for_each(|&(j, cost)| visit(j as usize, cost)),
        }
    }
}

impl<'a> Graph<'a> {
    /// For who reads rows more than once: O(n^2) for a small graph, O(m) for a sparse one, both checked in
    /// full; nothing yet for a large one.
    ///
    /// # Errors
    /// Whatever breaks the oracle's contract.
    pub(super) fn open(
        costs: &'a Counted<'a>,
        objective: Objective,
        adjacency: &'a mut Adjacency,
    ) -> Result<Self, SolveError> {
        let mut graph = Self::open_to_skim(costs, objective, adjacency)?;
        if matches!(graph.form, Form::Rows) && graph.vertices <= KEPT {
            graph.keep()?;
        }
        Ok(graph)
    }

    /// For who reads each row once, or few pairs.
    pub(super) fn open_to_skim(
        costs: &'a Counted<'a>,
        objective: Objective,
        adjacency: &'a mut Adjacency,
    ) -> Result<Self, SolveError> {
        let vertices = costs.vertices();
        let form = if costs.is_sparse() {
            adjacency.read(costs)?;
            Form::Lists(adjacency)
        } else {
            Form::Rows
        };
        Ok(Self {
            costs,
            objective,
            vertices,
            form,
        })
    }

    /// Reads all rows of a small graph.
    fn keep(&mut self) -> Result<(), SolveError> {
        let n = self.vertices;
        let mut costs = Vec::with_capacity(n * n);
        let mut largest = 0.0;
        for i in 0..n {
            costs.resize((i + 1) * n, f64::NAN);
            let row = &mut costs[i * n..];
            self.read(i, 0, row)?;
            largest = largest_of(row, largest);
        }
        check_symmetry(n, |i, from, out| {
            out.copy_from_slice(&costs[i * n + from..][..out.len()]);
            Ok(())
        })?;
        self.form = Form::Matrix { costs, largest };
        Ok(())
    }

    /// Checks what opening left unchecked, the rows of a large graph: each pair from both sides. O(n^2).
    /// Returns the largest magnitude of a cost.
    pub(super) fn check(&self) -> Result<f64, SolveError> {
        match &self.form {
            Form::Matrix { largest, .. } => Ok(*largest),
            Form::Rows => {
                let mut largest = 0.0;
                check_symmetry(self.vertices, |i, from, out| {
                    self.read(i, from, out)?;
                    largest = largest_of(out, largest);
                    Ok(())
                })?;
                Ok(largest)
            }
            Form::Lists(lists) => {
                let costs = lists.edges().map(|(_, _, cost)| cost.abs());
                Ok(costs.fold(0.0, f64::max))
            }
        }
    }

    pub(super) fn vertices(&self) -> usize {
        self.vertices
    }

    /// The weight of a pair; NaN if it is forbidden. The smaller vertex is asked about the larger, so that a
    /// pair has one weight whatever the oracle says.
    pub(super) fn weight(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.min(j), i.max(j));
        let cost = match &self.form {
            Form::Matrix { costs, .. } => costs[i * self.vertices + j],
            Form::Rows => self.costs.cost(i, j).unwrap_or(f64::NAN),
            Form::Lists(lists) => lists.cost(i, j).unwrap_or(f64::NAN),
        };
        self.objective.as_minimum(cost)
    }

    /// The costs of `i`, checked unless they have been; `buffer` is for those that are not kept.
    pub(super) fn row<'r>(&'r self, i: usize, buffer: &'r mut Vec<f64>) -> Result<Row<'r>, SolveError> {
        if let Form::Rows = self.form {
            buffer.resize(self.vertices, f64::NAN);
            self.read(i, 0, buffer)?;
        }
        Ok(self.row_in(i, buffer))
    }

    /// The same, of a graph that [`check`](Self::check) has passed.
    pub(super) fn row_again<'r>(&'r self, i: usize, buffer: &'r mut Vec<f64>) -> Row<'r> {
        if let Form::Rows = self.form {
            buffer.resize(self.vertices, f64::NAN);
            self.costs.cost_row(i, 0, buffer);
            buffer[i] = f64::NAN;
        }
        self.row_in(i, buffer)
    }

    fn row_in<'r>(&'r self, i: usize, buffer: &'r [f64]) -> Row<'r> {
        match &self.form {
            Form::Matrix { costs, .. } => Row::Dense(&costs[i * self.vertices..(i + 1) * self.vertices]),
            Form::Rows => Row::Dense(buffer),
            Form::Lists(lists) => Row::Sparse(lists.row(i)),
        }
    }

    /// A part of a row from the oracle: finite, or NaN where `cost` gives nothing either.
    fn read(&self, i: usize, from: usize, out: &mut [f64]) -> Result<(), SolveError> {
        self.costs.cost_row(i, from, out);
        if (from..from + out.len()).contains(&i) {
            out[i - from] = f64::NAN;
        }
        let mut first = from;
        for few in out.chunks(8) {
            // Without a branch for each, since hardly ever there is one.
            if few.iter().fold(false, |some, cost| some | !cost.is_finite()) {
                (first..)
                    .zip(few)
                    .filter(|&(j, cost)| j != i && !cost.is_finite())
                    .try_for_each(|(j, &cost)| self.check_gap(i, j, cost))?;
            }
            first += few.len();
        }
        Ok(())
    }

    /// What is no number in a row must be a pair that is forbidden.
    fn check_gap(&self, i: usize, j: usize, value: f64) -> Result<(), SolveError> {
        let cost = if value.is_nan() {
            self.costs.cost(i, j)
        } else {
            Some(value)
        };
        match cost {
            None => Ok(()),
            Some(cost) if cost.is_finite() => Err(SolveError::Asymmetric {
                i,
                j,
                forward: None,
                backward: Some(cost),
            }),
            Some(value) => Err(SolveError::NotFinite { i, j, value }),
        }
    }

    /// The pairing of these mates. If the graph was not checked in full, its pairs are, from both sides.
    pub(super) fn finish(&self, mates: Vec<usize>) -> Result<Pairing, SolveError> {
        if let Form::Rows = self.form {
            for (i, &j) in mates.iter().enumerate().filter(|&(i, &j)| i < j) {
                let (forward, backward) = (self.costs.cost(i, j), self.costs.cost(j, i));
                if forward != backward && !forward.is_some_and(f64::is_nan) {
                    return Err(SolveError::Asymmetric {
                        i,
                        j,
                        forward,
                        backward,
                    });
                }
            }
        }
        Ok(Pairing::from_mates(self.costs, mates)?.with_objective(self.objective))
    }
}

/// The largest magnitude of these and `largest`; NaN is none.
fn largest_of(costs: &[f64], largest: f64) -> f64 {
    let larger = |largest, cost: &f64| if cost.abs() > largest { cost.abs() } else { largest };
    costs.iter().fold(largest, larger)
}

/// Compares every pair from both sides, square by square, so that no more than two squares are in memory.
/// `part` writes the costs of a vertex with those from another on.
fn check_symmetry(
    vertices: usize,
    mut part: impl FnMut(usize, usize, &mut [f64]) -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    let (mut here, mut there) = (vec![0.0; SIDE * SIDE], vec![0.0; SIDE * SIDE]);
    for top in (0..vertices).step_by(SIDE) {
        for left in (top..vertices).step_by(SIDE) {
            let (rows, columns) = (SIDE.min(vertices - top), SIDE.min(vertices - left));
            for row in 0..rows {
                part(top + row, left, &mut here[row * SIDE..][..columns])?;
            }
            for column in 0..columns {
                part(left + column, top, &mut there[column * SIDE..][..rows])?;
            }
            for row in 0..rows {
                let pairs =
                    (0..columns).map(|column| (here[row * SIDE + column], there[column * SIDE + row]));
                if pairs.clone().fold(false, |some, (a, b)| some | differ(a, b)) {
                    let mut columns = (left..).zip(pairs);
                    if let Some((j, (a, b))) = columns.find(|&(_, (a, b))| differ(a, b)) {
                        let known = |cost: f64| Some(cost).filter(|cost| !cost.is_nan());
                        return Err(SolveError::Asymmetric {
                            i: top + row,
                            j,
                            forward: known(a),
                            backward: known(b),
                        });
                    }
                }
            }
        }
    }
    Ok(())
}

/// NaN is the same as NaN.
fn differ(a: f64, b: f64) -> bool {
    (a != b) & !(a.is_nan() & b.is_nan())
}
