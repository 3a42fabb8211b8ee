//! The two S-shaped curves from a difference in strength to a probability.

use std::f64::consts::{PI, SQRT_2};

/// 1 / (1 + e^-x), in \[0, 1\]; saturates where the exponential leaves the range of `f64`.
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Below this the series of [`normal_cdf`] loses digits to the subtraction from 1/2, and the
/// fraction converges fast.
const TAIL: f64 = 2.5;

/// The standard normal distribution function, to about 1e-15 (relative to the smaller tail).
///
/// Near 0: 1/2 + phi(x) (x + x^3/3 + x^5/(3 5) + ...), Marsaglia, "Evaluating the normal
/// distribution", 2004, eq. 4 (doi 10.18637/jss.v011.i04). In the tails Laplace's continued
/// fraction for Mills' ratio, phi(x) / (x + 1/(x + 2/(x + 3/(x + ...)))), evaluated from its far
/// end.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    let size = x.abs();
    let density = (-0.5 * x * x).exp() / (SQRT_2 * PI.sqrt());
    if size < TAIL {
        let (mut sum, mut term, mut odd) = (x, x, 1.0);
        while term.abs() > sum.abs() * (f64::EPSILON / 4.0) {
            odd += 2.0;
            term *= x * x / odd;
            sum += term;
        }
        0.5 + density * sum
    } else {
        // 200 levels leave less than one unit in the last place at the border, and fewer are needed
        // beyond.
        let ratio = (1..=200_u8)
            .rev()
            .fold(size, |tail, k| size + f64::from(k) / tail);
        let upper = density / ratio;
        if x < 0.0 { upper } else { 1.0 - upper }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn the_normal_distribution_matches_published_values_in_the_middle_and_in_the_tails() {
        // Abramowitz and Stegun, table 26.1, and scipy.stats.norm.cdf for the far tails.
        for (x, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (1.96, 0.975_002_104_851_779_5),
            (-2.4, 0.008_197_535_924_596_131),
            (-2.6, 0.004_661_188_023_718_747),
            (-3.0, 0.001_349_898_031_630_094_6),
            (-10.0, 7.619_853_024_160_527e-24),
        ] {
            assert_relative_eq!(normal_cdf(x), expected, max_relative = 2e-14);
        }
    }

    #[test]
    fn the_normal_distribution_rises_and_is_symmetric_across_its_two_formulas() {
        let mut last = 0.0;
        for step in -4000..=4000 {
            let x = f64::from(step) / 100.0;
            let value = normal_cdf(x);
            assert!(value >= last, "falls at {x}");
            assert!((value + normal_cdf(-x) - 1.0).abs() < 1e-15);
            last = value;
        }
        assert_eq!((normal_cdf(1e9), normal_cdf(-1e9)), (1.0, 0.0));
    }
}
