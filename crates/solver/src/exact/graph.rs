//! The graph in integers, laid out to be scanned a row at a time.

use crate::costs::Adjacency;

/// Marks a pair that is not allowed in the matrix.
const FORBIDDEN: i64 = i64::MAX;

/// Every value that the algorithm compares stays below 2^63 because weights (in halves), duals and
/// times stay within this: see [`within_limit`].
pub(super) const LIMIT: i64 = 1 << 59;

/// Duals or times outgrew [`LIMIT`]: the resolution is too fine for this graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Overflow;

/// Passes a dual or a time that leaves room to add a few more of its kind.
pub(super) fn within_limit(value: i64) -> Result<i64, Overflow> {
    if (-LIMIT..=LIMIT).contains(&value) {
        Ok(value)
    } else {
        Err(Overflow)
    }
}

/// Weights in halves of a quantised cost (hence all even), as a matrix or as lists, whichever is smaller.
#[derive(Debug, Default)]
pub(super) struct IntegerGraph {
    vertices: usize,
    dense: bool,
    /// Row by row, if dense.
    matrix: Vec<i64>,
    /// Where each list begins, if sparse.
    starts: Vec<usize>,
    lists: Vec<(u32, i64)>,
}

impl IntegerGraph {
    /// Takes over the edges of `adjacency` with `weight` of their cost; reuses the memory it has.
    pub(super) fn fill(&mut self, adjacency: &Adjacency, weight: impl Fn(f64) -> i64) {
        let vertices = adjacency.vertices();
        self.vertices = vertices;
        // A list entry takes twice the room of a matrix entry.
        self.dense = 2 * adjacency.entries() >= vertices * vertices;
        self.matrix.clear();
        self.starts.clear();
        self.lists.clear();
        if self.dense {
            self.matrix.resize(vertices * vertices, FORBIDDEN);
            for (i, row) in self.matrix.chunks_exact_mut(vertices.max(1)).enumerate() {
                for &(j, cost) in adjacency.row(i) {
                    row[j as usize] = weight(cost);
                }
            }
        } else {
            for i in 0..vertices {
                self.starts.push(self.lists.len());
                self.lists
                    .extend(adjacency.row(i).iter().map(|&(j, cost)| (j, weight(cost))));
            }
            self.starts.push(self.lists.len());
        }
    }

    pub(super) fn vertices(&self) -> usize {
        self.vertices
    }

    /// Visits the neighbours of `i`, ascending, with the weight of the edge.
    #[inline]
    pub(super) fn for_each(&self, i: usize, mut visit: impl FnMut(usize, i64)) {
        if self.dense {
            let row = &self.matrix[i * self.vertices..(i + 1) * self.vertices];
            for (j, &weight) in row.iter().enumerate() {
                if weight != FORBIDDEN {
                    visit(j, weight);
                }
            }
        } else {
            for &(j, weight) in &self.lists[self.starts[i]..self.starts[i + 1]] {
                visit(j as usize, weight);
            }
        }
    }
}
