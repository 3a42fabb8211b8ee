//! [`ConstantModel`]: the same probability for every state, the baseline.

use super::ModelError;
use crate::ChurnModel;

/// The same probability for every state of every type: the baseline that a model has to beat.
///
/// ```
/// use matchwright_churn::{ChurnModel, ConstantModel, LabelCounts};
///
/// let counts = LabelCounts { churned: 2_222, returned: 9_158, censored: 676 };
/// let model = ConstantModel::new(counts.churn_rate().unwrap_or(0.5))?;
/// assert_eq!(model.churn_probability("anyone"), 2_222.0 / 11_380.0);
/// # Ok::<(), matchwright_churn::ModelError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "f64", into = "f64")
)]
pub struct ConstantModel {
    probability: f64,
}

impl ConstantModel {
    /// A model that always says `probability`.
    ///
    /// # Errors
    ///
    /// [`ModelError::Probability`] outside [0, 1] and for NaN.
    pub fn new(probability: f64) -> Result<Self, ModelError> {
        if (0.0..=1.0).contains(&probability) {
            Ok(Self { probability })
        } else {
            Err(ModelError::Probability { value: probability })
        }
    }

    /// What it says.
    #[must_use]
    pub const fn probability(&self) -> f64 {
        self.probability
    }
}

impl TryFrom<f64> for ConstantModel {
    type Error = ModelError;

    fn try_from(probability: f64) -> Result<Self, ModelError> {
        Self::new(probability)
    }
}

impl From<ConstantModel> for f64 {
    fn from(model: ConstantModel) -> Self {
        model.probability
    }
}

impl<S: ?Sized> ChurnModel<S> for ConstantModel {
    fn churn_probability(&self, _state: &S) -> f64 {
        self.probability
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_probabilities_make_a_constant_model() {
        for value in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(
                ConstantModel::new(value)
                    .unwrap_err()
                    .to_string()
                    .contains("[0, 1]")
            );
        }
        for value in [0.0, 0.25, 1.0] {
            assert_eq!(
                ConstantModel::new(value).unwrap().churn_probability(&[1.0][..]),
                value
            );
        }
    }
}
