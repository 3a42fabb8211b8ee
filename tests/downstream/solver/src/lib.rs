//! A solver and a graph that matchwright-solver does not have, written against its published interface.

use matchwright_solver::{CostOracle, Limits, Pairing, PairingSolver, SolveError, SortAdjacent};

/// Pairs neighbours, then lets two pairs exchange partners for as long as that is cheaper.
pub struct TwoExchange;

impl PairingSolver for TwoExchange {
    fn solve_within(&self, costs: &dyn CostOracle, _: &Limits<'_>) -> Result<Pairing, SolveError> {
        let start = SortAdjacent::by_index().solve(costs)?;
        let mut pairs: Vec<_> = start.pairs().collect();
        while exchange(costs, &mut pairs) {}
        let mut mates = start.mates().to_vec();
        for (i, j) in pairs {
            (mates[i], mates[j]) = (j, i);
        }
        Pairing::from_mates(costs, mates)
    }
}

/// The first exchange that is cheaper, if any is.
fn exchange(costs: &dyn CostOracle, pairs: &mut [(usize, usize)]) -> bool {
    let both = |p: (usize, usize), q: (usize, usize)| Some(costs.cost(p.0, p.1)? + costs.cost(q.0, q.1)?);
    for a in 0..pairs.len() {
        for b in a + 1..pairs.len() {
            let ((i, j), (k, l)) = (pairs[a], pairs[b]);
            let Some(now) = both((i, j), (k, l)) else { continue };
            for (p, q) in [((i, k), (j, l)), ((i, l), (j, k))] {
                if both(p, q).is_some_and(|then| then < now) {
                    (pairs[a], pairs[b]) = (p, q);
                    return true;
                }
            }
        }
    }
    false
}

/// Players may meet within their region, and cost their gap in skill.
pub struct Regions {
    /// Region and skill of each player.
    pub players: Vec<(u8, f64)>,
}

impl CostOracle for Regions {
    fn vertices(&self) -> usize {
        self.players.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let ((here, a), (there, b)) = (self.players[i], self.players[j]);
        (here == there).then(|| (a - b).abs())
    }
}
