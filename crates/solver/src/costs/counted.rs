//! An oracle that is asked only once how many vertices it has, and which of them may stay unmatched.

use super::{Coordinates, CostOracle, DenseCosts, MAX_VERTICES, Unmatched, forward_costs};
use crate::error::SolveError;

/// The same oracle, with the number of vertices and the penalties that it gave first: memory is taken by these, and
/// an oracle whose answers change must not lead beyond it.
pub(crate) struct Counted<'a> {
    costs: &'a dyn CostOracle,
    vertices: usize,
    unmatched: Unmatched<'a>,
}

impl<'a> Counted<'a> {
    /// Asks an oracle.
    ///
    /// # Errors
    /// [`SolveError::TooManyVertices`] if there is no memory for that many; [`SolveError::Penalty`] unless there is a
    /// finite penalty for each vertex that may stay unmatched.
    pub(crate) fn new(costs: &'a dyn CostOracle) -> Result<Self, SolveError> {
        let vertices = costs.vertices();
        if vertices > MAX_VERTICES {
            return Err(SolveError::TooManyVertices {
                vertices,
                limit: MAX_VERTICES,
            });
        }
        let unmatched = costs.unmatched();
        unmatched.check(vertices)?;
        Ok(Self {
            costs,
            vertices,
            unmatched,
        })
    }

    /// For solvers that match every vertex or fail.
    ///
    /// # Errors
    /// [`SolveError::OddVertices`] as well.
    pub(crate) fn even(costs: &'a dyn CostOracle) -> Result<Self, SolveError> {
        let counted = Self::new(costs)?;
        let vertices = counted.vertices;
        if vertices.is_multiple_of(2) || counted.unmatched != Unmatched::Forbidden {
            Ok(counted)
        } else {
            Err(SolveError::OddVertices { vertices })
        }
    }
}

impl CostOracle for Counted<'_> {
    fn vertices(&self) -> usize {
        self.vertices
    }

    fn unmatched(&self) -> Unmatched<'_> {
        self.unmatched
    }

    forward_costs!(self => self.costs);
}
