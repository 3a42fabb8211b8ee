//! Logistic regression with few columns, by Newton's method.

use crate::sigmoid::{log_logistic, logistic};

/// A symmetric positive definite matrix as L L^T, row by row.
pub(super) struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// None if `matrix` (size^2 numbers) is not positive definite to rounding.
    pub(super) fn of(matrix: &[f64], size: usize) -> Option<Self> {
        let mut lower = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| lower[i * size + k] * lower[j * size + k]).sum();
                let rest = matrix[i * size + j] - known;
                if i == j {
                    // Also refuses NaN.
                    if rest.is_nan() || rest <= 1e-13 * matrix[i * size + i] {
                        return None;
                    }
                    lower[i * size + i] = rest.sqrt();
                } else {
                    lower[i * size + j] = rest / lower[j * size + j];
                }
            }
        }
        Some(Self { size, lower })
    }

    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (n, l) = (self.size, &self.lower);
        let mut x = right.to_vec();
        for i in 0..n {
            let known: f64 = (0..i).map(|k| l[i * n + k] * x[k]).sum();
            x[i] = (x[i] - known) / l[i * n + i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| l[k * n + i] * x[k]).sum();
            x[i] = (x[i] - known) / l[i * n + i];
        }
        x
    }

    /// The inverse, row by row.
    pub(super) fn inverse(&self) -> Vec<f64> {
        let n = self.size;
        let mut inverse = vec![0.0; n * n];
        let mut unit = vec![0.0; n];
        for j in 0..n {
            unit[j] = 1.0;
            for (i, value) in self.solve(&unit).into_iter().enumerate() {
                inverse[i * n + j] = value;
            }
            unit[j] = 0.0;
        }
        inverse
    }
}

/// Rows of a regression: `columns` numbers a row, a fixed part of the log odds, and a score in \[0, 1\].
pub(super) struct Rows {
    pub(super) columns: usize,
    pub(super) values: Vec<f64>,
    pub(super) offsets: Vec<f64>,
    pub(super) scores: Vec<f64>,
}

/// Where the likelihood is greatest.
pub(super) struct Maximum {
    pub(super) coefficients: Vec<f64>,
    /// Inverse of the observed information.
    pub(super) covariance: Vec<f64>,
    /// The covariance by the sandwich, which also holds where scores vary less than wins and losses do.
    pub(super) robust: Vec<f64>,
    /// Mean of -ln P over the rows.
    pub(super) log_loss: f64,
}

/// Why there is no maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoMaximum {
    /// Some combination of the columns predicts without fail, so the likelihood rises for ever.
    Separable,
    /// The columns are linearly dependent.
    Dependent,
}

/// A mean loss below which every row is predicted without fail.
const CERTAIN: f64 = 1e-9;

/// What is left of a coefficient's information, of all that its rows could give, when these are predicted
/// without fail: log odds of 13 and more in all of them.
const NOTHING_LEFT: f64 = 1e-5;

impl Rows {
    fn log_odds(&self, coefficients: &[f64]) -> Vec<f64> {
        let rows = self.values.chunks_exact(self.columns).zip(&self.offsets);
        rows.map(|(row, offset)| {
            let sum: f64 = row.iter().zip(coefficients).map(|(x, c)| x * c).sum();
            offset + sum
        })
        .collect()
    }

    /// Sum of -ln P: of -(s ln p + (1 - s) ln(1 - p)), where ln p = ln(1 - p) + x.
    fn loss(&self, log_odds: &[f64]) -> f64 {
        let rows = log_odds.iter().zip(&self.scores);
        rows.map(|(x, score)| -log_logistic(-x) - score * x).sum()
    }

    /// Gradient of -loss, and the information.
    fn derivatives(&self, log_odds: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let n = self.columns;
        let (mut gradient, mut information) = (vec![0.0; n], vec![0.0; n * n]);
        let rows = self.values.chunks_exact(n.max(1)).zip(log_odds).zip(&self.scores);
        for ((row, x), score) in rows {
            let p = logistic(*x);
            let weight = p * (1.0 - p);
            for i in 0..n {
                gradient[i] += (score - p) * row[i];
                for j in 0..=i {
                    information[i * n + j] += weight * row[i] * row[j];
                }
            }
        }
        for i in 0..n {
            for j in 0..i {
                information[j * n + i] = information[i * n + j];
            }
        }
        (gradient, information)
    }

