//! How good predicted probabilities are: log loss, AUC, average precision, Brier score, calibration.

mod evaluation;
mod reliability;
mod scores;

pub use evaluation::{Evaluation, evaluate};
pub use reliability::{ReliabilityBin, expected_calibration_error, reliability_table};
#[cfg(feature = "fit")]
pub(crate) use scores::row_log_loss;
pub use scores::{auc, average_precision, brier, constant_log_loss, log_loss};

use thiserror::Error;

/// Predictions that cannot be scored.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum MetricError {
    /// Predictions and labels do not pair up.
    #[error(
        "{predictions} predictions cannot be scored against {labels} labels: give one prediction per label"
    )]
    Lengths {
        /// Number of predictions.
        predictions: usize,
        /// Number of labels.
        labels: usize,
    },
    /// Nothing to score.
    #[error("there is no prediction to score: give at least one")]
    Empty,
    /// A prediction outside [0, 1], or NaN.
    #[error("prediction {index} is {value}: predictions must be probabilities in [0, 1]")]
    Probability {
        /// Place in the slice, from 0.
        index: usize,
        /// The number there.
        value: f64,
    },
    /// AUC compares churners with others and needs both.
    #[error("the AUC of labels that are all {label} is undefined: score rows of both classes")]
    SingleClass {
        /// The label of every row.
        label: bool,
    },
    /// Precision and recall are of churners, and there is none.
    #[error(
        "the average precision of labels that are all false is undefined: score at least one row that churned"
    )]
    NoChurner,
    /// No bins to sort predictions into.
    #[error("a reliability table of 0 bins is empty: ask for at least 1, 10 is usual")]
    NoBins,
}

/// One finite probability per label, at least one.
pub(crate) fn check(predictions: &[f64], labels: &[bool]) -> Result<(), MetricError> {
    if predictions.len() != labels.len() {
        return Err(MetricError::Lengths {
            predictions: predictions.len(),
            labels: labels.len(),
        });
    }
    if predictions.is_empty() {
        return Err(MetricError::Empty);
    }
    match predictions.iter().position(|p| !(0.0..=1.0).contains(p)) {
        Some(index) => Err(MetricError::Probability {
            index,
            value: predictions[index],
        }),
        None => Ok(()),
    }
}

/// The share of true labels.
fn base_rate(labels: &[bool]) -> f64 {
    labels.iter().filter(|&&label| label).count() as f64 / labels.len() as f64
}
