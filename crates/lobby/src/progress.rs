//! The stages of [`Progress`](matchwright_solver::Progress).

/// Lineups are searched for.
pub(crate) const SEARCH: &str = "search";
/// An upper bound is computed.
#[cfg(feature = "bounds")]
pub(crate) const BOUND: &str = "bound";
/// Everything that could be better is looked through.
#[cfg(feature = "bounds")]
pub(crate) const PROOF: &str = "proof";
/// Splits of a group are evaluated.
pub(crate) const SPLITS: &str = "splits";
/// A certificate is checked.
pub(crate) const CHECK: &str = "check";
