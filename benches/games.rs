//! Games for the rating benchmark.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A game of two players of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// The first player.
    pub first: u32,
    /// The second one, another.
    pub second: u32,
    /// 0 if the first player lost, 1 for a draw, 2 for a win.
    pub result: u8,
}

/// Games between players of a list who meet at random: skills are spread by some 280 Elo points, and a tenth of the
/// games of equals are drawn.
#[must_use]
pub fn games(players: u32, count: usize, seed: u64) -> Vec<Game> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let skills: Vec<f64> = (0..players)
        .map(|_| (0..6).map(|_| rng.random_range(-200.0..200.0)).sum())
        .collect();
    let mut game = || {
        let first = rng.random_range(0..players);
        let second = (first + rng.random_range(1..players)) % players;
        let lead: f64 = skills[first as usize] - skills[second as usize];
        let expected = 1.0 / (1.0 + 10_f64.powf(-lead / 400.0));
        let half_a_draw = 0.1 * expected.min(1.0 - expected);
        let drawn: f64 = rng.random_range(0.0..1.0);
        let result = u8::from(drawn < expected - half_a_draw) + u8::from(drawn < expected + half_a_draw);
        Game {
            first,
            second,
            result,
        }
    };
    (0..count).map(|_| game()).collect()
}
