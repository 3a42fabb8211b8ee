//! Games for the rating benchmark.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

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
