//! From a measure (milliseconds, points, a share) to a quality: the one family of curves that factors use.

#[cfg(feature = "serde")]
mod read;

use thiserror::Error;

/// The shape of a [`Curve`], unchecked until [`build`](Self::build).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "shape", rename_all = "kebab-case"))]
pub enum CurveParams {
    /// Straight from `best`, where quality is 1, to `worst`, where it is 0, then raised to `power`.
    ///
    /// Both ends cap: beyond `best` nothing can be gained, beyond `worst` nothing lost. `best` may be the
    /// larger one, where more is better.
    Ramp {
        /// The measure from which on all is as good as can be.
        best: f64,
        /// The measure from which on all is as bad as can be; another number than `best`.
        worst: f64,
        /// In \[0.01, 100\]; 1, the default in a document, is straight. Above 1 the first steps away from `best`
        /// cost most, below 1 the last ones.
        power: f64,
    },
    /// Straight from point to point, flat before the first and after the last.
    Points {
        /// (measure, quality in \[0, 1\]), measures strictly rising; one or more.
        points: Vec<(f64, f64)>,
    },
}

/// Why a shape is no curve.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CurveError {
    /// A ramp without a slope.
    #[error("a ramp from {best} (best) to {worst} (worst): give two finite numbers that differ")]
    Ends {
        /// What was given as best.
        best: f64,
        /// What was given as worst.
        worst: f64,
    },
    /// A power out of range.
    #[error("a ramp with power {power}: give a power from 0.01 to 100, 1 for a straight one")]
    Power {
        /// What was given.
        power: f64,
    },
    /// No points.
    #[error("a curve without points: give one or more")]
    NoPoints,
    /// A point that is none.
    #[error(
        "point {index} of a curve is ({measure}, {quality}): give a finite measure and a quality from 0 to 1"
    )]
    Point {
        /// Which, from 0.
        index: usize,
        /// Its measure.
        measure: f64,
        /// Its quality.
        quality: f64,
    },
    /// Points out of order.
    #[error(
        "point {index} of a curve is at {measure}, not after {before}: give the points by rising measure"
    )]
    Order {
        /// Which, from 0.
        index: usize,
        /// Its measure.
        measure: f64,
        /// That of the point before.
        before: f64,
    },
}

impl CurveParams {
    /// The curve, if it is one.
    ///
    /// # Errors
    /// [`CurveError`] says what is wrong with it.
    pub fn build(self) -> Result<Curve, CurveError> {
        match &self {
            Self::Ramp { best, worst, power } => {
                let (best, worst, power) = (*best, *worst, *power);
                // The difference must be a number too: it divides.
                if !(worst - best).is_finite() || worst == best {
                    return Err(CurveError::Ends { best, worst });
                }
                if !(0.01..=100.0).contains(&power) {
                    return Err(CurveError::Power { power });
                }
            }
            Self::Points { points } => check_points(points)?,
        }
        Ok(Curve { params: self })
    }
}

fn check_points(points: &[(f64, f64)]) -> Result<(), CurveError> {
    if points.is_empty() {
        return Err(CurveError::NoPoints);
    }
    for (index, &(measure, quality)) in points.iter().enumerate() {
        // Halves, so that the difference of two measures is a number.
        if !((-0.5 * f64::MAX..=0.5 * f64::MAX).contains(&measure) && (0.0..=1.0).contains(&quality)) {
            return Err(CurveError::Point {
                index,
                measure,
                quality,
            });
        }
    }
    for (index, pair) in points.windows(2).enumerate() {
        if pair[1].0 <= pair[0].0 {
            return Err(CurveError::Order {
                index: index + 1,
                measure: pair[1].0,
                before: pair[0].0,
            });
        }
    }
    Ok(())
}

