//! An upper bound on the quality of splits: a semidefinite relaxation of the pair terms.

use super::group::Group;
use crate::random::SplitMix64;
use crate::terms::Balance;
use crate::unit_terms::UnitTerms;

/// A quality that is a constant, and gains of pairs of units in one team.
///
/// ```text
/// quality(split) <= constant + most + sum over pairs {u, v} of one team of gain_uv
/// ```
///
/// [`bound`](Self::bound) maximises the sum over more than splits. With `X_uv` = 1 for two units of one of k teams
/// and -1 / (k - 1) for opponents, X is positive semidefinite with ones on the diagonal, and s'Xs is the same for
/// every split, s being the sizes of units: both hold on a convex set. By weak duality, y and m with Diag(y) + m (ss'
/// - Diag(s^2)) - G positive semidefinite give
///
/// ```text
/// sum over u != v of G_uv X_uv  <=  sum of y_u  +  m (s'Xs - sum of s_u^2)
/// ```
///
/// (Goemans and Williamson, "Improved approximation algorithms for maximum cut and satisfiability problems using
/// semidefinite programming", J. ACM 42, 1995, for two teams; Frieze and Jerrum, "Improved approximation algorithms
/// for MAX k-CUT and MAX BISECTION", Algorithmica 18, 1997, for k.) Good y come from a coordinate ascent over vectors
/// of a few dimensions (Wang, Chang and Kolter, "The mixing method", arXiv:1706.00476); whatever that comes to, y are
/// raised until Cholesky's factorisation of the matrix exists, which proves it semidefinite.
#[derive(Debug, Clone)]
pub(super) struct Relaxed {
    /// The sizes of units and teams.
    sizes: Vec<usize>,
    team_sizes: Vec<usize>,
    /// Of u and v at u n + v, symmetric, 0 on the diagonal.
    gains: Vec<f64>,
    /// Who must not, and who must be in one team.
    never: Vec<bool>,
    always: Vec<bool>,
    constant: f64,
    /// What balances are worth at most.
    pub(super) most: f64,
}

/// Dimensions of the vectors.
const DIMENSIONS: usize = 16;
/// Sweeps of the ascent at most.
const SWEEPS: usize = 60;
/// The ascent ends where a sweep changes the sum by a smaller part of it.
const STILL: f64 = 1e-5;
/// With more units, whose matrices take too long to factor, each unit takes its best mates instead.
const UNITS: usize = 300;

impl Relaxed {
    /// The relaxation of a group of two teams whose quality is the sum of these terms but for links.
    pub(super) fn of(group: &Group, units: &UnitTerms<'_>) -> Self {
        let n = units.count();
        let mut relaxed = Self {
            sizes: units.sizes.clone(),
            team_sizes: group.sizes().to_vec(),
            gains: vec![0.0; n * n],
            never: vec![false; n * n],
            always: vec![false; n * n],
            constant: units.own.iter().sum(),
            most: units.terms.balances().iter().map(Balance::most).sum(),
        };
        let allowed = |sum: f64| (sum > f64::NEG_INFINITY).then_some(sum);
        for u in 0..n {
            for v in u + 1..n {
                relaxed.pair(u, v, allowed(units.together(u)[v]), allowed(units.against(u)[v]));
            }
        }
        relaxed.force();
        relaxed
    }

    /// Adds a pair: what it is worth in one team, and in two; `None` where that is forbidden.
    fn pair(&mut self, u: usize, v: usize, together: Option<f64>, against: Option<f64>) {
        let n = self.sizes.len();
        for at in [u * n + v, v * n + u] {
            self.gains[at] = together
                .zip(against)
                .map_or(0.0, |(together, against)| together - against);
            self.never[at] = together.is_none();
            self.always[at] = against.is_none();
        }
        self.constant += against.or(together).unwrap_or(0.0);
    }

