//! The rating systems by name, behind one door for whoever chooses at run time.

use matchwright_rating::{
    EloParams, Glicko2Params, Glicko2Rating, GlickoParams, ParamError, RatingEstimate, RatingPeriod,
    RatingSystem,
};
use serde::Serialize;

use super::evaluation::RateError;
use super::pass::{Prediction, RatingRun, run};
use crate::history::MatchHistory;

/// A rating system by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SystemChoice {
    /// Elo's system.
    Elo,
    /// Glickman's first, with a deviation.
    Glicko,
    /// Glickman's second, with a volatility.
    Glicko2,
}

/// Parameters of each system, and the rating period that fractions are taken of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SystemParams {
    /// Elo's.
    pub elo: EloParams,
    /// Glicko's. Its deviation grows by 10 points per square root of a day of idleness, by default.
    pub glicko: GlickoParams,
    /// Glicko-2's.
    pub glicko2: Glicko2Params,
    /// Length of a rating period, days. Default 1.
    pub period_days: f64,
}

impl Default for SystemParams {
    fn default() -> Self {
        Self {
            elo: EloParams::default(),
            glicko: GlickoParams {
                c: 10.0,
                ..GlickoParams::default()
            },
            glicko2: Glicko2Params::default(),
            period_days: 1.0,
        }
    }
}

impl SystemParams {
    /// Refuses parameters that the chosen system cannot work with.
    ///
    /// # Errors
    /// [`ParamError`] names the first that is out of range.
    pub fn check(&self, choice: SystemChoice) -> Result<(), ParamError> {
        RatingPeriod::days(self.period_days)?;
        match choice {
            SystemChoice::Elo => self.elo.check().map(|_| ()),
            SystemChoice::Glicko => self.glicko.check().map(|_| ()),
            SystemChoice::Glicko2 => self.glicko2.check().map(|_| ()),
        }
    }
}

/// A player at the end of a rated history.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatedPlayer {
    /// Name.
    pub player: String,
    /// Rating points.
    pub rating: f64,
    /// Standard deviation of the rating; none where the system keeps none.
    pub deviation: Option<f64>,
    /// Volatility; Glicko-2 alone keeps one.
    pub volatility: Option<f64>,
    /// Matches won.
    pub wins: u32,
    /// Matches drawn.
    pub draws: u32,
    /// Matches lost.
    pub losses: u32,
    /// When the last one ended, Unix seconds.
    pub last_time: Option<i64>,
}

/// Rates a history under the chosen system: players by rating, best first, and all predictions.
///
/// Glicko and Glicko-2 predict from the joint deviation of both players, which forecasts better than the
/// opponent's alone that their updates use.
///
/// # Errors
/// [`RateError::Param`] names the parameter that is out of range.
pub fn rate_history(
    choice: SystemChoice,
    params: &SystemParams,
    history: &MatchHistory,
) -> Result<(Vec<RatedPlayer>, Vec<Prediction>), RateError> {
    let period = RatingPeriod::days(params.period_days)?;
    match choice {
        SystemChoice::Elo => {
            let elo = params.elo.check()?;
            let rated = run(&elo, &period, history, RatingEstimate::rating, |a, b| {
                elo.expected_score(a, b)
            })?;
            Ok(rank(history, rated, |_| None))
        }
        SystemChoice::Glicko => {
            let glicko = params.glicko.check()?;
            let rated = run(&glicko, &period, history, RatingEstimate::rating, |a, b| {
                glicko.predict(a, b)
            })?;
            Ok(rank(history, rated, |_| None))
        }
        SystemChoice::Glicko2 => {
            let glicko2 = params.glicko2.check()?;
            let rated = run(&glicko2, &period, history, RatingEstimate::rating, |a, b| {
                glicko2.predict(a, b)
            })?;
            Ok(rank(history, rated, |rating: &Glicko2Rating| {
                Some(rating.volatility())
            }))
        }
    }
}

/// Players by rating, best first; equals by name.
fn rank<R: RatingEstimate>(
    history: &MatchHistory,
    rated: RatingRun<R>,
    volatility: impl Fn(&R) -> Option<f64>,
) -> (Vec<RatedPlayer>, Vec<Prediction>) {
    let mut players: Vec<RatedPlayer> = history
        .players()
        .iter()
        .zip(&rated.standings)
        .map(|(name, standing)| RatedPlayer {
            player: name.clone(),
            rating: standing.rating.rating(),
            deviation: standing.rating.deviation(),
            volatility: volatility(&standing.rating),
            wins: standing.record[0],
            draws: standing.record[1],
            losses: standing.record[2],
            last_time: standing.last_time,
        })
        .collect();
    players.sort_by(|a, b| {
        b.rating
            .total_cmp(&a.rating)
            .then_with(|| a.player.cmp(&b.player))
    });
    (players, rated.predictions)
}
