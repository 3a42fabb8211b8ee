//! A graph as the heuristics read it: by the reader of the exact solver.

use crate::costs::{CostOracle, Counted};
use crate::error::SolveError;
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::read::{Graph as _, Reading, short};
use crate::solver::Workspace;

/// Weights are costs to be made small: negated if the objective is to maximise.
pub(super) struct Graph<'a> {
    pub(super) costs: &'a Counted<'a>,
    pub(super) objective: Objective,
    pub(super) reading: Reading<'a>,
}

impl<'a> Graph<'a> {
    /// Reads and checks a small graph or a sparse one; of others, what is asked for is checked as it is read.
    ///
    /// # Errors
    /// Whatever breaks the oracle's contract.
    pub(super) fn open(
        costs: &'a Counted<'a>,
        objective: Objective,
        workspace: &'a mut Workspace,
    ) -> Result<Self, SolveError> {
        let Workspace {
            adjacency, matrix, ..
        } = workspace;
        Ok(Self {
            costs,
            objective,
            reading: Reading::open(objective, costs, adjacency, matrix)?,
        })
    }

    pub(super) fn vertices(&self) -> usize {
        self.costs.vertices()
    }

    /// The weight of a pair; NaN if it is forbidden. The smaller vertex is asked about the larger, so that a pair has
    /// one weight whatever the oracle says.
    pub(super) fn weight(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.min(j), i.max(j));
        match &self.reading {
            Reading::Matrix(matrix) => matrix.weight(i, j),
            Reading::Lists(lists) => {
                let cost = lists.cost(short(i), short(j));
                // Dropped: costs were checked when they were read.
                cost.ok().flatten().unwrap_or(f64::NAN)
            }
            _ => self
                .objective
                .as_minimum(self.costs.cost(i, j).unwrap_or(f64::NAN)),
        }
    }

    /// The weights of `i` with all vertices, in `buffer`: NaN for forbidden pairs and `i` itself.
    ///
    /// # Errors
    /// [`SolveError::NotFinite`].
    pub(super) fn read_row(&self, i: usize, buffer: &mut Vec<f64>) -> Result<(), SolveError> {
        buffer.resize(self.vertices(), f64::NAN);
        self.reading.as_graph().cost_row(i, 0, buffer);
        buffer[i] = f64::NAN;
        match buffer.iter().position(|weight| weight.is_infinite()) {
            Some(j) => {
                let value = self.costs.cost(i, j).unwrap_or(f64::INFINITY);
                Err(SolveError::NotFinite { i, j, value })
            }
            None => Ok(()),
        }
    }

    /// The pairing of these mates, whose pairs are checked from both sides.
    pub(super) fn finish(&self, mates: Vec<usize>) -> Result<Pairing, SolveError> {
        for (i, &j) in mates.iter().enumerate().filter(|&(i, &j)| i < j) {
            self.reading.as_graph().cost(short(i), short(j))?;
        }
        Ok(Pairing::from_mates(self.costs, mates)?.with_objective(self.objective))
    }
}
