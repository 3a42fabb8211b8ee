//! Costs of a sparse graph as adjacency lists.

use super::{CostOracle, Edge, check_edge};
use crate::error::GraphError;

/// A list of allowed pairs with their costs; every other pair is forbidden.
///
/// Memory: 32 bytes an edge. A look-up takes O(log degree), the neighbours O(degree).
///
/// ```
/// use matchwright_solver::{CostOracle, SparseCosts};
///
/// let costs = SparseCosts::from_edges(4, [(0, 1, 2.5), (3, 2, 1.0)])?;
/// assert_eq!(costs.cost(2, 3), Some(1.0));
/// assert_eq!(costs.cost(0, 2), None);
/// assert_eq!(costs.edge_count(), 2);
/// # Ok::<(), matchwright_solver::GraphError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SparseCosts {
    /// Where each vertex's neighbours begin; one more entry than vertices.
    starts: Vec<usize>,
    /// Neighbours of all vertices, ascending within each.
    neighbours: Vec<(usize, f64)>,
}

impl SparseCosts {
    /// The largest number of vertices.
    pub const MAX_VERTICES: usize = super::MAX_VERTICES;

    /// The graph of the edges `(i, j, cost)`.
    ///
    /// # Errors
    /// A duplicate (in either direction), a self loop, a vertex out of range, a NaN or infinite cost: each
    /// names the first such edge by its position in the list. [`GraphError::TooLarge`].
    pub fn from_edges(vertices: usize, edges: impl IntoIterator<Item = Edge>) -> Result<Self, GraphError> {
        if vertices > Self::MAX_VERTICES {
            return Err(GraphError::TooLarge {
                vertices,
                limit: Self::MAX_VERTICES,
            });
        }
        let list: Vec<Edge> = edges.into_iter().collect();
        let mut starts = vec![0; vertices + 1];
        for (position, &(i, j, cost)) in list.iter().enumerate() {
            check_edge(position, (i, j, cost), vertices)?;
            starts[i + 1] += 1;
            starts[j + 1] += 1;
        }
        for i in 0..vertices {
            starts[i + 1] += starts[i];
        }
        let mut free = starts.clone();
        let mut placed = vec![(0, 0.0, 0); 2 * list.len()];
        for (position, &(i, j, cost)) in list.iter().enumerate() {
            for (from, to) in [(i, j), (j, i)] {
                placed[free[from]] = (to, cost, position);
                free[from] += 1;
            }
        }
        for i in 0..vertices {
            placed[starts[i]..starts[i + 1]].sort_unstable_by_key(|&(to, _, position)| (to, position));
        }
        first_duplicate(&starts, &placed, &list)?;
        let neighbours = placed.into_iter().map(|(to, cost, _)| (to, cost)).collect();
        Ok(Self { starts, neighbours })
    }

    /// How many edges there are.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.neighbours.len() / 2
    }

    fn row(&self, i: usize) -> &[(usize, f64)] {
        &self.neighbours[self.starts[i]..self.starts[i + 1]]
    }
}

/// The duplicate that comes first in the list.
fn first_duplicate(
    starts: &[usize],
    placed: &[(usize, f64, usize)],
    list: &[Edge],
) -> Result<(), GraphError> {
    let rows = starts.windows(2).map(|ends| &placed[ends[0]..ends[1]]);
    let repeats = rows.flat_map(|row| row.windows(2).filter(|two| two[0].0 == two[1].0));
    let Some(earliest) = repeats.min_by_key(|two| two[1].2) else {
        return Ok(());
    };
    let (first, position) = (earliest[0].2, earliest[1].2);
    let (i, j, _) = list[position];
    Err(GraphError::DuplicateEdge {
        position,
        first,
        i,
        j,
    })
}

impl CostOracle for SparseCosts {
    fn vertices(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let row = self.row(i);
        row.binary_search_by_key(&j, |&(to, _)| to)
            // Dropped: what is not in the row is absent.
            .ok()
            .map(|at| row[at].1)
    }

    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        for &(j, cost) in self.row(i) {
            visit(j, cost);
        }
    }

    fn is_sparse(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_broken_edge_is_named_by_its_position() {
        let good = [(0, 1, 1.0), (1, 2, 2.0)];
        let error = |bad| SparseCosts::from_edges(4, good.into_iter().chain([bad])).unwrap_err();
        assert_eq!(
            error((2, 1, 5.0)),
            GraphError::DuplicateEdge {
                position: 2,
                first: 1,
                i: 2,
                j: 1
            }
        );
        assert_eq!(error((3, 3, 5.0)), GraphError::SelfLoop { position: 2, i: 3 });
        assert_eq!(
            error((0, 4, 5.0)),
            GraphError::OutOfRange {
                position: 2,
                i: 0,
                j: 4,
                vertices: 4
            }
        );
        assert!(matches!(
            error((0, 3, f64::NAN)),
            GraphError::EdgeNotFinite {
                position: 2,
                i: 0,
                j: 3,
                ..
            }
        ));
        assert!(matches!(
            error((0, 3, f64::INFINITY)),
            GraphError::EdgeNotFinite { position: 2, .. }
        ));
    }

    #[test]
    fn the_first_of_several_duplicates_is_named() {
        let edges = [(0, 1, 1.0), (2, 3, 1.0), (3, 2, 1.0), (1, 0, 1.0), (0, 1, 1.0)];
        let error = SparseCosts::from_edges(4, edges).unwrap_err();
        assert_eq!(
            error,
            GraphError::DuplicateEdge {
                position: 2,
                first: 1,
                i: 3,
                j: 2
            }
        );
    }

    #[test]
    fn a_graph_without_edges_or_vertices_is_a_graph() {
        assert_eq!(SparseCosts::from_edges(0, []).unwrap().vertices(), 0);
        assert_eq!(SparseCosts::default().vertices(), 0);
        let lonely = SparseCosts::from_edges(2, []).unwrap();
        assert_eq!((lonely.vertices(), lonely.cost(0, 1)), (2, None));
    }
}
