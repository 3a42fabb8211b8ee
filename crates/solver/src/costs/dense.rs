//! Costs of a complete, or nearly complete, graph as a matrix.

use super::{CostOracle, Edge, check_edge};
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

    /// The graph of the edges `(i, j, cost)`, every other pair forbidden: for lists of all pairs or most. O(n^2 + m).
    ///
    /// ```
    /// use matchwright_solver::{CostOracle, DenseCosts};
    ///
    /// let costs = DenseCosts::from_edges(3, &[(0, 1, 2.5), (2, 1, 1.0), (2, 0, 0.5)])?;
    /// assert_eq!(costs.cost(1, 2), Some(1.0));
    /// # Ok::<(), matchwright_solver::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// Names the first edge that repeats an earlier one in either direction, is a self loop, has a vertex out of range
    /// or a cost that is not finite, by its position in the list. [`GraphError::TooLarge`].
    pub fn from_edges(vertices: usize, edges: &[(usize, usize, f64)]) -> Result<Self, GraphError> {
        let mut costs = Self::default();
        costs.make_room(vertices)?;
        let ends = |(i, j, _): Edge| (i.min(j), i.max(j));
        for (position, &edge) in edges.iter().enumerate() {
            check_edge(position, edge, vertices)?;
            let (low, high) = ends(edge);
            let entry = &mut costs.matrix[low * vertices + high];
            if !entry.is_nan() {
                let earlier = edges.iter().position(|&other| ends(other) == (low, high));
                return Err(GraphError::DuplicateEdge {
                    position,
                    first: earlier.unwrap_or(position),
                    i: edge.0,
                    j: edge.1,
                });
            }
            *entry = edge.2;
        }
        costs.mirror(vertices);
        costs.vertices = vertices;
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
        self.make_room(vertices)?;
        for i in 0..vertices {
            for j in i + 1..vertices {
                let Some(value) = cost(i, j) else { continue };
                if !value.is_finite() {
                    return Err(GraphError::NotFinite { i, j, value });
                }
                self.matrix[i * vertices + j] = value;
            }
        }
        self.mirror(vertices);
        self.vertices = vertices;
        Ok(())
    }

    /// The costs of `oracle`'s pairs, in the memory at hand. O(n^2), by [`CostOracle::cost_row`]: an
    /// oracle that fills rows fast is copied fast.
    ///
    /// ```
    /// use matchwright_solver::{CostOracle, DenseCosts, EuclideanCosts};
    ///
    /// let points = EuclideanCosts::from_points(1, vec![0.0, 3.0, 10.0])?;
    /// let mut costs = DenseCosts::default();
    /// costs.copy_from(&points)?;
    /// assert_eq!(costs.cost(2, 1), Some(7.0));
    /// # Ok::<(), matchwright_solver::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// [`GraphError`] if there are too many vertices, or names the pair whose cost is not finite; no vertex is left.
    pub fn copy_from(&mut self, oracle: &dyn CostOracle) -> Result<(), GraphError> {
        let vertices = oracle.vertices();
        self.make_room(vertices)?;
        for i in 0..vertices.saturating_sub(1) {
            let row = &mut self.matrix[i * vertices + i + 1..(i + 1) * vertices];
            oracle.cost_row(i, i + 1, row);
            // In a row, NaN is a forbidden pair, and infinity stands for a cost that is a mistake.
            if let Some(offset) = row.iter().position(|cost| cost.is_infinite()) {
                let j = i + 1 + offset;
                let value = oracle.cost(i, j).unwrap_or(f64::INFINITY);
                return Err(GraphError::NotFinite { i, j, value });
            }
        }
        self.mirror(vertices);
        self.vertices = vertices;
        Ok(())
    }

    /// An empty matrix for `vertices`, without a cost yet.
    fn make_room(&mut self, vertices: usize) -> Result<(), GraphError> {
        self.vertices = 0;
        self.matrix.clear();
        if vertices > Self::MAX_VERTICES {
            return Err(GraphError::TooLarge {
                vertices,
                limit: Self::MAX_VERTICES,
            });
        }
        self.matrix.resize(vertices * vertices, f64::NAN);
        Ok(())
    }

    /// Copies what is above the diagonal to below it, in squares that stay in the cache.
    fn mirror(&mut self, vertices: usize) {
        const SIDE: usize = 32;
        for top in (0..vertices).step_by(SIDE) {
            for left in (top..vertices).step_by(SIDE) {
                for j in left..vertices.min(left + SIDE) {
                    for i in top..j.min(top + SIDE) {
                        self.matrix[j * vertices + i] = self.matrix[i * vertices + j];
                    }
                }
            }
        }
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
    use crate::costs::SparseCosts;

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
    fn a_matrix_of_edges_has_the_costs_of_the_list_and_refuses_what_a_list_must_not_hold() {
        let good = [(0, 1, 1.0), (3, 1, 2.0), (2, 0, 3.0)];
        let costs = DenseCosts::from_edges(4, &good).unwrap();
        let sparse = SparseCosts::from_edges(4, good).unwrap();
        for (i, j) in (0..4)
            .flat_map(|i| (0..4).map(move |j| (i, j)))
            .filter(|(i, j)| i != j)
        {
            assert_eq!(costs.cost(i, j), sparse.cost(i, j), "{i} {j}");
        }
        for bad in [
            (1, 3, 5.0),
            (2, 2, 1.0),
            (0, 4, 1.0),
            (4, 0, 1.0),
            (0, 3, f64::NAN),
            (0, 3, f64::INFINITY),
        ] {
            let edges: Vec<Edge> = good.into_iter().chain([bad]).collect();
            let error = DenseCosts::from_edges(4, &edges).unwrap_err();
            assert_eq!(
                error.to_string(),
                SparseCosts::from_edges(4, edges).unwrap_err().to_string()
            );
            assert_eq!(error.edge(), Some(3));
        }
        assert_eq!(DenseCosts::from_edges(0, &[]).unwrap().vertices(), 0);
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
    fn a_copy_has_the_costs_of_its_oracle_forbidden_pairs_included() {
        for vertices in [0, 1, 2, 31, 32, 33, 70] {
            let allowed = |i, j| (i * j) % 5 != 1;
            let original =
                DenseCosts::from_optional_fn(vertices, |i, j| allowed(i, j).then_some((100 * i + j) as f64))
                    .unwrap();
            let mut copy = DenseCosts::from_fn(9, |_, _| 1.0).unwrap();
            copy.copy_from(&original).unwrap();
            assert_eq!(copy.vertices(), vertices);
            for i in 0..vertices {
                for j in 0..vertices {
                    assert_eq!(copy.cost(i, j), original.cost(i, j));
                    let expected =
                        (i != j && allowed(i.min(j), i.max(j))).then_some((100 * i.min(j) + i.max(j)) as f64);
                    assert_eq!(copy.cost(i, j), expected);
                }
            }
        }
    }

    #[test]
    fn a_copy_of_a_wrong_cost_names_its_pair_and_has_no_vertex() {
        struct Wrong;
        impl CostOracle for Wrong {
            fn vertices(&self) -> usize {
                5
            }
            fn cost(&self, i: usize, j: usize) -> Option<f64> {
                Some(if i.min(j) == 1 && i.max(j) == 3 {
                    f64::NAN
                } else {
                    2.0
                })
            }
        }
        let mut copy = DenseCosts::default();
        let error = copy.copy_from(&Wrong).unwrap_err();
        assert!(
            matches!(error, GraphError::NotFinite { i: 1, j: 3, value } if value.is_nan()),
            "{error}"
        );
        assert_eq!(copy.vertices(), 0);
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
