//! StarCraft II's ladder: what can be learnt of the hidden rating behind it, on generated ladders.

mod averages;
pub(crate) mod claims;
mod forensics;
mod held;
pub mod ladder;
mod page;
mod plots;
mod points;
mod pools;
mod reproduction;
mod tables;
mod visible_games;

pub use averages::{AverageRow, AveragesConfig, run_averages};
pub use forensics::{
    Brier, ForensicsReport, LeagueDebt, TierShares, WorldReport, run_debts, run_forensics, run_ladders,
    run_tiers,
};
pub use held::Held;
pub use points::{PointsConfig, PointsRow, run_points};
pub use pools::{PoolErrors, PoolRow};
pub use reproduction::{Sc2Reproduction, reproduce};
pub use visible_games::{VisibleGamesReport, run_visible_games};
