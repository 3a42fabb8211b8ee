//! The information matrix of a Bradley-Terry likelihood: its products, its linear equations by preconditioned conjugate
//! gradients, and the diagonal of its inverse.

use super::cholesky::ApproximateCholesky;
use super::comparison::Pair;
use super::newton::{Problem, dot};
use super::prior::Spread;
use crate::sigmoid::logistic;

/// How many iterations are tried with the diagonal as preconditioner: they cost about as much as making factors does.
///
/// Where opponents are drawn at random some dozens suffice. On a ladder of players who meet their neighbours their
/// number grows with the length of the ladder, with factors it hardly does.
const DIAGONAL_ITERATIONS: usize = 100;

/// Minus the second derivatives of the log-posterior at some strengths, and a preconditioner.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Information {
    /// What each pair adds: its games times p (1 - p).
    weights: Vec<f64>,
    diagonal: Vec<f64>,
    /// The preconditioner of the log-strengths; without it the diagonal is.
    factors: Option<ApproximateCholesky>,
}

impl Information {
    pub(super) const fn is_factored(&self) -> bool {
        self.factors.is_some()
    }
}

impl Problem {
    /// The information at `unknowns`, if `factored` with factors as preconditioner.
    pub(super) fn information(&self, unknowns: &[f64], factored: bool) -> Information {
        let of = |pair: &Pair| {
            let lead = self.lead(pair, unknowns);
            (pair.won + pair.lost) * logistic(lead) * logistic(-lead)
        };
        let weights: Vec<f64> = self.pairs.iter().map(of).collect();
        Information {
            diagonal: self.diagonal(&weights),
            factors: factored.then(|| self.factors(&weights)),
            weights,
        }
    }

    fn factors(&self, weights: &[f64]) -> ApproximateCholesky {
        let edges = self.pairs.iter().zip(weights);
        let edges = edges.map(|(pair, weight)| (pair.first, pair.second, *weight));
        ApproximateCholesky::new(edges, &self.prior.ground(self.players))
    }

    /// The information matrix, prior included, times `vector`.
    fn multiply(&self, information: &Information, vector: &[f64]) -> Vec<f64> {
        let mut product = self.prior.multiply(self.players, vector);
        for (pair, weight) in self.pairs.iter().zip(&information.weights) {
            self.add(&mut product, pair, weight * self.lead(pair, vector));
        }
        product
    }

    fn diagonal(&self, weights: &[f64]) -> Vec<f64> {
        let players = 0..self.players;
        let mut diagonal: Vec<f64> = players
            .map(|player| self.prior.entry(self.players, player, player))
            .collect();
        diagonal.resize(self.size(), self.prior.on_advantage());
        for (pair, weight) in self.pairs.iter().zip(weights) {
            diagonal[pair.first] += weight;
            diagonal[pair.second] += weight;
            if self.with_advantage {
                diagonal[self.players] += weight;
            }
        }
        diagonal
    }

    /// The preconditioner's inverse times `residual`.
    fn precondition(&self, information: &Information, residual: &[f64]) -> Vec<f64> {
        let divide = |(r, d): (&f64, &f64)| if *d > 0.0 { r / d } else { 0.0 };
        let mut product: Vec<f64> = residual.iter().zip(&information.diagonal).map(divide).collect();
        if let Some(factors) = &information.factors {
            let (strengths, residual) = (&mut product[..self.players], &residual[..self.players]);
            strengths.copy_from_slice(residual);
            factors.solve(strengths);
            self.centre(&mut product);
        }
        product
    }

    /// As [`solve`](Self::solve), for Newton's steps: where the diagonal takes long, factors are made for this and for later
    /// right sides.
    pub(super) fn solve_or_factor(
        &self,
        information: &mut Information,
        right: &[f64],
        precision: f64,
    ) -> Vec<f64> {
        if !information.is_factored() {
            let solution = self.conjugate_gradients(information, right, precision, DIAGONAL_ITERATIONS);
            if let Ok(solution) = solution {
                return solution;
            }
            information.factors = Some(self.factors(&information.weights));
        }
        self.solve(information, right, precision)
    }

