//! What the hidden rating is: from what a ladder shows to what it hides, and how sure that is.
//!
//! Ladders show points, a bonus pool, wins and losses, and hide the rating that decides who plays whom and who is
//! promoted. This crate works the way back, after "Understanding The Matchmaking System in Starcraft II" (2011),
//! whose arithmetic it has beside corrected forms. It knows no rating system, reads no file and no clock: everything
//! is a function of plain numbers.
//!
//! | You have | You want | Take |
//! |---|---|---|
//! | points, unspent bonus, pool, share of wins | the rating | [`Standing`] and a [`Division`] of a [`LadderSeason`] |
//! | a rating and a magic number | games until promotion, by the mean step; with quantiles | [`games_to_promotion`]; [`first_passage`] |
//! | points won and lost, game by game | ratings after each game | [`play_backward`], then [`predict_promotion`] |
//! | two readings of the pool, or a time | the other | [`PoolClock`] |
//! | a division, seen once | its tier, with chances | [`likely_tier`], [`cluster_tier`] |
//! | a server, seen twice or more, and histories | C, M, K, with intervals | [`fit_constants`] |
//! | histories up to promotions | the moving average that promotes, the price of absence | [`compare_averages`], [`fit_debt`] |
//! | changes of any Elo-like rating | its K-factor, scale, hidden opponents | [`fit_elo`] |
//! | a list of the best by points | ratings beside it, differences explained | [`top_list`] |
//!
//! ```
//! use matchwright_mmr_forensics::*;
//!
//! let season = LadderSeason::default();
//! let division = season.division("Diamond", None)?;
//! let player = Standing::new(RankPoints::new(1000.0)?, Unspent::new(2000.0)?, PoolTotal::new(2669.0)?, WinRate::HALF)?;
//! assert_eq!(player.mmr(&division), 2081.0);
//! let distance = division.magic().unwrap() - player.differential_in(&division);
//! let games = games_to_promotion(distance, WinRate::HALF, season.params().game, season.params().lag_games)?;
//! assert_eq!(games, GamesToPromotion::Games(149.0));
//! # Ok::<(), ForensicsError>(())
//! ```
//!
//! What data cannot tell is not guessed: [`Answer::NotIdentifiable`] says why, and what would help.
//!
//! # Features
//!
//! - `serde`: derives on seasons and answers.
//! - `schema`: the JSON schema of seasons.
//! - `laws`: the contract of [`Averaging`] as functions, for averages of your own.

mod amounts;
mod answer;
mod average;
mod error;
mod fit;
mod history;
#[cfg(feature = "laws")]
pub mod laws;
mod numeric;
mod passage;
mod pool;
mod predict;
mod promotion;
mod season;
mod snapshot;
mod standing;
mod tier;
mod top;

pub use amounts::{LIMIT, PerLoss, PerWin, PoolTotal, RankPoints, Unspent, WinRate};
pub use answer::{Answer, Interval, Unidentified};
pub use average::{Averaging, MovingAverage};
pub use error::ForensicsError;
pub use fit::{
    AverageFit, ConstantsFit, DebtFit, EloFit, GainFit, LeagueFit, Thresholds, TierFit, VisibleGame,
    compare_averages, fit_constants, fit_debt, fit_elo,
};
pub use history::{
    AfterGame, Bounds, LadderState, NextGame, PoolKnowledge, ShownGame, play_backward, play_forward,
};
pub use passage::{FirstPassage, MOST_GAMES_TO_PROMOTION, first_passage};
pub use pool::PoolClock;
pub use predict::{MOST_GAMES_AHEAD, PromotionForecast, predict_promotion};
pub use promotion::{GameValue, GamesToPromotion, games_to_promotion};
pub use season::{Division, LadderSeason, LadderSeasonParams, LeagueParams, TierParams};
pub use snapshot::{DivisionSnapshot, Member, PromotionHistory};
pub use standing::Standing;
pub use tier::{ClusterReading, TierProbability, TierReading, TierSettings, cluster_tier, likely_tier};
pub use top::{ListedPlayer, Mismatch, TopRow, top_list};

/// The code of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
