//! Random tables of pairs, for tests.

use crate::random::SplitMix64;

/// Row by row, one number from `low` to `high` for each pair of players in either order, and 0 for each with himself.
pub(super) fn symmetric(players: usize, low: f64, high: f64, bits: &mut SplitMix64) -> Vec<f64> {
    let mut table = vec![0.0; players * players];
    for i in 0..players {
        for j in 0..i {
            let number = low + (high - low) * bits.unit();
            (table[i * players + j], table[j * players + i]) = (number, number);
        }
    }
    table
}
