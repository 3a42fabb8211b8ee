//! Welch's t for independent samples, the paired test for common random numbers, quantiles and correlations.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::{Estimate, Summary};

/// The probability with log odds `x`: 1 / (1 + e^-x).
#[must_use]
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The value that a normal variable of this mean and standard deviation is below with probability `share`.
///
/// NaN unless the deviation is above 0 and finite and `share` in (0, 1).
///
/// ```
/// use matchwright_sim::statistics::normal_quantile;
///
/// assert!((normal_quantile(1500.0, 200.0, 0.975) - 1891.99).abs() < 0.01);
/// ```
#[must_use]
pub fn normal_quantile(mean: f64, standard_deviation: f64, share: f64) -> f64 {
    let inside = share > 0.0 && share < 1.0;
    match Normal::new(mean, standard_deviation) {
        Ok(normal) if inside => normal.inverse_cdf(share),
        _ => f64::NAN,
    }
}

/// A test of "the two means are equal".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeanTest {
    /// Difference of the means, first minus second.
    pub difference: f64,
    /// Standard error of that difference.
    pub standard_error: f64,
    /// The statistic; 0 where both samples are constant and equal.
    pub t: f64,
    /// Degrees of freedom.
    pub degrees: f64,
    /// Two-sided p-value; NaN where there are too few samples.
    pub p: f64,
}

impl From<MeanTest> for Estimate {
    /// The difference with its standard error.
    fn from(test: MeanTest) -> Self {
        Self {
            mean: test.difference,
            standard_error: test.standard_error,
        }
    }
}

impl MeanTest {
    /// The same test of second minus first.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            difference: -self.difference,
            t: -self.t,
            ..self
        }
    }

    /// The test of "the difference is `limit`", as precise and with as many degrees of freedom.
    #[must_use]
    pub fn against(self, limit: f64) -> Self {
        t_test(self.difference - limit, self.standard_error, self.degrees)
    }

    /// How far the ends of the interval that holds the difference with probability `level` are from it: Student's t
    /// times the standard error. NaN below two samples, and for a level outside (0, 1).
    #[must_use]
    pub fn margin(self, level: f64) -> f64 {
        t_quantile(f64::midpoint(level, 1.0), self.degrees) * self.standard_error
    }
}

/// The value that Student's t with this many degrees of freedom is below with probability `share`; NaN where there is none.
///
/// Of more than 10,000 it is z + (z^3 + z) / (4 degrees), z of the normal distribution, within 3e-8 at 97.5 % (Cornish and
/// Fisher 1938): the search by Newton's steps has no end for some of 10 million.
pub(crate) fn t_quantile(share: f64, degrees: f64) -> f64 {
    if degrees > 1e4 {
        let z = normal_quantile(0.0, 1.0, share);
        return z + (z.powi(3) + z) / (4.0 * degrees);
    }
    match StudentsT::new(0.0, 1.0, degrees) {
        Ok(law) if share > 0.0 && share < 1.0 => law.inverse_cdf(share),
        _ => f64::NAN,
    }
}

/// Welch's t-test of two independent samples with their own variances.
///
/// t = (m1 - m2) / sqrt(v1/n1 + v2/n2), degrees of freedom by Welch and Satterthwaite.
///
/// Welch, "The generalization of Student's problem when several different population variances are
/// involved", Biometrika 34 (1947), doi 10.1093/biomet/34.1-2.28.
///
/// ```
/// use matchwright_sim::statistics::{Summary, welch_test};
///
/// // Two samples whose published statistic is t = -1.57 with 9.9 degrees of freedom.
/// let few = Summary::of([17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8]);
/// let many = Summary::from_moments(20, 22.135, 0.8982_f64.sqrt());
/// let test = welch_test(&few, &many);
/// assert!((test.t - -1.57).abs() < 0.01 && (test.degrees - 9.9).abs() < 0.1, "{test:?}");
/// ```
#[must_use]
pub fn welch_test(first: &Summary, second: &Summary) -> MeanTest {
    let share = |s: &Summary| s.variance() / s.n as f64;
    let (a, b) = (share(first), share(second));
    let degrees = (a + b).powi(2) / (a * a / (first.n as f64 - 1.0) + b * b / (second.n as f64 - 1.0));
    t_test(first.mean - second.mean, (a + b).sqrt(), degrees)
}

/// The paired test: whether the mean of the differences, taken round by round, is 0.
///
/// With common random numbers the two methods of a round share their luck, which cancels in the
/// difference and leaves a far smaller error than Welch's test on the same rounds.
#[must_use]
pub fn paired_test(differences: impl IntoIterator<Item = f64>) -> MeanTest {
    let summary = Summary::of(differences);
    let estimate = summary.estimate();
    t_test(estimate.mean, estimate.standard_error, summary.n as f64 - 1.0)
}

