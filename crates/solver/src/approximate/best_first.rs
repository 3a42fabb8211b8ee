//! The best pair first, without a sort of all pairs.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::FREE;
use super::graph::Graph;
use super::partners::{Lists, Partners};
use crate::costs::{CostOracle, Counted};
use crate::error::SolveError;
use crate::limits::Meter;
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::solver::Workspace;

/// How many partners are found at a time.
pub(super) const AT_A_TIME: usize = 8;

/// The pairing of the best pair first.
///
/// # Errors
/// [`SolveError::DeadEnd`]; [`SolveError::Limited`]; or the oracle breaks its contract.
pub(crate) fn best_first(
    workspace: &mut Workspace,
    costs: &Counted<'_>,
    objective: Objective,
    meter: &Meter<'_>,
) -> Result<Pairing, SolveError> {
    let vertices = costs.vertices();
    let graph = Graph::open(costs, objective, workspace)?;
    let mut partners = Partners::new(&graph, meter);
    let lists = Lists::new(&mut partners, AT_A_TIME)?;
    let mut mates = vec![FREE; vertices];
    pair_best_first(&mut partners, &lists, &mut mates)?;
    let unplaced: Vec<_> = (0..vertices).filter(|&i| mates[i] == FREE).collect();
    if unplaced.is_empty() {
        graph.finish(mates)
    } else {
        Err(SolveError::DeadEnd { unplaced })
    }
}

/// The best pair that a vertex can hope for: by weight, then by its vertices.
#[derive(PartialEq)]
struct Offer {
    weight: f64,
    /// The smaller vertex, then the larger.
    pair: (usize, usize),
    from: usize,
}

impl Eq for Offer {}

impl Ord for Offer {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_weight = self.weight.total_cmp(&other.weight);
        by_weight.then_with(|| (self.pair, self.from).cmp(&(other.pair, other.from)))
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Where a vertex is in its list of partners.
#[derive(Default, Clone)]
struct Cursor {
    at: usize,
    /// A later list, once the first is used up.
    own: Vec<(f64, u32)>,
    renewed: bool,
}

/// Pairs the lightest pair of free vertices until no two may be paired, ties by the smaller, then the larger
/// vertex; those who find nobody stay free.
///
/// Every free vertex keeps an offer no heavier than its best pair in a heap. The lightest offer is a pair to
/// take, unless its partner is gone: then the vertex offers its next best. When its list is used up, it looks
/// for more among those who are free by then, which few do, and late. `lists` are of the free vertices. In
/// practice O(n log n) beside some n calls of [`Partners::cheapest`].
pub(super) fn pair_best_first(
    partners: &mut Partners<'_>,
    lists: &Lists,
    mates: &mut [usize],
) -> Result<(), SolveError> {
    let mut cursors = vec![Cursor::default(); mates.len()];
    let mut offers = BinaryHeap::with_capacity(mates.len());
    for i in (0..mates.len()).filter(|&i| mates[i] == FREE) {
        offers.extend(next_offer(i, partners, lists, &mut cursors[i])?.map(Reverse));
    }
    while let Some(Reverse(Offer { pair, from, .. })) = offers.pop() {
        let partner = if pair.0 == from { pair.1 } else { pair.0 };
        if !partners.is_free(from) {
            continue;
        }
        if partners.is_free(partner) {
            (mates[from], mates[partner]) = (partner, from);
            partners.take(from);
            partners.take(partner);
        } else {
            offers.extend(next_offer(from, partners, lists, &mut cursors[from])?.map(Reverse));
        }
    }
    Ok(())
}

/// The lightest pair of `i` with a free vertex that it has not offered yet.
fn next_offer(
    i: usize,
    partners: &mut Partners<'_>,
    lists: &Lists,
    cursor: &mut Cursor,
) -> Result<Option<Offer>, SolveError> {
    loop {
        let list = if cursor.renewed {
            cursor.own.as_slice()
        } else {
            lists.of(i)
        };
        let found = list[cursor.at.min(list.len())..]
            .iter()
            .position(|&(_, j)| partners.is_free(j as usize));
        if let Some(skipped) = found {
            let (weight, j) = list[cursor.at + skipped];
            cursor.at += skipped + 1;
            let j = j as usize;
            return Ok(Some(Offer {
                weight,
                pair: (i.min(j), i.max(j)),
                from: i,
            }));
        }
        // A list that is not full holds all who were free.
        if list.len() < lists.limit {
            return Ok(None);
        }
        partners.cheapest(i, lists.limit, &mut cursor.own)?;
        (cursor.at, cursor.renewed) = (0, true);
    }
}
