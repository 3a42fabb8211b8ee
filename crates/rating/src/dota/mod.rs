//! Dota 2's matchmaking rating, as its developers described it in December 2013.
//!
//! "Matchmaking" (Valve, 2013), sections "Ranked Matchmaking is Coming" and "Your Matchmaking Rating (MMR)". The
//! post says what moves a rating and which way, and prints hardly a number: the shapes and sizes here are
//! ours, each with its reason, and what the post does say holds as a property.
//!
//! - [`DotaMmr`]: (MMR, uncertainty), for teams and for duels, with or without individual performance.
//! - [`DotaAccount`]: the four ratings of a player, their calibration, and who may see them.
//! - [`RankedRules`]: who may queue for ranked games, as data, with reasons.
//! - [`PercentileTable`]: the printed percentiles as a rising function both ways, and the best normal curve
//!   beside them, which misses.

mod account;
mod eligibility;
mod normal_fit;
mod params;
mod percentiles;
mod performance;
mod system;

pub use account::{
    Calibration, CalibrationParams, DotaAccount, MatchKind, MmrTrack, QueuedAs, Shown, UnknownKind, Viewer,
};
pub use eligibility::{QueuingPlayer, RankedRules, Refusal, RefusalReason};
pub use normal_fit::NormalFit;
pub use params::DotaMmrParams;
pub use percentiles::{PercentileError, PercentileTable};
pub use performance::PerformanceError;
pub use system::DotaMmr;
