//! Standard errors of the coefficients of a logistic regression.

use nalgebra::{Cholesky, DMatrix};

use super::regression::Path;
use super::{Dataset, FitError, LogisticRegression};
use crate::LogisticModel;

/// A column is collinear if those before it leave no more than this share of its information.
const COLLINEAR: f64 = 1e-12;
/// Terms of the continued fraction: exact to rounding from 2 on.
const TERMS: u32 = 100;

/// A coefficient with its standard error.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CoefficientEstimate {
    /// The column's name; `None` for the intercept.
    pub column: Option<String>,
    /// The coefficient: change of the log odds per unit of the column.
    pub estimate: f64,
    /// Its standard error, in the same unit.
    pub standard_error: f64,
}

impl CoefficientEstimate {
    /// Wald's z: the estimate over its standard error.
    #[must_use]
    pub fn z(&self) -> f64 {
        self.estimate / self.standard_error
    }

    /// The two-sided p-value of z under the normal distribution: how often chance alone would give as large a one.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        two_sided(self.z().abs())
    }

    /// The confidence interval of this level (0.95 is usual): the estimate minus and plus a number of standard errors;
    /// `None` for a level that is not between 0 and 1.
    #[must_use]
    pub fn interval(&self, level: f64) -> Option<[f64; 2]> {
        let within = critical_value(level)? * self.standard_error;
        Some([self.estimate - within, self.estimate + within])
    }
}

impl LogisticRegression {
    /// Standard errors of a model's intercept and coefficients, the intercept first, from the data that it was fitted to
    /// by this regression.
    ///
    /// ```text
    /// J = sum_i w_i k_(y_i) p_i (1 - p_i) x_i x_i' + diag(0, 1/C, ..., 1/C),   SE_j = sqrt((J^-1)_jj)
    /// ```
    ///
    /// J is the observed information of the **penalised** log likelihood at the model. Its inverse is the covariance of
    /// the normal approximation to the posterior under the penalty as a prior (mean 0, variance C, per standardised unit
    /// if the regression standardises). For large C it is the covariance of maximum likelihood, and z, p-values and
    /// intervals are Wald's. A penalty that matters shrinks estimates towards 0 and keeps errors below sqrt(C): intervals
    /// are then those of the posterior, and a p-value is no test. A column that does not vary has the prior's error,
    /// sqrt(C). Rows count as independent; where players have many rows each, true errors are larger.
    ///
    /// Complexity: one pass of O(n d^2), and O(d^3).
    ///
    /// # Errors
    ///
    /// As [`fit`](Self::fit); [`FitError::Model`] for data without a column of the model; [`FitError::Separated`] where the
    /// model classifies all rows correctly, since only the penalty then keeps estimates finite; and
    /// [`FitError::Collinear`], naming a column that is a linear combination of others under a negligible penalty.
    ///
    /// Source: Hosmer, Lemeshow, Sturdivant, "Applied logistic regression", 3rd edition, 2013, section 2.4, DOI
    /// 10.1002/9781118548387; with a penalty le Cessie, van Houwelingen, "Ridge estimators in logistic regression",
    /// 1992, section 2, DOI 10.2307/2347628.
    ///
    /// ```
    /// use matchwright_churn::{Dataset, LogisticParams};
    ///
    /// // 200 matches after a win, of which 20 % were followed by churn; 200 after a loss, 30 %.
    /// let lost: Vec<f64> = (0..400).map(|row| f64::from(row / 200)).collect();
    /// let churned = (0..400).map(|row| row % 10 < 2 + row / 200).collect();
    /// let data = Dataset::new(vec!["lost".to_owned()], lost, churned)?;
    /// let regression = LogisticParams { c: 1e9, ..LogisticParams::default() }.build()?;
    /// let fit = regression.fit(&data)?;
    ///
    /// // Of a two-by-two table the error of the log odds ratio is sqrt(1/a + 1/b + 1/c + 1/d).
    /// let found = &regression.standard_errors(&data, &fit.model)?[1];
    /// assert!((found.standard_error - (1.0_f64 / 40.0 + 1.0 / 160.0 + 1.0 / 60.0 + 1.0 / 140.0).sqrt()).abs() < 1e-6);
    /// assert!((found.p_value() - 0.0216).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn standard_errors(
        &self,
        data: &Dataset,
        model: &LogisticModel,
    ) -> Result<Vec<CoefficientEstimate>, FitError> {
        let places = model.places_in(data.columns())?;
        let rows: Vec<usize> = (0..data.len()).collect();
        // In the order of the model's columns.
        let data = data.with_columns(&places);
        let path = Path::new(self.params(), &data, &rows)?;
        if separates(model, &data) {
            return Err(FitError::Separated);
        }
        let covariance = inverse(path.information(model), model.columns())?;
        let errors = path.raw_errors(&covariance);
        let columns = std::iter::once(None).chain(model.columns().iter().cloned().map(Some));
        let estimates = std::iter::once(model.intercept()).chain(model.coefficients().iter().copied());
        let rows = columns.zip(estimates).zip(errors);
        Ok(rows
            .map(|((column, estimate), standard_error)| CoefficientEstimate {
                column,
                estimate,
                standard_error,
            })
            .collect())
    }
}

