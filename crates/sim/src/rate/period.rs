//! Periods between two games.

use matchwright_rating::{ParamError, PeriodChoice, RatingPeriod, TimeError};

/// Tells how many periods passed; without a period of time, every game is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock(pub(super) Option<RatingPeriod>);

impl Clock {
    pub(super) fn of(period: PeriodChoice) -> Result<Self, ParamError> {
        period.length().map(Self)
    }

    /// Periods from a player's last game to the one `now`, both Unix seconds; none before the first.
    pub(super) fn elapsed(self, last: Option<i64>, now: i64) -> Result<f64, TimeError> {
        let Some(last) = last else {
            return Ok(0.0);
        };
        self.0.map_or(Ok(1.0), |period| period.elapsed(last, now))
    }
}
