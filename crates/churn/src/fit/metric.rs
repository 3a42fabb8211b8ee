//! [`Metric`]: the initial matrix of a quasi-Newton method, from a Hessian or from typical curvatures.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// Shares of the largest diagonal element that are added to a Hessian which rounding has left without a factor.
const DAMPINGS: [f64; 7] = [0.0, 1e-14, 1e-12, 1e-9, 1e-6, 1e-3, 1.0];

/// A positive definite matrix B that stands for the Hessian.
#[derive(Debug, Clone)]
pub(super) enum Metric {
    /// The diagonal of B.
    Diagonal(Vec<f64>),
    /// The Cholesky factor of B.
    Factor(Cholesky<f64, Dyn>),
}

impl Metric {
    /// The Hessian with the least damping that lets `B x = gradient` be solved; the identity where none does.
    pub(super) fn of_hessian(hessian: &DMatrix<f64>, gradient: &[f64]) -> Self {
        let largest = hessian.diagonal().amax();
        let damped = |damping: f64| {
            let mut damped = hessian.clone();
            for index in 0..damped.nrows() {
                damped[(index, index)] += damping * largest;
            }
            Cholesky::new(damped).map(Self::Factor)
        };
        let solves = |metric: &Self| {
            metric
                .solve(gradient)
                .iter()
                .all(|component| component.is_finite())
        };
        let factor = DAMPINGS.into_iter().filter_map(damped).find(solves);
        factor.unwrap_or_else(|| Self::Diagonal(vec![1.0; gradient.len()]))
    }

    /// x with B x = `vector`.
    pub(super) fn solve(&self, vector: &[f64]) -> Vec<f64> {
        match self {
            Self::Diagonal(diagonal) => vector.iter().zip(diagonal).map(|(v, d)| v / d).collect(),
            Self::Factor(factor) => {
                let solution = factor.solve(&DVector::from_column_slice(vector));
                solution.as_slice().to_vec()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hessian_is_solved_and_one_that_rounding_has_spoilt_is_damped() {
        let hessian = DMatrix::from_row_slice(2, 2, &[4.0, 1.0, 1.0, 3.0]);
        let solution = Metric::of_hessian(&hessian, &[6.0, 7.0]).solve(&[6.0, 7.0]);
        assert!((solution[0] - 1.0).abs() < 1e-15 && (solution[1] - 2.0).abs() < 1e-15);

        let singular = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 1.0, 1.0 - 1e-16]);
        let solution = Metric::of_hessian(&singular, &[1.0, 1.0]).solve(&[1.0, 1.0]);
        assert!((solution[0] + solution[1] - 1.0).abs() < 1e-3, "{solution:?}");

        let spoilt = DMatrix::from_element(2, 2, f64::NAN);
        assert_eq!(
            Metric::of_hessian(&spoilt, &[1.0, 2.0]).solve(&[1.0, 2.0]),
            [1.0, 2.0]
        );
    }
}