/// From a measure to a quality in \[0, 1\].
///
/// ```text
/// ramp      quality = clamp((worst - x) / (worst - best), 0, 1) ^ power
/// points    straight lines between (x, quality), flat outside
/// ```
///
/// The three rules that the author of Awesomenauts' matchmaker gave in a comment to "The Awesomenauts
/// matchmaking algorithm" (Ronimo Games, 16 September 2018) are all here: perfect below a cap (pings
/// under 50 ms), no worse beyond another (skills 10,000 apart or 12,000), powers above and below 1.
///
/// A measure that is no number (NaN) is as bad as can be: quality 0 on a ramp, the lowest quality of the
/// points.
///
/// ```
/// use matchwright_scoring::CurveParams;
///
/// // Ping: perfect up to 50 ms, useless from 350 on, and small pings matter most.
/// let ping = CurveParams::Ramp { best: 50.0, worst: 350.0, power: 2.0 }.build()?;
/// assert_eq!((ping.quality(30.0), ping.quality(200.0), ping.quality(900.0)), (1.0, 0.25, 0.0));
/// // 110 to 100 ms is worth more than 210 to 200.
/// let gain = |from: f64, to: f64| ping.quality(to) - ping.quality(from);
/// assert!(gain(110.0, 100.0) > gain(210.0, 200.0));
/// # Ok::<(), matchwright_scoring::CurveError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "CurveParams", into = "CurveParams"))]
pub struct Curve {
    params: CurveParams,
}

impl Curve {
    /// A ramp that the caller knows to be right, for defaults.
    pub(crate) const fn ramp(best: f64, worst: f64, power: f64) -> Self {
        let params = CurveParams::Ramp { best, worst, power };
        Self { params }
    }

    /// Points that the caller knows to be right, for defaults.
    pub(crate) const fn points(points: Vec<(f64, f64)>) -> Self {
        let params = CurveParams::Points { points };
        Self { params }
    }

    /// The shape.
    #[must_use]
    pub const fn params(&self) -> &CurveParams {
        &self.params
    }

    /// The measure from which on all is alike.
    #[must_use]
    pub fn last(&self) -> f64 {
        match &self.params {
            CurveParams::Ramp { best, worst, .. } => best.max(*worst),
            CurveParams::Points { points } => points.last().map_or(f64::NEG_INFINITY, |point| point.0),
        }
    }

    /// The quality at `measure`, in \[0, 1\]. Constant time on a ramp, logarithmic in the points.
    #[must_use]
    pub fn quality(&self, measure: f64) -> f64 {
        match &self.params {
            CurveParams::Ramp { best, worst, power } => {
                let left = ((worst - measure) / (worst - best)).clamp(0.0, 1.0);
                let quality = raised(left, *power);
                // NaN has survived the clamp.
                if quality.is_nan() { 0.0 } else { quality }
            }
            CurveParams::Points { points } => at_points(points, measure),
        }
    }
}

/// `powf` is slow, and tables ask for it hundreds of thousands of times: the powers that policies have need none.
#[inline]
fn raised(quality: f64, power: f64) -> f64 {
    if power == 1.0 {
        quality
    } else if power == 2.0 {
        quality * quality
    } else if power == 1.5 {
        quality * quality.sqrt()
    } else {
        quality.powf(power)
    }
}

fn at_points(points: &[(f64, f64)], measure: f64) -> f64 {
    if measure.is_nan() {
        return points.iter().fold(1.0, |least, point| point.1.min(least));
    }
    let after = points.partition_point(|point| point.0 <= measure);
    let before = after.checked_sub(1).map(|before| points[before]);
    match (before, points.get(after).copied()) {
        (Some((x0, q0)), Some((x1, q1))) => {
            let share = (measure - x0) / (x1 - x0);
            // A weighted mean stays between its ends, which q0 + share (q1 - q0) need not to the bit.
            ((1.0 - share) * q0 + share * q1).clamp(q0.min(q1), q0.max(q1))
        }
        (Some((_, quality)), None) | (None, Some((_, quality))) => quality,
        (None, None) => 0.0,
    }
}

impl TryFrom<CurveParams> for Curve {
    type Error = CurveError;

    fn try_from(params: CurveParams) -> Result<Self, CurveError> {
        params.build()
    }
}

