//! [`BaseRating`] of attack and defence in DomiNations, and win probabilities from their ratios.

use crate::error::{ParamError, within};
use crate::sigmoid::logistic;

/// What a base is worth in attack and in defence: two numbers that never mix. Only ratios count, so any unit will do.
///
/// After "World War Matchmaking - Design Spotlight 2019" (the developers of DomiNations), section "Method for
/// Comparing the Offensive and Defensive Ratings of a Base".
///
/// ```
/// use matchwright_rating::BaseRating;
///
/// let (ours, theirs) = (BaseRating::new(500.0, 1100.0)?, BaseRating::new(500.0, 1000.0)?);
/// // Ten percent, from either side.
/// assert!((ours.defence_delta(&theirs) - 0.1).abs() < 1e-12);
/// assert_eq!(ours.defence_delta(&theirs), theirs.defence_delta(&ours));
/// assert_eq!(ours.offence_delta(&theirs), 0.0);
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct BaseRating {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "read_strength"))]
    offence: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "read_strength"))]
    defence: f64,
}

impl BaseRating {
    /// A base of these two ratings.
    ///
    /// # Errors
    /// [`ParamError`] unless both are from 1e-9 to 1e9: without numbers above 0 there are no ratios.
    pub fn new(offence: f64, defence: f64) -> Result<Self, ParamError> {
        within("offence", offence, STRENGTHS)?;
        within("defence", defence, STRENGTHS)?;
        Ok(Self { offence, defence })
    }

    /// What it is worth in attack.
    #[must_use]
    pub const fn offence(&self) -> f64 {
        self.offence
    }

    /// What it is worth in defence.
    #[must_use]
    pub const fn defence(&self) -> f64 {
        self.defence
    }

    /// By which share the better offence of the two exceeds the other; 0 or more, the same from either side.
    #[must_use]
    pub fn offence_delta(&self, other: &Self) -> f64 {
        excess(self.offence, other.offence)
    }

    /// By which share the better defence of the two exceeds the other; 0 or more, the same from either side.
    #[must_use]
    pub fn defence_delta(&self, other: &Self) -> f64 {
        excess(self.defence, other.defence)
    }
}

/// larger / smaller - 1, without the cancellation of that difference between near equals.
fn excess(a: f64, b: f64) -> f64 {
    (a - b).abs() / a.min(b)
}

const STRENGTHS: std::ops::RangeInclusive<f64> = 1e-9..=1e9;

#[cfg(feature = "serde")]
fn read_strength<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    crate::error::read::checked(deserializer, "a strength", STRENGTHS)
}

/// The settings of [`BaseOdds`], unchecked until [`build`](Self::build).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct BaseOddsParams {
    /// k, the log odds of winning per unit of ln(ratio); in (0, 1e3\]. Default ln 1.5 / ln 1.1 = 4.2542, by which a
    /// defence 10 % higher wins 60 %, the source's figure.
    pub exponent: f64,
    /// The largest share by which either rating may differ in a good match; 0 to 1e3. Default 0.05: the source prints
    /// no limit, but says that 0.1 is too much; at half of that neither rating alone gives more than 55.2 %.
    pub good_delta: f64,
}

impl Default for BaseOddsParams {
    fn default() -> Self {
        Self {
            exponent: 4.254_163_709_905_98,
            good_delta: 0.05,
        }
    }
}

impl BaseOddsParams {
    /// These settings with the exponent by which a rating that is `delta` (a share, such as 0.1) higher wins with the
    /// probability `win`: ln(win / (1 - win)) / ln(1 + delta).
    ///
    /// ```
    /// use matchwright_rating::BaseOddsParams;
    ///
    /// let params = BaseOddsParams::default().calibrated(0.1, 0.6);
    /// assert_eq!((params.exponent * 1e4).round(), 42_542.0);
    /// assert!((params.exponent - BaseOddsParams::default().exponent).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn calibrated(self, delta: f64, win: f64) -> Self {
        let exponent = (win.ln() - (-win).ln_1p()) / delta.ln_1p();
        Self { exponent, ..self }
    }

    /// The comparison, if every setting is in its range.
    ///
    /// # Errors
    /// [`ParamError`] that names the first setting out of range.
    pub fn build(self) -> Result<BaseOdds, ParamError> {
        within("exponent", self.exponent, f64::MIN_POSITIVE..=1e3)?;
        within("good_delta", self.good_delta, 0.0..=1e3)?;
        Ok(BaseOdds { params: self })
    }
}

