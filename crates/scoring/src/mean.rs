//! [`PowerMean`]: power means of qualities (minimum, harmonic, geometric, arithmetic, maximum).

use crate::error::{ScoringError, within};

/// A power mean.
///
/// ```text
/// M(x) = (sum over k of share_k x_k^exponent)^(1 / exponent)        exponent 0: the geometric mean
/// ```
///
/// Exponent 1 is the weighted average; the lower the exponent, the more the bad values count; -inf is the least
/// and inf the greatest value. With an exponent of 0 or less, one value of 0 makes the mean 0.
///
/// As a total over matches it answers a question of "The Awesomenauts matchmaking algorithm" (Ronimo Games, 16
/// September 2018), whether to improve a match from 50 % to 55 % at the price of another that falls from 90 % to
/// 80 %. The square root (exponent 1/2), proposed there, still refuses; an exponent of -1 accepts:
///
/// ```
/// use matchwright_scoring::PowerMean;
///
/// let gain = |exponent| {
///     let mean = PowerMean::new(exponent).unwrap();
///     mean.of(&[0.55, 0.80]) - mean.of(&[0.50, 0.90])
/// };
/// assert!(gain(1.0) < 0.0 && gain(0.5) < 0.0 && gain(-1.0) > 0.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "PowerMeanParams", into = "PowerMeanParams")
)]
pub struct PowerMean {
    exponent: f64,
}

impl Default for PowerMean {
    /// The weighted average.
    fn default() -> Self {
        Self::AVERAGE
    }
}

/// Beyond this a power of a quality is 0 or overflows, so that the mean is no longer told from the least or greatest.
const MOST: f64 = 100.0;

impl PowerMean {
    /// The weighted average.
    pub const AVERAGE: Self = Self { exponent: 1.0 };

    /// The mean with that exponent.
    ///
    /// # Errors
    /// [`ScoringError`] unless the exponent is from -100 to 100, or infinite.
    pub fn new(exponent: f64) -> Result<Self, ScoringError> {
        if !exponent.is_infinite() {
            within("exponent", exponent, -MOST..=MOST)?;
        }
        Ok(Self { exponent })
    }

    /// The exponent.
    #[must_use]
    pub const fn exponent(&self) -> f64 {
        self.exponent
    }

    /// Whether it is the weighted average, under which parts add up.
    #[must_use]
    pub fn is_average(&self) -> bool {
        self.exponent == 1.0
    }

    /// The mean of `values` in \[0, 1\], all alike; 1 of nothing.
    #[must_use]
    pub fn of(&self, values: &[f64]) -> f64 {
        let share = 1.0 / values.len() as f64;
        self.weighted(values.iter().map(|&value| (share, value)))
    }

    /// The mean of (share, value): shares 0 or more that sum to 1, values in \[0, 1\]. What has share 0 has no say; 1
    /// of nothing.
    pub fn weighted(&self, values: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
        let values = values.filter(|(share, _)| *share > 0.0);
        let (least, most) = values
            .clone()
            .fold((1.0_f64, 0.0_f64), |(least, most), (_, value)| {
                (least.min(value), most.max(value))
            });
        if least > most {
            return 1.0;
        }
        let mean = match self.exponent {
            1.0 => values.map(|(share, value)| share * value).sum(),
            f64::INFINITY => most,
            f64::NEG_INFINITY => least,
            exponent if exponent <= 0.0 && least == 0.0 => 0.0,
            0.0 => values.map(|(share, value)| share * value.ln()).sum::<f64>().exp(),
            exponent => {
                // Values are taken relative to the one that matters most, so that no power overflows.
                let unit = if exponent > 0.0 { most } else { least };
                if unit == 0.0 {
                    return 0.0;
                }
                let sum: f64 = values
                    .map(|(share, value)| share * (value / unit).powf(exponent))
                    .sum();
                unit * sum.powf(exponent.recip())
            }
        };
        // A mean lies between its values, which rounding may miss by a bit.
        mean.clamp(least, most)
    }

    /// A rising function f of one value such that the mean of equally many values is the greater, the greater the sum
    /// of their f: x^e for e > 0, ln x for 0, -x^e below. `None` for infinite exponents, which have none, and where
    /// the power is beyond the range of a number (x^-100 below 1e-3, say): take [`of`](Self::of) there.
    ///
    /// A value of 0 has f = -inf where the exponent is 0 or less.
    ///
    /// ```
    /// use matchwright_scoring::PowerMean;
    ///
    /// assert_eq!(PowerMean::new(0.5)?.element(0.25), Some(0.5));
    /// assert_eq!(PowerMean::new(-1.0)?.element(0.25), Some(-4.0));
    /// # Ok::<(), matchwright_scoring::ScoringError>(())
    /// ```
    #[must_use]
    pub fn element(&self, value: f64) -> Option<f64> {
        let power = |e: f64| {
            let power = value.powf(e);
            (value == 0.0 || power.is_nan() || power.is_normal()).then_some(power)
        };
        match self.exponent {
            e if e.is_infinite() => None,
            1.0 => Some(value),
            0.0 => Some(value.ln()),
            e if e > 0.0 => power(e),
            e => power(e).map(|power| -power),
        }
    }