impl From<Curve> for CurveParams {
    fn from(curve: Curve) -> Self {
        curve.params
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ramp(best: f64, worst: f64, power: f64) -> Result<Curve, CurveError> {
        CurveParams::Ramp { best, worst, power }.build()
    }

    #[test]
    fn powers_are_those_of_the_standard_library() {
        for power in [0.3, 1.0, 1.5, 2.0, 3.0] {
            for step in 0..=100 {
                let quality = f64::from(step) / 100.0;
                let wanted = quality.powf(power);
                assert!(
                    (raised(quality, power) - wanted).abs() <= 1e-15,
                    "{quality} ^ {power}"
                );
            }
        }
        assert!(raised(f64::NAN, 1.5).is_nan() && raised(f64::NAN, 2.0).is_nan());
    }

    #[test]
    fn a_ramp_caps_at_both_ends_and_runs_either_way() -> Result<(), CurveError> {
        let down = ramp(50.0, 150.0, 1.0)?;
        assert_eq!(
            [0.0, 50.0, 75.0, 150.0, 1e300].map(|x| down.quality(x)),
            [1.0, 1.0, 0.75, 0.0, 0.0]
        );
        let up = ramp(10.0, 0.0, 1.0)?;
        assert_eq!([-1.0, 2.5, 99.0].map(|x| up.quality(x)), [0.0, 0.25, 1.0]);
        assert_eq!(
            [f64::INFINITY, f64::NEG_INFINITY, f64::NAN].map(|x| up.quality(x)),
            [1.0, 0.0, 0.0]
        );
        Ok(())
    }

    #[test]
    fn points_are_joined_by_lines_and_flat_outside() -> Result<(), CurveError> {
        let points = vec![(0.0, 0.5), (10.0, 1.0), (20.0, 0.2)];
        let curve = CurveParams::Points { points }.build()?;
        let measures = [-5.0, 0.0, 5.0, 10.0, 15.0, 20.0, 1e9];
        assert_eq!(
            measures.map(|x| curve.quality(x)),
            [0.5, 0.5, 0.75, 1.0, 0.6, 0.2, 0.2]
        );
        assert_eq!(curve.quality(f64::NAN), 0.2);
        Ok(())
    }

    #[test]
    fn what_is_no_curve_is_refused_with_what_is_wrong() {
        for (best, worst) in [
            (1.0, 1.0),
            (f64::NAN, 0.0),
            (0.0, f64::INFINITY),
            (-f64::MAX, f64::MAX),
        ] {
            assert!(matches!(ramp(best, worst, 1.0), Err(CurveError::Ends { .. })));
        }
        for power in [0.0, -1.0, f64::NAN, 1e3] {
            assert!(matches!(ramp(0.0, 1.0, power), Err(CurveError::Power { .. })));
        }
        let points = |points: &[(f64, f64)]| {
            CurveParams::Points {
                points: points.to_vec(),
            }
            .build()
        };
        assert_eq!(points(&[]), Err(CurveError::NoPoints));
        assert!(matches!(
            points(&[(0.0, 1.5)]),
            Err(CurveError::Point { index: 0, .. })
        ));
        assert!(matches!(
            points(&[(0.0, 1.0), (f64::NAN, 1.0)]),
            Err(CurveError::Point { index: 1, .. })
        ));
        assert!(matches!(
            points(&[(0.0, 1.0), (0.0, 0.0)]),
            Err(CurveError::Order { index: 1, .. })
        ));
    }

    proptest! {
        #[test]
        fn a_ramp_is_a_quality_and_never_rises_away_from_its_best(
            best in -1e6..1e6_f64,
            width in prop_oneof![-1e6..-1e-3_f64, 1e-3..1e6_f64],
            power in 0.01..100.0_f64,
            (near, step) in (0.0..2.0_f64, 0.0..2.0_f64),
        ) {
            let curve = ramp(best, best + width, power).unwrap();
            let (close, far) = (curve.quality(best + near * width), curve.quality(best + (near + step) * width));
            prop_assert!((0.0..=1.0).contains(&close) && (0.0..=1.0).contains(&far));
            prop_assert!(far <= close + 1e-12);
        }

        #[test]
        fn points_give_qualities_between_their_neighbours(
            qualities in proptest::collection::vec(0.0..=1.0_f64, 2..8),
            (which, share) in (0..100_usize, 0.0..=1.0_f64),
        ) {
            let points: Vec<(f64, f64)> = qualities.iter().enumerate().map(|(k, q)| (k as f64, *q)).collect();
            let curve = CurveParams::Points { points }.build().unwrap();
            let k = which % (qualities.len() - 1);
            let quality = curve.quality(k as f64 + share);
            let (a, b) = (qualities[k], qualities[k + 1]);
            prop_assert!(a.min(b) - 1e-12 <= quality && quality <= a.max(b) + 1e-12);
        }
    }
}
