//! Random bits from a seed.

pub(crate) use matchwright_solver::SplitMix64;

/// A random table of pairs: row by row, one number from `low` to `high` for each pair of players in either order, and 0
/// on the diagonal.
#[cfg(test)]
pub(crate) fn symmetric(players: usize, low: f64, high: f64, bits: &mut SplitMix64) -> Vec<f64> {
    let mut table = vec![0.0; players * players];
    for i in 0..players {
        for j in 0..i {
            let number = low + (high - low) * bits.unit();
            (table[i * players + j], table[j * players + i]) = (number, number);
        }
    }
    table
}
