//! What the ratings of the Dota 2, DomiNations and StarCraft II documents do over many games, and what Awesomenauts'
//! search for lobbies finds.
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
//! - [`run_visible_games`]: the same of Elo-like ladders, from the changes that a player sees.
//! - [`hidden_fractions`]: whether ratings with fractions explain a printed match.
//! - [`run_race`], [`run_restarts`], [`run_batches`], [`run_starts`], [`run_totals`], [`run_port`]: Awesomenauts'
//!   search for lobbies beside others, and what its author says of it.
//!
//! All that is not in a document is a documented default of the configuration. Same seed, same numbers.

mod climb;
mod forensics;
mod fractions;
mod inflation;
mod lobbies;
mod newcomers;
mod parties;
mod performance;
mod points;
mod visible_games;

pub use climb::{Climb, ClimbConfig, climb};
pub use forensics::{
    Brier, ForensicsConfig, ForensicsReport, Held, LeagueDebt, PoolRow, TierShares, WorldReport,
    run_forensics, run_ladders,
};
pub use fractions::{HiddenFractions, hidden_fractions};
pub use inflation::{InflationConfig, InflationRow, run_inflation};
pub use lobbies::{
    BATCH_GROUPS, BatchRow, BatchStep, BatchesConfig, BatchesReport, Contender, FactorRow, ForcedReport,
    GroupRow, PortConfig, PortCount, PortReport, RaceConfig, RaceReport, RaceRow, RestartPoint,
    RestartsConfig, RestartsReport, StartsConfig, StartsReport, Total, TotalRow, TotalsConfig, TotalsReport,
    awesomenauts_policy, best_swap, expected_best, run_batches, run_port, run_race, run_restarts, run_starts,
    run_totals,
};
pub use newcomers::{NewcomerReport, NewcomerRow, NewcomersConfig, run_newcomers};
pub use parties::{PartiesConfig, PartiesReport, TermRecovery, run_parties};
pub use performance::{PerformanceConfig, PerformanceReport, run_performance};
pub use points::{PointsConfig, PointsRow, run_points};
pub use visible_games::{VisibleGamesConfig, VisibleGamesReport, run_visible_games};

use matchwright_rating::{GameError, ParamError, PartyFitError, PerformanceError};
use matchwright_scoring::{PolicyError, PoolError, ScoringError, TeamMatchError};
use matchwright_solver::LobbyError;
use thiserror::Error;

use crate::adapt::NoTerms;
use crate::population::LobbyWorldError;

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
    /// A setting of the world of players who wait.
    #[error(transparent)]
    World(#[from] LobbyWorldError),
    /// Players who wait.
    #[error("players of the trial: {0}")]
    Pool(#[from] PoolError),
    /// A policy.
    #[error("the policy of the trial: {0}")]
    Policy(#[from] PolicyError),
    /// A setting of a factor or of a mean.
    #[error("the policy of the trial: {0}")]
    Setting(#[from] ScoringError),
    /// A policy that does not add up.
    #[error("the policy of the trial: {0}")]
    Terms(#[from] NoTerms),
    /// A match.
    #[error("a match of the trial: {0}")]
    Match(#[from] TeamMatchError),
    /// A search for lobbies.
    #[error("lobbies of the trial: {0}")]
    Lobby(#[from] LobbyError),
    /// The threads that the trial runs on.
    #[error(transparent)]
    Threads(#[from] crate::threads::ThreadsError),
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
