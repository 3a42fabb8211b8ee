//! Newton's method with Cholesky factors and step halving.

use nalgebra::{Cholesky, DMatrix, DVector};

use super::problem::{Problem, max_abs};

/// Where a solver stopped.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Minimum {
    pub(super) unknowns: Vec<f64>,
    pub(super) value: f64,
    pub(super) gradient_norm: f64,
    pub(super) iterations: usize,
}

/// Halvings of a step before it is given up: 2^-60 is below the resolution of the unknowns.
const HALVINGS: usize = 60;
/// The share of the decrease promised by the slope that a step has to bring (Armijo).
const SUFFICIENT: f64 = 1e-4;

/// Minimises by Newton's method: solve H d = -g by Cholesky, halve d until the value falls enough.
///
/// Nocedal, Wright, "Numerical Optimization", 2nd edition, 2006, section 3.3, DOI 10.1007/978-0-387-40065-5.
pub(super) fn newton(problem: &Problem, start: Vec<f64>, tolerance: f64, max_iterations: usize) -> Minimum {
    let mut gradient = vec![0.0; problem.unknowns()];
    let value = problem.value_and_gradient(&start, &mut gradient);
    let mut best = Minimum {
        unknowns: start,
        value,
        gradient_norm: max_abs(&gradient),
        iterations: 0,
    };
    while best.gradient_norm > tolerance && best.iterations < max_iterations {
        let step = direction(&problem.hessian(&best.unknowns), &gradient);
        let slope: f64 = step.iter().zip(&gradient).map(|(step, slope)| step * slope).sum();
        let Some(next) = halve(problem, &best, &step, slope, &mut gradient) else {
            break;
        };
        best = next;
    }
    best
}

/// d with H d = -g. Where rounding has left H without a Cholesky factor, the least of a few dampings restores one.
fn direction(hessian: &DMatrix<f64>, gradient: &[f64]) -> Vec<f64> {
    let rhs = DVector::from_iterator(gradient.len(), gradient.iter().map(|slope| -slope));
    let largest = hessian.diagonal().amax();
    let damped = |damping: f64| {
        let mut damped = hessian.clone();
        for index in 0..gradient.len() {
            damped[(index, index)] += damping * largest;
        }
        Cholesky::new(damped)
    };
    let step = [0.0, 1e-14, 1e-12, 1e-9, 1e-6, 1e-3, 1.0]
        .into_iter()
        .filter_map(damped)
        .map(|factor| factor.solve(&rhs))
        .find(|step| step.iter().all(|component| component.is_finite()));
    step.unwrap_or(rhs).as_slice().to_vec()
}

/// The first of the steps 1, 1/2, 1/4, ... that lowers the value enough, or, where rounding hides the value, the
/// gradient.
fn halve(
    problem: &Problem,
    from: &Minimum,
    step: &[f64],
    slope: f64,
    gradient: &mut [f64],
) -> Option<Minimum> {
    let mut trial_gradient = vec![0.0; gradient.len()];
    let rounding = 64.0 * f64::EPSILON * from.value.abs();
    let mut length = 1.0;
    for _ in 0..HALVINGS {
        let unknowns: Vec<f64> = from
            .unknowns
            .iter()
            .zip(step)
            .map(|(x, d)| x + length * d)
            .collect();
        let value = problem.value_and_gradient(&unknowns, &mut trial_gradient);
        let gradient_norm = max_abs(&trial_gradient);
        let lower = value <= from.value + SUFFICIENT * length * slope;
        let as_low_and_flatter = value <= from.value + rounding && gradient_norm < from.gradient_norm;
        if lower && value < from.value || as_low_and_flatter {
            gradient.copy_from_slice(&trial_gradient);
            return Some(Minimum {
                unknowns,
                value,
                gradient_norm,
                iterations: from.iterations + 1,
            });
        }
        length /= 2.0;
    }
    None
}