    /// The mean of `count` values from the sum of their [`element`](Self::element); `None` for infinite exponents.
    #[must_use]
    pub fn of_elements(&self, sum: f64, count: usize) -> Option<f64> {
        let mean = sum / count as f64;
        match self.exponent {
            e if e.is_infinite() => None,
            1.0 => Some(mean),
            0.0 => Some(mean.exp()),
            e if e > 0.0 => Some(mean.powf(e.recip())),
            e => Some((-mean).powf(e.recip())),
        }
    }
}

/// A [`PowerMean`] as it is written.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct PowerMeanParams {
    exponent: f64,
}

#[cfg(feature = "serde")]
crate::policy::strict::strictly!(PowerMeanParams);

#[cfg(feature = "serde")]
impl TryFrom<PowerMeanParams> for PowerMean {
    type Error = ScoringError;

    fn try_from(params: PowerMeanParams) -> Result<Self, ScoringError> {
        Self::new(params.exponent)
    }
}

#[cfg(feature = "serde")]
impl From<PowerMean> for PowerMeanParams {
    fn from(mean: PowerMean) -> Self {
        Self {
            exponent: mean.exponent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mean(exponent: f64, values: &[f64]) -> f64 {
        PowerMean::new(exponent).unwrap().of(values)
    }

    #[test]
    fn the_known_means_are_members_of_the_family() {
        let values = [0.2, 0.8];
        for (exponent, expected) in [
            (1.0, 0.5),
            (0.0, 0.4),
            (-1.0, 0.32),
            (2.0, 0.34_f64.sqrt()),
            (f64::INFINITY, 0.8),
            (f64::NEG_INFINITY, 0.2),
        ] {
            assert!((mean(exponent, &values) - expected).abs() < 1e-15, "{exponent}");
        }
        assert_eq!(mean(1.0, &[]), 1.0);
    }

    #[test]
    fn one_worthless_value_sinks_the_means_of_exponent_zero_and_below() {
        for exponent in [0.0, -0.5, -100.0, f64::NEG_INFINITY] {
            assert_eq!(mean(exponent, &[0.0, 1.0]), 0.0);
        }
        assert_eq!(mean(100.0, &[0.0, 0.0]), 0.0);
        assert_eq!(mean(0.5, &[0.0, 1.0]), 0.25);
    }

    #[test]
    fn a_power_beyond_all_numbers_is_no_element_and_the_mean_holds_all_the_same() {
        for exponent in [-100.0, 100.0] {
            let family = PowerMean::new(exponent).unwrap();
            assert_eq!(family.element(1e-4), None);
            assert!(family.element(0.01).is_some());
        }
        // (1e-4^-100 / 2 + 1 / 2)^(-1 / 100) = 1e-4 * 2^.01.
        assert!((mean(-100.0, &[1e-4, 1.0]) / 1.006_955_55e-4 - 1.0).abs() < 1e-8);
        assert_eq!(
            PowerMean::new(-1.0).unwrap().element(0.0),
            Some(f64::NEG_INFINITY)
        );
    }

    #[test]
    fn the_square_root_refuses_the_seeds_example_and_minus_one_accepts_it() {
        let (before, after) = ([0.50, 0.90], [0.55, 0.80]);
        let roots = |pair: [f64; 2]| pair.map(f64::sqrt).iter().sum::<f64>();
        assert!((roots(before) - 1.6558).abs() < 5e-5 && (roots(after) - 1.6360).abs() < 5e-5);
        for (exponent, accepted) in [
            (1.0, false),
            (0.5, false),
            (0.0, false),
            (-1.0, true),
            (-4.0, true),
        ] {
            assert_eq!(
                mean(exponent, &after) > mean(exponent, &before),
                accepted,
                "{exponent}"
            );
        }
    }

    #[test]
    fn an_exponent_that_is_no_number_is_refused() {
        for exponent in [f64::NAN, 101.0, -101.0] {
            assert_eq!(PowerMean::new(exponent).unwrap_err().name(), "exponent");
        }
    }

    proptest! {
        #[test]
        fn a_mean_lies_between_its_values_and_rises_with_its_exponent(
            values in prop::collection::vec(0.0..=1.0_f64, 1..8),
            (low, step) in (-100.0..100.0_f64, 0.0..50.0_f64),
        ) {
            let (a, b) = (mean(low, &values), mean((low + step).min(100.0), &values));
            let least = values.iter().copied().fold(1.0, f64::min);
            let most = values.iter().copied().fold(0.0, f64::max);
            prop_assert!(least <= a && b <= most && a <= b + 1e-12);
        }

        #[test]
        fn elements_give_the_mean_back(
            values in prop::collection::vec(0.01..=1.0_f64, 1..8),
            exponent in -5.0..5.0_f64,
        ) {
            let family = PowerMean::new(exponent).unwrap();
            let sum: f64 = values.iter().map(|&value| family.element(value).unwrap()).sum();
            let back = family.of_elements(sum, values.len()).unwrap();
            // Near exponent 0 the powers are all close to 1, and most digits are lost.
            prop_assume!(exponent.abs() > 0.05);
            prop_assert!((back - family.of(&values)).abs() < 1e-9);
        }
    }
}
