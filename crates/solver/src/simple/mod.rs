//! Solvers that fit on a page: rivals to measure against, and the oracle of the tests.

mod brute_force;
mod greedy;
mod random;
mod sort_adjacent;

pub use brute_force::BruteForce;
pub use greedy::GreedyPairing;
pub use random::RandomPairing;
pub(crate) use random::SplitMix64;
pub use sort_adjacent::SortAdjacent;

/// Pairs neighbours of an order: first with second, third with fourth.
fn mates_of_order(order: &[usize]) -> Vec<usize> {
    let mut mates = vec![0; order.len()];
    for pair in order.chunks_exact(2) {
        mates[pair[0]] = pair[1];
        mates[pair[1]] = pair[0];
    }
    mates
}
