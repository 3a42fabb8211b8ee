//! [`SeasonPull`]: ratings compressed towards a centre between seasons.

use std::ops::RangeInclusive;

use thiserror::Error;

use crate::dom::DomRating;
use crate::error::{ParamError, RATINGS, within};
use crate::limit::RATING_LIMIT;

/// The settings of a [`SeasonPull`], unchecked until [`build`](Self::build).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct SeasonPullParams {
    /// Whither, in points. Default 12,000, the source's.
    pub centre: f64,
    /// The share of its distance that a rating next to the centre keeps; in (0, 1\]. Default 1: who is at
    /// the centre is hardly touched.
    pub keep: f64,
    /// How fast that share falls with the distance, per point; 0 (not at all, which needs a `keep` below 1) to
    /// 1 (at once). Default 1/12,000: then who is above the centre keeps the share 12,000/glory of the lead,
    /// the plainest way for the pull to depend on current glory, and 16,000 to 22,000 land in the source's
    /// range of 15,000 to 17,500.
    pub hardening: f64,
}

impl Default for SeasonPullParams {
    fn default() -> Self {
        Self {
            centre: 12_000.0,
            keep: 1.0,
            hardening: 1.0 / 12_000.0,
        }
    }
}

impl SeasonPullParams {
    /// The pull, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<SeasonPull, ParamError> {
        within("centre", self.centre, RATINGS)?;
        within("keep", self.keep, 1e-6..=1.0)?;
        // Without either there would be no pull at all.
        let least = if self.keep < 1.0 { 0.0 } else { 1e-12 };
        within("hardening", self.hardening, least..=1.0)?;
        Ok(SeasonPull { params: self })
    }
}

/// Why no pull takes one range of ratings to another.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PullError {
    /// A setting out of its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// Nothing to pull.
    #[error("there is no rating to pull")]
    Empty,
    /// A rating that is none.
    #[error("{source}")]
    Rating {
        /// Its place among all, from 0.
        index: usize,
        /// What is wrong with it.
        source: ParamError,
    },
    /// Not enough ratings to speak of a top.
    #[error("the top {wanted} of {ratings} ratings: give two or more, and no more than there are")]
    TooFew {
        /// How many the top was to have.
        wanted: usize,
        /// How many ratings there are.
        ratings: usize,
    },
    /// A range that is not one above the centre.
    #[error(
        "{low} to {high} is no range above the centre {centre}: give two finite ends, the lower one first"
    )]
    Range {
        /// The lower end as given.
        low: f64,
        /// The upper end as given.
        high: f64,
        /// The centre of the pull.
        centre: f64,
    },
    /// The upper end would have to keep a larger share of its distance than the lower one.
    #[error(
        "the upper end would keep {upper} of its distance and the lower one {lower}: give a wanted range whose \
         upper end is nearer"
    )]
    Softer {
        /// The lower end's share.
        lower: f64,
        /// The upper end's share.
        upper: f64,
    },
    /// Ratings next to the centre would be pushed away from it.
    #[error(
        "ratings next to the centre would have to keep {keep} of their distance, more than all of it: give a \
         wanted range whose upper end is farther, or whose lower end is nearer"
    )]
    Away {
        /// The share that they would keep.
        keep: f64,
    },
}

/// A season's pull of all ratings towards a centre, harder the further away, in order.
///
/// ```text
/// d' = keep d / (1 + hardening |d|)          d the distance from the centre, in points
/// ```
///
/// The points that a rating is pulled by, |d| - |d'|, grow strictly with |d|; with a `hardening` above 0 so
/// does their share of |d|. Order is kept strictly: d' rises with d everywhere. In floating point the formula is
/// evaluated in steps that IEEE 754 rounds in order, so no two ratings ever swap, whatever their size; two
/// that are closer than rounding can tell apart may become equal (every contraction must do that), which
/// with the defaults needs less than a millionth of a point within 100,000 points of the centre.
///
/// After the same source as [`DomMmr`](crate::DomMmr): harder further away, standings kept, and a top hundred that
/// ends up at 15,000 to 17,500. The formula is ours.
///
/// ```
/// use matchwright_rating::SeasonPullParams;
///
/// let pull = SeasonPullParams::default().build()?;
/// assert_eq!((pull.pull(12_000.0), pull.pull(16_000.0), pull.pull(24_000.0)), (12_000.0, 15_000.0, 18_000.0));
/// assert_eq!((pull.pull(8_000.0), pull.pull(0.0)), (9_000.0, 6_000.0));
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[doc(alias("season reset", "glory"))]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeasonPull {
    params: SeasonPullParams,
}

impl SeasonPull {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &SeasonPullParams {
        &self.params
    }

