//! The logistic function and its logarithm, without overflow.

/// 1 / (1 + e^(-x)), in [0, 1]; accurate in both tails.
pub(crate) fn sigmoid(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + (-x).exp())
    } else {
        let e = x.exp();
        e / (1.0 + e)
    }
}

/// ln(1 + e^x) without overflow.
#[cfg(feature = "fit")]
pub(crate) fn log_one_plus_exp(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logistic_function_is_symmetric_and_finite_at_every_size() {
        for x in [0.0, 1e-300, 0.5, 3.0, 40.0, 745.0, 1e4, f64::MAX] {
            assert!((sigmoid(x) + sigmoid(-x) - 1.0).abs() < 1e-15, "{x}");
        }
        assert_eq!(sigmoid(0.0), 0.5);
        assert!((sigmoid(-40.0) / (-40.0_f64).exp() - 1.0).abs() < 1e-15);
    }

    #[cfg(feature = "fit")]
    #[test]
    fn the_soft_plus_is_exact_in_both_tails() {
        assert_eq!(log_one_plus_exp(1e300), 1e300);
        assert_eq!(log_one_plus_exp(-1e300), 0.0);
        assert!((log_one_plus_exp(0.0) - std::f64::consts::LN_2).abs() < 1e-16);
        assert!((log_one_plus_exp(-50.0) / (-50.0_f64).exp() - 1.0).abs() < 1e-15);
    }
}
