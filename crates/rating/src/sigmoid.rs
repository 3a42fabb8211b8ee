//! The logistic function and its logarithm, the same bits on every machine.

use std::f64::consts::LOG2_E;

/// 1 / (1 + e^-x), in \[0, 1\]; 0 and 1 beyond |x| = 710. NaN stays NaN.
#[inline]
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

/// ln(1 / (1 + e^-x)), without overflow however far out x is. By the platform's exponential, unlike [`logistic`].
pub(crate) fn log_logistic(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

/// ln 2 in two parts: products of the first with whole numbers up to 1,024 are exact.
const LN_2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// 1/n! from n = 13 down to n = 0.
const INVERSE_FACTORIALS: [f64; 14] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

/// e^x to about two units in the last place, for x within \[-708, 709\]; e^-708 below and infinity above.
///
/// The standard library's is the platform's: its last bit differs between machines, and a call a
/// number keeps loops over many players from being vectorised. This one gives the same bits
/// everywhere. e^x = 2^k e^r with |r| <= ln 2 / 2, and e^r by its series, whose rest is below 1e-17.
#[inline]
fn exp(x: f64) -> f64 {
    /// Adding it leaves the nearest whole number in the lowest bits of the sum.
    const ROUNDING: f64 = 6_755_399_441_055_744.0;
    const BIAS: u64 = 1023;
    // At 710 the exponent is that of infinity.
    let x = x.clamp(-708.0, 710.0);
    let shifted = x * LOG2_E + ROUNDING;
    let whole = shifted - ROUNDING;
    let r = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
    let series = INVERSE_FACTORIALS.iter().fold(0.0, |sum, c| sum * r + c);
    let exponent = shifted
        .to_bits()
        .wrapping_sub(ROUNDING.to_bits())
        .wrapping_add(BIAS);
    series * f64::from_bits(exponent << 52)
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
    fn the_log_logistic_is_the_logistics_logarithm_and_goes_on_where_that_ends() {
        for x in [-30.0, -1.5, -1e-9, 0.0, 0.3, 20.0] {
            assert_relative_eq!(log_logistic(x), logistic(x).ln(), max_relative = 1e-7);
        }
        assert_eq!((log_logistic(-1e300), log_logistic(1e300)), (-1e300, 0.0));
        assert_relative_eq!(log_logistic(-800.0), -800.0);
    }
}
