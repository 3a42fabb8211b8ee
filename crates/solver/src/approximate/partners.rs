//! The cheapest partners of every vertex.

use super::graph::{Graph, Row};
use super::nearest::Tree;
use crate::costs::Coordinates;
use crate::error::SolveError;
use crate::objective::Objective;

/// Finds the cheapest partners among the vertices that are free.
pub(super) struct Partners<'g> {
    pub(super) graph: &'g Graph<'g>,
    /// What is added to a weight: 0 for a vertex that is free, infinite for one that is not.
    barred: Vec<f64>,
    /// If costs are minimised and no less than distances.
    tree: Option<Tree<'g>>,
    buffer: Vec<f64>,
    minima: Vec<f64>,
}

/// The `limit` cheapest so far, ascending: (weight, vertex). Ties go by index.
pub(super) struct Shortlist<'l> {
    list: &'l mut Vec<(f64, u32)>,
    limit: usize,
}

impl Shortlist<'_> {
    /// Whether something of this weight, or more by a tie or rounding, would have a place.
    pub(super) fn may_take(&self, weight: f64) -> bool {
        const ROUNDING: f64 = 1.0 - 1e-12;
        self.list.len() < self.limit || self.list.last().is_some_and(|last| weight * ROUNDING <= last.0)
    }

    pub(super) fn offer(&mut self, weight: f64, vertex: u32) {
        // One zero of the two, so that they tie.
        let entry = (weight + 0.0, vertex);
        if self.list.len() >= self.limit {
            if self.list.last().is_none_or(|last| *last <= entry) {
                return;
            }
            self.list.pop();
        }
        let at = self.list.partition_point(|other| *other < entry);
        self.list.insert(at, entry);
    }
}

impl<'g> Partners<'g> {
    /// All vertices are free. O(n log n) if there are coordinates, else O(n).
    pub(super) fn new(graph: &'g Graph<'g>) -> Self {
        Self {
            graph,
            barred: vec![0.0; graph.vertices()],
            tree: points_of(graph).and_then(|points| {
                let vertices = u32::try_from(graph.vertices()).ok()?;
                Some(Tree::new(points, vertices))
            }),
            buffer: Vec::new(),
            minima: Vec::new(),
        }
    }

    pub(super) fn is_free(&self, i: usize) -> bool {
        self.barred[i] == 0.0
    }

    /// `i` is free no more. Once for each vertex.
    pub(super) fn take(&mut self, i: usize) {
        self.barred[i] = f64::INFINITY;
        if let Some(tree) = &mut self.tree {
            tree.remove(i);
        }
    }

    /// The `limit` cheapest free partners of `i`, ascending; all of them if they are fewer. O(n), O(degree),
    /// or O(log n) in practice with coordinates; to which each that is on the list for a while adds
    /// O(`limit`).
    ///
    /// # Errors
    /// What is read breaks the oracle's contract.
    pub(super) fn cheapest(
        &mut self,
        i: usize,
        limit: usize,
        list: &mut Vec<(f64, u32)>,
    ) -> Result<(), SolveError> {
        list.clear();
        if let Some(tree) = &self.tree {
            let mut shortlist = Shortlist { list, limit };
            return tree.search(self.graph, &self.barred, i, &mut shortlist);
        }
        let sign = self.graph.objective.as_minimum(1.0);
        match self.graph.row(i, &mut self.buffer)? {
            Row::Dense(row) => select(row, &self.barred, sign, limit, &mut self.minima, list),
            Row::Sparse(row) => {
                let free = row.iter().filter(|&&(j, _)| self.barred[j as usize] == 0.0);
                list.extend(free.map(|&(j, cost)| (sign * cost + 0.0, j)));
            }
        }
        keep_smallest(limit, list);
        Ok(())
    }
}

/// Adds those of a row to the list that are among its `limit` smallest weights, and perhaps a few more:
/// `sign` times the cost plus what bars the vertex.
///
/// The row is dealt out to groups of eight or so; at least `limit` of their minima, hence of the weights, are
/// no larger than the one that comes in that place among them.
fn select(
    row: &[f64],
    barred: &[f64],
    sign: f64,
    limit: usize,
    minima: &mut Vec<f64>,
    list: &mut Vec<(f64, u32)>,
) {
    /// So many at once, which compilers turn into vector instructions.
    const LANES: usize = 8;
    minima.clear();
    for (row, barred) in row.chunks(LANES * LANES).zip(barred.chunks(LANES * LANES)) {
        let (costs, costs_left) = row.as_chunks::<LANES>();
        let (bars, bars_left) = barred.as_chunks::<LANES>();
        let mut least = [f64::INFINITY; LANES];
        for (costs, bars) in costs.iter().zip(bars) {
            for lane in 0..LANES {
                let weight = sign * costs[lane] + bars[lane];
                // False for NaN, a forbidden pair.
                least[lane] = if weight < least[lane] { weight } else { least[lane] };
            }
        }
        for ((cost, bar), least) in costs_left.iter().zip(bars_left).zip(&mut least) {
            *least = (sign * cost + bar).min(*least);
        }
        minima.extend(least);
    }
    let enough = if minima.len() > limit {
        *minima.select_nth_unstable_by(limit - 1, f64::total_cmp).1
    } else {
        f64::INFINITY
    };
    let mut first = 0;
    for (costs, bars) in row.chunks(LANES).zip(barred.chunks(LANES)) {
        let both = costs.iter().zip(bars);
        let small = both.clone().map(|(cost, bar)| sign * cost + bar <= enough);
        if small.fold(false, |some, small| some | small) {
            for (j, (cost, bar)) in (first..).zip(both) {
                let weight = sign * cost + bar;
                if weight <= enough && weight < f64::INFINITY {
                    // One zero of the two, so that they tie.
                    list.push((weight + 0.0, j));
                }
            }
        }
        first += 8;
    }
}

/// Ascending, ties by the vertex.
fn keep_smallest(limit: usize, list: &mut Vec<(f64, u32)>) {
    let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    if list.len() > limit {
        list.select_nth_unstable_by(limit - 1, order);
        list.truncate(limit);
    }
    list.sort_unstable_by(order);
}

/// The coordinates, if they help and are what they should be.
fn points_of<'g>(graph: &Graph<'g>) -> Option<Coordinates<'g>> {
    let points = graph.costs.coordinates()?;
    let sized =
        points.dimensions > 0 && points.values.len() == graph.vertices().checked_mul(points.dimensions)?;
    let usable = graph.objective == Objective::Minimize && sized;
    (usable && points.values.iter().all(|x| x.is_finite())).then_some(points)
}

/// The cheapest partners of every vertex: at most `limit` each, ascending.
pub(super) struct Lists {
    pub(super) limit: usize,
    starts: Vec<usize>,
    entries: Vec<(f64, u32)>,
}

impl Lists {
    /// Of and among the free vertices; the others' lists are empty. A limit of 0 counts as 1.
    pub(super) fn new(partners: &mut Partners<'_>, limit: usize) -> Result<Self, SolveError> {
        let limit = limit.max(1);
        let mut lists = Self {
            limit,
            starts: vec![0],
            entries: Vec::new(),
        };
        let mut list = Vec::new();
        for i in 0..partners.barred.len() {
            if partners.is_free(i) {
                partners.cheapest(i, limit, &mut list)?;
                lists.entries.extend_from_slice(&list);
            }
            lists.starts.push(lists.entries.len());
        }
        Ok(lists)
    }

    pub(super) fn of(&self, i: usize) -> &[(f64, u32)] {
        &self.entries[self.starts[i]..self.starts[i + 1]]
    }
}