/// Student's t-test of "the difference is 0": t = difference / standard error, 0 where both are. Of an unknown error
/// (NaN) nothing is known.
#[must_use]
pub fn t_test(difference: f64, standard_error: f64, degrees: f64) -> MeanTest {
    // Two constant samples: equal ones do not differ, unequal ones differ for certain.
    let t = if standard_error == 0.0 && difference == 0.0 {
        0.0
    } else {
        difference / standard_error
    };
    let p = if t.is_nan() {
        f64::NAN
    } else if t.is_infinite() {
        0.0
    } else if t == 0.0 {
        1.0
    } else {
        StudentsT::new(0.0, 1.0, degrees).map_or(f64::NAN, |law| 2.0 * law.cdf(-t.abs()))
    };
    MeanTest {
        difference,
        standard_error,
        t,
        degrees,
        p,
    }
}

/// The ratio of two means of one sample of pairs, with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatioOfMeans {
    /// Mean of the first over mean of the second.
    pub ratio: f64,
    /// By the delta method.
    pub standard_error: f64,
    /// The lower end of the interval; minus infinity where the second mean is not clearly off 0.
    pub low: f64,
    /// The upper end, likewise.
    pub high: f64,
}

/// The ratio of the means of pairs (x, y), with Fieller's interval, which is exact for normal pairs:
///
/// ```text
/// all r with  (mean x - r mean y)^2 <= t^2 var(mean x - r mean y)      t by n - 1 degrees of freedom
/// ```
///
/// It is bounded if the mean of y is off 0 at that level; else this gives the whole line, which is no
/// shorter than Fieller's set. Of fewer than two pairs all but the ratio is NaN.
///
/// Fieller, "Some problems in interval estimation", Journal of the Royal Statistical Society B 16 (1954),
/// doi 10.1111/j.2517-6161.1954.tb00159.x.
///
/// ```
/// use matchwright_sim::statistics::ratio_of_means;
///
/// let half = ratio_of_means(&[(1.0, 2.1), (1.1, 2.0), (0.9, 1.9)], 0.95);
/// assert!((half.ratio - 0.5).abs() < 1e-12 && half.low > 0.3 && half.high < 0.7);
/// let of_nothing = ratio_of_means(&[(1.0, 0.1), (1.1, -0.1), (0.9, 0.05)], 0.95);
/// assert_eq!((of_nothing.low, of_nothing.high), (f64::NEG_INFINITY, f64::INFINITY));
/// ```
#[must_use]
pub fn ratio_of_means(pairs: &[(f64, f64)], level: f64) -> RatioOfMeans {
    let x = Summary::of(pairs.iter().map(|pair| pair.0));
    let y = Summary::of(pairs.iter().map(|pair| pair.1));
    let n = pairs.len() as f64;
    let products = pairs.iter().map(|pair| (pair.0 - x.mean) * (pair.1 - y.mean));
    // Of the means.
    let (xx, yy) = (x.variance() / n, y.variance() / n);
    let xy = products.sum::<f64>() / (n - 1.0) / n;
    let ratio = x.mean / y.mean;
    let variance = xx - 2.0 * ratio * xy + ratio * ratio * yy;
    let square = t_quantile(f64::midpoint(level, 1.0), n - 1.0).powi(2);
    // a r^2 - 2 b r + c <= 0
    let a = y.mean * y.mean - square * yy;
    let b = x.mean * y.mean - square * xy;
    let c = x.mean * x.mean - square * xx;
    let root = (b * b - a * c).max(0.0).sqrt();
    let (low, high) = if a > 0.0 {
        ((b - root) / a, (b + root) / a)
    } else if a.is_nan() {
        (f64::NAN, f64::NAN)
    } else {
        (f64::NEG_INFINITY, f64::INFINITY)
    };
    RatioOfMeans {
        ratio,
        standard_error: variance.max(0.0).sqrt() / y.mean.abs(),
        low,
        high,
    }
}

/// The first `share` of `length` things, rounded down; `share` is from 0 to 1.
#[must_use]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the product lies between 0 and the length"
)]
pub fn share_of(length: usize, share: f64) -> usize {
    (length as f64 * share) as usize
}