    /// I^-1 (sum over rows of (s - p)^2 x x^T) I^-1: White, "A heteroskedasticity-consistent covariance
    /// matrix estimator and a direct test for heteroskedasticity", 1980 (doi 10.2307/1912934).
    fn sandwich(&self, inverse: &[f64], log_odds: &[f64]) -> Vec<f64> {
        let n = self.columns;
        let mut sandwich = vec![0.0; n * n];
        let mut influence = vec![0.0; n];
        let rows = self.values.chunks_exact(n.max(1)).zip(log_odds).zip(&self.scores);
        for ((row, x), score) in rows {
            let surplus = score - logistic(*x);
            for (influence, line) in influence.iter_mut().zip(inverse.chunks_exact(n)) {
                *influence = surplus * line.iter().zip(row).map(|(a, b)| a * b).sum::<f64>();
            }
            for (line, a) in sandwich.chunks_exact_mut(n).zip(&influence) {
                for (value, b) in line.iter_mut().zip(&influence) {
                    *value += a * b;
                }
            }
        }
        sandwich
    }

    /// By column: whether its coefficient only stopped where the gain fell below rounding, since a
    /// combination with others predicts the rows that it is in without fail.
    pub(super) fn endless(&self, maximum: &Maximum) -> Vec<bool> {
        let n = self.columns;
        // At log odds of 0 a row says the most.
        let (_, most) = self.derivatives(&vec![0.0; self.scores.len()]);
        let Some(least) = Cholesky::of(&most, n).map(|factor| factor.inverse()) else {
            return vec![false; n];
        };
        (0..n)
            .map(|k| least[k * n + k] < NOTHING_LEFT * maximum.covariance[k * n + k])
            .collect()
    }

    /// Newton's method from 0, with steps halved until the loss falls. The loss is convex.
    pub(super) fn maximise(&self) -> Result<Maximum, NoMaximum> {
        if self.columns == 0 {
            let log_loss = self.loss(&self.offsets) / self.scores.len().max(1) as f64;
            return Ok(Maximum {
                coefficients: Vec::new(),
                covariance: Vec::new(),
                robust: Vec::new(),
                log_loss,
            });
        }
        let mut coefficients = vec![0.0; self.columns];
        let mut log_odds = self.log_odds(&coefficients);
        let mut loss = self.loss(&log_odds);
        for _ in 0..100 {
            let (gradient, information) = self.derivatives(&log_odds);
            if loss <= CERTAIN * self.scores.len() as f64 {
                return Err(NoMaximum::Separable);
            }
            let factor = Cholesky::of(&information, self.columns).ok_or(NoMaximum::Dependent)?;
            let step = factor.solve(&gradient);
            // Half the Newton decrement is how much the loss can still fall.
            let gain: f64 = step.iter().zip(&gradient).map(|(s, g)| 0.5 * s * g).sum();
            if gain <= 1e-12 * (1.0 + loss.abs()) {
                let covariance = factor.inverse();
                return Ok(Maximum {
                    coefficients,
                    robust: self.sandwich(&covariance, &log_odds),
                    covariance,
                    log_loss: loss / self.scores.len().max(1) as f64,
                });
            }
            let mut length = 1.0;
            loop {
                let next: Vec<f64> = coefficients
                    .iter()
                    .zip(&step)
                    .map(|(c, s)| c + length * s)
                    .collect();
                let odds = self.log_odds(&next);
                let value = self.loss(&odds);
                if value < loss || length < 1e-6 {
                    (coefficients, log_odds, loss) = (next, odds, value);
                    break;
                }
                length *= 0.5;
            }
        }
        Err(NoMaximum::Separable)
    }
}
