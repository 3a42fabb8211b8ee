//! Random pools with parties and prices.

use matchwright_lobby::LobbyPool;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::lobby_world::parties;

/// Players in parties that fit a team, each with an unmatched penalty.
pub(crate) fn pool(seed: u64, players: usize, sizes: (usize, usize)) -> LobbyPool {
    pool_of(seed, players, &[sizes.0, sizes.1])
}

/// The same for any number of teams.
pub(crate) fn pool_of(seed: u64, players: usize, sizes: &[usize]) -> LobbyPool {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let largest = sizes.iter().copied().max().unwrap();
    let parties = if largest > 1 {
        parties(&mut random, players, largest)
    } else {
        Vec::new()
    };
    let prices: Vec<f64> = (0..players).map(|_| random.random::<f64>()).collect();
    LobbyPool::new(players, sizes)
        .unwrap()
        .with_parties(&parties)
        .unwrap()
        .with_unmatched_penalties(&prices)
        .unwrap()
}
