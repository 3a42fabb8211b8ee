//! What a ladder shows around a system.

use super::{Averaged, AveragedParams, AveragedRating, LadderPoints, LadderPointsParams, PointsRating};
use crate::error::ParamError;
use crate::periods::PeriodChoice;

const MINUTES_PER_DAY: f64 = 1440.0;

/// A ladder: points with a bonus pool around the hidden rating, and around both a moving average that promotes.
///
/// Neither changes the rating or a forecast.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct LadderParams {
    /// Points and bonus pool. The pool's minutes a period are those of the rating period, whatever is written here; a
    /// player's pool starts with the first game.
    pub points: LadderPointsParams,
    /// Moving average and promotion, in points of the hidden rating.
    pub averaged: AveragedParams,
}

/// A system with its ladder around it.
pub type Laddered<S> = Averaged<LadderPoints<S>>;
/// What such a one knows of a player.
pub type LadderedRating<R> = AveragedRating<PointsRating<R>>;

/// What the ladder shows of a player, as just after the last game.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LadderStanding {
    /// Points displayed, spent bonus points among them.
    pub points: f64,
    /// Bonus points that the pool still holds.
    pub unspent: f64,
    /// Bonus points among the points.
    pub spent: f64,
    /// Moving average of the hidden rating; none before the first game.
    pub average: Option<f64>,
    /// How many thresholds the player was promoted over.
    pub tier: u32,
    /// From the average to the next threshold; negative if games are lacking, none in the highest tier.
    pub to_promotion: Option<f64>,
}

impl LadderParams {
    /// `system` with points, pool, average and tiers around it.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn wrap<S>(&self, system: S, period: PeriodChoice) -> Result<Laddered<S>, ParamError> {
        let mut points = self.points;
        if let (Some(bonus), PeriodChoice::Days(days) | PeriodChoice::Batch(days)) =
            (&mut points.bonus, period)
        {
            bonus.minutes_per_period = days * MINUTES_PER_DAY;
        }
        self.averaged.clone().wrap(points.wrap(system)?)
    }
}

impl<S> Laddered<S> {
    /// What it shows of a player.
    #[must_use]
    pub fn standing<R>(&self, rating: &LadderedRating<R>) -> LadderStanding {
        let shown = rating.inner();
        LadderStanding {
            points: shown.points(),
            unspent: shown.unspent(),
            spent: shown.spent(),
            average: self.average(rating),
            tier: rating.tier(),
            to_promotion: self.points_to_promotion(rating),
        }
    }
}
