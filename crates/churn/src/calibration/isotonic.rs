//! [`IsotonicCalibration`]: pool adjacent violators.

use super::{Calibration, CalibrationError, check};

/// The least-squares fit that never falls: pool adjacent violators, straight lines between the pools.
///
/// ```text
/// minimise  sum_i (f(p_i) - y_i)^2   over all f that never fall
/// ```
///
/// At the predictions it was fitted to, f is the share of churners in the pool of the prediction; between two pools a
/// straight line; beyond the first and the last constant. Equal predictions are one. It takes any shape that data show
/// and so needs more of them than [`PlattScaling`](super::PlattScaling): some thousand rows, as a rule. A first pool
/// without a churner says 0, and a later churner there costs 36 nats of log loss: with few rows take Platt's.
///
/// Memory: two knots per pool. [`calibrate`](Calibration::calibrate) is O(log pools).
///
/// ```
/// use matchwright_churn::{Calibration, IsotonicCalibration};
///
/// let predicted = [0.1, 0.2, 0.3, 0.4, 0.6, 0.7];
/// let churned = [false, true, false, false, true, true];
/// let calibration = IsotonicCalibration::fit(&predicted, &churned)?;
/// let found = predicted.map(|p| calibration.calibrate(p));
/// assert_eq!(found, [0.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 1.0, 1.0]);  // the churner at 0.2 and two who stayed: one pool
/// # Ok::<(), matchwright_churn::CalibrationError>(())
/// ```
///
/// Source: Ayer, Brunk, Ewing, Reid, Silverman, "An empirical distribution function for sampling with incomplete
/// information", 1955, DOI 10.1214/aoms/1177728423; Zadrozny, Elkan, "Transforming classifier scores into accurate
/// multiclass probability estimates", 2002, DOI 10.1145/775047.775151.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<(f64, f64)>", into = "Vec<(f64, f64)>")
)]
pub struct IsotonicCalibration {
    /// (prediction, probability): the first rises, the second never falls; at least one.
    knots: Vec<(f64, f64)>,
}

/// Neighbouring predictions that share one probability.
#[derive(Clone, Copy)]
struct Pool {
    first: f64,
    last: f64,
    churned: u64,
    rows: u64,
}

impl Pool {
    fn share(&self) -> f64 {
        self.churned as f64 / self.rows as f64
    }

    /// Whether its share is at least the other's: exact, by integers.
    fn is_no_less_than(&self, other: &Self) -> bool {
        u128::from(self.churned) * u128::from(other.rows) >= u128::from(other.churned) * u128::from(self.rows)
    }
}

impl IsotonicCalibration {
    /// Fits to predictions of rows that the model was not fitted to (true: churned). Complexity: O(n log n).
    ///
    /// # Errors
    ///
    /// [`CalibrationError::Predictions`] and [`CalibrationError::SingleClass`].
    pub fn fit(predicted: &[f64], churned: &[bool]) -> Result<Self, CalibrationError> {
        check(predicted, churned)?;
        // + 0.0 makes the two zeros one.
        let mut rows: Vec<(f64, bool)> = predicted
            .iter()
            .map(|p| p + 0.0)
            .zip(churned.iter().copied())
            .collect();
        rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut pools: Vec<Pool> = Vec::new();
        for tied in rows.chunk_by(|a, b| a.0 == b.0) {
            let mut pool = Pool {
                first: tied[0].0,
                last: tied[0].0,
                churned: tied.iter().filter(|row| row.1).count() as u64,
                rows: tied.len() as u64,
            };
            while let Some(previous) = pools.pop_if(|previous| previous.is_no_less_than(&pool)) {
                pool.first = previous.first;
                pool.churned += previous.churned;
                pool.rows += previous.rows;
            }
            pools.push(pool);
        }
        let ends = |pool: &Pool| [(pool.first, pool.share()), (pool.last, pool.share())];
        let mut knots: Vec<(f64, f64)> = pools.iter().flat_map(ends).collect();
        knots.dedup();
        Ok(Self { knots })
    }

    /// The (prediction, calibrated probability) pairs between which lines are drawn, predictions rising.
    #[must_use]
    pub fn knots(&self) -> &[(f64, f64)] {
        &self.knots
    }
}

impl Calibration for IsotonicCalibration {
    fn calibrate(&self, predicted: f64) -> f64 {
        if predicted.is_nan() {
            return predicted;
        }
        let next = self.knots.partition_point(|knot| knot.0 < predicted);
        match (
            next.checked_sub(1).map(|last| self.knots[last]),
            self.knots.get(next),
        ) {
            (Some((low, from)), Some(&(high, to))) => {
                let share = (predicted - low) / (high - low);
                (from + share * (to - from)).clamp(from, to)
            }
            (Some((_, edge)), None) | (None, Some(&(_, edge))) => edge,
            (None, None) => predicted,
        }
    }
}

impl TryFrom<Vec<(f64, f64)>> for IsotonicCalibration {
    type Error = CalibrationError;

