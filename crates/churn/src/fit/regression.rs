//! [`LogisticFit`]: standardise, minimise, and return to raw units.

use nalgebra::{DMatrix, DVector};

use super::params::LogisticRegression;
use super::problem::Problem;
use super::quasi_newton::{Minimum, minimise};
use super::standardize::Standardization;
use super::{Dataset, FitError, LogisticParams};
use crate::LogisticModel;

/// A fitted logistic regression and how the fit went.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LogisticFit {
    /// The model, over rows in their own units: standardisation is folded back.
    pub model: LogisticModel,
    /// b in standardised units: the log odds of a row of column means. The raw intercept without standardisation.
    pub standardized_intercept: f64,
    /// w in standardised units: change of the log odds per standard deviation. The raw coefficients without
    /// standardisation.
    pub standardized_coefficients: Vec<f64>,
    /// What was subtracted from each column: its weighted mean, or 0 without standardisation.
    pub means: Vec<f64>,
    /// What each column was divided by: its weighted population deviation (1 if it does not vary), or 1.
    pub scales: Vec<f64>,
    /// C sum of the weighted log losses + |w|^2 / 2 at the minimum.
    pub objective: f64,
    /// Steps of the solver on all rows.
    pub iterations: usize,
    /// The largest component of the gradient where the solver stopped; see [`LogisticParams::tolerance`].
    pub gradient_norm: f64,
    /// Whether `gradient_norm` came down to the tolerance. If not, allow more iterations or a larger tolerance.
    pub converged: bool,
}

impl LogisticRegression {
    /// Fits to data: the minimum of the objective of [`LogisticParams`].
    ///
    /// Unique, since the objective is strictly convex in w; separable data and constant columns are no
    /// trouble. A fit that stops early says so in [`LogisticFit::converged`]. Complexity: see
    /// [`LogisticSolver`](crate::LogisticSolver); memory: one copy of the rows.
    ///
    /// # Errors
    ///
    /// [`FitError::SingleClass`], [`FitError::Empty`], [`FitError::Overflow`].
    ///
    /// ```
    /// use matchwright_churn::{Dataset, LogisticParams};
    ///
    /// let columns = vec!["x1".to_owned(), "x2".to_owned()];
    /// let rows = [
    ///     0.5, 1.0, 1.5, -0.3, -0.7, 0.8, 2.2, 0.1, -1.1, -1.4, 0.3, -0.9, 1.9, 1.7, -0.2, 0.4, -1.6, 0.6, 0.9, -2.0,
    /// ];
    /// let churned = [1, 1, 0, 1, 0, 0, 1, 1, 0, 0].map(|label| label == 1);
    /// let data = Dataset::new(columns, rows.to_vec(), churned.to_vec())?;
    ///
    /// let fit = LogisticParams { standardize: false, ..LogisticParams::default() }.build()?.fit(&data)?;
    /// // scikit-learn 1.9.1, C = 1
    /// assert!((fit.model.coefficients()[0] - 1.064342711866).abs() < 1e-11);
    /// assert!((fit.model.coefficients()[1] - 0.882404177245).abs() < 1e-11);
    /// assert!((fit.model.intercept() + 0.321492157195).abs() < 1e-11);
    /// assert!((fit.objective - 3.945008060731).abs() < 1e-11);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fit(&self, data: &Dataset) -> Result<LogisticFit, FitError> {
        let rows: Vec<usize> = (0..data.len()).collect();
        let mut path = Path::new(self.params(), data, &rows)?;
        path.fit(self.params().c)
    }
}

/// Fits over one set of rows for one strength after another, each from where the last ended.
pub(super) struct Path {
    params: LogisticParams,
    columns: Vec<String>,
    internal: Standardization,
    problem: Problem,
    at: Vec<f64>,
}

impl Path {
    pub(super) fn new(params: &LogisticParams, data: &Dataset, rows: &[usize]) -> Result<Self, FitError> {
        let internal = Standardization::of(data, rows);
        let problem = Problem::new(data, rows, &internal, params)?;
        Ok(Self {
            params: *params,
            columns: data.columns().to_vec(),
            internal,
            at: problem.start(),
            problem,
        })
    }

    pub(super) fn fit(&mut self, c: f64) -> Result<LogisticFit, FitError> {
        let LogisticParams {
            solver,
            tolerance,
            max_iterations,
            ..
        } = self.params;
        self.problem.set_strength(c);
        let minimum = minimise(&self.problem, solver, self.at.clone(), tolerance, max_iterations);
        self.at.clone_from(&minimum.unknowns);
        self.report(minimum, c)
    }

    fn report(&self, minimum: Minimum, c: f64) -> Result<LogisticFit, FitError> {
        let model = self.fold_back(&minimum.unknowns)?;
        let (mut standardized, mut shown) = (minimum.unknowns, self.internal.clone());
        let mut standardized_intercept = standardized.pop().unwrap_or_default();
        if !self.params.standardize {
            shown = Standardization::identity(standardized.len());
            standardized = model.coefficients().to_vec();
            standardized_intercept = model.intercept();
        }
        Ok(LogisticFit {
            model,
            standardized_intercept,
            standardized_coefficients: standardized,
            means: shown.means,
            scales: shown.scales,
            objective: self.problem.objective(minimum.value, c),
            iterations: minimum.iterations,
            gradient_norm: minimum.gradient_norm,
            converged: minimum.gradient_norm <= self.params.tolerance,
        })
    }

    /// w = v / scale and b = b' - sum of v mean / scale: the same log odds from raw columns.
    fn fold_back(&self, unknowns: &[f64]) -> Result<LogisticModel, FitError> {
        let Standardization { means, scales } = &self.internal;
        let coefficients = unknowns.iter().zip(scales).map(|(v, scale)| v / scale);
        let shift: f64 = unknowns
            .iter()
            .zip(means.iter().zip(scales))
            .map(|(v, (mean, scale))| v * (mean / scale))
            .sum();
        let intercept = unknowns.last().copied().unwrap_or_default() - shift;
        let named = self.columns.iter().cloned().zip(coefficients);
        LogisticModel::new(intercept, named).map_err(FitError::Overflow)
    }

    /// The observed information of the penalised log likelihood at a model, in standardised units, the intercept last.
    pub(super) fn information(&self, model: &LogisticModel) -> DMatrix<f64> {
        let Standardization { means, scales } = &self.internal;
        let coefficients = model.coefficients().iter();
        let mut unknowns: Vec<f64> = coefficients
            .clone()
            .zip(scales)
            .map(|(w, scale)| w * scale)
            .collect();
        let shift: f64 = coefficients.zip(means).map(|(w, mean)| w * mean).sum();
        unknowns.push(model.intercept() + shift);
        self.problem.sample(1).hessian(&unknowns) * self.problem.total_weight()
    }

    /// Standard errors in raw units, the intercept first, from a covariance in standardised units.
    pub(super) fn raw_errors(&self, covariance: &DMatrix<f64>) -> Vec<f64> {
        let Standardization { means, scales } = &self.internal;
        // b = b' - sum of v mean / scale.
        let mut shift: Vec<f64> = means
            .iter()
            .zip(scales)
            .map(|(mean, scale)| -mean / scale)
            .collect();
        shift.push(1.0);
        let shift = DVector::from_vec(shift);
        let intercept = shift.dot(&(covariance * &shift)).sqrt();
        let coefficients = scales.iter().enumerate();
        let errors = coefficients.map(|(column, scale)| covariance[(column, column)].sqrt() / scale);
        std::iter::once(intercept).chain(errors).collect()
    }
}