    /// Where a rating of `glory` points lands; NaN stays NaN.
    #[must_use]
    pub fn pull(&self, glory: f64) -> f64 {
        let SeasonPullParams { centre, .. } = self.params;
        let distance = glory - centre;
        centre + self.kept(distance.abs()).copysign(distance)
    }

    /// `rating` with its points pulled; games and streak stay.
    #[must_use]
    pub fn pulled(&self, rating: &DomRating) -> DomRating {
        rating.with_glory(self.pull(rating.glory()).clamp(-RATING_LIMIT, RATING_LIMIT))
    }

    /// What is left of a distance, both 0 or more.
    fn kept(&self, distance: f64) -> f64 {
        // Each of reciprocal, sum, quotient and reciprocal is rounded in order, which keep * d / (1 + ...),
        // with the distance in two places, is not.
        1.0 / ((1.0 / distance + self.params.hardening) / self.params.keep)
    }

    /// The pull towards `centre` that takes the two ends of `top` to the two ends of `wanted`, all in points
    /// above `centre`.
    ///
    /// With p and q the distances of the two ends and P and Q those wanted, (1 + a p)/k = p/P and (1 + a q)/k =
    /// q/Q give a/k = (q/Q - p/P) / (q - p) and 1/k = p/P - p a/k.
    ///
    /// # Errors
    /// [`PullError`] if a range is none, or no pull does it: P/p < Q/q would pull softer further away, and
    /// 1/P - 1/Q < 1/p - 1/q would push those next to the centre away from it.
    ///
    /// ```
    /// use matchwright_rating::SeasonPull;
    ///
    /// // A top hundred of 16,000 to 20,000 to the range that the source expects.
    /// let pull = SeasonPull::calibrated(12_000.0, 16_000.0..=20_000.0, 15_000.0..=17_500.0)?;
    /// assert_eq!((pull.pull(16_000.0).round(), pull.pull(20_000.0).round()), (15_000.0, 17_500.0));
    /// # Ok::<(), matchwright_rating::PullError>(())
    /// ```
    pub fn calibrated(
        centre: f64,
        top: RangeInclusive<f64>,
        wanted: RangeInclusive<f64>,
    ) -> Result<Self, PullError> {
        let distances = |range: &RangeInclusive<f64>| {
            let (low, high) = (*range.start(), *range.end());
            let (near, far) = (low - centre, high - centre);
            if near > 0.0 && far > near && far.is_finite() {
                Ok((near, far))
            } else {
                Err(PullError::Range { low, high, centre })
            }
        };
        let (p, q) = distances(&top)?;
        let (near, far) = distances(&wanted)?;
        // Shares that differ in rounding alone are equal: a pull without hardening.
        let steeper = q / far - p / near;
        let steeper = if steeper.abs() < 1e-12 * (p / near) {
            0.0
        } else {
            steeper
        };
        if steeper < 0.0 {
            return Err(PullError::Softer {
                lower: near / p,
                upper: far / q,
            });
        }
        let slope = steeper / (q - p);
        let at_centre = p / near - p * slope;
        // As above, of a pull that keeps all of a short distance.
        let at_centre = if (at_centre - 1.0).abs() < 1e-12 {
            1.0
        } else {
            at_centre
        };
        if at_centre < 1.0 {
            // 1/0 and below: ratings near the centre would have to leap over it.
            let keep = if at_centre > 0.0 {
                at_centre.recip()
            } else {
                f64::INFINITY
            };
            return Err(PullError::Away { keep });
        }
        let params = SeasonPullParams {
            centre,
            keep: at_centre.recip(),
            hardening: slope / at_centre,
        };
        Ok(params.build()?)
    }

    /// The pull towards `centre` that takes the best `count` of `ratings` to the range `wanted`, its worst to the
    /// lower and its best to the upper end: [`calibrated`](Self::calibrated) on a leaderboard.
    ///
    /// Cost: O(n log n).
    ///
    /// # Errors
    /// [`PullError`], also if there are fewer than `count` ratings, `count` is below 2, or a rating is NaN.
    pub fn calibrated_for_top(
        centre: f64,
        ratings: &[f64],
        count: usize,
        wanted: RangeInclusive<f64>,
    ) -> Result<Self, PullError> {
        if count < 2 || ratings.len() < count {
            return Err(PullError::TooFew {
                wanted: count,
                ratings: ratings.len(),
            });
        }
        let mut best_first = ratings.to_vec();
        // In this order a NaN comes first or last; the first is refused as the end of a range, the last
        // as soon as it is reached.
        best_first.sort_by(|a, b| b.total_cmp(a));
        Self::calibrated(centre, best_first[count - 1]..=best_first[0], wanted)
    }
}