    /// Gives pairs that are forbidden a gain, or a loss, larger than all others. Any would be valid; one of that size
    /// keeps the matrix in shape.
    fn force(&mut self) {
        let strongest = self
            .gains
            .iter()
            .fold(0.0, |most: f64, gain| gain.abs().max(most));
        let force = if strongest > 0.0 { 4.0 * strongest } else { 1.0 };
        let n = self.sizes.len();
        for at in 0..n * n {
            if self.never[at] {
                self.gains[at] = -force;
            } else if self.always[at] {
                self.gains[at] = force;
                // Both orders of a pair come by.
                self.constant -= force / 2.0;
            }
        }
    }

    /// What no split's value exceeds.
    pub(super) fn bound(&self) -> f64 {
        self.constant + self.most + self.best_mates().min(self.semidefinite())
    }

    /// Half the sum, over units, of the gains with the best mates for which a team has room.
    fn best_mates(&self) -> f64 {
        let n = self.sizes.len();
        let largest = self.team_sizes.iter().copied().max().unwrap_or(0);
        let smallest = self.team_sizes.iter().copied().min().unwrap_or(0);
        let alone = self.sizes.iter().all(|&size| size == 1);
        let mut sum = 0.0;
        for u in 0..n {
            let mut row: Vec<f64> = (0..n)
                .filter(|&v| v != u)
                .map(|v| self.gains[u * n + v])
                .collect();
            row.sort_unstable_by(|a, b| b.total_cmp(a));
            let (least, most) = (smallest.saturating_sub(1), largest - self.sizes[u]);
            // Losses count only where players alone must fill the team.
            let must = if alone { least } else { 0 };
            let counted = row.iter().take(most).enumerate();
            sum += counted
                .filter(|(at, gain)| *at < must || **gain > 0.0)
                .map(|(_, gain)| gain)
                .sum::<f64>();
        }
        sum / 2.0
    }

    /// The semidefinite bound on the gains.
    fn semidefinite(&self) -> f64 {
        let (n, k) = (self.sizes.len(), self.team_sizes.len() as f64);
        if n < 2 {
            return 0.0;
        }
        if n > UNITS {
            return f64::INFINITY;
        }
        let size = |u: usize| self.sizes[u] as f64;
        let mut matrix = self.gains.clone();
        let multiplier = multiplier(&matrix, n, size);
        for u in 0..n {
            for v in (0..n).filter(|&v| v != u) {
                matrix[u * n + v] -= multiplier * size(u) * size(v);
            }
        }
        let players: f64 = (0..n).map(size).sum();
        let squares: f64 = self.team_sizes.iter().map(|&size| (size * size) as f64).sum();
        let spread = (k * squares - players * players) / (k - 1.0);
        let shift = multiplier * (spread - (0..n).map(|u| size(u) * size(u)).sum::<f64>());
        let duals = proven(&matrix, ascend(&matrix, n));
        // Over ordered pairs, as the sum of the matrix is.
        let most = duals.iter().sum::<f64>() + shift;
        (self.gains.iter().sum::<f64>() + (k - 1.0) * most) / (2.0 * k)
    }
}

/// A multiplier of s'Xs that keeps s from being a direction worth taking: the mean gain, and as much again as gains
/// spread.
fn multiplier(matrix: &[f64], n: usize, size: impl Fn(usize) -> f64) -> f64 {
    let pairs = || (0..n).flat_map(|u| (0..n).filter(move |&v| v != u).map(move |v| (u, v)));
    let weight = |(u, v): (usize, usize)| size(u) * size(v);
    let squares: f64 = pairs().map(|pair| weight(pair) * weight(pair)).sum();
    let mean = pairs()
        .map(|(u, v)| matrix[u * n + v] * weight((u, v)))
        .sum::<f64>()
        / squares;
    let rest = pairs().map(|(u, v)| (matrix[u * n + v] - mean * weight((u, v))).powi(2));
    let spread = (rest.sum::<f64>() / squares).sqrt();
    mean + 2.0 * spread / (n as f64).sqrt()
}

