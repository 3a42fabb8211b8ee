//! Calibration: maps from a model's probability to how often it comes true.

mod isotonic;
mod platt;

pub use isotonic::IsotonicCalibration;
pub use platt::PlattScaling;

use thiserror::Error;

use crate::{ChurnModel, MetricError};

/// A map from predicted to calibrated probabilities, fitted to predictions that the model made of rows it was **not**
/// fitted to.
///
/// # Contract
///
/// - [`calibrate`](Self::calibrate) takes any number in [0, 1] to a number in [0, 1]; NaN gives NaN.
/// - Monotone: the order of two predictions never turns around. [`IsotonicCalibration`] never falls;
///   [`PlattScaling`] rises or, where the model says the opposite of what happens, falls.
pub trait Calibration {
    /// The calibrated probability of a predicted one.
    fn calibrate(&self, predicted: f64) -> f64;
}

impl<C: Calibration + ?Sized> Calibration for &C {
    fn calibrate(&self, predicted: f64) -> f64 {
        (**self).calibrate(predicted)
    }
}

impl<C: Calibration + ?Sized> Calibration for Box<C> {
    fn calibrate(&self, predicted: f64) -> f64 {
        (**self).calibrate(predicted)
    }
}

/// A model whose answers pass through a calibration.
///
/// ```
/// use matchwright_churn::{Calibrated, ChurnModel, FromFn, IsotonicCalibration};
///
/// let overconfident = FromFn(|score: &f64| *score);
/// let calibration = IsotonicCalibration::fit(&[0.1, 0.2, 0.8, 0.9], &[false, true, false, true])?;
/// let model = Calibrated { model: overconfident, calibration };
/// assert_eq!(model.churn_probability(&0.5), 0.5);
/// assert_eq!(model.churn_probability(&0.9), 1.0);
/// # Ok::<(), matchwright_churn::CalibrationError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Calibrated<M, C> {
    /// The model.
    pub model: M,
    /// What its answers pass through.
    pub calibration: C,
}

impl<S: ?Sized, M: ChurnModel<S>, C: Calibration> ChurnModel<S> for Calibrated<M, C> {
    fn churn_probability(&self, state: &S) -> f64 {
        self.calibration.calibrate(self.model.churn_probability(state))
    }
}

/// Predictions to which no calibration can be fitted, or a saved one that cannot be right.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum CalibrationError {
    /// No prediction, unequal lengths or a prediction outside [0, 1].
    #[error(transparent)]
    Predictions(#[from] MetricError),
    /// All labels agree.
    #[error("all {rows} labels are {label}: a calibration needs rows of both classes")]
    SingleClass {
        /// Number of rows.
        rows: usize,
        /// Their label.
        label: bool,
    },
    /// All predictions agree, so that no slope is identified.
    #[error("all predictions are {value}: Platt scaling needs two that differ; use the base rate instead")]
    ConstantPredictions {
        /// The one prediction.
        value: f64,
    },
    /// A saved slope or intercept is NaN or infinite.
    #[error("the saved slope {slope} and intercept {intercept} must be finite numbers")]
    SavedPlatt {
        /// The slope read.
        slope: f64,
        /// The intercept read.
        intercept: f64,
    },
    /// A saved isotonic calibration does not rise within [0, 1].
    #[error(
        "the saved knot {knot} does not go on from the one before it: predictions must rise and probabilities not fall, both within [0, 1], from one knot at least"
    )]
    SavedIsotonic {
        /// Which knot, from 0.
        knot: usize,
    },
}

/// One finite probability per label, and both classes.
fn check(predicted: &[f64], churned: &[bool]) -> Result<(), CalibrationError> {
    crate::metrics::check(predicted, churned)?;
    let label = churned[0];
    if churned.iter().all(|&other| other == label) {
        return Err(CalibrationError::SingleClass {
            rows: churned.len(),
            label,
        });
    }
    Ok(())
}