    /// x with information matrix times x = `right`, whose strengths must sum to 0; x is centred.
    pub(super) fn solve(&self, information: &Information, right: &[f64], precision: f64) -> Vec<f64> {
        // In exact arithmetic as many iterations as there are unknowns.
        let most = 10 * right.len() + 100;
        match self.conjugate_gradients(information, right, precision, most) {
            Ok(solution) | Err(solution) => solution,
        }
    }

    /// Preconditioned conjugate gradients (Hestenes and Stiefel 1952): a pass over the pairs and one over the factors an
    /// iteration, until the residual is `precision` of the right side, both measured by the preconditioner.
    ///
    /// As an error the solution so far, after `most` iterations.
    fn conjugate_gradients(
        &self,
        information: &Information,
        right: &[f64],
        precision: f64,
        most: usize,
    ) -> Result<Vec<f64>, Vec<f64>> {
        let mut solution = vec![0.0; right.len()];
        let mut residual = right.to_vec();
        let mut search = self.precondition(information, &residual);
        let mut size = dot(&residual, &search);
        let goal = precision * precision * size;
        for _ in 0..most {
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
            let next = self.precondition(information, &residual);
            let new_size = dot(&residual, &next);
            let share = new_size / size;
            for (s, n) in search.iter_mut().zip(&next) {
                *s = n + share * *s;
            }
            size = new_size;
        }
        self.centre(&mut solution);
        if size <= goal { Ok(solution) } else { Err(solution) }
    }

    /// The variances of all unknowns around their centred optimum: the diagonal of the information matrix's
    /// inverse, in which the common level has no part. Cubic in the unknowns, with one square matrix.
    pub(super) fn variances(&self, information: &Information) -> Vec<f64> {
        let (size, players) = (self.size(), self.players as f64);
        let diagonal = &information.diagonal;
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
        for (pair, weight) in self.pairs.iter().zip(&information.weights) {
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

#[cfg(test)]
mod tests {
    use super::super::prior::Prior;
    use super::*;

    /// Each player has drawn with the `reach` next ones, in turn with 1, 2 or 3 games.
    fn ladder(players: usize, reach: usize) -> Problem {
        let meetings = (0..players)
            .flat_map(|first| (first + 1..players.min(first + 1 + reach)).map(move |second| (first, second)));
        let pairs = meetings.enumerate().map(|(index, (first, second))| {
            let games = 0.5 * [1.0, 2.0, 3.0][index % 3];
            Pair {
                first,
                second,
                won: games,
                lost: games,
            }
        });
        Problem {
            players,
            pairs: pairs.collect(),
            with_advantage: false,
            prior: Prior {
                precision: 0.1,
                spread: Spread::Nothing,
                advantage: false,
            },
        }
    }

    /// From the first to the last player.
    fn between_the_ends(players: usize) -> Vec<f64> {
        let mut right = vec![0.0; players];
        (right[0], right[players - 1]) = (1.0, -1.0);
        right
    }

    #[test]
    fn factors_keep_the_iterations_few_on_ladders_of_any_length() {
        for (players, reach) in [(300, 3), (3_000, 3), (30_000, 3), (3_000, 10), (30_000, 10)] {
            let problem = ladder(players, reach);
            let (strengths, right) = (vec![0.0; players], between_the_ends(players));
            let within = |factored: bool, most: usize| {
                let information = problem.information(&strengths, factored);
                problem
                    .conjugate_gradients(&information, &right, 1e-10, most)
                    .is_ok()
            };
            assert!(within(true, 100), "{players} {reach}");
            assert!(
                players < 3_000 || !within(false, players / 20),
                "{players} {reach}"
            );
        }
    }

    #[test]
    fn both_preconditioners_solve_the_same_equations() {
        for spread in [Spread::Nothing, Spread::Players] {
            let mut problem = ladder(400, 4);
            problem.prior.spread = spread;
            let right = between_the_ends(400);
            let [plain, factored] = [false, true].map(|factored| {
                let information = problem.information(&vec![0.0; 400], factored);
                let solution = problem.solve(&information, &right, 1e-12);
                for (product, right) in problem.multiply(&information, &solution).iter().zip(&right) {
                    assert!((product - right).abs() < 1e-9);
                }
                solution
            });
            for (a, b) in plain.iter().zip(&factored) {
                assert!((a - b).abs() < 1e-8);
            }
        }
    }
}
