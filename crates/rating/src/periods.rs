//! [`RatingPeriod`]: elapsed rating periods from time stamps.

use thiserror::Error;

use crate::error::{ParamError, within};

/// The length of one rating period, which turns time stamps into the fractional periods that
/// [`RatingSystem::update`](crate::RatingSystem::update) takes.
///
/// elapsed = (to - from) / length, with both stamps in whole seconds since any epoch.
///
/// ```
/// use matchwright_rating::RatingPeriod;
///
/// let week = RatingPeriod::days(7.0)?;
/// assert_eq!(week.elapsed(1_700_000_000, 1_700_000_000 + 7 * 86_400)?, 1.0);
/// assert_eq!(week.elapsed(0, 86_400)?, 1.0 / 7.0);
/// assert!(week.elapsed(86_400, 0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f64", into = "f64"))]
pub struct RatingPeriod {
    seconds: f64,
}

/// A game before the player's last update.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("time goes back from {from} s to {to} s: sort the games by time before rating them")]
pub struct TimeError {
    /// The stamp of the last update.
    pub from: i64,
    /// The earlier stamp that came after it.
    pub to: i64,
}

impl RatingPeriod {
    /// A period of `seconds`.
    ///
    /// # Errors
    /// [`ParamError`] unless `seconds` is from 1e-3 to 1e12 (a millisecond to 30,000 years).
    pub fn from_seconds(seconds: f64) -> Result<Self, ParamError> {
        let seconds = within("RatingPeriod", seconds, 1e-3..=1e12)?;
        Ok(Self { seconds })
    }

    /// A period of `days` of 86,400 seconds.
    ///
    /// # Errors
    /// As [`from_seconds`](Self::from_seconds).
    pub fn days(days: f64) -> Result<Self, ParamError> {
        Self::from_seconds(days * 86_400.0)
    }

    /// The length in seconds.
    #[must_use]
    pub const fn seconds(&self) -> f64 {
        self.seconds
    }

    /// How many periods, fractions included, lie between two stamps.
    ///
    /// # Errors
    /// [`TimeError`] if `to_seconds` is before `from_seconds`: unsorted games must not pass as
    /// simultaneous ones.
    pub fn elapsed(&self, from_seconds: i64, to_seconds: i64) -> Result<f64, TimeError> {
        if to_seconds < from_seconds {
            return Err(TimeError {
                from: from_seconds,
                to: to_seconds,
            });
        }
        // The unsigned distance cannot overflow, whatever the stamps.
        Ok(from_seconds.abs_diff(to_seconds) as f64 / self.seconds)
    }
}

/// What counts as a rating period. Deviations grow, volatility widens and bonus pools fill by the period.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum PeriodChoice {
    /// A number of days; fractions of a period go by the clock.
    Days(f64),
    /// A number of days, counted from 1970-01-01; all games of a period count at its end, as in Glickman's papers: each player
    /// learns from all of them in one update, and none of them is known to the forecast of another. So do TrueSkill, Weng-Lin
    /// and Dota's, in games of teams as well; other systems for teams, which have no such update, learn from them one after
    /// another. Those for two players take games of one against one.
    Batch(f64),
    /// Every game is a period of its own for its players, however much time has passed. So do libraries that know no
    /// time; their constants are to be read so.
    Game,
}

impl Default for PeriodChoice {
    /// A day.
    fn default() -> Self {
        Self::Days(1.0)
    }
}

impl PeriodChoice {
    /// Its length; none of a game.
    ///
    /// # Errors
    /// As [`RatingPeriod::days`].
    pub fn length(self) -> Result<Option<RatingPeriod>, ParamError> {
        match self {
            Self::Days(days) | Self::Batch(days) => RatingPeriod::days(days).map(Some),
            Self::Game => Ok(None),
        }
    }
}

impl TryFrom<f64> for RatingPeriod {
    type Error = ParamError;

    fn try_from(seconds: f64) -> Result<Self, ParamError> {
        Self::from_seconds(seconds)
    }
}

impl From<RatingPeriod> for f64 {
    fn from(period: RatingPeriod) -> Self {
        period.seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_span_of_stamps_is_finite() {
        let second = RatingPeriod::from_seconds(1.0).unwrap();
        assert_eq!(second.elapsed(i64::MIN, i64::MAX), Ok(2.0_f64.powi(64)));
        assert_eq!(second.elapsed(-5, -5), Ok(0.0));
    }

    #[test]
    fn going_back_in_time_is_an_error_that_names_both_stamps() {
        let error = RatingPeriod::days(1.0).unwrap().elapsed(10, 9).unwrap_err();
        assert_eq!((error.from, error.to), (10, 9));
        assert!(error.to_string().contains("from 10 s to 9 s"));
    }

    #[test]
    fn a_period_without_a_sensible_length_is_refused() {
        for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(RatingPeriod::from_seconds(seconds).is_err());
            assert!(RatingPeriod::days(seconds).is_err());
        }
    }
}
