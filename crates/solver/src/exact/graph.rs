//! The graph in integers, laid out to be scanned a row at a time.

use super::integer::Integer;
use crate::costs::Adjacency;

/// Weights in halves of a quantised cost (hence all even), as a matrix or as lists, whichever is smaller.
#[derive(Debug, Default)]
pub(super) struct IntegerGraph<W> {
    vertices: usize,
    dense: bool,
    /// Row by row, if dense.
    matrix: Vec<W>,
    /// Where each list begins, if sparse.
    starts: Vec<usize>,
    lists: Vec<(u32, W)>,
}

impl<W: Integer> IntegerGraph<W> {
    /// Takes over the edges of `adjacency` with `weight` of their cost; reuses the memory it has.
    pub(super) fn fill(&mut self, adjacency: &Adjacency, weight: impl Fn(f64) -> W) {
        let vertices = adjacency.vertices();
        self.vertices = vertices;
        // A list entry takes twice the room of a matrix entry.
        self.dense = 2 * adjacency.entries() >= vertices * vertices;
        self.matrix.clear();
        self.starts.clear();
        self.lists.clear();
        if self.dense {
            self.matrix.resize(vertices * vertices, W::FORBIDDEN);
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
    /// as well, `i` itself among them, at a weight that makes any slack or time [`FAR`](Integer::FAR) or later: compare
    /// with something before.
    #[inline]
    pub(super) fn for_each(&self, i: usize, mut visit: impl FnMut(usize, W)) {
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
