//! [`ShiftRating`]: a rating moved along its scale.

use crate::elo::EloRating;
use crate::glicko2::Glicko2Rating;
use crate::limit::RATING_LIMIT;

/// A rating that can be moved along its scale, keeping how uncertain it is.
///
/// It is what advantages and party bonuses need: being 30 points better for one game.
///
/// ```
/// use matchwright_rating::{GaussianRating, ShiftRating};
///
/// let guest = GaussianRating::new(1500.0, 80.0)?;
/// assert_eq!(guest.shifted(-35.0), GaussianRating::new(1465.0, 80.0)?);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
pub trait ShiftRating {
    /// The same rating `points` higher (lower if negative), kept within the limits of its type; NaN
    /// moves nothing.
    #[must_use]
    fn shifted(&self, points: f64) -> Self;

    /// As [`shifted`](Self::shifted), for good and not for one game: what a rating has of its own past, such as the highest that
    /// it was, stays. By default the same.
    #[must_use]
    fn set_off(&self, points: f64) -> Self
    where
        Self: Sized,
    {
        self.shifted(points)
    }

    /// The same rating with another deviation, kept within the limits of its type; NaN changes
    /// nothing, and nor does a rating change that has no deviation.
    #[must_use]
    fn with_deviation(&self, deviation: f64) -> Self;
}

/// `value` moved by `points`, within [`RATING_LIMIT`].
#[inline]
pub(crate) fn moved(value: f64, points: f64) -> f64 {
    if points.is_nan() {
        return value;
    }
    (value + points).clamp(-RATING_LIMIT, RATING_LIMIT)
}

/// `deviation` within \[0, [`RATING_LIMIT`]\]; `own` for NaN.
pub(crate) fn limited(own: f64, deviation: f64) -> f64 {
    if deviation.is_nan() {
        return own;
    }
    deviation.clamp(0.0, RATING_LIMIT)
}

impl ShiftRating for f64 {
    fn shifted(&self, points: f64) -> Self {
        moved(*self, points)
    }

    fn with_deviation(&self, _deviation: f64) -> Self {
        *self
    }
}

impl ShiftRating for EloRating {
    fn shifted(&self, points: f64) -> Self {
        // What is moved within the limits is a rating.
        Self::new(moved(self.value(), points)).unwrap_or(*self)
    }

    fn with_deviation(&self, _deviation: f64) -> Self {
        *self
    }
}

impl ShiftRating for Glicko2Rating {
    fn shifted(&self, points: f64) -> Self {
        Self::new(moved(self.rating(), points), self.deviation(), self.volatility()).unwrap_or(*self)
    }

    fn with_deviation(&self, deviation: f64) -> Self {
        let deviation = limited(self.deviation(), deviation);
        Self::new(self.rating(), deviation, self.volatility()).unwrap_or(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_moves_the_rating_alone_and_stops_at_the_limit() -> Result<(), crate::ParamError> {
        let rating = Glicko2Rating::new(1500.0, 80.0, 0.05)?;
        assert_eq!(rating.shifted(25.0), Glicko2Rating::new(1525.0, 80.0, 0.05)?);
        assert_eq!(rating.shifted(f64::NAN), rating);
        assert_eq!(rating.shifted(f64::INFINITY).rating(), RATING_LIMIT);
        assert_eq!(
            rating.with_deviation(30.0),
            Glicko2Rating::new(1500.0, 30.0, 0.05)?
        );
        assert_eq!(rating.with_deviation(f64::NAN), rating);
        assert_eq!(EloRating::new(3.0)?.shifted(-1e300).value(), -RATING_LIMIT);
        Ok(())
    }
}
