//! Log loss, Brier score, AUC and average precision of predicted probabilities.

use super::{MetricError, base_rate, check};

/// Mean log loss, in nats; 0 is perfect.
///
/// ```text
/// LL = -(1/n) sum_i [ y_i ln p_i + (1 - y_i) ln(1 - p_i) ]
/// ```
///
/// Probabilities are kept 2.2e-16 away from 0 and 1, as scikit-learn does, so that one certain error costs 36 nats,
/// not infinity. Complexity: O(n).
///
/// # Errors
///
/// [`MetricError`] for no row, unequal lengths or a prediction outside [0, 1].
///
/// Source: Good, "Rational decisions", 1952, DOI 10.1111/j.2517-6161.1952.tb00104.x.
///
/// ```
/// let loss = matchwright_churn::log_loss(&[0.9, 0.1, 0.2, 0.65], &[true, false, false, true])?;
/// assert!((loss - 0.21616187468).abs() < 1e-10);                    // scikit-learn's documented example
/// # Ok::<(), matchwright_churn::MetricError>(())
/// ```
pub fn log_loss(p: &[f64], y: &[bool]) -> Result<f64, MetricError> {
    check(p, y)?;
    let sum: f64 = p.iter().zip(y).map(|(&p, &y)| row_log_loss(p, y)).sum();
    Ok(sum / p.len() as f64)
}

/// The log loss of one row, its probability kept off 0 and 1.
pub(crate) fn row_log_loss(p: f64, y: bool) -> f64 {
    let of_the_truth = if y { p } else { 1.0 - p };
    -of_the_truth.clamp(f64::EPSILON, 1.0 - f64::EPSILON).ln()
}

/// The log loss of saying `rate` of every row: what a model has to beat.
///
/// Take `rate` from the training rows for a fair baseline. Errors as [`log_loss`].
///
/// ```
/// let loss = matchwright_churn::constant_log_loss(0.5, &[true, false, false])?;
/// assert!((loss - 2_f64.ln()).abs() < 1e-15);
/// # Ok::<(), matchwright_churn::MetricError>(())
/// ```
///
/// # Errors
///
/// [`MetricError`] for no row or a rate outside [0, 1].
pub fn constant_log_loss(rate: f64, y: &[bool]) -> Result<f64, MetricError> {
    check(&vec![rate; y.len()], y)?;
    let share = base_rate(y);
    Ok(share * row_log_loss(rate, true) + (1.0 - share) * row_log_loss(rate, false))
}

/// Brier score, in [0, 1]; 0 is perfect.
///
/// ```text
/// BS = (1/n) sum_i (p_i - y_i)^2
/// ```
///
/// # Errors
///
/// As [`log_loss`].
///
/// Source: Brier, "Verification of forecasts expressed in terms of probability", 1950,
/// DOI 10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2 (one of the two classes counted).
///
/// ```
/// let score = matchwright_churn::brier(&[0.1, 0.9, 0.8, 0.3], &[false, true, true, false])?;
/// assert!((score - 0.0375).abs() < 1e-15);                          // scikit-learn's documented example
/// # Ok::<(), matchwright_churn::MetricError>(())
/// ```
pub fn brier(p: &[f64], y: &[bool]) -> Result<f64, MetricError> {
    check(p, y)?;
    let sum: f64 = p
        .iter()
        .zip(y)
        .map(|(p, &y)| (p - f64::from(u8::from(y))).powi(2))
        .sum();
    Ok(sum / p.len() as f64)
}

