//! Anderson acceleration of the message passing.

use std::collections::VecDeque;

/// How many earlier sweeps are looked at.
const MEMORY: usize = 5;

/// A sweep whose residual is this many times the last one's makes the memory worthless.
const SETBACK: f64 = 2.0;

/// Anderson's mixing for a fixed point x = g(x): the next x is the combination of the last g(x) for which the same
/// combination of residuals g(x) - x is least.
///
/// Walker and Ni, "Anderson acceleration for fixed-point iterations", SIAM Journal on Numerical Analysis 49, 2011,
/// section 2 (doi 10.1137/10078356X). Sweeps alone are slow to find the level of players who mostly meet each
/// other, since each game tells of differences; a few such directions are what the mixing takes out.
#[derive(Debug, Default)]
pub(super) struct Mixing {
    last: Option<Step>,
    /// Differences of residuals and of results between one sweep and the next, the latest last.
    differences: VecDeque<Step>,
}

#[derive(Debug, Clone, PartialEq)]
struct Step {
    residual: Vec<f64>,
    result: Vec<f64>,
}

impl Mixing {
    /// The next x, after a sweep made `result` out of `x`; `weights` turn squared residuals into one unit.
    ///
    /// Cost: 10 numbers of memory and some 20 multiplications for each of x.
    pub(super) fn next(&mut self, x: &[f64], result: &[f64], weights: &[f64]) -> Vec<f64> {
        let step = Step {
            residual: difference(result, x),
            result: result.to_vec(),
        };
        let product = |a: &[f64], b: &[f64]| -> f64 {
            let pairs = a.iter().zip(b).zip(weights);
            pairs.map(|((a, b), weight)| a * b * weight).sum()
        };
        if let Some(last) = &self.last {
            let size = |step: &Step| product(&step.residual, &step.residual).sqrt();
            if size(&step) > SETBACK * size(last) {
                self.differences.clear();
            } else {
                self.differences.push_back(Step {
                    residual: difference(&step.residual, &last.residual),
                    result: difference(&step.result, &last.result),
                });
            }
        }
        if self.differences.len() > MEMORY {
            self.differences.pop_front();
        }
        let rows = self.differences.iter().map(|row| {
            let products = self
                .differences
                .iter()
                .map(|other| product(&row.residual, &other.residual));
            let right = product(&row.residual, &step.residual);
            products.chain([right]).collect()
        });
        let mut next = step.result.clone();
        for (part, past) in solve(rows.collect()).iter().zip(&self.differences) {
            for (value, change) in next.iter_mut().zip(&past.result) {
                *value -= part * change;
            }
        }
        self.last = Some(step);
        if next.iter().all(|value| value.is_finite()) {
            next
        } else {
            *self = Self::default();
            result.to_vec()
        }
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// The solution of positive semidefinite equations, each row with its right side at the end.
///
/// A direction that hardly differs from the others gets nothing.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let size = rows.len();
    let own: Vec<f64> = (0..size).map(|index| rows[index][index]).collect();
    for pivot in 0..size {
        let row = rows[pivot].clone();
        if row[pivot] <= 1e-12 * own[pivot] {
            rows[pivot].fill(0.0);
            continue;
        }
        for (index, other) in rows.iter_mut().enumerate() {
            if index != pivot {
                let factor = other[pivot] / row[pivot];
                for (value, taken) in other.iter_mut().zip(&row) {
                    *value -= factor * taken;
                }
            }
        }
    }
    let solved = rows.iter().enumerate().map(|(index, row)| {
        if row[index] > 0.0 {
            row[size] / row[index]
        } else {
            0.0
        }
    });
    solved.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x' = A x + b with eigenvalues .99, .9 and .2 in turned directions.
    fn slow(x: &[f64]) -> Vec<f64> {
        let (a, b, c) = (x[0] + x[1] + x[2], x[0] - x[1], x[0] + x[1] - 2.0 * x[2]);
        let (a, b, c) = (0.99 * a / 3.0 + 0.01, 0.9 * b / 2.0, 0.2 * c / 6.0);
        vec![a + b + c, a - b + c, a - 2.0 * c]
    }

    #[test]
    fn a_linear_map_of_three_dimensions_is_settled_after_a_few_steps() {
        let mut mixing = Mixing::default();
        let mut x = vec![3.0, -1.0, 5.0];
        for _ in 0..6 {
            x = mixing.next(&x, &slow(&x), &[1.0; 3]);
        }
        for value in x {
            assert!((value - 1.0).abs() < 1e-9, "{value}");
        }
    }

    #[test]
    fn what_is_settled_or_a_setback_moves_nothing_further_than_the_sweep() {
        let mut mixing = Mixing::default();
        assert_eq!(mixing.next(&[1.0], &[1.0], &[1.0]), [1.0]);
        assert_eq!(mixing.next(&[1.0], &[1.0], &[1.0]), [1.0]);
        assert_eq!(mixing.next(&[1.0], &[9.0], &[1.0]), [9.0]);
        assert_eq!(mixing.next(&[0.0], &[100.0], &[1.0]), [100.0]);
    }
}
