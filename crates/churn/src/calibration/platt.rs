//! [`PlattScaling`]: a logistic regression on the log odds of a prediction.

use super::{Calibration, CalibrationError, check};
use crate::numeric::{logistic_loss, sigmoid};

/// Newton steps; a handful is usual.
const STEPS: usize = 100;
/// Of the gradient of the mean cross entropy, on standardised log odds.
const TOLERANCE: f64 = 1e-13;
/// Halvings of one step.
const HALVINGS: i32 = 60;
/// What is added to the Hessian's diagonal.
const DAMPING: f64 = 1e-12;
/// The share of the decrease promised by the slope that a step has to bring (Armijo).
const SUFFICIENT: f64 = 1e-4;

/// Platt scaling: two numbers, slope and intercept, on the log odds of the prediction.
///
/// ```text
/// f(p) = 1 / (1 + e^-(a ln(p / (1 - p)) + b)),   minimising  -sum_i t_i ln f(p_i) + (1 - t_i) ln(1 - f(p_i))
/// ```
///
/// with the targets t = (n1 + 1) / (n1 + 2) for the n1 churners and 1 / (n0 + 2) for the n0 others, which keep separable
/// rows finite. A slope of 1 and an intercept of 0 mean a calibrated model, a slope below 1 an overconfident one.
/// Probabilities are kept 2.2e-16 away from 0 and 1, as by [`log_loss`](crate::log_loss).
///
/// ```
/// use matchwright_churn::{Calibration, PlattScaling};
///
/// // Said 10 % and 90 %; a quarter and three quarters churned.
/// let predicted = [[0.1; 400], [0.9; 400]].concat();
/// let churned: Vec<bool> = (0..800).map(|row| (row % 4 == 0) == (row < 400)).collect();
/// let calibration = PlattScaling::fit(&predicted, &churned)?;
/// assert!((calibration.slope() - 0.5).abs() < 0.01);                 // ln 3 / ln 9
/// assert!((calibration.calibrate(0.9) - 0.75).abs() < 0.002);
/// # Ok::<(), matchwright_churn::CalibrationError>(())
/// ```
///
/// Source: Platt, "Probabilistic outputs for support vector machines and comparisons to regularized likelihood methods",
/// 1999; by Newton's method as Lin, Lin, Weng, "A note on Platt's probabilistic outputs for support vector machines",
/// 2007, DOI 10.1007/s10994-007-5018-6, on log odds as Cox, "Two further applications of a model for binary
/// regression", 1958, DOI 10.1093/biomet/45.3-4.562.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Unchecked")
)]
pub struct PlattScaling {
    slope: f64,
    intercept: f64,
}

/// What a file may hold, before it is a calibration.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    slope: f64,
    intercept: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for PlattScaling {
    type Error = CalibrationError;

    fn try_from(Unchecked { slope, intercept }: Unchecked) -> Result<Self, CalibrationError> {
        if slope.is_finite() && intercept.is_finite() {
            Ok(Self { slope, intercept })
        } else {
            Err(CalibrationError::SavedPlatt { slope, intercept })
        }
    }
}

impl PlattScaling {
    /// Fits to predictions of rows that the model was not fitted to (true: churned). Complexity: O(n) per Newton step.
    ///
    /// # Errors
    ///
    /// [`CalibrationError::Predictions`], [`CalibrationError::SingleClass`] and
    /// [`CalibrationError::ConstantPredictions`].
    pub fn fit(predicted: &[f64], churned: &[bool]) -> Result<Self, CalibrationError> {
        check(predicted, churned)?;
        let mut log_odds: Vec<f64> = predicted.iter().copied().map(log_odds).collect();
        if log_odds.iter().all(|&other| other == log_odds[0]) {
            return Err(CalibrationError::ConstantPredictions { value: predicted[0] });
        }
        let (mean, deviation) = standardise(&mut log_odds);
        let positive = churned.iter().filter(|&&label| label).count() as f64;
        let negative = churned.len() as f64 - positive;
        let problem = Problem {
            log_odds,
            targets: churned
                .iter()
                .map(|&label| {
                    if label {
                        (positive + 1.0) / (positive + 2.0)
                    } else {
                        1.0 / (negative + 2.0)
                    }
                })
                .collect(),
        };
        let [slope, intercept] = problem.minimum([0.0, ((positive + 1.0) / (negative + 1.0)).ln()]);
        let slope = slope / deviation;
        Ok(Self {
            slope,
            intercept: intercept - slope * mean,
        })
    }

