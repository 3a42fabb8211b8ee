//! Inputs that our crates and their peers are timed on, generated from a seed.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Real costs become these many integer steps per unit, so that every contender solves the same
/// integers.
const STEPS: f64 = 1e6;

/// A complete graph's integer costs, row by row, for `i < j`.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Vertices.
    pub n: usize,
    /// Cost of each pair `(i, j)` with `i < j`.
    pub costs: Vec<(usize, usize, i32)>,
}

/// Costs drawn evenly from (0, 1).
#[must_use]
pub fn uniform(n: usize, seed: u64) -> Instance {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    complete(n, |_, _| rng.random::<f64>())
}

/// Costs of the shape that EOMM's edges have: Glicko expectations mix two players' churn after a win,
/// a draw and a loss.
#[must_use]
pub fn eomm(n: usize, seed: u64) -> Instance {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let players: Vec<Player> = (0..n).map(|_| Player::draw(&mut rng)).collect();
    complete(n, |i, j| players[i].edge(&players[j]))
}

struct Player {
    rating: f64,
    deviation: f64,
    churn: [f64; 3],
}

impl Player {
    fn draw(rng: &mut ChaCha8Rng) -> Self {
        let normal = |rng: &mut ChaCha8Rng| -> f64 { StandardNormal.sample(rng) };
        let rating = 1500.0 + 300.0 * normal(rng);
        let deviation = rng.random_range(30.0..150.0);
        let base = 0.8 * normal(rng);
        let churn = [(-0.15, 0.3), (0.0, 0.25), (0.25, 0.35)].map(|(shift, spread)| {
            let logit = base + shift + spread * normal(rng);
            1.0 / (1.0 + (-logit).exp())
        });
        Self {
            rating,
            deviation,
            churn,
        }
    }

    fn edge(&self, other: &Self) -> f64 {
        let q = std::f64::consts::LN_10 / 400.0;
        let joint = self.deviation.hypot(other.deviation);
        let g = 1.0 / (1.0 + 3.0 * (q * joint / std::f64::consts::PI).powi(2)).sqrt();
        let win = 1.0 / (1.0 + (-g * q * (self.rating - other.rating)).exp());
        let decided = win * (self.churn[0] + other.churn[2]) + (1.0 - win) * (self.churn[2] + other.churn[0]);
        0.2 * (self.churn[1] + other.churn[1]) + 0.8 * decided
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "costs lie between 0 and 2, far inside i32 after scaling"
)]
fn complete(n: usize, mut cost: impl FnMut(usize, usize) -> f64) -> Instance {
    let mut costs = Vec::with_capacity(n * n.saturating_sub(1) / 2);
    for i in 0..n {
        for j in i + 1..n {
            costs.push((i, j, (cost(i, j) * STEPS).round() as i32));
        }
    }
    Instance { n, costs }
}

/// Games between players of a list: who, against whom, whether the first won.
#[must_use]
pub fn games(players: usize, count: usize, seed: u64) -> Vec<(usize, usize, bool)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut game = || {
        let first = rng.random_range(0..players);
        let second = (first + rng.random_range(1..players)) % players;
        (first, second, rng.random::<bool>())
    };
    (0..count).map(|_| game()).collect()
}
