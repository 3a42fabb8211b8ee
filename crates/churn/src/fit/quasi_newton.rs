//! A quasi-Newton method with a Wolfe line search: L-BFGS on top of a Hessian or of typical curvatures.

use std::collections::VecDeque;

use super::LogisticSolver;
use super::metric::Metric;
use super::problem::{Problem, Sample, max_abs};

/// Pairs of steps and gradient changes that are remembered.
const MEMORY: usize = 10;
/// Trials of one line search.
const TRIALS: usize = 100;
/// Sufficient decrease (Armijo) and curvature: the usual constants for quasi-Newton directions.
const C1: f64 = 1e-4;
const C2: f64 = 0.9;
/// A step that leaves more than this share of the gradient shows that the Hessian of a sample no longer serves.
const STALE: f64 = 0.25;
/// A sample has one in this many of the rows that it stands for.
const SAMPLING: usize = 16;
/// Rows per unknown that a sample needs to be worth a fit.
const ROWS_PER_UNKNOWN: usize = 64;

/// Where a solver stopped.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Minimum {
    pub(super) unknowns: Vec<f64>,
    pub(super) value: f64,
    pub(super) gradient_norm: f64,
    /// Steps on all rows.
    pub(super) iterations: usize,
}

/// Minimises the objective from `start`.
///
/// [`LogisticSolver::Newton`] fits samples of the rows first, each [`SAMPLING`] times as large as the one before, and
/// goes on from the minimum of one with its Hessian on the next. A minimum over m rows is within O(1/sqrt(m)) of that
/// over all and its Hessian within a share of O(sqrt(d/m)), so that a few steps on all rows are left, each a pass for
/// value and gradient alone. The samples are the same for the same rows.
pub(super) fn minimise(
    problem: &Problem,
    solver: LogisticSolver,
    start: Vec<f64>,
    tolerance: f64,
    max_iterations: usize,
) -> Minimum {
    let all = problem.sample(1);
    if solver == LogisticSolver::Lbfgs {
        let curvature = Hessians::Typical(problem.typical_curvature());
        return descend(&all, curvature, start, tolerance, max_iterations);
    }
    let mut unknowns = start;
    let mut stride = 1;
    while problem.len() / (stride * SAMPLING) >= ROWS_PER_UNKNOWN * problem.unknowns() {
        stride *= SAMPLING;
    }
    let mut coarser = problem.sample(stride);
    while stride > 1 {
        let sample = problem.sample(stride);
        // A tenth of what a sample of this size leaves uncertain.
        let precision = tolerance.max(0.1 / (sample.len() as f64).sqrt());
        let found = descend(
            &sample,
            Hessians::Of(coarser),
            unknowns,
            precision,
            max_iterations,
        );
        (unknowns, coarser) = (found.unknowns, sample);
        stride /= SAMPLING;
    }
    descend(&all, Hessians::Of(coarser), unknowns, tolerance, max_iterations)
}

/// Where the initial matrix comes from.
enum Hessians<'a> {
    /// The typical curvature of each unknown, for ever.
    Typical(Vec<f64>),
    /// The Hessian of these rows at the start. If they are those that are fitted it is formed anew after each step,
    /// otherwise of those that are fitted once it no longer serves.
    Of(Sample<'a>),
}

/// A step s and the change of the gradient y that it brought, with 1 / (s . y).
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    inverse: f64,
}

/// A point of a line search.
struct Trial {
    unknowns: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
}

impl Trial {
    fn new(sample: &Sample<'_>, unknowns: Vec<f64>) -> Self {
        let mut gradient = vec![0.0; unknowns.len()];
        let value = sample.value_and_gradient(&unknowns, &mut gradient);
        Self {
            unknowns,
            value,
            gradient,
        }
    }

    fn stop(self, iterations: usize) -> Minimum {
        Minimum {
            gradient_norm: max_abs(&self.gradient),
            unknowns: self.unknowns,
            value: self.value,
            iterations,
        }
    }
}

