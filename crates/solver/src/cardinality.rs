//! Maximum cardinality: how many vertices can be matched at all, and the barrier that proves it.
//!
//! Alternating trees grow from one unmatched vertex after the other, in breadth, with blossoms as disjoint sets. A tree
//! without an augmenting path is frozen: no later tree needs its vertices. The inner vertices of frozen trees are the
//! barrier: without them the outer vertices of each frozen tree fall apart into one odd component more than the tree
//! has inner vertices.
//!
//! Edmonds, "Paths, trees, and flowers", Canad. J. Math. 17 (1965), doi:10.4153/CJM-1965-045-4; disjoint sets as in
//! Gabow, "An efficient implementation of Edmonds' algorithm for maximum matching on graphs", J. ACM 23 (1976),
//! doi:10.1145/321941.321942.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use crate::costs::{CostOracle, Counted};
use crate::error::{Barrier, SolveError};
use crate::limits::{Limits, Meter, Progress};

/// No partner.
const NONE: usize = usize::MAX;

/// Rows are read in pieces of this length, since a search often ends early in a row.
const PIECE: usize = 512;

/// Why no matching leaves fewer vertices unmatched than the barrier's `unplaced`, which are those of one maximum
/// matching. Costs do not matter, only which pairs are allowed.
///
/// The unit of work is a row or list of neighbours that is looked along. At most O(n^2) of them, near n in practice;
/// memory O(n) beside the oracle's.
///
/// ```
/// use matchwright_solver::{Limits, SparseCosts, maximum_cardinality_barrier};
///
/// let star = SparseCosts::from_edges(4, [(0, 1, 5.0), (0, 2, 5.0), (0, 3, 6.0)])?;
/// let barrier = maximum_cardinality_barrier(&star, &Limits::unlimited())?;
/// assert_eq!((barrier.vertices, barrier.odd_components, barrier.unplaced.len()), (vec![0], 3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SolveError::Limited`] at a limit; [`SolveError::BadNeighbour`], [`SolveError::TooManyVertices`].
pub fn maximum_cardinality_barrier(
    costs: &dyn CostOracle,
    limits: &Limits<'_>,
) -> Result<Barrier, SolveError> {
    Ok(maximum_matching(&Counted::new(costs)?, &Meter::new(*limits))?.1)
}

/// A maximum matching from scratch: `usize::MAX` for a vertex without a partner.
pub(crate) fn maximum_matching(
    costs: &dyn CostOracle,
    meter: &Meter<'_>,
) -> Result<(Vec<usize>, Barrier), SolveError> {
    let mut mates = vec![NONE; costs.vertices()];
    match_greedily(costs, &mut mates, meter)?;
    let barrier = maximise(costs, &mut mates, meter)?;
    Ok((mates, barrier))
}

/// Makes a matching maximum by augmenting paths, which keep its matched vertices matched.
pub(crate) fn maximise(
    costs: &dyn CostOracle,
    mates: &mut [usize],
    meter: &Meter<'_>,
) -> Result<Barrier, SolveError> {
    let n = mates.len();
    let mut search = Search {
        costs,
        label: vec![Label::Free; n],
        via: vec![NONE; n],
        set: (0..n).collect(),
        base: (0..n).collect(),
        size: vec![1; n],
        stamp: vec![0; n],
        time: 0,
        touched: Vec::new(),
        queue: VecDeque::new(),
        absorbed: Vec::new(),
        alive: n,
        mates,
    };
    let mut barrier = Barrier {
        vertices: Vec::new(),
        odd_components: 0,
        unplaced: Vec::new(),
    };
    for root in 0..n {
        if search.mates[root] != NONE || search.label[root] != Label::Free {
            continue;
        }
        if search.grow(root, meter)? {
            search.reset();
        } else {
            search.freeze(&mut barrier.vertices);
            barrier.unplaced.push(root);
        }
    }
    barrier.vertices.sort_unstable();
    barrier.odd_components = barrier.vertices.len() + barrier.unplaced.len();
    Ok(barrier)
}

/// Each vertex in turn takes the first neighbour that is free, from its own number on.
fn match_greedily(costs: &dyn CostOracle, mates: &mut [usize], meter: &Meter<'_>) -> Result<(), SolveError> {
    for i in 0..mates.len() {
        if mates[i] == NONE {
            meter.spend(1)?;
            visit(costs, i, mates.len(), |j| {
                if mates[j] != NONE {
                    return ControlFlow::Continue(());
                }
                (mates[i], mates[j]) = (j, i);
                ControlFlow::Break(())
            })?;
        }
    }
    Ok(())
}

