//! Solvers that fit on a page: rivals to measure against, and the oracle of the tests.

mod brute_force;
mod greedy;
mod random;
mod sort_adjacent;

pub use brute_force::BruteForce;
pub use greedy::GreedyPairing;
pub use random::RandomPairing;
pub use sort_adjacent::SortAdjacent;

use crate::approximate::run_heuristic;
use crate::costs::CostOracle;
use crate::error::SolveError;
use crate::limits::Limits;
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::solver::Workspace;

/// Pairs neighbours of an order that `arrange` makes of 0, 1, ...: first with second, third with fourth.
fn pair_in_order(
    workspace: &mut Workspace,
    costs: &dyn CostOracle,
    limits: &Limits<'_>,
    arrange: impl FnOnce(&mut [usize]) -> Result<(), SolveError>,
) -> Result<Pairing, SolveError> {
    run_heuristic(
        Objective::Minimize,
        workspace,
        costs,
        limits,
        |_, costs, meter| {
            let mut order: Vec<usize> = (0..costs.vertices()).collect();
            meter.spend(order.len() as u64 / 2)?;
            arrange(&mut order)?;
            let mut mates = vec![0; order.len()];
            for pair in order.chunks_exact(2) {
                (mates[pair[0]], mates[pair[1]]) = (pair[1], pair[0]);
            }
            Pairing::from_mates(costs, mates)
        },
    )
}
