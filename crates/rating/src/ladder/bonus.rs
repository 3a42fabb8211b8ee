//! [`BonusPool`]: points that accrue with time and are spent on wins.

use crate::error::{AMOUNTS, ParamError, within};
use crate::limit::RATING_LIMIT;
use crate::system::time_passed;

/// The settings of a [`BonusPool`], unchecked until [`build`](Self::build).
#[doc(alias("StarCraft", "unspent bonus"))]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct BonusPoolParams {
    /// Minutes in which the pool gains a point; 1e-3 to 1e9. Default 112, the source's rate: 90 points a week.
    pub minutes_per_point: f64,
    /// Minutes in one rating period, which is the unit that time comes in; 1e-6 to 1e9. Default 1,440, a day: give
    /// the length of the [`RatingPeriod`](crate::RatingPeriod) in use.
    pub minutes_per_period: f64,
    /// Points at which an unspent pool stops growing; 0 to 1e9. Default 1e9: none. The source knows of pools
    /// that expire, but prints no limit.
    pub max_unspent: f64,
}

impl Default for BonusPoolParams {
    fn default() -> Self {
        Self {
            minutes_per_point: 112.0,
            minutes_per_period: 1_440.0,
            max_unspent: RATING_LIMIT,
        }
    }
}

impl BonusPoolParams {
    /// The pool, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<BonusPool, ParamError> {
        within("minutes_per_point", self.minutes_per_point, 1e-3..=1e9)?;
        within("minutes_per_period", self.minutes_per_period, 1e-6..=1e9)?;
        within("max_unspent", self.max_unspent, AMOUNTS)?;
        Ok(BonusPool { params: self })
    }
}

/// Points that everybody is given as time passes, to be earned a second time by winning.
///
/// While the pool lasts, the points earned by a win are doubled out of it; losses neither spend nor refill
/// it. So points follow the games played even of players who lose half of them.
///
/// ```
/// use matchwright_rating::BonusPoolParams;
///
/// let pool = BonusPoolParams::default().build()?;
/// // 90 a week; and who reads 2669 and later 2671 has waited 224 minutes.
/// assert_eq!(pool.points_in(7.0 * 1_440.0), 90.0);
/// assert_eq!(pool.minutes_for(2671.0 - 2669.0), 224.0);
/// // A win of 13 points: doubled, or as far as the pool goes.
/// assert_eq!((pool.spent_on(50.0, 13.0), pool.spent_on(4.0, 13.0)), (13.0, 4.0));
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[doc(alias("StarCraft", "unspent bonus"))]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BonusPool {
    params: BonusPoolParams,
}

impl BonusPool {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &BonusPoolParams {
        &self.params
    }

    /// Points that the pool gains in `minutes`, fractions included.
    #[must_use]
    pub fn points_in(&self, minutes: f64) -> f64 {
        minutes / self.params.minutes_per_point
    }

    /// Minutes in which the pool gains `points`.
    #[must_use]
    pub fn minutes_for(&self, points: f64) -> f64 {
        points * self.params.minutes_per_point
    }

    /// A pool of `unspent` points `elapsed_periods` later: min(unspent + gained, `max_unspent`), and never less than
    /// it was.
    ///
    /// t and then u periods are t + u; negative time and NaN are none, and so are negative points and NaN.
    #[must_use]
    pub fn accrued(&self, unspent: f64, elapsed_periods: f64) -> f64 {
        let unspent = unspent.max(0.0);
        let gained = self.points_in(time_passed(elapsed_periods) * self.params.minutes_per_period);
        (unspent + gained).min(self.params.max_unspent).max(unspent)
    }

    /// What wins that earned `earned` points take from a pool of `unspent`: as many again, while it lasts. Negative
    /// points and NaN are none.
    #[must_use]
    pub fn spent_on(&self, unspent: f64, earned: f64) -> f64 {
        earned.max(0.0).min(unspent.max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_grows_to_its_limit_and_never_shrinks_by_waiting() {
        let pool = BonusPoolParams {
            max_unspent: 100.0,
            ..BonusPoolParams::default()
        }
        .build()
        .unwrap();
        assert_eq!(pool.accrued(10.0, 7.0), 100.0);
        assert_eq!(pool.accrued(0.0, 3.5), 45.0);
        assert_eq!(pool.accrued(10.0, f64::INFINITY), 100.0);
        // Read from somewhere with a higher limit.
        assert_eq!(pool.accrued(150.0, 1.0), 150.0);
        for nothing in [0.0, -1.0, f64::NAN] {
            assert_eq!(pool.accrued(10.1, nothing), 10.1);
            assert_eq!(pool.accrued(nothing, 1.0), pool.accrued(0.0, 1.0));
            assert_eq!(
                (pool.spent_on(nothing, 13.0), pool.spent_on(50.0, nothing)),
                (0.0, 0.0)
            );
        }
    }
}