/// The value that a share of `rising` values is below, between neighbours in a line:
///
/// ```text
/// x_h,  h = 1 + share (n - 1),  counted from 1 and interpolated (Hyndman and Fan 1996, type 7)
/// ```
///
/// The share is taken as one from 0 to 1; NaN of nothing.
///
/// ```
/// use matchwright_sim::statistics::quantile;
///
/// let qualities = [0.5, 0.7, 0.8, 1.0];
/// assert_eq!([0.0, 0.5, 1.0].map(|share| quantile(&qualities, share)), [0.5, 0.75, 1.0]);
/// ```
#[must_use]
pub fn quantile(rising: &[f64], share: f64) -> f64 {
    censored_quantile(rising, rising.len(), share).unwrap_or(f64::NAN)
}

/// The [`quantile`] of `all` values of which only the least, `rising`, are known and the others are greater than these, such as
/// the waits of those who left without a match. `None` if less than the share is known, and of nothing.
///
/// ```
/// use matchwright_sim::statistics::censored_quantile;
///
/// // Of ten tickets six were matched, within 5 to 30 s.
/// let waits = [5.0, 10.0, 15.0, 20.0, 25.0, 30.0];
/// assert_eq!(censored_quantile(&waits, 10, 0.5), Some(27.5));
/// assert_eq!(censored_quantile(&waits, 10, 0.6), Some(30.0));
/// assert_eq!(censored_quantile(&waits, 10, 0.9), None);
/// ```
#[must_use]
pub fn censored_quantile(rising: &[f64], all: usize, share: f64) -> Option<f64> {
    let last_known = rising.len().checked_sub(1)?;
    let share = share.clamp(0.0, 1.0);
    // Shares such as .9 are rounded.
    if (rising.len() as f64) < share * all as f64 * (1.0 - 1e-12) {
        return None;
    }
    let last = all.max(rising.len()) - 1;
    let below = share_of(last, share).min(last_known);
    let (low, high) = (rising[below], rising[(below + 1).min(last_known)]);
    Some(low + (last as f64 * share - below as f64).min(1.0) * (high - low))
}

/// Pearson's correlation of pairs; NaN where either side is constant.
#[must_use]
pub fn correlation(pairs: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    let mut seen = Correlation::default();
    for (x, y) in pairs {
        seen.add(x, y);
    }
    seen.value()
}

/// Pearson's correlation of pairs that come one by one: sums of squares around running means (Welford 1962).
#[derive(Clone, Copy, Debug, Default)]
pub struct Correlation {
    n: f64,
    means: [f64; 2],
    /// Sums of squares of both, and of their products.
    squares: [f64; 3],
}

impl Correlation {
    /// One more pair.
    pub fn add(&mut self, x: f64, y: f64) {
        self.n += 1.0;
        let [mean_x, mean_y] = &mut self.means;
        let (dx, dy) = (x - *mean_x, y - *mean_y);
        *mean_x += dx / self.n;
        *mean_y += dy / self.n;
        self.squares[0] += dx * (x - *mean_x);
        self.squares[1] += dy * (y - *mean_y);
        self.squares[2] += dx * (y - *mean_y);
    }

