//! Pairings that need not be optimal, and bounds that say how far they may be from it.
//!
//! One file an idea: [`graph`] reads the costs, [`partners`] finds the cheapest of a vertex, with coordinates
//! by [`nearest`]; [`mod@best_first`] is greedy; [`padded`] lets vertices stay unmatched; [`local_search`] with
//! its moves in [`exchange`], and [`path_growing`], are solvers. [`bound`] is the other side: [`ascent`]
//! finds duals in floats, by [`steps`] between its sweeps, and [`rounding`] makes a certificate of them.
//! [`unfinished`] takes both from an exact solve that was stopped.

mod ascent;
mod best_first;
mod bound;
mod exchange;
mod graph;
mod local_search;
mod nearest;
mod padded;
mod partners;
mod path_growing;
mod rounding;
mod smallest;
mod steps;
mod unfinished;

pub(crate) use best_first::best_first;
pub use bound::{Approximate, approximate, dual_bound};
pub use local_search::LocalSearch;
pub(crate) use padded::solve_padded;
pub use path_growing::PathGrowing;
pub(crate) use unfinished::finish;

/// The mate of who has none.
const FREE: usize = usize::MAX;