/// Minimises over the sample by L-BFGS on top of the Hessians.
///
/// Liu, Nocedal, "On the limited memory BFGS method for large scale optimization", 1989, DOI 10.1007/BF01589116. With a
/// Hessian that is formed anew after each step it is Newton's method: Nocedal, Wright, "Numerical Optimization", 2nd
/// edition, 2006, section 3.3, DOI 10.1007/978-0-387-40065-5; with one of a sample of the rows a sub-sampled one: Byrd,
/// Chin, Neveitt, Nocedal, "On the use of stochastic Hessian information in optimization methods for machine learning",
/// 2011, DOI 10.1137/10079923X.
fn descend(
    sample: &Sample<'_>,
    hessians: Hessians<'_>,
    start: Vec<f64>,
    tolerance: f64,
    max_iterations: usize,
) -> Minimum {
    let mut at = Trial::new(sample, start);
    let hessian = |of: &Sample<'_>, at: &Trial| Metric::of_hessian(&of.hessian(&at.unknowns), &at.gradient);
    let done = |at: &Trial, iterations| max_abs(&at.gradient) <= tolerance || iterations >= max_iterations;
    let mut iterations = 0;
    if done(&at, iterations) {
        return at.stop(iterations);
    }
    let renews = matches!(hessians, Hessians::Of(_));
    let stale_share = match &hessians {
        Hessians::Of(rows) if rows.len() == sample.len() => 0.0,
        _ => STALE,
    };
    let mut metric = match hessians {
        Hessians::Typical(curvature) => Metric::Diagonal(curvature),
        Hessians::Of(rows) => hessian(&rows, &at),
    };
    let mut renewed = false;
    let mut pairs: VecDeque<Pair> = VecDeque::with_capacity(MEMORY + 1);
    while !done(&at, iterations) {
        let mut direction = two_loop(&at.gradient, &pairs, &metric);
        if dot(&direction, &at.gradient) >= 0.0 {
            // Rounding has spoilt the memory: start it anew.
            pairs.clear();
            direction = two_loop(&at.gradient, &pairs, &metric);
        }
        let next = line_search(sample, &at, &direction);
        let stale = next
            .as_ref()
            .is_none_or(|next| max_abs(&next.gradient) > stale_share * max_abs(&at.gradient));
        let stuck = next.is_none() && pairs.is_empty() && (renewed || !renews);
        if stuck {
            break;
        }
        if let Some(next) = next {
            remember(&mut pairs, &at, &next);
            at = next;
            iterations += 1;
            renewed = false;
        } else {
            pairs.clear();
        }
        if stale && renews && !done(&at, iterations) {
            pairs.clear();
            metric = hessian(sample, &at);
            renewed = true;
        }
    }
    at.stop(iterations)
}

fn remember(pairs: &mut VecDeque<Pair>, from: &Trial, to: &Trial) {
    let step: Vec<f64> = to
        .unknowns
        .iter()
        .zip(&from.unknowns)
        .map(|(to, from)| to - from)
        .collect();
    let change: Vec<f64> = to
        .gradient
        .iter()
        .zip(&from.gradient)
        .map(|(to, from)| to - from)
        .collect();
    let inverse = 1.0 / dot(&step, &change);
    if inverse > 0.0 && inverse.is_finite() {
        pairs.push_back(Pair {
            step,
            change,
            inverse,
        });
        if pairs.len() > MEMORY {
            pairs.pop_front();
        }
    }
}

/// -H g by the two-loop recursion, with H built from the pairs on top of the inverse of the metric.
fn two_loop(gradient: &[f64], pairs: &VecDeque<Pair>, metric: &Metric) -> Vec<f64> {
    let mut q: Vec<f64> = gradient.iter().map(|slope| -slope).collect();
    let mut weights = Vec::with_capacity(pairs.len());
    for pair in pairs.iter().rev() {
        let weight = pair.inverse * dot(&pair.step, &q);
        add_scaled(&mut q, -weight, &pair.change);
        weights.push(weight);
    }
    // The newest pair says by how much the metric is off.
    let factor = pairs.back().map_or(1.0, |pair| {
        1.0 / (pair.inverse * dot(&pair.change, &metric.solve(&pair.change)))
    });
    let mut r: Vec<f64> = metric
        .solve(&q)
        .into_iter()
        .map(|component| component * factor)
        .collect();
    for (pair, weight) in pairs.iter().zip(weights.into_iter().rev()) {
        let correction = weight - pair.inverse * dot(&pair.change, &r);
        add_scaled(&mut r, correction, &pair.step);
    }
    r
}

/// A step length that meets the strong Wolfe conditions, found by bracketing.
///
/// Along a convex function the slope only grows, so that the end of the bracket to move is always known: too steep
/// downhill means go on; too high, or too steep uphill, means go back. Near the minimum, where the value is constant
/// to rounding, the slopes alone decide; a step that halves the gradient is taken at once, which matters where
/// penalties are so unlike that the slope along the step is one unknown's rounding.
fn line_search(sample: &Sample<'_>, from: &Trial, direction: &[f64]) -> Option<Trial> {
    let slope0 = dot(direction, &from.gradient);
    if slope0 >= 0.0 || slope0.is_nan() {
        return None;
    }
    let rounding = 64.0 * f64::EPSILON * from.value.abs();
    let (mut low, mut slope_low) = (0.0, slope0);
    let mut high: Option<(f64, f64)> = None;
    let mut length = 1.0;
    for _ in 0..TRIALS {
        let unknowns: Vec<f64> = from
            .unknowns
            .iter()
            .zip(direction)
            .map(|(x, d)| x + length * d)
            .collect();
        let Trial {
            value,
            gradient,
            unknowns,
        } = Trial::new(sample, unknowns);
        let slope = dot(direction, &gradient);
        let low_enough = value <= from.value + C1 * length * slope0 + rounding;
        let flatter = max_abs(&gradient) <= max_abs(&from.gradient) / 2.0;
        if low_enough && (flatter || slope.abs() <= -C2 * slope0) {
            return Some(Trial {
                unknowns,
                value,
                gradient,
            });
        }
        if low_enough && slope < 0.0 {
            (low, slope_low) = (length, slope);
        } else {
            high = Some((length, slope));
        }
        length = match high {
            None => 2.0 * length,
            Some((high, slope_high)) => between(low, slope_low, high, slope_high),
        };
    }
    None
}

