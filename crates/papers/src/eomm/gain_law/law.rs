//! The closed forms.

use std::f64::consts::{LN_10, PI};

use matchwright_rating::EloCurve;

/// q', the slope of the logistic curve with scale 400 between equals, a rating point: ln 10 / 1600.
pub const SLOPE: f64 = LN_10 / 1600.0;

/// The most that EOMM can gain over random matchmaking per player, in churn probability:
/// (1 - d) q' sd(skill) sd(D).
///
/// `skill_spread` in rating points, `sensitivity_spread` the standard deviation of D = c(L) - c(W). Assumes
/// independent skills and sensitivities; see [`gain_law`](super) for the proof.
#[must_use]
pub fn gain_bound(draw_rate: f64, skill_spread: f64, sensitivity_spread: f64) -> f64 {
    (1.0 - draw_rate) * SLOPE * skill_spread * sensitivity_spread
}

/// The other bound, which no spread of skill can lift: (1 - d) / 2 times the mean distance of D from its median, for
/// normal D (1 - d) sd(D) / sqrt(2 pi). Below [`gain_bound`] from a skill spread of some 277 points on.
#[must_use]
pub fn saturated_bound(draw_rate: f64, sensitivity_spread: f64) -> f64 {
    (1.0 - draw_rate) * sensitivity_spread / (2.0 * PI).sqrt()
}

/// What the best pairing under linear q yields under the logistic curve, for normal skills and sensitivities and many
/// players: [`gain_bound`] with [`mean_slope`] in the place of q'. EOMM gains no less, then.
#[must_use]
pub fn curved_gain(draw_rate: f64, skill_spread: f64, sensitivity_spread: f64) -> f64 {
    (1.0 - draw_rate) * mean_slope(skill_spread) * skill_spread * sensitivity_spread
}

/// `E[q'(gap)]` for gaps that are normal with variance 2 `skill_spread`^2, a rating point; q' itself at spread 0.
///
/// Trapezoidal rule over eight standard deviations, whose error is far below 1e-9 of the result for spreads up to
/// 2,000 points.
///
/// ```
/// use matchwright_papers::eomm::gain_law::{SLOPE, mean_slope};
///
/// assert!((mean_slope(0.0) / SLOPE - 1.0).abs() < 1e-12);
/// // At 200 points a third of the slope is gone.
/// assert!((mean_slope(200.0) / SLOPE - 0.679).abs() < 0.001);
/// ```
#[must_use]
pub fn mean_slope(skill_spread: f64) -> f64 {
    const STEPS: i32 = 2000;
    let curve = EloCurve::default();
    let step = 8.0 / f64::from(STEPS);
    let at = |k: i32| {
        let z = step * f64::from(k);
        let q = curve.expected(z * skill_spread * 2.0_f64.sqrt(), 0.0);
        4.0 * SLOPE * q * (1.0 - q) * (-0.5 * z * z).exp()
    };
    (-STEPS..=STEPS).map(at).sum::<f64>() * step / (2.0 * PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn the_slope_is_the_derivative_of_the_curve_and_its_steepest_chord() {
        let curve = EloCurve::default();
        let chord = |gap: f64| (curve.expected(gap, 0.0) - 0.5) / gap;
        assert_relative_eq!(chord(1e-3), SLOPE, max_relative = 1e-9);
        for gap in 1..200 {
            assert!(chord(f64::from(gap) * 10.0) < SLOPE);
        }
    }

    #[test]
    fn the_mean_slope_is_steins_covariance() {
        // E[q'(gap)] = E[q(gap) gap] / Var(gap), summed on another grid.
        for spread in [20.0, 200.0, 800.0] {
            let sd = spread * 2.0_f64.sqrt();
            let (mut covariance, mut weight) = (0.0, 0.0);
            for k in -900..=900 {
                let z = f64::from(k) / 100.0;
                let density = (-0.5 * z * z).exp();
                covariance += density * EloCurve::default().expected(z * sd, 0.0) * z * sd;
                weight += density;
            }
            assert_relative_eq!(
                mean_slope(spread),
                covariance / weight / (sd * sd),
                max_relative = 1e-9
            );
        }
    }

    #[test]
    fn the_constant_is_the_papers_eighty_percent_times_the_slope() {
        assert_relative_eq!(gain_bound(0.2, 1.0, 1.0), 0.8 * LN_10 / 1600.0);
        assert!(curved_gain(0.2, 200.0, 0.04) < gain_bound(0.2, 200.0, 0.04));
        assert_eq!(gain_bound(1.0, 200.0, 0.04), 0.0);
        assert!(saturated_bound(0.2, 0.04) > gain_bound(0.2, 277.0, 0.04));
        assert!(saturated_bound(0.2, 0.04) < gain_bound(0.2, 278.0, 0.04));
    }
}
