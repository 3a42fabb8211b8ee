//! [`Evaluation`]: all scores of one set of predictions.

use super::reliability::calibration_error;
use super::{
    MetricError, ReliabilityBin, auc, average_precision, base_rate, brier, constant_log_loss, log_loss,
    reliability_table,
};

/// All scores of one set of predictions.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Evaluation {
    /// Rows scored.
    pub n: usize,
    /// Share of them that churned.
    pub base_rate: f64,
    /// [`log_loss`], nats.
    pub log_loss: f64,
    /// The log loss of predicting [`base_rate`](Self::base_rate) for every row. No constant does better on these rows, so it is
    /// a slightly harder baseline than the training rows' rate: for that one, call [`constant_log_loss`] with it.
    pub constant_log_loss: f64,
    /// [`auc`]; `None` when all labels agree.
    pub auc: Option<f64>,
    /// [`average_precision`] (PR-AUC), to be read beside [`base_rate`](Self::base_rate); `None` when no row churned.
    pub average_precision: Option<f64>,
    /// [`brier`] score.
    pub brier: f64,
    /// [`expected_calibration_error`](super::expected_calibration_error) with the `bins` given to [`evaluate`].
    pub ece: f64,
    /// [`reliability_table`] with the `bins` given to [`evaluate`]; empty bins are left out.
    pub reliability: Vec<ReliabilityBin>,
}

/// Scores predictions `p` against labels `y` (true: churned), with a reliability table of `bins` bins.
///
/// Complexity: O(n log n).
///
/// # Errors
///
/// As [`reliability_table`].
///
/// ```
/// let scores = matchwright_churn::evaluate(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true], 10)?;
/// assert_eq!((scores.n, scores.base_rate, scores.auc), (4, 0.5, Some(0.75)));
/// assert!(scores.log_loss < scores.constant_log_loss);
/// # Ok::<(), matchwright_churn::MetricError>(())
/// ```
pub fn evaluate(p: &[f64], y: &[bool], bins: usize) -> Result<Evaluation, MetricError> {
    let reliability = reliability_table(p, y, bins)?;
    let base_rate = base_rate(y);
    Ok(Evaluation {
        n: y.len(),
        base_rate,
        log_loss: log_loss(p, y)?,
        constant_log_loss: constant_log_loss(base_rate, y)?,
        auc: match auc(p, y) {
            Ok(area) => Some(area),
            Err(MetricError::SingleClass { .. }) => None,
            Err(other) => return Err(other),
        },
        average_precision: match average_precision(p, y) {
            Ok(area) => Some(area),
            Err(MetricError::NoChurner) => None,
            Err(other) => return Err(other),
        },
        brier: brier(p, y)?,
        ece: calibration_error(&reliability),
        reliability,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_churners_auc_and_average_precision_are_none() {
        let scores = evaluate(&[0.2, 0.4], &[false, false], 10).unwrap();
        assert_eq!((scores.auc, scores.average_precision), (None, None));
        assert!((scores.brier - 0.1).abs() < 1e-15);
        assert!((scores.ece - 0.3).abs() < 1e-15);
        assert!(scores.constant_log_loss < 1e-15);
    }
}
