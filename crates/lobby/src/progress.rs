//! What a watch of the search, the bound or the proof is told, and when it ends them.

pub(crate) use matchwright_solver::{Progress, Watch};

/// The stages of [`Progress`]: lineups are searched for, a bound is computed, and all that could still be better is
/// looked through.
pub(crate) const SEARCH: &str = "search";
#[cfg(feature = "bounds")]
pub(crate) const BOUND: &str = "bound";
#[cfg(feature = "bounds")]
pub(crate) const PROOF: &str = "proof";

/// Whether this share of the time means that there is none left.
pub(crate) fn is_over(share: f64) -> bool {
    share.is_nan() || share >= 1.0
}