    /// That of the pairs so far; NaN where either side is constant.
    #[must_use]
    pub fn value(&self) -> f64 {
        let [xx, yy, xy] = self.squares;
        xy / (xx * yy).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    #[test]
    fn a_difference_without_an_error_has_no_p_value() {
        // One sample has no standard error.
        let one = paired_test([0.5]);
        assert!(one.standard_error.is_nan() && one.t.is_nan() && one.p.is_nan());
        for test in [
            t_test(f64::NAN, 1.0, 5.0),
            t_test(1.0, f64::NAN, 5.0),
            one.against(0.1),
        ] {
            assert!(test.p.is_nan(), "{test:?}");
        }
    }

    #[test]
    fn welch_gives_the_published_values_of_unequal_variances() {
        // A worked example of unequal variances and sizes, published as t = -1.57, 9.9 degrees, p = 0.149.
        let a2 = [17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8];
        let b2 = [
            21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8, 20.7, 21.7, 21.5, 22.5, 23.6, 21.5,
            22.5, 23.5, 21.5, 21.8,
        ];
        let test = welch_test(&Summary::of(a2), &Summary::of(b2));
        assert_abs_diff_eq!(test.t, -1.57, epsilon = 0.01);
        assert_abs_diff_eq!(test.degrees, 9.9, epsilon = 0.05);
        assert_abs_diff_eq!(test.p, 0.149, epsilon = 0.001);
    }

    #[test]
    fn a_difference_is_held_against_any_limit_and_of_an_unknown_error_nothing_is_known() {
        let test = paired_test([1.0, 2.0, 3.0]);
        let shifted = test.against(2.0);
        assert_eq!((shifted.difference, shifted.t, shifted.p), (0.0, 0.0, 1.0));
        assert_eq!(test.against(0.0), test);
        for unknown in [
            t_test(0.1, f64::NAN, 5.0),
            t_test(f64::NAN, 0.1, 5.0),
            test.against(f64::NAN),
        ] {
            assert!(unknown.t.is_nan() && unknown.p.is_nan());
        }
    }

    #[test]
    fn the_papers_own_significance_follows_from_its_table() {
        // EOMM-X3: at P = 200 Random - Skill is 0.01 with a binomial deviation near sqrt(P p q).
        let deviation = (200.0_f64 * 0.52 * 0.48).sqrt();
        let random = Summary::from_moments(10_000, 103.97, deviation);
        let skill = Summary::from_moments(10_000, 103.96, deviation);
        let test = welch_test(&random, &skill);
        assert_abs_diff_eq!(test.standard_error, 0.100, epsilon = 0.001);
        assert_abs_diff_eq!(test.t, 0.10, epsilon = 0.01);
        assert!(test.p > 0.9);
    }

    /// With a second mean of no error the interval is Student's; and it holds a known ratio as often as it says.
    #[test]
    fn the_interval_of_a_ratio_is_students_for_a_constant_and_holds_the_true_ratio() {
        let few = ratio_of_means(&[(1.0, 2.0), (2.0, 2.0), (3.0, 2.0)], 0.95);
        let test = paired_test([0.5, 1.0, 1.5]);
        // t of two degrees of freedom at 97.5 %.
        assert_abs_diff_eq!(test.margin(0.95), 4.302_653 * test.standard_error, epsilon = 1e-5);
        assert_abs_diff_eq!(few.high - few.ratio, test.margin(0.95), epsilon = 1e-9);
        assert_abs_diff_eq!(few.standard_error, test.standard_error, epsilon = 1e-12);
        assert!(ratio_of_means(&[(1.0, 2.0)], 0.95).low.is_nan() && paired_test([1.0]).margin(0.95).is_nan());

        let mut rng = crate::random::stream(1, 4_u64, 0, 0);
        let mut normal = || crate::random::standard_normal(&mut rng);
        let mut sample = || {
            let pairs = (0..5).map(|_| {
                let (shared, own, other) = (normal(), normal(), normal());
                (3.0 + 0.4 * (shared + own), 2.0 + 0.4 * (shared + other))
            });
            ratio_of_means(&pairs.collect::<Vec<_>>(), 0.9)
        };
        let held = (0..2_000).filter(|_| {
            let of = sample();
            of.low <= 1.5 && 1.5 <= of.high
        });
        // Four standard errors of 0.9 among 2,000.
        let share = held.count() as f64 / 2_000.0;
        assert!((share - 0.9).abs() < 0.027, "{share}");
    }

    #[test]
    fn students_t_of_any_degrees_has_its_quantile() {
        for (degrees, published) in [(1.0, 12.706_205), (120.0, 1.979_930), (1000.0, 1.962_339)] {
            assert_abs_diff_eq!(t_quantile(0.975, degrees), published, epsilon = 1e-6);
        }
        // Where one way takes over from the other, and where Newton's steps have no end.
        assert_abs_diff_eq!(
            t_quantile(0.975, 1e5),
            t_quantile(0.975, 1e5 + 1.0),
            epsilon = 1e-6
        );
        for degrees in [2e7, 1e15, f64::INFINITY] {
            assert_abs_diff_eq!(t_quantile(0.975, degrees), 1.959_964, epsilon = 1e-6);
        }
        assert!(t_quantile(0.975, f64::NAN).is_nan());
    }

    #[test]
    fn constant_samples_do_not_divide_by_zero() {
        assert_eq!(paired_test([0.0, 0.0, 0.0]).p, 1.0);
        assert_eq!(paired_test([1.0, 1.0, 1.0]).p, 0.0);
        assert!(paired_test([1.0]).p.is_nan());
        assert!(paired_test([]).p.is_nan());
    }

    #[test]
    fn welford_stays_exact_far_from_zero() {
        let summary = Summary::of([1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0]);
        assert_abs_diff_eq!(summary.variance(), 1.0, epsilon = 1e-9);
        assert_abs_diff_eq!(summary.mean(), 1e9 + 2.0, epsilon = 1e-6);
    }

    #[test]
    fn correlation_is_one_on_a_line_and_minus_one_on_its_mirror() {
        let line = (0..10).map(|x| (f64::from(x), 3.0 * f64::from(x) + 2.0));
        assert_abs_diff_eq!(correlation(line.clone()), 1.0, epsilon = 1e-12);
        assert_abs_diff_eq!(correlation(line.map(|(x, y)| (x, -y))), -1.0, epsilon = 1e-12);
        assert!(correlation([(1.0, 2.0), (1.0, 3.0)]).is_nan());
    }
}
