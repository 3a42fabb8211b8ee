//! Elo's rating system.

mod curve;
mod schedule;

pub use curve::EloCurve;
pub use schedule::{KSchedule, ScheduledElo, ScheduledEloParams, ScheduledRating};

use crate::error::{ParamError, RATINGS, within};
use crate::limit::RATING_LIMIT;
use crate::registry::SystemSettings;
use crate::score::{GameResult, Score};
use crate::system::{RatingEstimate, RatingSystem};
use crate::team::TeamSkill;
use crate::tunable::{Scale, Tunable};

/// An Elo rating: one number, in rating points.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f64", into = "f64"))]
pub struct EloRating(f64);

impl EloRating {
    /// A rating of `value` points.
    ///
    /// # Errors
    /// [`ParamError`] if `value` is NaN or beyond [`RATING_LIMIT`].
    pub fn new(value: f64) -> Result<Self, ParamError> {
        within("EloRating", value, RATINGS).map(Self)
    }

    /// The rating in points.
    #[must_use]
    pub const fn value(&self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for EloRating {
    type Error = ParamError;

    fn try_from(value: f64) -> Result<Self, ParamError> {
        Self::new(value)
    }
}

impl From<EloRating> for f64 {
    fn from(rating: EloRating) -> Self {
        rating.0
    }
}

impl RatingEstimate for EloRating {
    fn rating(&self) -> f64 {
        self.0
    }

    fn deviation(&self) -> Option<f64> {
        None
    }
}

/// The settings of [`Elo`], unchecked until [`build`](Self::build).
#[doc(alias("K-factor", "FIDE"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct EloParams {
    /// K, the most points that one game can move; in (0, 1e6\]. Default 32. For a K that
    /// depends on the player there is [`ScheduledElo`]. Too high: ratings chase noise. Too low: they lag behind.
    pub k: f64,
    /// A newcomer's rating. Default 1500.
    pub initial: f64,
    /// From a rating difference to an expected score. Default logistic with scale 400.
    pub curve: EloCurve,
}

impl Default for EloParams {
    fn default() -> Self {
        Self {
            k: 32.0,
            initial: 1500.0,
            curve: EloCurve::default(),
        }
    }
}

impl EloParams {
    /// The system, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<Elo, ParamError> {
        within("k", self.k, f64::MIN_POSITIVE..=1e6)?;
        within("initial", self.initial, RATINGS)?;
        self.curve.check()?;
        Ok(Elo { params: self })
    }
}

impl Tunable for EloParams {
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
        turn("k", Scale::Factors(0.5, 400.0), &mut self.k);
    }
}

impl SystemSettings for EloParams {
    fn points_per_log_odds(&self) -> f64 {
        self.curve.points_per_log_odds()
    }

    fn team_skill(&self) -> TeamSkill {
        TeamSkill::Mean
    }
}

/// Elo's system: points move with the difference between result and expectation.
///
/// r' = r + K sum w (s - E), with E from [`EloCurve`] and every E from the ratings before the period; w is the
/// [share](GameResult::share) of the game, 1 of a whole one.
/// Elo, "The Rating of Chessplayers, Past and Present", 1978, section 1.6. Time plays no part.
///
/// Zero-sum: when two players are both updated from one game with the same K, what one gains the
/// other loses (but not under [`EloCurve::FideTable`] across the 2650 border, and not when K
/// differs).
///
/// Bounds: the result is kept within [`RATING_LIMIT`]. Cost: linear in the games.
///
/// ```
/// use matchwright_rating::{EloCurve, EloParams, EloRating, GameResult, RatingSystem, Score};
///
/// // FIDE: a newcomer (K = 40) of 1500 beats a 1900 and gains 37 points.
/// let fide = EloParams { k: 40.0, curve: EloCurve::FideTable, ..EloParams::default() }.build()?;
/// let (new, old) = (EloRating::new(1500.0)?, EloRating::new(1900.0)?);
/// let after = fide.update(&new, 0.0, &[GameResult::new(old, Score::WIN)]);
/// assert_eq!((after.value() - 1500.0).round(), 37.0);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elo {
    params: EloParams,
}

impl Elo {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &EloParams {
        &self.params
    }

    /// r + K surplus.
    #[inline]
    fn after(&self, player: EloRating, surplus: f64) -> EloRating {
        EloRating((player.0 + self.params.k * surplus).clamp(-RATING_LIMIT, RATING_LIMIT))
    }
}

impl RatingSystem for Elo {
    type Rating = EloRating;

    fn initial(&self) -> EloRating {
        EloRating(self.params.initial)
    }

    #[inline]
    fn expected_score(&self, player: &EloRating, opponent: &EloRating) -> f64 {
        self.params.curve.expected(player.0, opponent.0)
    }

    fn update(
        &self,
        player: &EloRating,
        _elapsed_periods: f64,
        games: &[GameResult<EloRating>],
    ) -> EloRating {
        let surplus: f64 = games
            .iter()
            .map(|game| game.share * (game.score.value() - self.expected_score(player, &game.opponent)))
            .sum();
        self.after(*player, surplus)
    }

    #[inline]
    fn update_pair(
        &self,
        (first, _): (&EloRating, f64),
        (second, _): (&EloRating, f64),
        score: Score,
    ) -> (EloRating, EloRating) {
        let (own, other) = self.params.curve.expected_both(first.0, second.0);
        (
            self.after(*first, score.value() - own),
            self.after(*second, score.reversed().value() - other),
        )
    }
}
