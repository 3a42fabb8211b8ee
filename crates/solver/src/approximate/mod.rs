//! Pairings that need not be optimal, and bounds that say how far they may be from it.
//!
//! One file an idea: [`graph`] reads the costs, [`partners`] finds the cheapest of a vertex, the [`smallest`] of a row;
//! [`mod@best_first`] is greedy; [`padded`] lets vertices stay unmatched; [`local_search`] with its moves in
//! [`exchange`], and [`path_growing`], are solvers. [`bound`] says how far from the best a pairing may be;
//! [`unfinished`] completes an exact solve that was stopped.

mod best_first;
mod bound;
mod exchange;
mod graph;
mod local_search;
mod padded;
mod partners;
mod path_growing;
mod smallest;
mod unfinished;

pub(crate) use best_first::best_first;
pub use bound::{BoundedPairing, approximate, dual_bound, dual_bound_within};
pub use local_search::LocalSearch;
pub(crate) use padded::run_heuristic;
pub use path_growing::PathGrowing;
pub(crate) use unfinished::finish;

/// The mate of a vertex without one.
const FREE: usize = usize::MAX;