/// Who wins between two bases, from the ratios of their ratings, and whether that is a good match.
///
/// In a war both attack: A's offence meets B's defence, and B's offence meets A's defence.
///
/// ```text
/// ln odds of A = k [ln(O_A / D_B) - ln(O_B / D_A)] = k [ln(O_A / O_B) + ln(D_A / D_B)]
/// p = (O_A D_A)^k / ((O_A D_A)^k + (O_B D_B)^k)
/// ```
///
/// So a rating counts the same on either side of a war, and with equal offences p is `D_A^k / (D_A^k + D_B^k)`. The
/// source says that a difference in percent predicts better than one in points, and prints one point of the curve: a
/// defence about 10 % higher wins 60 %. Its percentage cannot be (A - B)/B in both directions: +10 % for one side is
/// -9.1 % for the other, and the two chances would not sum to 1. ln(A/B) changes sign with the sides.
///
/// Complement: p(a, b) + p(b, a) = 1. Scale: the same factor on both bases changes nothing. Errors: none.
///
/// ```
/// use matchwright_rating::{BaseOddsParams, BaseRating};
///
/// let odds = BaseOddsParams::default().build()?;
/// let (ours, theirs) = (BaseRating::new(500.0, 1100.0)?, BaseRating::new(500.0, 1000.0)?);
/// assert!((odds.win_probability(&ours, &theirs) - 0.6).abs() < 1e-12);
/// assert!((odds.win_probability(&theirs, &ours) - 0.4).abs() < 1e-12);
/// assert!(!odds.is_good_match(&ours, &theirs));
/// # Ok::<(), matchwright_rating::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BaseOdds {
    params: BaseOddsParams,
}

impl BaseOdds {
    /// The settings.
    #[must_use]
    pub const fn params(&self) -> &BaseOddsParams {
        &self.params
    }

    /// The chance that `base` beats `opponent`, in \[0, 1\].
    #[must_use]
    pub fn win_probability(&self, base: &BaseRating, opponent: &BaseRating) -> f64 {
        let attack = (base.offence / opponent.offence).ln();
        let defence = (base.defence / opponent.defence).ln();
        logistic(self.params.exponent * (attack + defence))
    }

    /// Whether neither rating differs by more than [`good_delta`](BaseOddsParams::good_delta).
    #[must_use]
    pub fn is_good_match(&self, a: &BaseRating, b: &BaseRating) -> bool {
        a.offence_delta(b).max(a.defence_delta(b)) <= self.params.good_delta
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    fn base(offence: f64, defence: f64) -> BaseRating {
        BaseRating::new(offence, defence).unwrap()
    }

    fn odds() -> BaseOdds {
        BaseOddsParams::default().build().unwrap()
    }

    #[test]
    fn the_two_sides_always_sum_to_one_and_a_common_factor_changes_nothing() {
        for (offence, defence) in [(1.0, 1.0), (0.5, 3.0), (7.0, 1e-3), (1e9, 1e9), (1e-9, 1e-9)] {
            let (a, b) = (base(offence, defence), base(1.0, 1.0));
            let (ours, theirs) = (odds().win_probability(&a, &b), odds().win_probability(&b, &a));
            assert_abs_diff_eq!(ours + theirs, 1.0, epsilon = 1e-15);
        }
        let (a, b) = (base(3.0, 5.0), base(4.0, 4.0));
        let (larger, other) = (base(300.0, 500.0), base(400.0, 400.0));
        let p = odds().win_probability(&a, &b);
        assert_abs_diff_eq!(odds().win_probability(&larger, &other), p, epsilon = 1e-14);
    }

    #[test]
    fn either_rating_raises_the_chance_alone_and_one_makes_up_for_the_other() {
        let even = base(10.0, 20.0);
        let chance = |offence, defence| odds().win_probability(&base(offence, defence), &even);
        assert_eq!(chance(10.0, 20.0), 0.5);
        assert!(chance(10.1, 20.0) > 0.5 && chance(10.0, 20.1) > 0.5);
        assert_abs_diff_eq!(chance(20.0, 10.0), 0.5, epsilon = 1e-15);
    }

    #[test]
    fn a_match_is_good_up_to_the_limit_in_both_ratings_and_from_both_sides() {
        let limit = BaseOddsParams {
            good_delta: 0.25,
            ..BaseOddsParams::default()
        };
        let odds = limit.build().unwrap();
        let even = base(4.0, 4.0);
        for (other, good) in [
            (base(5.0, 4.0), true),
            (base(4.0, 5.0), true),
            (base(5.0, 5.0), true),
            (base(5.1, 4.0), false),
            (base(4.0, 3.1), false),
        ] {
            assert_eq!(odds.is_good_match(&even, &other), good, "{other:?}");
            assert_eq!(odds.is_good_match(&other, &even), good, "{other:?}");
        }
    }

    #[test]
    fn settings_and_ratings_out_of_range_are_named() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(BaseRating::new(bad, 1.0).unwrap_err().name(), "offence");
            assert_eq!(BaseRating::new(1.0, bad).unwrap_err().name(), "defence");
            let params = BaseOddsParams {
                exponent: bad,
                ..BaseOddsParams::default()
            };
            assert_eq!(params.build().unwrap_err().name(), "exponent");
        }
        for bad in [-0.1, f64::NAN, f64::INFINITY] {
            let params = BaseOddsParams {
                good_delta: bad,
                ..BaseOddsParams::default()
            };
            assert_eq!(params.build().unwrap_err().name(), "good_delta");
        }
        // Impossible wishes give exponents that are refused.
        for (delta, win) in [(0.0, 0.6), (0.1, 1.0), (0.1, 0.4), (-2.0, 0.6)] {
            assert!(BaseOddsParams::default().calibrated(delta, win).build().is_err());
        }
    }
}