/// Whether the model classifies every row of positive weight correctly.
fn separates(model: &LogisticModel, data: &Dataset) -> bool {
    let mut weighing = (0..data.len()).filter(|&row| data.weight(row) > 0.0);
    weighing.all(|row| {
        let log_odds = model.linear_predictor(data.row(row));
        if data.labels()[row] {
            log_odds > 0.0
        } else {
            log_odds < 0.0
        }
    })
}

/// The inverse of an information matrix whose last row is the intercept's.
fn inverse(information: DMatrix<f64>, columns: &[String]) -> Result<DMatrix<f64>, FitError> {
    let collinear = |place: usize| FitError::Collinear {
        column: columns.get(place).cloned(),
    };
    if let Some(place) = first_collinear(&information) {
        return Err(collinear(place));
    }
    let factor = Cholesky::new(information).ok_or_else(|| collinear(columns.len()))?;
    Ok(factor.inverse())
}

/// The first unknown of which elimination of those before it leaves nothing.
fn first_collinear(information: &DMatrix<f64>) -> Option<usize> {
    let mut left = information.clone();
    for pivot in 0..left.nrows() {
        let known = left[(pivot, pivot)];
        if known.is_nan() || known <= COLLINEAR * information[(pivot, pivot)] {
            return Some(pivot);
        }
        for row in pivot + 1..left.nrows() {
            let factor = left[(row, pivot)] / known;
            for column in pivot + 1..=row {
                left[(row, column)] -= factor * left[(column, pivot)];
            }
        }
    }
    None
}

/// P(|Z| >= z) = erfc(z / sqrt 2) of a standard normal Z, for z >= 0: by the series of erf below 2, by Laplace's
/// continued fraction of erfc above. Abramowitz, Stegun, "Handbook of mathematical functions", 1964, 7.1.6 and 7.1.14.
fn two_sided(z: f64) -> f64 {
    let x = z / std::f64::consts::SQRT_2;
    let density = (-x * x).exp() / std::f64::consts::PI.sqrt();
    if x < 2.0 {
        let terms = (1..TERMS).scan(x, |term, n| {
            *term *= 2.0 * x * x / f64::from(2 * n + 1);
            Some(*term)
        });
        1.0 - 2.0 * density * (x + terms.sum::<f64>())
    } else {
        let fraction = (1..=TERMS)
            .rev()
            .fold(x, |below, n| x + f64::from(n) / 2.0 / below);
        density / fraction
    }
}

/// z with P(|Z| < z) = `level`, by bisection; `None` unless the level is between 0 and 1.
fn critical_value(level: f64) -> Option<f64> {
    if !(level > 0.0 && level < 1.0) {
        return None;
    }
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if two_sided(middle) > 1.0 - level {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high)
}