/// Area under the ROC curve: the chance that a churner was given a higher probability than another, ties counting
/// half.
///
/// AUC = (R - n1 (n1 + 1) / 2) / (n1 n0), with R the sum of the churners' midranks
///
/// In [0, 1]; 1/2 is chance. Complexity: O(n log n).
///
/// # Errors
///
/// As [`log_loss`], and [`MetricError::SingleClass`] when all labels agree.
///
/// Source: Hanley and `McNeil`, "The meaning and use of the area under a receiver operating characteristic (ROC)
/// curve", 1982, DOI 10.1148/radiology.143.1.7063747.
///
/// ```
/// let area = matchwright_churn::auc(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true])?;
/// assert_eq!(area, 0.75);                                           // scikit-learn's documented example
/// # Ok::<(), matchwright_churn::MetricError>(())
/// ```
pub fn auc(p: &[f64], y: &[bool]) -> Result<f64, MetricError> {
    check(p, y)?;
    let (mut wins, mut churners, mut others) = (0.0, 0.0, 0.0);
    // -0.0 and 0.0 are one probability: the chunks compare by value.
    for tied in rising(p, y).chunk_by(|a, b| a.0 == b.0) {
        let positive = tied.iter().filter(|row| row.1).count() as f64;
        let negative = tied.len() as f64 - positive;
        wins += positive * (others + negative / 2.0);
        churners += positive;
        others += negative;
    }
    if churners == 0.0 || others == 0.0 {
        return Err(MetricError::SingleClass { label: others == 0.0 });
    }
    Ok(wins / (churners * others))
}

/// Average precision (PR-AUC): the mean precision over the churners, each taken at the threshold that just finds them.
///
/// ```text
/// AP = sum_t (R_t - R_(t-1)) P_t
/// ```
///
/// over the distinct predictions t from the highest down, with P the share of churners among the rows at t or above and
/// R the share of all churners that are among them. Tied rows are found together, so that their order does not count; no
/// line is drawn between two thresholds, which would flatter the model. In (0, 1]; chance is the base rate, which makes
/// it tell more than [`auc`] where churn is rare. Complexity: O(n log n).
///
/// # Errors
///
/// As [`log_loss`], and [`MetricError::NoChurner`].
///
/// Source: Davis, Goadrich, "The relationship between precision-recall and ROC curves", 2006, DOI
/// 10.1145/1143844.1143874; Boyd, Eng, Page, "Area under the precision-recall curve: point estimates and confidence
/// intervals", 2013, section 3, DOI 10.1007/978-3-642-40994-3_29; the formula and its ties are scikit-learn's.
///
/// ```
/// let area = matchwright_churn::average_precision(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true])?;
/// assert!((area - 5.0 / 6.0).abs() < 1e-15);                        // scikit-learn's documented example
/// # Ok::<(), matchwright_churn::MetricError>(())
/// ```
pub fn average_precision(p: &[f64], y: &[bool]) -> Result<f64, MetricError> {
    check(p, y)?;
    let (mut sum, mut churners, mut found) = (0.0, 0.0, 0.0);
    for tied in rising(p, y).chunk_by(|a, b| a.0 == b.0).rev() {
        let positive = tied.iter().filter(|row| row.1).count() as f64;
        churners += positive;
        found += tied.len() as f64;
        sum += positive * (churners / found);
    }
    if churners == 0.0 {
        return Err(MetricError::NoChurner);
    }
    Ok(sum / churners)
}

