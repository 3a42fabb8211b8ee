//! (MMR, uncertainty).

use crate::error::{ParamError, within};
use crate::system::{RATING_LIMIT, RatingEstimate};
use crate::team::{ShiftRating, limited, moved};

/// The mean and the standard deviation of a player's performance in the next game, both in MMR points.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "RawDotaRating"))]
pub struct DotaRating {
    mmr: f64,
    uncertainty: f64,
}

impl DotaRating {
    /// A rating of `mmr` points whose owner's next performance varies by `uncertainty` points.
    ///
    /// # Errors
    /// [`ParamError`] if a number is NaN, beyond [`RATING_LIMIT`], or the uncertainty negative.
    pub fn new(mmr: f64, uncertainty: f64) -> Result<Self, ParamError> {
        let range = -RATING_LIMIT..=RATING_LIMIT;
        within("DotaRating::mmr", mmr, &range, "a rating from -1e9 to 1e9 points")?;
        let remedy = "an uncertainty from 0 to 1e9 points";
        within(
            "DotaRating::uncertainty",
            uncertainty,
            &(0.0..=RATING_LIMIT),
            remedy,
        )?;
        Ok(Self { mmr, uncertainty })
    }

    /// Of numbers that were checked.
    pub(super) const fn of(mmr: f64, uncertainty: f64) -> Self {
        Self { mmr, uncertainty }
    }

    /// The mean, in MMR points.
    #[must_use]
    pub const fn mmr(&self) -> f64 {
        self.mmr
    }

    /// The standard deviation, in MMR points.
    #[must_use]
    pub const fn uncertainty(&self) -> f64 {
        self.uncertainty
    }
}

/// What is read before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct RawDotaRating {
    mmr: f64,
    uncertainty: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<RawDotaRating> for DotaRating {
    type Error = ParamError;

    fn try_from(raw: RawDotaRating) -> Result<Self, ParamError> {
        Self::new(raw.mmr, raw.uncertainty)
    }
}

impl RatingEstimate for DotaRating {
    fn rating(&self) -> f64 {
        self.mmr
    }

    fn deviation(&self) -> Option<f64> {
        Some(self.uncertainty)
    }
}

impl ShiftRating for DotaRating {
    fn shifted(&self, points: f64) -> Self {
        Self {
            mmr: moved(self.mmr, points),
            ..*self
        }
    }

    fn with_deviation(&self, deviation: f64) -> Self {
        Self {
            uncertainty: limited(self.uncertainty, deviation),
            ..*self
        }
    }
}
