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

/// How a performance draws a skill.
///
/// ```text
/// strength tanh((x - value) / 2s)          strength = weight beta^2 / s          s = sqrt(3) / pi beta
/// ```
struct Pull {
    value: f64,
    /// 1 / s.
    rate: f64,
    strength: f64,
}

impl Pull {
    fn of(one: &Performance) -> Self {
        let rate = 1.0 / logistic_scale(one.beta);
        Self {
            value: one.value,
            rate,
            strength: one.weight * one.beta * (rate * one.beta),
        }
    }

    /// How much a skill of `x` is drawn down, and how that changes with x.
    fn at(&self, x: f64) -> (f64, f64) {
        let (above, below) = logistic_both((x - self.value) * self.rate);
        (
            self.strength * (above - below),
            self.strength * 2.0 * above * below * self.rate,
        )
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
        // With room for the next.
        let mut performances = Vec::with_capacity(self.performances.len() + 1);
        performances.extend(self.performances.iter().map(discounted));
        Self {
            rating: self.rating,
            deviation,
            performances,
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
        let before = self.rating;
        let total = 1.0 / (self.deviation * self.deviation);
        // What weighs less is lost in rounding, and smaller numbers yet are slow to reckon with.
        self.performances.retain(|one| one.weight > f64::EPSILON * total);
        let held: f64 = self.performances.iter().map(|one| one.weight).sum();
        let normal = (total - held).max(0.0);
        self.performances.push(Performance { value, beta, weight });
        let pulls: Vec<Pull> = self.performances.iter().map(Pull::of).collect();
        let add = |sum: (f64, f64), pull: (f64, f64)| (sum.0 + pull.0, sum.1 + pull.1);
        let sum_at = |pulls: &[Pull], x: f64, start| pulls.iter().map(|pull| pull.at(x)).fold(start, add);
        let (balance, slope) = sum_at(&pulls[..pulls.len() - 1], before, (0.0, normal));
        let descent = |x: f64| {
            let (sum, slope) = sum_at(&pulls, x, (normal * (x - before) - balance, normal));
            (-sum, -slope)
        };
        // The first step of Newton's, from the rating, takes what the balance needs anyhow.
        let (drawn, steeper) = pulls[pulls.len() - 1].at(before);
        let bracket = (before.min(value), before.max(value));
        let start = before - drawn / (slope + steeper);
        let found = decreasing_zero(descent, bracket, start, self.deviation.min(beta));
        self.rating = found.clamp(-RATING_LIMIT, RATING_LIMIT);
        self.deviation = (1.0 / (total + weight).sqrt()).max(*DEVIATIONS.start());
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
