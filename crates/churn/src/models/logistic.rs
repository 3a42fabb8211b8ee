//! [`LogisticModel`]: an intercept and one coefficient per named column.

use std::collections::{BTreeMap, BTreeSet};

use super::ModelError;
use crate::ChurnModel;
use crate::numeric::sigmoid;

/// Logistic regression over a row of features in their own units.
///
/// P(churn | x) = 1 / (1 + e^(-(b + w . x)))
///
/// Fit it with `LogisticRegression` (feature `fit`), or bring coefficients from elsewhere. The states are rows of
/// [`columns`](Self::columns)`.len()` finite numbers in that order. A saved model keeps the names of its columns:
/// `predictions` (feature `fit`) finds them in a `Dataset` by name, and [`places_in`](Self::places_in) in rows of yours.
///
/// ```
/// use matchwright_churn::{ChurnModel, LogisticModel};
///
/// let model = LogisticModel::new(-1.0, [("gap", 0.5), ("loss", 2.0)])?;
/// assert_eq!(model.linear_predictor(&[2.0, 0.25]), 0.5);
/// assert_eq!(model.churn_probability(&[2.0, 0.0][..]), 0.5);
/// assert_eq!(model.places_in(&["loss", "wins", "gap"])?, [2, 0]);
/// # Ok::<(), matchwright_churn::ModelError>(())
/// ```
///
/// Source: Cox, "The regression analysis of binary sequences", 1958, DOI 10.1111/j.2517-6161.1958.tb00292.x; as the
/// churn model of EOMM (2017), section 5.2.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Saved", into = "Saved")
)]
pub struct LogisticModel {
    intercept: f64,
    columns: Vec<String>,
    coefficients: Vec<f64>,
}

/// What a file holds: each coefficient with its column.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Saved {
    intercept: f64,
    coefficients: Vec<(String, f64)>,
}

#[cfg(feature = "serde")]
impl TryFrom<Saved> for LogisticModel {
    type Error = ModelError;

    fn try_from(saved: Saved) -> Result<Self, ModelError> {
        Self::new(saved.intercept, saved.coefficients)
    }
}

#[cfg(feature = "serde")]
impl From<LogisticModel> for Saved {
    fn from(model: LogisticModel) -> Self {
        Self {
            intercept: model.intercept,
            coefficients: model.columns.into_iter().zip(model.coefficients).collect(),
        }
    }
}

/// The first name that was there before.
pub(crate) fn first_duplicate(names: &[String]) -> Option<&str> {
    let mut seen = BTreeSet::new();
    names.iter().map(String::as_str).find(|&name| !seen.insert(name))
}

/// 2^-520: products of two numbers that are scaled by it, and sums of many such products, stay finite.
const SCALE: f64 = f64::from_bits((1023 - 520) << 52);

impl LogisticModel {
    /// A model with this intercept and these columns' names and coefficients.
    ///
    /// # Errors
    ///
    /// [`ModelError::Coefficient`], naming the first that is not finite, and [`ModelError::DuplicateColumn`].
    pub fn new<N: Into<String>>(
        intercept: f64,
        coefficients: impl IntoIterator<Item = (N, f64)>,
    ) -> Result<Self, ModelError> {
        let named = coefficients.into_iter().map(|(name, value)| (name.into(), value));
        let (columns, coefficients): (Vec<String>, Vec<f64>) = named.unzip();
        if !intercept.is_finite() {
            return Err(ModelError::Coefficient {
                column: None,
                value: intercept,
            });
        }
        if let Some(bad) = coefficients
            .iter()
            .position(|coefficient| !coefficient.is_finite())
        {
            return Err(ModelError::Coefficient {
                column: Some(columns[bad].clone()),
                value: coefficients[bad],
            });
        }
        if let Some(column) = first_duplicate(&columns) {
            return Err(ModelError::DuplicateColumn {
                column: column.to_owned(),
            });
        }
        Ok(Self {
            intercept,
            columns,
            coefficients,
        })
    }

    /// The columns' names in the order of the rows that the model takes.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Where each of the model's columns is among `names`, in any order; names of other columns are passed over.
    ///
    /// Complexity: O(d log d).
    ///
    /// # Errors
    ///
    /// [`ModelError::MissingColumn`] for a column of the model that is not there, and [`ModelError::DuplicateColumn`] for
    /// one that is there twice.
    pub fn places_in<N: AsRef<str>>(&self, names: &[N]) -> Result<Vec<usize>, ModelError> {
        let mut places: BTreeMap<&str, Option<usize>> = BTreeMap::new();
        for (place, name) in names.iter().enumerate() {
            let twice = places.contains_key(name.as_ref());
            places.insert(name.as_ref(), (!twice).then_some(place));
        }
        let place = |column: &String| match places.get(column.as_str()) {
            Some(Some(place)) => Ok(*place),
            Some(None) => Err(ModelError::DuplicateColumn {
                column: column.clone(),
            }),
            None => Err(ModelError::MissingColumn {
                column: column.clone(),
            }),
        };
        self.columns.iter().map(place).collect()
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
        let error = LogisticModel::new(0.0, [("x", 1.0), ("gap", f64::NAN)]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the coefficient of `gap` is NaN: coefficients must be finite numbers"
        );
        let error = LogisticModel::new::<&str>(f64::INFINITY, []).unwrap_err();
        assert!(error.to_string().starts_with("the intercept is inf"), "{error}");
    }

    #[test]
    fn columns_are_found_by_name_or_named() {
        let model = LogisticModel::new(0.0, [("x", 1.0), ("y", 2.0)]).unwrap();
        assert_eq!(model.places_in(&["y", "z", "x"]), Ok(vec![2, 0]));
        let error = model.places_in(&["x", "z"]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the model needs the column `y`, which is not there"
        );
        let duplicate = Err(ModelError::DuplicateColumn {
            column: "y".to_owned(),
        });
        assert_eq!(model.places_in(&["y", "x", "y"]), duplicate);
        assert_eq!(
            LogisticModel::new(0.0, [("y", 1.0), ("x", 1.0), ("y", 2.0)]).map(|_| vec![]),
            duplicate
        );
    }

    #[test]
    #[should_panic(expected = "one number per coefficient")]
    fn a_row_of_another_length_is_refused() {
        let model = LogisticModel::new(0.0, [("x", 1.0), ("y", 2.0)]).unwrap();
        let _ = model.churn_probability(&[1.0][..]);
    }

    #[test]
    fn probabilities_stay_in_range_at_any_log_odds() {
        let model = LogisticModel::new(0.0, [("x", 1.0)]).unwrap();
        for x in [-1e308, -800.0, 0.0, 800.0, 1e308] {
            assert!((0.0..=1.0).contains(&model.churn_probability(&[x][..])));
        }
        let model = LogisticModel::new(0.0, [("x", 1e308), ("y", -1e308)]).unwrap();
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
