//! [`EloMmrRating`]: a skill with the performances that the belief about it was made of.

use std::f64::consts::PI;
use std::ops::RangeInclusive;

use crate::elo_mmr::root::decreasing_zero;
use crate::error::{ParamError, RATINGS, within};
use crate::limit::RATING_LIMIT;
use crate::sigmoid::logistic_both;
use crate::system::RatingEstimate;
use crate::team::{ShiftRating, moved};

/// Deviations whose weights (their inverse squares) stay within reach of each other.
pub(super) const DEVIATIONS: RangeInclusive<f64> = 1e-6..=RATING_LIMIT;

/// The scale of a logistic distribution of this standard deviation.
pub(super) fn logistic_scale(deviation: f64) -> f64 {
    3.0_f64.sqrt() / PI * deviation
}

/// A game's evidence about a skill: logistic around `value` with standard deviation `beta`, discounted to `weight`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct Performance {
    /// In points.
    pub(super) value: f64,
    /// In points.
    pub(super) beta: f64,
    /// `1 / beta^2` when it was new.
    pub(super) weight: f64,
}

impl Performance {
    /// How much a skill of `x` is drawn down, and how that changes with x:
    ///
    /// ```text
    /// weight beta^2 / s tanh((x - value) / 2s)          s = sqrt(3) / pi beta
    /// ```
    fn pull(&self, x: f64) -> (f64, f64) {
        let scale = logistic_scale(self.beta);
        let strength = self.weight * self.beta / scale * self.beta;
        let (above, below) = logistic_both((x - self.value) / scale);
        (strength * (above - below), strength * 2.0 * above * below / scale)
    }
}

/// A rating of [`EloMmr`](crate::EloMmr): the most likely skill, its deviation, and the latest performances.
///
/// The belief about a skill x is a normal factor of precision `w_0 = 1 / deviation^2 - sum of weights`, times one logistic
/// factor for each performance. Where the normal factor is centred need not be kept: it is there that makes the rating the
/// most likely skill. Size: 48 bytes and 24 for each performance kept.
///
/// ```
/// use matchwright_rating::EloMmrRating;
///
/// let rating = EloMmrRating::new(1620.0, 110.0)?;
/// assert_eq!((rating.rating(), rating.deviation(), rating.performances()), (1620.0, 110.0, 0));
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "RawRating"))]
pub struct EloMmrRating {
    rating: f64,
    deviation: f64,
    /// The latest last.
    performances: Vec<Performance>,
}

impl EloMmrRating {
    /// A normal belief of `rating` points, give or take `deviation` points.
    ///
    /// # Errors
    /// [`ParamError`] if `rating` is NaN or beyond [`RATING_LIMIT`], or `deviation` not from 1e-6 to that.
    pub fn new(rating: f64, deviation: f64) -> Result<Self, ParamError> {
        within("rating", rating, RATINGS)?;
        within("deviation", deviation, DEVIATIONS)?;
        Ok(Self::of(rating, deviation))
    }

    /// Of numbers that were checked.
    pub(super) const fn of(rating: f64, deviation: f64) -> Self {
        Self {
            rating,
            deviation,
            performances: Vec::new(),
        }
    }

    /// The most likely skill, in points.
    #[must_use]
    pub const fn rating(&self) -> f64 {
        self.rating
    }

    /// The standard deviation of the skill, in points.
    #[must_use]
    pub const fn deviation(&self) -> f64 {
        self.deviation
    }

    /// How many performances are kept.
    #[must_use]
    pub const fn performances(&self) -> usize {
        self.performances.len()
    }

    /// The belief once its deviation has grown to `deviation`, and no less than it is (the paper's algorithm 2, DIFFUSE).
    ///
    /// ```text
    /// k = deviation_before^2 / deviation^2        weights of performances times k^(1 + rho), all others together times k
    /// ```
    ///
    /// The rating stays the most likely skill.
    pub(super) fn widened(&self, deviation: f64, rho: f64) -> Self {
        let deviation = deviation.clamp(self.deviation, RATING_LIMIT);
        let ratio = self.deviation / deviation;
        let kept = (ratio * ratio).powf(1.0 + rho);
        self.with_weights(deviation, kept)
    }