/// Where the line through both slopes is zero, kept off the ends of the bracket; its middle where slopes say nothing.
fn between(low: f64, slope_low: f64, high: f64, slope_high: f64) -> f64 {
    let share = slope_low / (slope_low - slope_high);
    let share = if slope_high > 0.0 && share.is_finite() {
        share.clamp(0.1, 0.9)
    } else {
        0.5
    };
    low + share * (high - low)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add_scaled(to: &mut [f64], factor: f64, vector: &[f64]) {
    for (to, component) in to.iter_mut().zip(vector) {
        *to += factor * component;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of f(x) = x' A x / 2 with A = [[4, 1, 0], [1, 3, 1], [0, 1, 2]].
    fn change(step: &[f64]) -> Vec<f64> {
        let [a, b, c] = [step[0], step[1], step[2]];
        vec![4.0 * a + b, a + 3.0 * b + c, b + 2.0 * c]
    }

    fn pairs(steps: &[[f64; 3]]) -> VecDeque<Pair> {
        let pair = |step: &[f64; 3]| {
            let change = change(step);
            Pair {
                step: step.to_vec(),
                inverse: 1.0 / dot(step, &change),
                change,
            }
        };
        steps.iter().map(pair).collect()
    }

    #[test]
    fn without_memory_the_direction_is_the_gradient_over_the_curvature() {
        assert_eq!(
            two_loop(&[4.0, -6.0], &VecDeque::new(), &Metric::Diagonal(vec![2.0, 3.0])),
            [-2.0, 2.0]
        );
    }

    #[test]
    fn the_newest_pair_meets_the_secant_equation() {
        let pairs = pairs(&[[1.0, 0.0, 0.5], [0.3, -1.0, 0.2], [-0.4, 0.7, 2.0]]);
        let newest = &pairs[2];
        let found = two_loop(&newest.change, &pairs, &Metric::Diagonal(vec![1.0, 5.0, 0.3]));
        for (found, step) in found.iter().zip(&newest.step) {
            assert!((found + step).abs() < 1e-12, "-H y = -s: {found} against {step}");
        }
    }

    #[test]
    fn two_loops_multiply_by_the_matrix_of_the_bfgs_update() {
        let pairs = pairs(&[[1.0, 0.0, 0.5], [0.3, -1.0, 0.2]]);
        let curvature = [1.0, 5.0, 0.3];
        let newest = &pairs[1];
        let weighted: f64 = newest.change.iter().zip(curvature).map(|(y, d)| y * y / d).sum();
        let mut matrix = nalgebra::Matrix3::from_diagonal(
            &curvature.map(|d| 1.0 / (newest.inverse * weighted) / d).into(),
        );
        for pair in &pairs {
            // H <- (I - s y' / s'y) H (I - y s' / s'y) + s s' / s'y
            let (s, y) = (
                nalgebra::Vector3::from_column_slice(&pair.step),
                nalgebra::Vector3::from_column_slice(&pair.change),
            );
            let left = nalgebra::Matrix3::identity() - s * y.transpose() * pair.inverse;
            matrix = left * matrix * left.transpose() + s * s.transpose() * pair.inverse;
        }
        let gradient = nalgebra::Vector3::new(0.6, -1.3, 0.9);
        let found = two_loop(gradient.as_slice(), &pairs, &Metric::Diagonal(curvature.to_vec()));
        for (found, expected) in found.iter().zip(&(-matrix * gradient)) {
            assert!((found - expected).abs() < 1e-12, "{found} against {expected}");
        }
    }

    #[test]
    fn conjugate_pairs_in_every_direction_give_newtons_direction() {
        // Steps conjugate by A: then H = A^-1 whatever the curvature was said to be.
        let pairs = pairs(&[[1.0, 0.0, 0.0], [-0.25, 1.0, 0.0], [1.0, -4.0, 11.0]]);
        let goal = [0.6, -1.3, 0.9];
        let found = two_loop(&change(&goal), &pairs, &Metric::Diagonal(vec![1.0, 5.0, 0.3]));
        for (found, goal) in found.iter().zip(&goal) {
            assert!((found + goal).abs() < 1e-12, "{found} against {goal}");
        }
    }
}
