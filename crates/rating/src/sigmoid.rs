//! The logistic function and its logarithm, the same bits on every machine.

use std::f64::consts::LOG2_E;

/// 1 / (1 + e^-x), in \[0, 1\]; 0 and 1 beyond |x| = 709. NaN stays NaN.
#[inline]
pub(crate) fn logistic(x: f64) -> f64 {
    let (n, d) = exp_fraction(x);
    n / (n + d)
}

/// logistic(x) and logistic(-x): the same bits as one by one, but that the latter is 1e-308 instead of 0 beyond x = 708.
#[inline]
pub(crate) fn logistic_both(x: f64) -> (f64, f64) {
    let (n, d) = exp_fraction(x);
    (n / (n + d), d / (n + d))
}

/// ln(1 / (1 + e^-x)), without overflow however far out x is. By the platform's exponential, unlike [`logistic`].
pub(crate) fn log_logistic(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

/// ln 2 in two parts: products of the first with whole numbers up to 1,024 are exact.
const LN_2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Positive n and d with n / d = e^x to about a unit in the last place; x counts as at least -709, where n is 0, and as
/// at most 709. Those of -x are d and n, times a power of 2.
///
/// The standard library's exponential is the platform's: its last bit differs between machines, and a call a
/// number keeps loops over many players from being vectorised. This one gives the same bits
/// everywhere. e^x = 2^k e^r with |r| <= ln 2 / 2, and e^r by its Pade approximant of degrees 6 and 6, which misses it by
/// less than 1e-18:
///
/// ```text
/// e^r = (N + r M) / (N - r M)      N = 1 + 5/44 r^2 + r^4 / 792 + r^6 / 665280      M = 1/2 + r^2 / 66 + r^4 / 15840
/// ```
#[inline]
fn exp_fraction(x: f64) -> (f64, f64) {
    /// Adding it leaves the nearest whole number in the lowest bits of the sum.
    const ROUNDING: f64 = 6_755_399_441_055_744.0;
    const BIAS: u64 = 1023;
    let x = x.clamp(-709.0, 709.0);
    let shifted = x * LOG2_E + ROUNDING;
    let whole = shifted - ROUNDING;
    let r = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
    let z = r * r;
    let even = (1.0 + z * (5.0 / 44.0)) + (z * z) * (1.0 / 792.0 + z * (1.0 / 665_280.0));
    let odd = r * (0.5 + z * (1.0 / 66.0 + z * (1.0 / 15_840.0)));
    let exponent = shifted
        .to_bits()
        .wrapping_sub(ROUNDING.to_bits())
        .wrapping_add(BIAS);
    ((even + odd) * f64::from_bits(exponent << 52), even - odd)
}

/// e^x to about a unit in the last place, the same bits on every machine; x counts as at least -709, where it is 0, and as
/// at most 709.
#[inline]
pub(crate) fn exp(x: f64) -> f64 {
    let (n, d) = exp_fraction(x);
    n / d
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn the_exponential_agrees_with_the_platforms_to_the_last_digits() {
        for step in -70_800..=70_800 {
            let x = f64::from(step) / 100.0 + 0.000_3;
            assert_relative_eq!(exp(x), x.exp(), max_relative = 1e-15);
        }
        assert_eq!((exp(0.0), logistic(0.0)), (1.0, 0.5));
        assert!(logistic(f64::NAN).is_nan());
        assert_eq!((logistic(f64::INFINITY), logistic(-1e300)), (1.0, 0.0));
    }

    #[test]
    fn both_logistics_are_the_bits_of_each() {
        for step in -70_800..=70_800 {
            let x = f64::from(step) / 100.0 - 0.000_7;
            assert_eq!(logistic_both(x), (logistic(x), logistic(-x)), "{x}");
            assert_relative_eq!(
                logistic(x),
                1.0 / (1.0 + (-x).exp()),
                max_relative = 1e-15,
                epsilon = 1e-307
            );
        }
    }

    #[test]
    fn the_log_logistic_is_the_logistics_logarithm_and_goes_on_where_that_ends() {
        for x in [-30.0, -1.5, -1e-9, 0.0, 0.3, 20.0] {
            assert_relative_eq!(log_logistic(x), logistic(x).ln(), max_relative = 1e-7);
        }
        assert_eq!((log_logistic(-1e300), log_logistic(1e300)), (-1e300, 0.0));
        assert_relative_eq!(log_logistic(-800.0), -800.0);
    }
}
