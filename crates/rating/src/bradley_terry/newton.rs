//! The Bradley-Terry likelihood, its maximum by Newton's method with conjugate gradients, and variances by Cholesky.

use super::comparison::{BradleyTerryError, Pair};
use super::prior::{Prior, Spread};
use crate::sigmoid::{log_logistic, logistic};

/// A log-likelihood of `players` log-strengths and, last, one advantage if it is estimated.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Problem {
    pub(super) players: usize,
    pub(super) pairs: Vec<Pair>,
    pub(super) with_advantage: bool,
    pub(super) prior: Prior,
}

/// Where Newton's method ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Optimum {
    pub(super) unknowns: Vec<f64>,
    pub(super) steps: u32,
    /// The largest component of the gradient, in games.
    pub(super) gradient: f64,
}

impl Problem {
    pub(super) fn size(&self) -> usize {
        self.players + usize::from(self.with_advantage)
    }

    /// What `pair` turns on: the first player's lead, advantage included.
    fn lead(&self, pair: &Pair, unknowns: &[f64]) -> f64 {
        let advantage = if self.with_advantage {
            unknowns[self.players]
        } else {
            0.0
        };
        unknowns[pair.first] - unknowns[pair.second] + advantage
    }

    /// ln of the probability of all results, and of the prior up to a constant.
    pub(super) fn log_posterior(&self, unknowns: &[f64]) -> f64 {
        let prior = dot(unknowns, &self.prior.multiply(self.players, unknowns));
        self.log_likelihood(unknowns) - 0.5 * prior
    }

    pub(super) fn log_likelihood(&self, unknowns: &[f64]) -> f64 {
        let pairs = self.pairs.iter().map(|pair| {
            let lead = self.lead(pair, unknowns);
            pair.won * log_logistic(lead) + pair.lost * log_logistic(-lead)
        });
        pairs.sum()
    }

    /// The first derivatives: for each player the games won beyond what was expected.
    pub(super) fn gradient(&self, unknowns: &[f64]) -> Vec<f64> {
        let mut gradient = self.prior.multiply(self.players, unknowns);
        for slope in &mut gradient {
            *slope = -*slope;
        }
        for pair in &self.pairs {
            let lead = self.lead(pair, unknowns);
            self.add(
                &mut gradient,
                pair,
                pair.won * logistic(-lead) - pair.lost * logistic(lead),
            );
        }
        gradient
    }

    fn add(&self, sums: &mut [f64], pair: &Pair, amount: f64) {
        sums[pair.first] += amount;
        sums[pair.second] -= amount;
        if self.with_advantage {
            sums[self.players] += amount;
        }
    }

    /// What each pair adds to the information: its games times p (1 - p).
    pub(super) fn information(&self, unknowns: &[f64]) -> Vec<f64> {
        let of = |pair: &Pair| {
            let lead = self.lead(pair, unknowns);
            (pair.won + pair.lost) * logistic(lead) * logistic(-lead)
        };
        self.pairs.iter().map(of).collect()
    }

    /// The information matrix, prior included, times `vector`.
    fn multiply(&self, information: &[f64], vector: &[f64]) -> Vec<f64> {
        let mut product = self.prior.multiply(self.players, vector);
        for (pair, weight) in self.pairs.iter().zip(information) {
            self.add(&mut product, pair, weight * self.lead(pair, vector));
        }
        product
    }

    fn diagonal(&self, information: &[f64]) -> Vec<f64> {
        let players = 0..self.players;
        let mut diagonal: Vec<f64> = players
            .map(|player| self.prior.entry(self.players, player, player))
            .collect();
        diagonal.resize(self.size(), self.prior.on_advantage());
        for (pair, weight) in self.pairs.iter().zip(information) {
            diagonal[pair.first] += weight;
            diagonal[pair.second] += weight;
            if self.with_advantage {
                diagonal[self.players] += weight;
            }
        }
        diagonal
    }

    /// Takes the mean of the log-strengths off: their common level is not in the data.
    fn centre(&self, unknowns: &mut [f64]) {
        let strengths = &mut unknowns[..self.players];
        let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
        for strength in strengths {
            *strength -= mean;
        }
    }

    /// x with information matrix times x = `right`, whose strengths must sum to 0; x is centred.
    ///
    /// Conjugate gradients, scaled by the diagonal (Hestenes and Stiefel 1952): a pass over the pairs an
    /// iteration, until the residual is `precision` of the right side.
    pub(super) fn solve(&self, information: &[f64], right: &[f64], precision: f64) -> Vec<f64> {
        let scale = self.diagonal(information);
        let scaled = |residual: &[f64]| -> Vec<f64> {
            let divide = |(r, d): (&f64, &f64)| if *d > 0.0 { r / d } else { 0.0 };
            residual.iter().zip(&scale).map(divide).collect()
        };
        let mut solution = vec![0.0; right.len()];
        let mut residual = right.to_vec();
        let mut search = scaled(&residual);
        let mut size = dot(&residual, &search);
        let goal = precision * precision * size;
        // In exact arithmetic as many as there are unknowns.
        for _ in 0..10 * right.len() + 100 {
            if size <= goal {
                break;
            }
            let image = self.multiply(information, &search);
            let curvature = dot(&search, &image);
            if curvature <= 0.0 {
                break;
            }
            let step = size / curvature;
            for ((x, r), (s, i)) in solution
                .iter_mut()
                .zip(&mut residual)
                .zip(search.iter().zip(&image))
            {
                *x += step * s;
                *r -= step * i;
            }
            self.centre(&mut residual);
            let next = scaled(&residual);
            let new_size = dot(&residual, &next);
            let share = new_size / size;
            for (s, n) in search.iter_mut().zip(&next) {
                *s = n + share * *s;
            }
            size = new_size;
        }
        self.centre(&mut solution);
        solution
    }

