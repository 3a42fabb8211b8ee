//! [`PoolClock`]: the bonus pool's total as a function of time.

use crate::amounts::PoolTotal;
use crate::error::{ForensicsError, within};
use crate::season::LadderSeason;

/// What the pool has given by when. Minutes may be counted from any moment, on any clock.
///
/// ```
/// use matchwright_mmr_forensics::{LadderSeason, PoolClock, PoolTotal};
///
/// let clock = PoolClock::starting_at(0.0, &LadderSeason::default())?;
/// assert_eq!(clock.total_at(7.0 * 1_440.0).get(), 90.0);
/// let (first, second) = (PoolTotal::new(2669.0)?, PoolTotal::new(2671.0)?);
/// assert_eq!(clock.minutes_between(first, second), 224.0);
/// # Ok::<(), matchwright_mmr_forensics::ForensicsError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PoolClock {
    minutes_per_point: f64,
    start: f64,
}

impl PoolClock {
    /// A pool that starts empty at this minute of the user's clock, such as the start of the server's season.
    ///
    /// # Errors
    /// [`ForensicsError::Number`] beyond 1e12 minutes.
    pub fn starting_at(start: f64, season: &LadderSeason) -> Result<Self, ForensicsError> {
        let start = within("the start of the season", start, -1e12..=1e12)?;
        Ok(Self {
            minutes_per_point: season.params().minutes_per_point,
            start,
        })
    }

    /// A pool whose total was read once.
    ///
    /// # Errors
    /// [`ForensicsError::Number`] beyond 1e12 minutes.
    pub fn read(total: PoolTotal, minute: f64, season: &LadderSeason) -> Result<Self, ForensicsError> {
        Self::starting_at(minute - total.get() * season.params().minutes_per_point, season)
    }

    /// B at this minute, fractions included; 0 before the start.
    #[must_use]
    pub fn total_at(&self, minute: f64) -> PoolTotal {
        let points = (minute - self.start) / self.minutes_per_point;
        let points = if points.is_nan() { 0.0 } else { points };
        PoolTotal::constant(points.clamp(0.0, crate::amounts::LIMIT))
    }

    /// The minute at which the pool's total reaches this.
    #[must_use]
    pub fn minute_of(&self, total: PoolTotal) -> f64 {
        self.start + total.get() * self.minutes_per_point
    }

    /// Minutes from one total to another.
    #[must_use]
    pub fn minutes_between(&self, first: PoolTotal, second: PoolTotal) -> f64 {
        (second.get() - first.get()) * self.minutes_per_point
    }
}
