//! The comparisons of "World War Matchmaking - Design Spotlight 2019" (Big Huge Games, for DomiNations).
//!
//! The spotlight compares ratings by their ratio, spreads within the alliances, and glory; it gives one figure (a
//! defence 10 % higher wins 60 %). Other figures here are ours, and say so.

mod glory;
mod strength;
mod team_sizes;
mod variance;

pub use glory::Glory;
pub use strength::{Strength, WINS_BY_RATIO, win_probability_by_ratio};
pub use team_sizes::TeamSizes;
pub use variance::{Variance, log_spread};

use crate::team::Pool;

/// ln sqrt(offence x defence): a member's strength all in all.
fn log_strength(pool: &Pool, player: usize) -> f64 {
    f64::midpoint(pool.offence(player).ln(), pool.defence(player).ln())
}
