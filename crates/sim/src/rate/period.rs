//! Periods between two games.

use matchwright_rating::{ParamError, PeriodChoice, RatingPeriod, TimeError};

/// Tells how many periods passed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Clock {
    /// Every game is a period.
    Games,
    /// Fractions of periods count.
    Fractions(RatingPeriod),
    /// Periods follow each other from 1970 on, and the games of one are at the same time.
    Whole(RatingPeriod),
}

impl Clock {
    pub(super) fn of(period: PeriodChoice) -> Result<Self, ParamError> {
        Ok(match (period.length()?, period) {
            (None, _) => Self::Games,
            (Some(length), PeriodChoice::Batch(_)) => Self::Whole(length),
            (Some(length), _) => Self::Fractions(length),
        })
    }

    /// Periods from a player's last game to the one `now`, both Unix seconds; none before the first.
    pub(super) fn elapsed(self, last: Option<i64>, now: i64) -> Result<f64, TimeError> {
        let Some(last) = last else {
            return Ok(0.0);
        };
        match self {
            Self::Games => Ok(1.0),
            Self::Fractions(period) => period.elapsed(last, now),
            Self::Whole(period) => {
                period.elapsed(last, now)?;
                Ok(number(period, now).saturating_sub(number(period, last)) as f64)
            }
        }
    }
}

/// The number of the period of a time: they follow each other from 1970-01-01 on.
pub(super) fn number(period: RatingPeriod, time: i64) -> i64 {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "times of 64 bits have numbers of as many"
    )]
    let number = (time as f64 / period.seconds()).floor() as i64;
    number
}