    fn try_from(knots: Vec<(f64, f64)>) -> Result<Self, CalibrationError> {
        let inside = |knot: &(f64, f64)| (0.0..=1.0).contains(&knot.0) && (0.0..=1.0).contains(&knot.1);
        let goes_on = |knot: usize| {
            knot == 0 || knots[knot - 1].0 < knots[knot].0 && knots[knot - 1].1 <= knots[knot].1
        };
        let bad = (0..knots.len()).find(|&knot| !(inside(&knots[knot]) && goes_on(knot)));
        match bad.or(knots.is_empty().then_some(0)) {
            Some(knot) => Err(CalibrationError::SavedIsotonic { knot }),
            None => Ok(Self { knots }),
        }
    }
}

impl From<IsotonicCalibration> for Vec<(f64, f64)> {
    fn from(calibration: IsotonicCalibration) -> Self {
        calibration.knots
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows() -> impl Strategy<Value = (Vec<f64>, Vec<bool>)> {
        prop::collection::vec((0_u8..=8, any::<bool>()), 2..14)
            .prop_map(|rows| rows.into_iter().map(|(p, y)| (f64::from(p) / 8.0, y)).unzip())
            .prop_filter("both classes", |(_, y): &(Vec<f64>, Vec<bool>)| {
                y.contains(&true) && y.contains(&false)
            })
    }

    /// The published minimax form: the largest over starts at or below of the smallest over ends at or above of the
    /// mean between (Robertson, Wright, Dykstra, 1988, theorem 1.4.4).
    fn oracle(p: &[f64], y: &[bool], at: f64) -> f64 {
        let mean = |from: f64, to: f64| {
            let inside: Vec<bool> = p
                .iter()
                .zip(y)
                .filter(|row| (from..=to).contains(row.0))
                .map(|row| *row.1)
                .collect();
            inside.iter().filter(|&&label| label).count() as f64 / inside.len() as f64
        };
        let starts = p.iter().copied().filter(|&start| start <= at);
        starts
            .map(|start| {
                p.iter()
                    .copied()
                    .filter(|&end| end >= at)
                    .map(|end| mean(start, end))
                    .fold(2.0, f64::min)
            })
            .fold(-1.0, f64::max)
    }

    proptest! {
        #[test]
        fn the_fit_is_the_minimax_of_means_at_every_prediction((p, y) in rows()) {
            let calibration = IsotonicCalibration::fit(&p, &y).unwrap();
            for &at in &p {
                prop_assert!((calibration.calibrate(at) - oracle(&p, &y, at)).abs() < 1e-12);
            }
        }

        #[test]
        fn a_higher_prediction_is_never_calibrated_lower((p, y) in rows(), a in 0.0_f64..=1.0, b in 0.0_f64..=1.0) {
            let calibration = IsotonicCalibration::fit(&p, &y).unwrap();
            let [low, high] = [a.min(b), a.max(b)].map(|p| calibration.calibrate(p));
            prop_assert!(low <= high && (0.0..=1.0).contains(&low) && (0.0..=1.0).contains(&high));
        }

        #[test]
        fn calibrated_predictions_keep_the_base_rate((p, y) in rows()) {
            let calibration = IsotonicCalibration::fit(&p, &y).unwrap();
            let sum: f64 = p.iter().map(|&p| calibration.calibrate(p)).sum();
            prop_assert!((sum - y.iter().filter(|&&label| label).count() as f64).abs() < 1e-9);
        }
    }

    /// scikit-learn 1.9.1, `IsotonicRegression(out_of_bounds="clip")`, at 0, 0.15, 0.37, 0.5 and 1.
    #[test]
    fn between_pools_the_line_is_that_of_the_reference() {
        let p = [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.7, 0.9];
        let y = [false, true, false, false, true, true, false, true];
        let calibration = IsotonicCalibration::fit(&p, &y).unwrap();
        let expected = [0.0, 1.0 / 6.0, 7.0 / 15.0, 2.0 / 3.0, 1.0];
        for (at, expected) in [0.0, 0.15, 0.37, 0.5, 1.0].into_iter().zip(expected) {
            let found = calibration.calibrate(at);
            assert!(
                (found - expected).abs() < 1e-12,
                "{at}: {found} against {expected}"
            );
        }
    }

    #[test]
    fn what_tells_nothing_is_refused() {
        assert!(matches!(
            IsotonicCalibration::fit(&[0.5, f64::NAN], &[true, false]),
            Err(CalibrationError::Predictions(_))
        ));
        assert_eq!(
            IsotonicCalibration::fit(&[0.5, 0.6], &[true, true]),
            Err(CalibrationError::SingleClass { rows: 2, label: true })
        );
        assert!(IsotonicCalibration::fit(&[], &[]).is_err());
        let one = IsotonicCalibration::fit(&[0.5, 0.5], &[true, false]).unwrap();
        assert_eq!((one.knots(), one.calibrate(0.9)), (&[(0.5, 0.5)][..], 0.5));
        for (knots, knot) in [
            (vec![], 0),
            (vec![(0.1, 0.2), (0.1, 0.3)], 1),
            (vec![(0.1, 0.2), (0.2, 0.1)], 1),
            (vec![(0.1, f64::NAN)], 0),
        ] {
            assert_eq!(
                IsotonicCalibration::try_from(knots),
                Err(CalibrationError::SavedIsotonic { knot })
            );
        }
    }
}
