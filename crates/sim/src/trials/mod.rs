//! What the ratings of the Dota 2, DomiNations and StarCraft II documents do over many games.
//!
//! The documents say what their systems are for and print few numbers. Each trial here generates players whose
//! strength is known to the generator alone, lets a system of `matchwright-rating` rate them, and counts what is
//! claimed:
//!
//! - [`climb()`], [`run_newcomers`]: newcomers find their place and their first win, beside a constant K.
//! - [`run_inflation`]: what unequal K does to the sum of all points in a closed world.
//! - [`run_points`]: points follow games played where a bonus pool doubles wins.
//! - [`run_parties`]: a logistic regression finds out what parties are worth.
//! - [`run_performance`]: individual performance against the result.
//! - [`run_forensics`]: what `matchwright-mmr-forensics` finds out of ladders whose seasons it does not see.
//! - [`hidden_fractions`]: whether ratings with fractions explain a printed match.
//!
//! All that is not in a document is a documented default of the configuration. Same seed, same numbers.

mod climb;
mod forensics;
mod fractions;
mod inflation;
mod newcomers;
mod parties;
mod performance;
mod points;

pub use climb::{Climb, ClimbConfig, climb};
pub use forensics::{
    Brier, ForensicsConfig, ForensicsReport, Held, LeagueDebt, PoolError, TierShares, WorldReport,
    run_forensics, run_ladders,
};
pub use fractions::{HiddenFractions, hidden_fractions};
pub use inflation::{InflationConfig, InflationRow, run_inflation};
pub use newcomers::{NewcomerReport, NewcomerRow, NewcomersConfig, run_newcomers};
pub use parties::{PartiesConfig, PartiesReport, TermRecovery, run_parties};
pub use performance::{PerformanceConfig, PerformanceReport, run_performance};
pub use points::{PointsConfig, PointsRow, run_points};

use matchwright_rating::{GameError, ParamError, PartyFitError, PerformanceError};
use thiserror::Error;

/// Why a trial could not be run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrialError {
    /// A setting of the trial.
    #[error("{setting} is {value}; it must be {range}")]
    Config {
        /// Which.
        setting: &'static str,
        /// What it was.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// A setting of a rating system, or a rating.
    #[error(transparent)]
    Rating(#[from] ParamError),
    /// A game.
    #[error("a game of the trial: {0}")]
    Game(#[from] GameError),
    /// Performances.
    #[error("performances of the trial: {0}")]
    Performance(#[from] PerformanceError),
    /// A generated ladder.
    #[error(transparent)]
    Ladder(#[from] crate::population::ladder::LadderWorldError),
    /// What was asked of it.
    #[error(transparent)]
    Forensics(#[from] matchwright_mmr_forensics::ForensicsError),
    /// The regression.
    #[error("the regression: {0}")]
    Fit(#[from] PartyFitError),
}

/// Refuses a setting that is not in its range, NaN included.
fn inside(
    setting: &'static str,
    value: f64,
    allowed: &std::ops::RangeInclusive<f64>,
    range: &'static str,
) -> Result<(), TrialError> {
    if allowed.contains(&value) {
        Ok(())
    } else {
        Err(TrialError::Config {
            setting,
            value,
            range,
        })
    }
}

fn normal(rng: &mut impl rand::Rng) -> f64 {
    use rand_distr::Distribution;
    rand_distr::StandardNormal.sample(rng)
}
