//! The graph in integers, laid out to be scanned a row at a time.

use crate::costs::Adjacency;

/// Duals and times stay within this (see [`within_limit`]), and weights within half of it.
const LIMIT: i64 = 1 << 58;

/// Later than every time that the algorithm computes: weights less two duals of outer vertices, each within
/// 3 [`LIMIT`] of 0 by its clock.
pub(super) const FAR: i64 = 1 << 61;

/// The weight of a forbidden pair in the matrix: such a pair is never tight before [`FAR`], and no sum
/// reaches 2^63.
const FORBIDDEN: i64 = 1 << 62;

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

    /// Visits the neighbours of `i`, ascending, with the weight of the edge. A matrix shows forbidden pairs
    /// as well, `i` itself among them, at a weight that makes any slack or time [`FAR`] or later: compare
    /// with something before.
    #[inline]
    pub(super) fn for_each(&self, i: usize, mut visit: impl FnMut(usize, i64)) {
        if self.dense {
            let row = &self.matrix[i * self.vertices..(i + 1) * self.vertices];
            for (j, &weight) in row.iter().enumerate() {
                visit(j, weight);
            }
        } else {
            for &(j, weight) in &self.lists[self.starts[i]..self.starts[i + 1]] {
                visit(j as usize, weight);
            }
        }
    }
}