    /// a, the factor on the log odds.
    #[must_use]
    pub const fn slope(&self) -> f64 {
        self.slope
    }

    /// b, what is added to the scaled log odds.
    #[must_use]
    pub const fn intercept(&self) -> f64 {
        self.intercept
    }
}

impl Calibration for PlattScaling {
    fn calibrate(&self, predicted: f64) -> f64 {
        sigmoid(self.slope * log_odds(predicted) + self.intercept)
    }
}

/// ln(p / (1 - p)), p kept off 0 and 1; at most 36.04 either way.
fn log_odds(p: f64) -> f64 {
    let p = p.clamp(f64::EPSILON, 1.0 - f64::EPSILON);
    (p / (1.0 - p)).ln()
}

/// Brings the values to mean 0 and deviation 1; returns the mean and the deviation that they had.
fn standardise(values: &mut [f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
    let deviation = if variance > 0.0 { variance.sqrt() } else { 1.0 };
    for value in values {
        *value = (*value - mean) / deviation;
    }
    (mean, deviation)
}

/// The mean cross entropy of targets, a function of slope and intercept.
struct Problem {
    log_odds: Vec<f64>,
    targets: Vec<f64>,
}

/// The objective at one slope and intercept.
struct Point {
    unknowns: [f64; 2],
    value: f64,
    gradient: [f64; 2],
    /// Its elements aa, ab, bb.
    hessian: [f64; 3],
}

impl Point {
    /// -H^-1 g. A little is added to the diagonal, as by Lin et al., for curvatures that underflow.
    fn newton_step(&self) -> [f64; 2] {
        let [aa, ab, bb] = self.hessian;
        let (aa, bb) = (aa + DAMPING, bb + DAMPING);
        let [a, b] = self.gradient;
        let determinant = aa * bb - ab * ab;
        [(ab * b - bb * a) / determinant, (ab * a - aa * b) / determinant]
    }
}

impl Problem {
    fn at(&self, unknowns: [f64; 2]) -> Point {
        let n = self.targets.len() as f64;
        let (mut value, mut gradient, mut hessian) = (0.0, [0.0; 2], [0.0; 3]);
        for (&x, &target) in self.log_odds.iter().zip(&self.targets) {
            let margin = unknowns[0] * x + unknowns[1];
            let (loss, other) = logistic_loss(margin);
            // t loss(m) + (1 - t) loss(-m), and loss(-m) = loss(m) + m.
            value += loss + (1.0 - target) * margin;
            let error = 1.0 - target - other;
            gradient[0] += error * x;
            gradient[1] += error;
            let curvature = other * (1.0 - other);
            hessian[0] += curvature * x * x;
            hessian[1] += curvature * x;
            hessian[2] += curvature;
        }
        Point {
            unknowns,
            value: value / n,
            gradient: gradient.map(|sum| sum / n),
            hessian: hessian.map(|sum| sum / n),
        }
    }

    /// Newton's method with step halving.
    fn minimum(&self, start: [f64; 2]) -> [f64; 2] {
        let mut best = self.at(start);
        for _ in 0..STEPS {
            if largest(best.gradient) <= TOLERANCE {
                break;
            }
            let Some(next) = self.halve(&best, best.newton_step()) else {
                break;
            };
            best = next;
        }
        best.unknowns
    }

    /// The first of the steps 1, 1/2, 1/4, ... that lowers the value enough, or, where rounding hides the value, the
    /// gradient.
    fn halve(&self, from: &Point, step: [f64; 2]) -> Option<Point> {
        let slope = step[0] * from.gradient[0] + step[1] * from.gradient[1];
        let rounding = 64.0 * f64::EPSILON * from.value.abs();
        let lengths = (0..HALVINGS).map(|halvings| 0.5_f64.powi(halvings));
        let mut points = lengths.map(|length| {
            let unknowns = [0, 1].map(|index| from.unknowns[index] + length * step[index]);
            (length, self.at(unknowns))
        });
        let better = |(length, point): &(f64, Point)| {
            let lower = point.value < from.value && point.value <= from.value + SUFFICIENT * length * slope;
            let flatter = largest(point.gradient) < largest(from.gradient);
            lower || point.value <= from.value + rounding && flatter
        };
        points.find(better).map(|(_, point)| point)
    }
}

fn largest(gradient: [f64; 2]) -> f64 {
    gradient[0].abs().max(gradient[1].abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows() -> impl Strategy<Value = (Vec<f64>, Vec<bool>)> {
        prop::collection::vec((0.0_f64..=1.0, any::<bool>()), 2..60)
            .prop_map(|rows| rows.into_iter().unzip())
            .prop_filter("both classes", |(_, y): &(Vec<f64>, Vec<bool>)| {
                y.contains(&true) && y.contains(&false)
            })
    }

    /// The published gradient, written out: sum of (f(p) - t) times the log odds, and of (f(p) - t).
    fn gradient(calibration: &PlattScaling, p: &[f64], y: &[bool]) -> [f64; 2] {
        let positive = y.iter().filter(|&&label| label).count() as f64;
        let negative = y.len() as f64 - positive;
        let mut sums = [0.0; 2];
        for (&p, &y) in p.iter().zip(y) {
            let target = if y {
                (positive + 1.0) / (positive + 2.0)
            } else {
                1.0 / (negative + 2.0)
            };
            let error = calibration.calibrate(p) - target;
            sums[0] += error * log_odds(p);
            sums[1] += error;
        }
        sums.map(|sum| sum / y.len() as f64)
    }

    proptest! {
        #[test]
        fn the_gradient_is_zero_at_the_optimum((p, y) in rows()) {
            let calibration = PlattScaling::fit(&p, &y).unwrap();
            let found = gradient(&calibration, &p, &y);
            prop_assert!(largest(found) < 1e-8, "{:?} {:?}", calibration, found);
        }

        #[test]
        fn the_order_of_predictions_follows_the_sign_of_the_slope((p, y) in rows()) {
            let calibration = PlattScaling::fit(&p, &y).unwrap();
            for pair in p.windows(2) {
                let (low, high) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
                let difference = calibration.calibrate(high) - calibration.calibrate(low);
                prop_assert!(difference * calibration.slope() >= 0.0);
            }
        }
    }

    #[test]
    fn separated_predictions_stay_finite() {
        let calibration = PlattScaling::fit(&[0.0, 0.1, 0.9, 1.0], &[false, false, true, true]).unwrap();
        assert!(calibration.slope() > 0.0 && calibration.slope().is_finite());
        assert!(
            largest(gradient(
                &calibration,
                &[0.0, 0.1, 0.9, 1.0],
                &[false, false, true, true]
            )) < 1e-9
        );
        assert!((0.5..1.0).contains(&calibration.calibrate(1.0)));
    }

    #[test]
    fn what_tells_nothing_is_refused() {
        assert_eq!(
            PlattScaling::fit(&[0.3, 0.3], &[true, false]),
            Err(CalibrationError::ConstantPredictions { value: 0.3 })
        );
        assert_eq!(
            PlattScaling::fit(&[0.3, 0.4], &[false, false]),
            Err(CalibrationError::SingleClass {
                rows: 2,
                label: false
            })
        );
        for bad in [f64::NAN, f64::INFINITY, -0.1] {
            let error = PlattScaling::fit(&[0.3, bad], &[true, false]).unwrap_err();
            assert!(error.to_string().starts_with("prediction 1 is"), "{error}");
        }
        assert!(matches!(
            PlattScaling::fit(&[0.3], &[]),
            Err(CalibrationError::Predictions(_))
        ));
    }
}
