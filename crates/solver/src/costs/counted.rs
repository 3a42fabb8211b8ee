//! An oracle that is asked only once how many vertices it has.

use super::{Coordinates, CostOracle, DenseCosts, MAX_VERTICES};
use crate::error::SolveError;

/// The same oracle, with the number of vertices that it gave first: memory is taken by that number, and an oracle
/// whose answers change must not lead beyond it.
pub(crate) struct Counted<'a> {
    costs: &'a dyn CostOracle,
    vertices: usize,
}

impl<'a> Counted<'a> {
    /// Asks an oracle.
    ///
    /// # Errors
    /// [`SolveError::TooManyVertices`] if there is no memory for so many.
    pub(crate) fn new(costs: &'a dyn CostOracle) -> Result<Self, SolveError> {
        let vertices = costs.vertices();
        if vertices > MAX_VERTICES {
            return Err(SolveError::TooManyVertices {
                vertices,
                limit: MAX_VERTICES,
            });
        }
        Ok(Self { costs, vertices })
    }

    /// For those who pair everyone or no one.
    ///
    /// # Errors
    /// [`SolveError::OddVertices`] as well.
    pub(crate) fn even(costs: &'a dyn CostOracle) -> Result<Self, SolveError> {
        let counted = Self::new(costs)?;
        let vertices = counted.vertices;
        if vertices.is_multiple_of(2) {
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

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.costs.cost(i, j)
    }

    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        self.costs.for_each_neighbour(i, visit);
    }

    fn is_sparse(&self) -> bool {
        self.costs.is_sparse()
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        self.costs.cost_row(i, from, out);
    }

    fn lower_bounds(&self, i: usize, from: usize, out: &mut [f32]) -> bool {
        self.costs.lower_bounds(i, from, out)
    }

    fn among<'a>(&'a self, vertices: &[u32]) -> Option<Box<dyn CostOracle + 'a>> {
        self.costs.among(vertices)
    }

    fn as_dense(&self) -> Option<&DenseCosts> {
        self.costs.as_dense()
    }

    fn coordinates(&self) -> Option<Coordinates<'_>> {
        self.costs.coordinates()
    }
}