/// Visits the neighbours of a vertex until told to stop.
fn visit(
    costs: &dyn CostOracle,
    i: usize,
    vertices: usize,
    mut visit: impl FnMut(usize) -> ControlFlow<()>,
) -> Result<(), SolveError> {
    let mut flow = ControlFlow::Continue(());
    if costs.is_sparse() {
        let mut outcome = Ok(());
        costs.for_each_neighbour(i, &mut |j, _| {
            if j >= vertices || j == i {
                outcome = Err(SolveError::BadNeighbour { i, j, vertices });
            } else if flow.is_continue() {
                flow = visit(j);
            }
        });
        return outcome;
    }
    let mut piece = [f64::NAN; PIECE];
    // From the own number on, then from 0.
    let (own, pieces) = (i / PIECE, vertices.div_ceil(PIECE));
    for from in (own..pieces).chain(0..own).map(|k| k * PIECE) {
        let row = &mut piece[..PIECE.min(vertices - from)];
        costs.cost_row(i, from, row);
        for (j, cost) in (from..).zip(&*row) {
            if j != i && !cost.is_nan() && flow.is_continue() {
                flow = visit(j);
            }
        }
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    /// In no tree.
    Free,
    /// At an even distance from the root.
    Outer,
    /// At an odd distance.
    Inner,
    /// In a tree that found no augmenting path.
    Frozen,
}

/// One alternating tree after the other.
struct Search<'a, 'm> {
    costs: &'a dyn CostOracle,
    mates: &'m mut [usize],
    label: Vec<Label>,
    /// Of an inner vertex, the outer one that reached it; of one in a blossom, the next on the way round to the base.
    via: Vec<usize>,
    /// Blossoms as disjoint sets: the parent in the set's tree; of each root, the blossom's base and size.
    set: Vec<usize>,
    base: Vec<usize>,
    size: Vec<usize>,
    /// When a base was last passed on the way to the root.
    stamp: Vec<u32>,
    time: u32,
    touched: Vec<usize>,
    queue: VecDeque<usize>,
    /// Scratch: vertices on the cycle that becomes a blossom.
    absorbed: Vec<usize>,
    /// How many vertices are not frozen.
    alive: usize,
}

impl Search<'_, '_> {
    /// Grows a tree; true if it found an augmenting path and the root is matched.
    fn grow(&mut self, root: usize, meter: &Meter<'_>) -> Result<bool, SolveError> {
        let costs = self.costs;
        self.label[root] = Label::Outer;
        self.touched.push(root);
        self.queue.clear();
        self.queue.push_back(root);
        while let Some(v) = self.queue.pop_front() {
            let set = self.find(v);
            if self.size[set] == self.alive {
                return Ok(false);
            }
            meter.spend(1)?;
            meter.check(Progress::new("maximum cardinality"))?;
            let mut end = None;
            visit(costs, v, self.mates.len(), |w| {
                if self.look(v, w) {
                    end = Some(w);
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            })?;
            if let Some(end) = end {
                self.augment(end);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks at the edge from the outer vertex `v` to `w`; true if `w` ends an augmenting path.
    fn look(&mut self, v: usize, w: usize) -> bool {
        match self.label[w] {
            Label::Free => {
                self.via[w] = v;
                self.touched.push(w);
                let mate = self.mates[w];
                if mate == NONE {
                    return true;
                }
                (self.label[w], self.label[mate]) = (Label::Inner, Label::Outer);
                self.touched.push(mate);
                self.queue.push_back(mate);
            }
            Label::Outer => {
                if self.find(v) != self.find(w) {
                    self.shrink(v, w);
                }
            }
            Label::Inner | Label::Frozen => {}
        }
        false
    }

    /// The representative of a vertex's set.
    fn find(&mut self, v: usize) -> usize {
        let mut root = v;
        while self.set[root] != root {
            // Each looks two steps ahead, so that the next walk is half as long.
            self.set[root] = self.set[self.set[root]];
            root = self.set[root];
        }
        root
    }

    fn base_of(&mut self, v: usize) -> usize {
        let set = self.find(v);
        self.base[set]
    }

    /// The base of the next outer node towards the root.
    fn above(&mut self, base: usize) -> Option<usize> {
        let mate = self.mates[base];
        (mate != NONE).then(|| self.base_of(self.via[mate]))
    }

    /// The edge between the outer vertices `a` and `b` closes an odd cycle: it becomes a blossom.
    fn shrink(&mut self, a: usize, b: usize) {
        let (mut ahead, mut behind) = (Some(self.base_of(a)), Some(self.base_of(b)));
        self.time += 1;
        let meet = loop {
            if let Some(base) = ahead {
                if self.stamp[base] == self.time {
                    break base;
                }
                self.stamp[base] = self.time;
                ahead = self.above(base);
            }
            std::mem::swap(&mut ahead, &mut behind);
        };
        self.turn(a, b, meet);
        self.turn(b, a, meet);
        let absorbed = std::mem::take(&mut self.absorbed);
        for &v in &absorbed {
            if self.label[v] == Label::Inner {
                self.label[v] = Label::Outer;
                self.queue.push_back(v);
            }
            self.join(meet, v);
        }
        let set = self.find(meet);
        self.base[set] = meet;
        self.absorbed = absorbed;
        self.absorbed.clear();
    }

    /// From `v` to the meeting node: vertices get the way over the edge that closed the cycle.
    fn turn(&mut self, mut v: usize, mut child: usize, meet: usize) {
        while self.base_of(v) != meet {
            let mate = self.mates[v];
            self.absorbed.extend([v, mate]);
            self.via[v] = child;
            (child, v) = (mate, self.via[mate]);
        }
    }

    fn join(&mut self, a: usize, b: usize) {
        let (mut large, mut small) = (self.find(a), self.find(b));
        if large != small {
            if self.size[large] < self.size[small] {
                std::mem::swap(&mut large, &mut small);
            }
            self.set[small] = large;
            self.size[large] += self.size[small];
        }
    }

    fn augment(&mut self, end: usize) {
        let mut v = end;
        while v != NONE {
            let before = self.via[v];
            let next = self.mates[before];
            (self.mates[v], self.mates[before]) = (before, v);
            v = next;
        }
    }

    /// Takes all labels and blossoms away.
    fn reset(&mut self) {
        for v in self.touched.drain(..) {
            self.label[v] = Label::Free;
            (self.set[v], self.base[v], self.size[v]) = (v, v, 1);
        }
    }

    /// Takes the tree out of the graph. Its inner vertices belong to the barrier.
    fn freeze(&mut self, barrier: &mut Vec<usize>) {
        self.alive -= self.touched.len();
        for v in self.touched.drain(..) {
            if self.label[v] == Label::Inner {
                barrier.push(v);
            }
            self.label[v] = Label::Frozen;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::{DenseCosts, SparseCosts};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn completed(n: usize, edges: &[(usize, usize)], mates: &[usize]) -> (Vec<usize>, Barrier) {
        let costs = SparseCosts::from_edges(n, edges.iter().map(|&(i, j)| (i, j, 1.0))).unwrap();
        let mut mates = mates.to_vec();
        let barrier = maximise(&costs, &mut mates, &Meter::default()).unwrap();
        (mates, barrier)
    }

    #[test]
    fn a_path_is_turned_over() {
        let path = [(0, 1), (1, 2), (2, 3)];
        assert_eq!(completed(4, &path, &[NONE, 2, 1, NONE]).0, [1, 0, 3, 2]);
    }

    #[test]
    fn a_blossom_is_passed_on_the_side_that_fits() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 2), (3, 7)];
        let mates = [NONE, 2, 1, 4, 3, 6, 5, NONE];
        assert_eq!(completed(8, &edges, &mates).0, [1, 0, 6, 7, 5, 4, 2, 3]);
    }

    #[test]
    fn a_star_is_its_own_barrier() {
        let (_, barrier) = completed(6, &[(0, 1), (0, 2), (0, 3), (4, 5)], &[NONE; 6]);
        assert_eq!((barrier.vertices, barrier.odd_components), (vec![0], 3));
        assert_eq!(barrier.unplaced, [2, 3]);
    }

    /// Tutte and Berge: a matching and a barrier that leave the same number prove each other.
    #[test]
    fn the_barrier_leaves_as_many_as_the_matching() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for round in 0..2000 {
            let n = rng.random_range(1..40);
            let density = [0.03, 0.06, 0.1, 0.3][round % 4];
            let costs =
                DenseCosts::from_optional_fn(n, |_, _| rng.random_bool(density).then_some(1.0)).unwrap();
            let (mates, barrier) = maximum_matching(&costs, &Meter::default()).unwrap();
            let unmatched: Vec<_> = (0..n).filter(|&i| mates[i] == NONE).collect();
            assert_eq!(barrier.unplaced, unmatched);
            for (i, &j) in mates.iter().enumerate().filter(|(_, j)| **j != NONE) {
                assert!(mates[j] == i && costs.cost(i, j).is_some());
            }
            assert_eq!(odd_components(&costs, &barrier.vertices), barrier.odd_components);
        }
    }

    fn odd_components(costs: &DenseCosts, removed: &[usize]) -> usize {
        let n = costs.vertices();
        let mut seen: Vec<_> = (0..n).map(|v| removed.contains(&v)).collect();
        let mut odd = 0;
        for root in 0..n {
            let (mut stack, mut size) = (vec![root], 0);
            while let Some(v) = stack.pop() {
                if !std::mem::replace(&mut seen[v], true) {
                    size += 1;
                    stack.extend((0..n).filter(|&w| w != v && costs.cost(v, w).is_some()));
                }
            }
            odd += size % 2;
        }
        odd
    }

    #[test]
    fn limits_end_the_search() {
        let costs = DenseCosts::from_fn(101, |_, _| 1.0).unwrap();
        let error = maximum_cardinality_barrier(&costs, &Limits::unlimited().with_work(30)).unwrap_err();
        assert_eq!(
            error,
            SolveError::Limited {
                status: crate::Status::WorkLimit
            }
        );
    }
}
