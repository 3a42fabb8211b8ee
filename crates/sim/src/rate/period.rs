//! What counts as a rating period: a length of time, or a game.

use matchwright_rating::{ParamError, RatingPeriod, TimeError};
use serde::{Deserialize, Serialize};

/// What counts as a rating period. Deviations grow, volatility widens and bonus pools fill by the period.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PeriodChoice {
    /// So many days, fractions of it by the clock.
    Days(f64),
    /// So many days, from 1970-01-01 on, the games of which all count at its end, as in Glickman's papers: each player
    /// learns from all of them in one update, and none of them is known to the forecast of another. For games of one against
    /// one.
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
    /// What tells the periods between two games.
    pub(super) fn build(self) -> Result<Clock, ParamError> {
        Ok(Clock(match self {
            Self::Days(days) | Self::Batch(days) => Some(RatingPeriod::days(days)?),
            Self::Game => None,
        }))
    }

    /// The period whose games count at its end, if they do.
    pub(super) fn batch(self) -> Result<Option<RatingPeriod>, ParamError> {
        match self {
            Self::Batch(days) => RatingPeriod::days(days).map(Some),
            Self::Days(_) | Self::Game => Ok(None),
        }
    }
}

/// Tells how many periods passed; without a period of time, every game is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock(pub(super) Option<RatingPeriod>);

impl Clock {
    /// Periods from a player's last game to the one `now`, both Unix seconds; none before the first.
    pub(super) fn elapsed(self, last: Option<i64>, now: i64) -> Result<f64, TimeError> {
        let Some(last) = last else {
            return Ok(0.0);
        };
        self.0.map_or(Ok(1.0), |period| period.elapsed(last, now))
    }
}
