//! Players with what EOMM's edges depend on: rating, its deviation, and churn after each outcome.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// ```text
/// r = 1500 + 300 N,  RD = U(30, 150),  b = 0.8 N
/// churn after a win, draw, loss:  s(b - .15 + .3 N),  s(b + .25 N),  s(b + .25 + .35 N)
/// ```
/// with N standard normal, drawn anew each time, and s the logistic function.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Player {
    pub(crate) rating: f64,
    pub(crate) deviation: f64,
    /// After a win, a draw, a loss.
    pub(crate) churn: [f64; 3],
}

/// The players of an instance.
pub(crate) fn players(n: usize, seed: u64) -> Vec<Player> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..n).map(|_| Player::draw(&mut rng)).collect()
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

    /// ```text
    /// w = .2 (cD_i + cD_j) + .8 (E (cW_i + cL_j) + (1 - E) (cL_i + cW_j))
    /// ```
    /// with E Glicko's expected score of the first player at the joint deviation.
    pub(crate) fn edge(&self, other: &Self) -> f64 {
        let q = std::f64::consts::LN_10 / 400.0;
        let joint = self.deviation.hypot(other.deviation);
        let g = 1.0 / (1.0 + 3.0 * (q * joint / std::f64::consts::PI).powi(2)).sqrt();
        let win = 1.0 / (1.0 + (-g * q * (self.rating - other.rating)).exp());
        let decided = win * (self.churn[0] + other.churn[2]) + (1.0 - win) * (self.churn[2] + other.churn[0]);
        0.2 * (self.churn[1] + other.churn[1]) + 0.8 * decided
    }
}