/// Duals that are nearly feasible: the lengths of the sums by which vectors of length 1 stand still.
fn ascend(matrix: &[f64], n: usize) -> Vec<f64> {
    let mut bits = SplitMix64(n as u64);
    let mut vectors: Vec<[f64; DIMENSIONS]> = (0..n)
        .map(|_| {
            let mut vector = [0.0; DIMENSIONS];
            for entry in &mut vector {
                *entry = (bits.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
            }
            scaled(vector, length(&vector))
        })
        .collect();
    let mut duals = vec![0.0; n];
    let mut before = f64::NEG_INFINITY;
    for _ in 0..SWEEPS {
        for u in 0..n {
            let mut sum = [0.0; DIMENSIONS];
            for (weight, vector) in matrix[u * n..][..n].iter().zip(&vectors) {
                for (entry, part) in sum.iter_mut().zip(vector) {
                    *entry += weight * part;
                }
            }
            duals[u] = length(&sum);
            if duals[u] > 0.0 {
                vectors[u] = scaled(sum, duals[u]);
            }
        }
        let now: f64 = duals.iter().sum();
        if now - before <= STILL * now {
            break;
        }
        before = now;
    }
    duals
}

fn length(vector: &[f64; DIMENSIONS]) -> f64 {
    vector.iter().map(|entry| entry * entry).sum::<f64>().sqrt()
}

fn scaled(mut vector: [f64; DIMENSIONS], by: f64) -> [f64; DIMENSIONS] {
    for entry in &mut vector {
        *entry /= by;
    }
    vector
}

/// Duals raised, all by as much, until Diag(duals) - matrix is semidefinite beyond doubt.
fn proven(matrix: &[f64], mut duals: Vec<f64>) -> Vec<f64> {
    let n = duals.len();
    let mean = duals.iter().sum::<f64>() / n as f64;
    if mean.is_nan() || mean <= 0.0 {
        // Nothing to gain, unless numbers are too small to tell: rows' sums of sizes always will do.
        return (0..n)
            .map(|u| matrix[u * n..][..n].iter().map(|gain| gain.abs()).sum())
            .collect();
    }
    let mut buffer = vec![0.0; n * n];
    let mut holds = |raise: f64| has_factor(matrix, &duals, raise, &mut buffer);
    let (mut low, mut high) = (0.0, 1e-4 * mean);
    while !holds(high) {
        (low, high) = (high, 4.0 * high);
        if !high.is_finite() {
            return vec![f64::INFINITY; n];
        }
    }
    for _ in 0..3 {
        let middle = if low > 0.0 {
            (low * high).sqrt()
        } else {
            high / 4.0
        };
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    // A factor of floating-point numbers is that of a matrix which differs by at most (n + 1) units of rounding of
    // the trace (Higham, "Accuracy and stability of numerical algorithms", 2002, theorem 10.3).
    let trace: f64 = duals.iter().map(|dual| dual + high).sum();
    let rounding = 2.0 * (n + 1) as f64 * f64::EPSILON * trace;
    for dual in &mut duals {
        *dual += high + rounding;
    }
    duals
}

/// Whether Diag(duals + raise) - matrix has a Cholesky factor.
fn has_factor(matrix: &[f64], duals: &[f64], raise: f64, buffer: &mut [f64]) -> bool {
    let n = duals.len();
    for (entry, gain) in buffer.iter_mut().zip(matrix) {
        *entry = -gain;
    }
    for (u, dual) in duals.iter().enumerate() {
        buffer[u * n + u] = dual + raise;
    }
    for pivot in 0..n {
        let (done, rest) = buffer.split_at_mut((pivot + 1) * n);
        let row = &done[pivot * n..];
        let diagonal = row[pivot];
        if diagonal.is_nan() || diagonal <= 0.0 {
            return false;
        }
        for (below, other) in rest.chunks_exact_mut(n).zip(pivot + 1..) {
            let factor = row[other] / diagonal;
            for (entry, above) in below[other..].iter_mut().zip(&row[other..]) {
                *entry -= factor * above;
            }
        }
    }
    true
}