    /// Newton's method from equal strengths, with halved steps where a whole one would lose; after the
    /// `tolerance` is met, one more step is taken, which squares the distance that is left.
    ///
    /// The tolerance is in games, relative to the most games of one player (at least 1).
    pub(super) fn maximise(&self, tolerance: f64, max_steps: u32) -> Result<Optimum, BradleyTerryError> {
        let goal = tolerance * self.most_games().max(1.0);
        let mut unknowns = vec![0.0; self.size()];
        let mut gradient = self.gradient(&unknowns);
        for steps in 0..=max_steps {
            let met = largest(&gradient) <= goal;
            if !met && steps == max_steps {
                break;
            }
            let next = self.improve(&unknowns, &gradient);
            let next_gradient = self.gradient(&next);
            if met {
                // The last step counts only if it did not meet rounding.
                if largest(&next_gradient) < largest(&gradient) {
                    (unknowns, gradient) = (next, next_gradient);
                }
                return Ok(Optimum {
                    unknowns,
                    steps,
                    gradient: largest(&gradient),
                });
            }
            (unknowns, gradient) = (next, next_gradient);
        }
        Err(BradleyTerryError::NotConverged {
            steps: max_steps,
            gradient: largest(&gradient),
        })
    }

    fn improve(&self, unknowns: &[f64], gradient: &[f64]) -> Vec<f64> {
        let mut right = gradient.to_vec();
        self.centre(&mut right);
        let direction = self.solve(&self.information(unknowns), &right, 1e-10);
        let now = self.log_posterior(unknowns);
        // Rounding of a sum of many logarithms is no loss.
        let floor = now - 1e-12 * now.abs();
        let mut length = 1.0;
        loop {
            let next: Vec<f64> = unknowns
                .iter()
                .zip(&direction)
                .map(|(x, step)| x + length * step)
                .collect();
            if self.log_posterior(&next) >= floor || length < 1e-12 {
                return next;
            }
            length *= 0.5;
        }
    }

    fn most_games(&self) -> f64 {
        let mut games = vec![0.0; self.players];
        for pair in &self.pairs {
            games[pair.first] += pair.won + pair.lost;
            games[pair.second] += pair.won + pair.lost;
        }
        games.into_iter().fold(0.0, f64::max)
    }

    /// The variances of all unknowns around their centred optimum: the diagonal of the information matrix's
    /// inverse, in which the common level has no part. Cubic in the unknowns, with one square matrix.
    pub(super) fn variances(&self, information: &[f64]) -> Vec<f64> {
        let (size, players) = (self.size(), self.players as f64);
        let diagonal = self.diagonal(information);
        // Without a prior on each player the common level is unknown; any curvature there makes the matrix regular.
        let level = if self.prior.spread == Spread::Players {
            0.0
        } else {
            (diagonal.iter().sum::<f64>() / size as f64).max(f64::MIN_POSITIVE)
        };
        let common = match self.prior.spread {
            Spread::Players => self.prior.precision,
            _ => level,
        };
        let mut matrix = vec![0.0; size * size];
        for (row, value) in diagonal.iter().enumerate() {
            matrix[row * size + row] = *value;
        }
        for (pair, weight) in self.pairs.iter().zip(information) {
            let (high, low) = (pair.first.max(pair.second), pair.first.min(pair.second));
            matrix[high * size + low] -= weight;
            if self.with_advantage {
                matrix[self.players * size + pair.first] += weight;
                matrix[self.players * size + pair.second] -= weight;
            }
        }
        for row in 0..self.players {
            for column in 0..=row {
                let prior = if column < row {
                    self.prior.entry(self.players, row, column)
                } else {
                    0.0
                };
                matrix[row * size + column] += level / players + prior;
            }
        }
        let mut variances = inverse_diagonal(matrix, size);
        for variance in &mut variances[..self.players] {
            *variance = (*variance - 1.0 / (common * players)).max(0.0);
        }
        variances
    }
}

/// The diagonal of the inverse of a symmetric positive definite `matrix`, given by its lower half.
///
/// Cholesky's factors L L' and the squared columns of L's inverse.
fn inverse_diagonal(mut matrix: Vec<f64>, size: usize) -> Vec<f64> {
    for row in 0..size {
        for column in 0..=row {
            let known = dot(
                &matrix[row * size..row * size + column],
                &matrix[column * size..column * size + column],
            );
            let left = matrix[row * size + column] - known;
            matrix[row * size + column] = if row == column {
                left.max(f64::MIN_POSITIVE).sqrt()
            } else {
                left / matrix[column * size + column]
            };
        }
    }
    let inverse_column = |column: usize| {
        let mut entries = vec![1.0 / matrix[column * size + column]];
        for row in column + 1..size {
            let known = dot(&matrix[row * size + column..row * size + row], &entries);
            entries.push(-known / matrix[row * size + row]);
        }
        dot(&entries, &entries)
    };
    (0..size).map(inverse_column).collect()
}

pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// In eight sums, which a processor adds side by side.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (chunks_a, chunks_b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = chunks_a
        .remainder()
        .iter()
        .zip(chunks_b.remainder())
        .map(|(x, y)| x * y)
        .sum();
    for (left, right) in chunks_a.zip(chunks_b) {
        for ((sum, x), y) in sums.iter_mut().zip(left).zip(right) {
            *sum += x * y;
        }
    }
    sums.iter().sum::<f64>() + rest
}
