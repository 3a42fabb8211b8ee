//! Which vertices of a graph may stay unmatched.

use crate::error::Barrier;

/// Which vertices may stay unmatched.
#[derive(Debug, Default, Clone)]
pub(super) struct UnmatchedRule {
    /// What that costs, to be minimised; empty if all vertices must be matched.
    pub(super) penalties: Vec<f64>,
    /// For maximum cardinality: how many vertices stay unmatched, if any do.
    pub(super) deficiency: usize,
    /// Why it cannot be fewer, and a matching that leaves so few.
    pub(super) barrier: Option<Barrier>,
    pub(super) largest: Vec<usize>,
}
