//! [`Decay`]: what a rating loses while its player is away.

use crate::error::{AMOUNTS, ParamError, RATINGS, within};
use crate::periods::RatingPeriod;
use crate::system::RatingEstimate;
use crate::team::ShiftRating;

/// How [`Decay`] is told, in days.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DecayParams {
    /// Rating points a day, from 0 to 1e9.
    pub points: f64,
    /// Days without a game before the first point is lost, from 0 to 1e9.
    pub after_days: f64,
    /// The rating below which none are lost. Default none: a newcomer's.
    #[cfg_attr(feature = "serde", serde(default))]
    pub down_to: Option<f64>,
}

impl DecayParams {
    /// The decay by periods of this length, among players of whom a newcomer has this rating.
    ///
    /// # Errors
    /// [`ParamError`] that names the first number out of range.
    pub fn build(self, period: RatingPeriod, newcomer: f64) -> Result<Decay, ParamError> {
        let days = period.seconds() / 86_400.0;
        Ok(Decay {
            points: within("decay points", self.points, AMOUNTS)? * days,
            grace: within("decay after_days", self.after_days, AMOUNTS)? / days,
            down_to: within("decay down_to", self.down_to.unwrap_or(newcomer), RATINGS)?,
        })
    }
}

/// Points that a rating loses for each period without a game, after some: of a rating r, t periods after the last game,
///
/// min(points max(0, t - grace), max(0, r - `down_to`))
///
/// are lost. A deviation stays as it is: it grows by the system.
///
/// ```
/// use matchwright_rating::{DecayParams, EloRating, RatingPeriod};
///
/// let decay = DecayParams { points: 5.0, after_days: 28.0, down_to: None }.build(RatingPeriod::days(7.0)?, 1500.0)?;
/// let rating = EloRating::new(1800.0)?;
/// // Six weeks, of which two count.
/// assert_eq!(decay.after(&rating, 6.0).unwrap().value(), 1730.0);
/// assert_eq!(decay.after(&rating, 100.0).unwrap().value(), 1500.0);
/// assert_eq!(decay.after(&rating, 4.0), None);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decay {
    points: f64,
    grace: f64,
    down_to: f64,
}

impl Decay {
    /// The rating of a player who has been away for this many periods; none if it is what it was.
    #[must_use]
    pub fn after<R: RatingEstimate + ShiftRating>(&self, rating: &R, periods: f64) -> Option<R> {
        let counted = periods - self.grace;
        // Neither NaN nor a time that goes back takes anything.
        if !(counted > 0.0 && self.points > 0.0) {
            return None;
        }
        let lost = (self.points * counted).min(rating.rating() - self.down_to);
        (lost > 0.0).then(|| rating.set_off(-lost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EloRating;

    #[test]
    fn who_is_below_or_away_for_a_strange_time_loses_nothing() {
        let day = RatingPeriod::days(1.0).unwrap();
        let params = DecayParams {
            points: 2.0,
            after_days: 10.0,
            down_to: Some(1600.0),
        };
        let decay = params.build(day, 1500.0).unwrap();
        let elo = |value| EloRating::new(value).unwrap();
        for (rating, periods) in [
            (1600.0, 99.0),
            (1200.0, 99.0),
            (1900.0, 10.0),
            (1900.0, f64::NAN),
            (1900.0, -5.0),
        ] {
            assert_eq!(decay.after(&elo(rating), periods), None);
        }
        assert_eq!(decay.after(&elo(1900.0), 11.0), Some(elo(1898.0)));
        assert_eq!(decay.after(&elo(1900.0), f64::INFINITY), Some(elo(1600.0)));
        let none = DecayParams {
            points: 0.0,
            ..params
        }
        .build(day, 1500.0)
        .unwrap();
        assert_eq!(none.after(&elo(1900.0), f64::INFINITY), None);
    }

    #[test]
    fn numbers_out_of_range_are_refused_by_name() {
        let decay = |points, after_days, down_to| {
            let params = DecayParams {
                points,
                after_days,
                down_to,
            };
            params
                .build(RatingPeriod::days(1.0).unwrap(), 1500.0)
                .unwrap_err()
                .name()
        };
        assert_eq!(decay(-1.0, 0.0, None), "decay points");
        assert_eq!(decay(1.0, f64::NAN, None), "decay after_days");
        assert_eq!(decay(1.0, 1.0, Some(f64::INFINITY)), "decay down_to");
    }
}
