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

/// ln(1 + e^(-x)) and 1 / (1 + e^x): the log loss of log odds x in favour of what happened, and the probability of what
/// did not, which is minus the loss's slope. Without overflow, and with one exponential for both.
pub(crate) fn logistic_loss(x: f64) -> (f64, f64) {
    let e = (-x.abs()).exp();
    let error = if x >= 0.0 { e / (1.0 + e) } else { 1.0 / (1.0 + e) };
    ((-x).max(0.0) + e.ln_1p(), error)
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

    #[test]
    fn the_logistic_loss_and_its_slope_are_exact_in_both_tails() {
        assert_eq!(logistic_loss(-1e300), (1e300, 1.0));
        assert_eq!(logistic_loss(1e300), (0.0, 0.0));
        assert!((logistic_loss(0.0).0 - std::f64::consts::LN_2).abs() < 1e-16);
        assert!((logistic_loss(50.0).0 / (-50.0_f64).exp() - 1.0).abs() < 1e-15);
        for x in [-800.0, -40.0, -1.0, 0.0, 1e-9, 3.0, 40.0] {
            assert_eq!(logistic_loss(x).1, sigmoid(-x), "{x}");
        }
    }
}
