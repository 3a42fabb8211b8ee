//! The Bradley-Terry likelihood and its maximum by Newton's method.

use super::comparison::{BradleyTerryError, Pair};
use super::prior::Prior;
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
    /// Whether its linear equations took factors.
    pub(super) factored: bool,
}

/// A step that moves no unknown by more, relative to the largest (at least 1), is rounding's.
const STILL: f64 = 1e-10;

impl Problem {
    pub(super) fn size(&self) -> usize {
        self.players + usize::from(self.with_advantage)
    }

    /// What `pair` turns on: the first player's lead, advantage included.
    pub(super) fn lead(&self, pair: &Pair, unknowns: &[f64]) -> f64 {
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

    pub(super) fn add(&self, sums: &mut [f64], pair: &Pair, amount: f64) {
        sums[pair.first] += amount;
        sums[pair.second] -= amount;
        if self.with_advantage {
            sums[self.players] += amount;
        }
    }

    /// Takes the mean of the log-strengths off: their common level is not in the data.
    pub(super) fn centre(&self, unknowns: &mut [f64]) {
        let strengths = &mut unknowns[..self.players];
        let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
        for strength in strengths {
            *strength -= mean;
        }
    }

    /// The largest derivative relative to the sum of the terms that it is made of, without their signs: in \[0, 1\].
    fn imbalance(&self, unknowns: &[f64], gradient: &[f64]) -> f64 {
        let mut terms = self.prior.multiply(self.players, unknowns);
        for term in &mut terms {
            *term = term.abs();
        }
        for pair in &self.pairs {
            let lead = self.lead(pair, unknowns);
            let amount = pair.won * logistic(-lead) + pair.lost * logistic(lead);
            terms[pair.first] += amount;
            terms[pair.second] += amount;
            if self.with_advantage {
                terms[self.players] += amount;
            }
        }
        let relative = gradient.iter().zip(&terms).map(|(slope, sum)| match slope {
            0.0 => 0.0,
            slope => slope.abs() / sum,
        });
        relative.fold(0.0, f64::max)
    }

    /// Newton's method from equal strengths, with halved steps where a whole one would lose; after the
    /// `tolerance` is met, one more step is taken, which squares the distance that is left.
    ///
    /// The tolerance is that of [`imbalance`](Self::imbalance). Games of very different weights can leave no more than
    /// rounding of it: there it is enough that no derivative exceeds it relative to the most games of one player (at least
    /// 1) and that a step hardly moved.
    pub(super) fn maximise(&self, tolerance: f64, max_steps: u32) -> Result<Optimum, BradleyTerryError> {
        let most_games = self.most_games().max(1.0);
        let mut unknowns = vec![0.0; self.size()];
        let mut gradient = self.gradient(&unknowns);
        let mut factored = false;
        let mut moved = f64::INFINITY;
        for steps in 0..=max_steps {
            let digits = 1.0 + largest(&unknowns);
            let met = self.imbalance(&unknowns, &gradient) <= tolerance.max(4.0 * f64::EPSILON * digits)
                || (largest(&gradient) <= tolerance * most_games && moved <= STILL * digits);
            if !met && steps == max_steps {
                break;
            }
            let mut information = self.information(&unknowns, factored);
            // A step errs by the square of its length anyway: Dembo, Eisenstat and Steihaug, "Inexact Newton methods",
            // 1982 (doi 10.1137/0719025).
            let precision = (largest(&gradient) / most_games).clamp(1e-10, 0.1);
            let mut right = gradient.clone();
            self.centre(&mut right);
            let direction = self.solve_or_factor(&mut information, &right, precision);
            let next = self.improve(&unknowns, &direction);
            factored = information.is_factored();
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
                    factored,
                });
            }
            moved = unknowns
                .iter()
                .zip(&next)
                .fold(0.0, |most, (x, y)| most.max((x - y).abs()));
            (unknowns, gradient) = (next, next_gradient);
        }
        Err(BradleyTerryError::NotConverged {
            steps: max_steps,
            gradient: largest(&gradient),
        })
    }

    /// `unknowns` after a step in `direction`, halved until the posterior does not fall.
    fn improve(&self, unknowns: &[f64], direction: &[f64]) -> Vec<f64> {
        let now = self.log_posterior(unknowns);
        // Rounding of a sum of many logarithms is no loss.
        let floor = now - 1e-12 * now.abs();
        let mut length = 1.0;
        loop {
            let next: Vec<f64> = unknowns
                .iter()
                .zip(direction)
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
}

pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// In eight sums, which a processor adds side by side.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
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
