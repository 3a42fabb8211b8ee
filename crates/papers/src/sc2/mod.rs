//! StarCraft II's ladder: what can be learnt of the hidden rating behind it, on generated ladders.

pub(crate) mod claims;
mod forensics;
pub mod ladder;
mod page;
mod plots;
mod points;
mod reproduction;
mod tables;
mod visible_games;

pub use forensics::{
    Brier, ForensicsReport, Held, LeagueDebt, PoolRow, TierShares, WorldReport, run_forensics, run_ladders,
};
pub use points::{PointsConfig, PointsRow, run_points};
pub use reproduction::{Sc2Reproduction, reproduce};
pub use visible_games::{VisibleGamesReport, run_visible_games};
