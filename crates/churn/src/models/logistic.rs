//! [`LogisticModel`]: an intercept and one coefficient per column.

use super::ModelError;
use crate::ChurnModel;
use crate::numeric::sigmoid;

/// Logistic regression over a row of features in their own units.
///
/// P(churn | x) = 1 / (1 + e^(-(b + w . x)))
///
/// Fit it with `LogisticRegression` (feature `fit`), or bring coefficients from elsewhere. The states are rows of
/// [`coefficients`](Self::coefficients)`.len()` finite numbers.
///
/// ```
/// use matchwright_churn::{ChurnModel, LogisticModel};
///
/// let model = LogisticModel::new(-1.0, vec![0.5, 2.0])?;
/// assert_eq!(model.linear_predictor(&[2.0, 0.25]), 0.5);
/// assert_eq!(model.churn_probability(&[2.0, 0.0][..]), 0.5);
/// # Ok::<(), matchwright_churn::ModelError>(())
/// ```
///
/// Source: Cox, "The regression analysis of binary sequences", 1958, DOI 10.1111/j.2517-6161.1958.tb00292.x; as the
/// churn model of EOMM (2017), section 5.2.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Unchecked")
)]
pub struct LogisticModel {
    intercept: f64,
    coefficients: Vec<f64>,
}

/// What a file may hold, before it is a model.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    intercept: f64,
    coefficients: Vec<f64>,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for LogisticModel {
    type Error = ModelError;

    fn try_from(unchecked: Unchecked) -> Result<Self, ModelError> {
        Self::new(unchecked.intercept, unchecked.coefficients)
    }
}

/// 2^-520: products of two numbers that are scaled by it, and sums of many such products, stay finite.
const SCALE: f64 = f64::from_bits((1023 - 520) << 52);

impl LogisticModel {
    /// A model with these coefficients.
    ///
    /// # Errors
    ///
    /// [`ModelError::Coefficient`], naming the first number that is not finite.
    pub fn new(intercept: f64, coefficients: Vec<f64>) -> Result<Self, ModelError> {
        if !intercept.is_finite() {
            return Err(ModelError::Coefficient {
                index: None,
                value: intercept,
            });
        }
        if let Some(index) = coefficients
            .iter()
            .position(|coefficient| !coefficient.is_finite())
        {
            return Err(ModelError::Coefficient {
                index: Some(index),
                value: coefficients[index],
            });
        }
        Ok(Self {
            intercept,
            coefficients,
        })
    }

    /// b, the log odds of a row of zeros.
    #[must_use]
    pub const fn intercept(&self) -> f64 {
        self.intercept
    }

    /// w, the change of the log odds per unit of each column.
    #[must_use]
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// b + w . x, the log odds of churn; infinite where that is beyond the range of a number.
    ///
    /// # Panics
    ///
    /// If `row` has not one number per coefficient: a row of another feature set would else get a plausible answer.
    #[must_use]
    pub fn linear_predictor(&self, row: &[f64]) -> f64 {
        assert_eq!(
            row.len(),
            self.coefficients.len(),
            "a row must have one number per coefficient"
        );
        let terms = || self.coefficients.iter().zip(row);
        let sum = terms().fold(self.intercept, |sum, (coefficient, value)| {
            sum + coefficient * value
        });
        if sum.is_finite() {
            return sum;
        }
        // Products may overflow both ways, which would make NaN; scaled down none does, and small ones do not count.
        let scaled = terms().fold(self.intercept * SCALE * SCALE, |sum, (coefficient, value)| {
            sum + (coefficient * SCALE) * (value * SCALE)
        });
        scaled / SCALE / SCALE
    }
}

impl ChurnModel<[f64]> for LogisticModel {
    /// # Panics
    ///
    /// As [`LogisticModel::linear_predictor`].
    fn churn_probability(&self, state: &[f64]) -> f64 {
        sigmoid(self.linear_predictor(state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coefficient_that_is_no_number_is_named() {
        let error = LogisticModel::new(0.0, vec![1.0, f64::NAN]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "coefficient 1 is NaN: coefficients must be finite numbers"
        );
        let error = LogisticModel::new(f64::INFINITY, vec![]).unwrap_err();
        assert!(error.to_string().starts_with("the intercept is inf"), "{error}");
    }

    #[test]
    #[should_panic(expected = "one number per coefficient")]
    fn a_row_of_another_length_is_refused() {
        let model = LogisticModel::new(0.0, vec![1.0, 2.0]).unwrap();
        let _ = model.churn_probability(&[1.0][..]);
    }

    #[test]
    fn probabilities_stay_in_range_at_any_log_odds() {
        let model = LogisticModel::new(0.0, vec![1.0]).unwrap();
        for x in [-1e308, -800.0, 0.0, 800.0, 1e308] {
            assert!((0.0..=1.0).contains(&model.churn_probability(&[x][..])));
        }
        let model = LogisticModel::new(0.0, vec![1e308, -1e308]).unwrap();
        for x in [1.0, 1e200, f64::MAX] {
            assert_eq!(model.churn_probability(&[x, x][..]), 0.5);
            assert_eq!(model.churn_probability(&[x, -x][..]), 1.0);
            assert_eq!(
                model.churn_probability(&[x, 2.0 * x.min(1e300)][..]),
                f64::from(u8::from(x > 1e300))
            );
        }
    }
}