    fn with_weights(&self, deviation: f64, factor: f64) -> Self {
        let discounted = |one: &Performance| Performance {
            weight: factor * one.weight,
            ..*one
        };
        Self {
            rating: self.rating,
            deviation,
            performances: self.performances.iter().map(discounted).collect(),
        }
    }

    /// The belief after a performance of `value` points with standard deviation `beta`; only the latest `most`
    /// performances stay logistic (algorithm 1, UPDATE, second half).
    ///
    /// ```text
    /// 1 / deviation'^2 = 1 / deviation^2 + 1 / beta^2
    /// w_0 (x - r) + sum over performances of (pull(x) - pull(r)) + pull_new(x) = 0 at x = r'
    /// ```
    pub(super) fn after(mut self, value: f64, beta: f64, most: usize) -> Self {
        let weight = 1.0 / (beta * beta);
        let new = Performance { value, beta, weight };
        let before = self.rating;
        let total = 1.0 / (self.deviation * self.deviation);
        let held: f64 = self.performances.iter().map(|one| one.weight).sum();
        let normal = (total - held).max(0.0);
        let balance: f64 = self.performances.iter().map(|one| one.pull(before).0).sum();
        let descent = |x: f64| {
            let start = (normal * (x - before) - balance, normal);
            let pulls = self.performances.iter().chain([&new]).map(|one| one.pull(x));
            let (sum, slope) = pulls.fold(start, |sum, pull| (sum.0 + pull.0, sum.1 + pull.1));
            (-sum, -slope)
        };
        let found = decreasing_zero(
            descent,
            before.min(value),
            before.max(value),
            self.deviation.min(beta),
        );
        self.rating = found.clamp(-RATING_LIMIT, RATING_LIMIT);
        self.deviation = (1.0 / (total + weight).sqrt()).max(*DEVIATIONS.start());
        self.performances.push(new);
        let excess = self.performances.len().saturating_sub(most);
        self.performances.drain(..excess);
        self
    }
}

impl RatingEstimate for EloMmrRating {
    fn rating(&self) -> f64 {
        self.rating
    }

    fn deviation(&self) -> Option<f64> {
        Some(self.deviation)
    }
}

impl ShiftRating for EloMmrRating {
    fn shifted(&self, points: f64) -> Self {
        let mut shifted = self.clone();
        shifted.rating = moved(self.rating, points);
        for one in &mut shifted.performances {
            one.value += shifted.rating - self.rating;
        }
        shifted
    }

    /// All weights change in the same proportion.
    fn with_deviation(&self, deviation: f64) -> Self {
        if deviation.is_nan() {
            return self.clone();
        }
        let deviation = deviation.clamp(*DEVIATIONS.start(), *DEVIATIONS.end());
        let ratio = self.deviation / deviation;
        self.with_weights(deviation, ratio * ratio)
    }
}

/// What is read before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRating {
    rating: f64,
    deviation: f64,
    performances: Vec<Performance>,
}

#[cfg(feature = "serde")]
impl TryFrom<RawRating> for EloMmrRating {
    type Error = ParamError;

    fn try_from(raw: RawRating) -> Result<Self, ParamError> {
        let rating = Self::new(raw.rating, raw.deviation)?;
        // A little rounding, which the normal factor's precision forgives.
        let mut open = 1.000_001 / (raw.deviation * raw.deviation);
        for one in &raw.performances {
            within("performance", one.value, -f64::MAX..=f64::MAX)?;
            within("beta", one.beta, *DEVIATIONS.start()..=f64::MAX)?;
            open -= within("weight", one.weight, 0.0..=open)?;
        }
        let performances = raw.performances;
        Ok(Self {
            performances,
            ..rating
        })
    }
}
