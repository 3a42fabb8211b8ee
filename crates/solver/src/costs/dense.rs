//! Costs of a complete, or nearly complete, graph as a matrix.

use super::CostOracle;
use crate::error::GraphError;

/// A symmetric matrix of costs: the complete graph, or one with a few forbidden pairs.
///
/// Memory: 8 n^2 bytes. A look-up takes constant time. `DenseCosts::default()` has no vertex.
///
/// ```
/// use matchwright_solver::{CostOracle, DenseCosts};
///
/// let skills = [1500.0, 1620.0, 1480.0, 1600.0_f64];
/// let costs = DenseCosts::from_fn(4, |i, j| (skills[i] - skills[j]).abs())?;
/// assert_eq!(costs.cost(3, 1), Some(20.0));
/// # Ok::<(), matchwright_solver::GraphError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct DenseCosts {
    vertices: usize,
    /// Row by row; NaN where the pair is forbidden, and on the diagonal.
    matrix: Vec<f64>,
}

impl DenseCosts {
    /// The largest number of vertices: 32 GiB of costs.
    pub const MAX_VERTICES: usize = 1 << 16;

    /// The complete graph whose pair `i < j` costs `cost(i, j)`.
    ///
    /// # Errors
    /// [`GraphError::NotFinite`] names the first pair whose cost is NaN or infinite;
    /// [`GraphError::TooLarge`].
    pub fn from_fn(vertices: usize, cost: impl FnMut(usize, usize) -> f64) -> Result<Self, GraphError> {
        let mut costs = Self::default();
        costs.refill(vertices, cost)?;
        Ok(costs)
    }

    /// As [`from_fn`](Self::from_fn), with `None` for a forbidden pair.
    ///
    /// # Errors
    /// As [`from_fn`](Self::from_fn).
    pub fn from_optional_fn(
        vertices: usize,
        cost: impl FnMut(usize, usize) -> Option<f64>,
    ) -> Result<Self, GraphError> {
        let mut costs = Self::default();
        costs.fill(vertices, cost)?;
        Ok(costs)
    }

    /// Becomes the complete graph of [`from_fn`](Self::from_fn), in the memory it has.
    ///
    /// # Errors
    /// As [`from_fn`](Self::from_fn); after an error the graph has no vertex.
    pub fn refill(
        &mut self,
        vertices: usize,
        mut cost: impl FnMut(usize, usize) -> f64,
    ) -> Result<(), GraphError> {
        self.fill(vertices, |i, j| Some(cost(i, j)))
    }

    fn fill(
        &mut self,
        vertices: usize,
        mut cost: impl FnMut(usize, usize) -> Option<f64>,
    ) -> Result<(), GraphError> {
        self.vertices = 0;
        self.matrix.clear();
        if vertices > Self::MAX_VERTICES {
            return Err(GraphError::TooLarge {
                vertices,
                limit: Self::MAX_VERTICES,
            });
        }
        self.matrix.resize(vertices * vertices, f64::NAN);
        for i in 0..vertices {
            for j in i + 1..vertices {
                let Some(value) = cost(i, j) else { continue };
                if !value.is_finite() {
                    return Err(GraphError::NotFinite { i, j, value });
                }
                self.matrix[i * vertices + j] = value;
                self.matrix[j * vertices + i] = value;
            }
        }
        self.vertices = vertices;
        Ok(())
    }

    /// All rows, one after the other; NaN where the pair is forbidden, and on the diagonal.
    pub(crate) fn rows(&self) -> &[f64] {
        &self.matrix
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.matrix[i * self.vertices..(i + 1) * self.vertices]
    }
}

impl CostOracle for DenseCosts {
    fn vertices(&self) -> usize {
        self.vertices
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        Some(self.row(i)[j]).filter(|cost| !cost.is_nan())
    }

    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        for (j, &cost) in self.row(i).iter().enumerate() {
            if !cost.is_nan() {
                visit(j, cost);
            }
        }
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        out.copy_from_slice(&self.row(i)[from..from + out.len()]);
    }

    fn as_dense(&self) -> Option<&DenseCosts> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_cost_names_its_pair() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let error = DenseCosts::from_fn(5, |i, j| if (i, j) == (1, 3) { bad } else { 1.0 }).unwrap_err();
            assert!(
                matches!(error, GraphError::NotFinite { i: 1, j: 3, .. }),
                "{error}"
            );
        }
    }

    #[test]
    fn refilling_forgets_the_old_costs() {
        let mut costs = DenseCosts::from_fn(6, |_, _| 9.0).unwrap();
        costs.refill(3, |i, j| (10 * i + j) as f64).unwrap();
        assert_eq!(costs.vertices(), 3);
        assert_eq!(
            [(0, 1), (2, 0), (2, 1)].map(|(i, j)| costs.cost(i, j)),
            [1.0, 2.0, 12.0].map(Some)
        );
        assert!(costs.refill(4, |_, _| f64::NAN).is_err());
        assert_eq!(costs.vertices(), 0);
    }

    #[test]
    fn neighbours_are_the_allowed_pairs() {
        let costs = DenseCosts::from_optional_fn(4, |i, j| ((i + j) % 2 == 1).then_some(1.5)).unwrap();
        let mut seen = Vec::new();
        costs.for_each_neighbour(1, &mut |j, cost| seen.push((j, cost)));
        assert_eq!(seen, [(0, 1.5), (2, 1.5)]);
        assert_eq!(costs.cost(1, 3), None);
    }

    #[test]
    fn too_many_vertices_are_refused_before_memory_is_taken() {
        let error = DenseCosts::from_fn(usize::MAX, |_, _| 1.0).unwrap_err();
        assert!(matches!(error, GraphError::TooLarge { .. }));
    }
}
