//! Estimation of a season's hidden constants from what many players see.
//!
//! [`compare_averages`]: which moving average promotions follow, and at what average they come. [`fit_constants`]: C,
//! M and K from snapshots of a server and players' histories. [`fit_debt`]: what an absence costs. [`fit_elo`]:
//! K-factor, scale and opponents of any Elo-like ladder, from one player's games.

mod average;
mod constants;
mod debt;
mod elo;
mod moves;

pub use average::{AverageFit, Thresholds, compare_averages};
pub use constants::{ConstantsFit, LeagueFit, TierFit, fit_constants};
pub use debt::{DebtFit, fit_debt};
pub use elo::{EloFit, VisibleGame, fit_elo};
pub use moves::GainFit;