/// The rows by their predictions.
fn rising(p: &[f64], y: &[bool]) -> Vec<(f64, bool)> {
    let mut order: Vec<(f64, bool)> = p.iter().copied().zip(y.iter().copied()).collect();
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scored() -> impl Strategy<Value = (Vec<f64>, Vec<bool>)> {
        prop::collection::vec((0_u8..=10, any::<bool>()), 1..40)
            .prop_map(|rows| rows.into_iter().map(|(p, y)| (f64::from(p) / 10.0, y)).unzip())
    }

    #[test]
    fn broken_input_is_refused_with_its_place() {
        assert_eq!(log_loss(&[], &[]), Err(MetricError::Empty));
        assert_eq!(
            brier(&[0.5], &[]),
            Err(MetricError::Lengths {
                predictions: 1,
                labels: 0
            })
        );
        let error = auc(&[0.5, f64::NAN], &[true, false]).unwrap_err();
        assert!(error.to_string().starts_with("prediction 1 is NaN"), "{error}");
        assert!(matches!(
            log_loss(&[1.5], &[true]),
            Err(MetricError::Probability { index: 0, .. })
        ));
        assert_eq!(
            auc(&[0.5, 0.6], &[true, true]),
            Err(MetricError::SingleClass { label: true })
        );
        assert_eq!(
            auc(&[0.5, 0.6], &[false, false]),
            Err(MetricError::SingleClass { label: false })
        );
        assert_eq!(
            average_precision(&[0.5, 0.6], &[false, false]),
            Err(MetricError::NoChurner)
        );
        assert_eq!(average_precision(&[0.5, 0.6], &[true, true]), Ok(1.0));
        assert!(average_precision(&[0.5, f64::INFINITY], &[true, true]).is_err());
        assert!(constant_log_loss(-0.1, &[true]).is_err());
        assert_eq!(constant_log_loss(0.1, &[]), Err(MetricError::Empty));
    }

    #[test]
    fn a_certain_error_costs_36_nats_and_a_certain_truth_nothing() {
        assert!((log_loss(&[0.0], &[true]).unwrap() - 36.04365338911715).abs() < 1e-12);
        assert!(log_loss(&[1.0], &[true]).unwrap() < 1e-15);
    }

    proptest! {
        #[test]
        fn auc_equals_the_share_of_pairs_in_order((p, y) in scored()) {
            let (mut wins, mut pairs) = (0.0, 0.0);
            for (a, _) in p.iter().zip(&y).filter(|row| *row.1) {
                for (b, _) in p.iter().zip(&y).filter(|row| !*row.1) {
                    pairs += 1.0;
                    wins += if a > b { 1.0 } else if a == b { 0.5 } else { 0.0 };
                }
            }
            if let Ok(area) = auc(&p, &y) {
                prop_assert!((area - wins / pairs).abs() < 1e-12);
            } else {
                prop_assert_eq!(pairs, 0.0);
            }
        }

        #[test]
        fn average_precision_is_the_mean_precision_at_each_churner((p, y) in scored()) {
            let precision = |threshold: f64| {
                let above: Vec<bool> = p.iter().zip(&y).filter(|row| *row.0 >= threshold).map(|row| *row.1).collect();
                above.iter().filter(|&&label| label).count() as f64 / above.len() as f64
            };
            let found: Vec<f64> = p.iter().zip(&y).filter(|row| *row.1).map(|row| precision(*row.0)).collect();
            if let Ok(area) = average_precision(&p, &y) {
                prop_assert!((area - found.iter().sum::<f64>() / found.len() as f64).abs() < 1e-12);
                prop_assert!(area >= base_rate(&y) / y.len() as f64 && area <= 1.0 + 1e-12);
            } else {
                prop_assert!(found.is_empty());
            }
        }

        #[test]
        fn the_order_of_tied_rows_does_not_count((p, y) in scored()) {
            let (mut q, mut z) = (p.clone(), y.clone());
            q.reverse();
            z.reverse();
            prop_assert_eq!(average_precision(&p, &y), average_precision(&q, &z));
            prop_assert_eq!(auc(&p, &y), auc(&q, &z));
        }

        #[test]
        fn the_log_loss_of_a_constant_needs_no_rows((_, y) in scored(), rate in 0.0_f64..=1.0) {
            let direct = log_loss(&vec![rate; y.len()], &y).unwrap();
            prop_assert!((constant_log_loss(rate, &y).unwrap() - direct).abs() < 1e-12 * direct.max(1.0));
        }

        #[test]
        fn no_constant_beats_the_base_rate((_, y) in scored(), rate in 0.0_f64..=1.0) {
            let best = constant_log_loss(base_rate(&y), &y).unwrap();
            prop_assert!(best <= constant_log_loss(rate, &y).unwrap() + 1e-12);
        }
    }
}
