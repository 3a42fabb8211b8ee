//! The blossom algorithm: from any matching by tight edges, under any feasible duals, to a perfect one.
//!
//! [`forest`] is the state and its clocks; [`search`] grows one tree, event by event; [`shrink`] and
//! [`expand`] make and open blossoms on the way; [`augment`] shifts pairs along a path; [`dissolve`] takes
//! blossoms apart between searches, where new edges or other weights ask for it.

mod augment;
mod dissolve;
mod expand;
pub(super) mod forest;
mod search;
mod shrink;

pub(super) use crate::read::short;
pub(super) use forest::{Forest, NONE};
pub(super) use search::Outcome;

use super::candidates::Candidates;

/// Edges, as the trees look at them: a vertex's at a time.
pub(super) trait Neighbours<W> {
    /// Visits the neighbours of `i` with the weights of the edges, in halves and even.
    fn for_each(&self, i: usize, visit: impl FnMut(usize, W));
}

impl<W: super::integer::Integer> Neighbours<W> for Candidates<W> {
    #[inline]
    fn for_each(&self, i: usize, mut visit: impl FnMut(usize, W)) {
        for &(j, weight) in self.row(i) {
            visit(j as usize, weight);
        }
    }
}
