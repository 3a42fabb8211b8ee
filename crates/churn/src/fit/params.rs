//! The parameters of a logistic regression, unchecked and checked.

use thiserror::Error;

/// How the minimum is found. Both find the same one: the objective is convex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LogisticSolver {
    /// Newton's method; Cholesky on the Hessian. A handful of iterations of O(n d^2 + d^3): the default up to some
    /// hundreds of columns. Of more than a thousand rows per column samples are fitted first, whose Hessian then serves
    /// for all rows: a few passes of O(n d).
    #[default]
    Newton,
    /// Limited-memory BFGS (ten pairs) with a Wolfe line search. Many iterations of O(n d): for more columns than
    /// that.
    Lbfgs,
}

/// Parameters of an L2-penalised logistic regression, unchecked until [`build`](Self::build).
///
/// ```text
/// minimise  C sum_i w_i k_(y_i) ln(1 + e^(-s_i (b + w . x_i))) + |w|^2 / 2,   s_i = +1 (churned) or -1
/// ```
///
/// with the row's weight `w_i` and its class's weight k: scikit-learn's objective. The intercept b is not penalised.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LogisticParams {
    /// C > 0, the inverse of the penalty's strength, relative to the **sum** of the log losses: twice the rows at the
    /// same C are penalised half as much per row. Default 1. Choose it by [`cross_validate`](super::cross_validate).
    pub c: f64,
    /// Default [`LogisticSolver::Newton`].
    pub solver: LogisticSolver,
    /// Weights of the classes `[returned, churned]`, both > 0. Default `[1, 1]`, which keeps probabilities
    /// calibrated.
    pub class_weights: [f64; 2],
    /// Whether columns are brought to mean 0 and deviation 1 (of the training rows, by their weights) before the
    /// penalty. Default true: the penalty then does not depend on units. The model is returned in raw units either
    /// way.
    pub standardize: bool,
    /// Stop when no component of the gradient of the mean penalised loss exceeds this, in standardised units. Default
    /// 1e-10.
    pub tolerance: f64,
    /// Stop after this many iterations all the same, with `converged` false. Default 1,000.
    pub max_iterations: usize,
}

impl Default for LogisticParams {
    fn default() -> Self {
        Self {
            c: 1.0,
            solver: LogisticSolver::default(),
            class_weights: [1.0, 1.0],
            standardize: true,
            tolerance: 1e-10,
            max_iterations: 1_000,
        }
    }
}

/// A parameter out of range.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum ParamError {
    /// C is not a positive finite number.
    #[error("C is {0}: give a positive finite number, larger for a weaker penalty")]
    Strength(f64),
    /// A class weight is not a positive finite number.
    #[error("the class weights are {0:?}: give positive finite numbers, [1, 1] to leave classes as they are")]
    ClassWeights([f64; 2]),
    /// The tolerance is not a positive finite number.
    #[error("the tolerance is {0}: give a positive finite number, 1e-10 is usual")]
    Tolerance(f64),
    /// No iteration is allowed.
    #[error("0 iterations fit nothing: allow at least one")]
    NoIterations,
}

fn positive(value: f64) -> bool {
    value > 0.0 && value.is_finite()
}

impl LogisticParams {
    /// The regression with these parameters.
    ///
    /// # Errors
    ///
    /// [`ParamError`], naming the parameter out of range.
    pub fn build(&self) -> Result<LogisticRegression, ParamError> {
        if !positive(self.c) {
            return Err(ParamError::Strength(self.c));
        }
        if !self.class_weights.into_iter().all(positive) {
            return Err(ParamError::ClassWeights(self.class_weights));
        }
        if !positive(self.tolerance) {
            return Err(ParamError::Tolerance(self.tolerance));
        }
        if self.max_iterations == 0 {
            return Err(ParamError::NoIterations);
        }
        Ok(LogisticRegression { params: *self })
    }
}

/// Logistic regression with checked parameters: [`fit`](Self::fit) it to data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogisticRegression {
    params: LogisticParams,
}

impl LogisticRegression {
    /// The parameters.
    #[must_use]
    pub const fn params(&self) -> &LogisticParams {
        &self.params
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_out_of_range_are_named() {
        let good = LogisticParams::default();
        assert!(good.build().is_ok());
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(
                LogisticParams { c: bad, ..good }.build(),
                Err(ParamError::Strength(_))
            ));
            assert!(matches!(
                LogisticParams {
                    tolerance: bad,
                    ..good
                }
                .build(),
                Err(ParamError::Tolerance(_))
            ));
            let class_weights = [1.0, bad];
            assert!(matches!(
                LogisticParams {
                    class_weights,
                    ..good
                }
                .build(),
                Err(ParamError::ClassWeights(_))
            ));
        }
        assert_eq!(
            LogisticParams {
                max_iterations: 0,
                ..good
            }
            .build(),
            Err(ParamError::NoIterations)
        );
    }
}
