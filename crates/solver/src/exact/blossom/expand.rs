//! A blossom comes apart when it is inner and its dual is used up.

use std::cmp::Reverse;

use super::super::integer::{Integer, Overflow, within_limit};
use super::Neighbours;
use super::forest::{Event, Forest, Label};
use crate::read::short;

impl<W: Integer> Forest<W> {
    /// An inner blossom without dual gives way to its children: those on the even way round from where the
    /// tree enters to the base become inner and outer in turn, the others free.
    ///
    /// A child that stays inner stays on the clock of the blossom, so that only the vertices of the others are visited.
    pub(super) fn expand(
        &mut self,
        graph: &impl Neighbours<W>,
        blossom: usize,
        fresh: &mut Vec<usize>,
    ) -> Result<(), Overflow> {
        let entry = self.entry[blossom];
        let place = self.place_of(entry.1, blossom);
        let since = self.since[blossom];
        let cycle = self.release(blossom);
        let mut outer = std::mem::take(&mut self.way);
        outer.clear();
        self.label_way(&cycle.children, &cycle.links, place, entry, &mut outer);
        for &child in &cycle.children {
            if self.label[child] == Label::Inner {
                self.stay_inner(child, since)?;
            } else {
                self.leave_inner_clock(child, since)?;
            }
        }
        self.recycle(blossom, cycle);
        // All labels first, then the scans, so that new outer nodes see each other.
        for &node in &outer {
            self.make_outer(node, fresh);
        }
        self.way = outer;
        self.scan_all(graph, fresh);
        Ok(())
    }

    /// The place among the blossom's children of the one that holds the vertex `v`.
    pub(super) fn place_of(&self, v: usize, blossom: usize) -> usize {
        let mut child = v;
        while self.parent[child] != blossom {
            child = self.parent[child];
        }
        let children = &self.cycles[blossom - self.vertices()].children;
        children.iter().position(|&other| other == child).unwrap_or(0)
    }

    /// Leaves a child of an inner blossom on the clock on which it has been from `since` on; its own dual falls from now on.
    fn stay_inner(&mut self, child: usize, since: W) -> Result<(), Overflow> {
        let passed = self.now - since;
        self.since[child] = since;
        if let Some(cycle) = self.cycle(child) {
            cycle.dual = within_limit(cycle.dual + passed.twice())?;
        }
        Ok(())
    }

    /// Writes the duals of the vertices of a node that was inner from `since` on, moves on the times at which they are
    /// reached, which stood still, and puts those reached on the list of what the tree may grow to.
    fn leave_inner_clock(&mut self, node: usize, since: W) -> Result<(), Overflow> {
        let passed = self.now - since;
        let mut leaves = std::mem::take(&mut self.leaves);
        leaves.clear();
        self.gather(node, &mut leaves);
        for &v in &leaves {
            self.dual[v] = within_limit(self.dual[v] - passed)?;
            if self.reach[v] != W::FAR {
                self.reach[v] += passed;
                self.events.push(Reverse((self.reach[v], Event::Grow(short(v)))));
            }
        }
        self.leaves = leaves;
        Ok(())
    }

    /// Labels the children inner on the even way from `place` to the base at place 0, and lists those
    /// between, which are to be outer.
    fn label_way(
        &mut self,
        children: &[usize],
        links: &[(usize, usize)],
        place: usize,
        entry: (usize, usize),
        outer: &mut Vec<usize>,
    ) {
        let length = children.len();
        // An odd place is matched with the next, an even one with the one before.
        let forward = place % 2 == 1;
        let (mut at, mut entry) = (place, entry);
        self.make_inner(children[at], entry);
        while at != 0 {
            let middle = if forward { at + 1 } else { at - 1 };
            outer.push(children[middle]);
            (at, entry) = if forward {
                ((middle + 1) % length, links[middle])
            } else {
                (middle - 1, (links[middle - 1].1, links[middle - 1].0))
            };
            self.make_inner(children[at], entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{ExactPairing, PairingSolver, SparseCosts, Workspace};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A square grid with one diagonal in each cell, and random weights.
    fn triangulated(side: usize) -> SparseCosts {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let cells = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        let edges = cells.flat_map(|(x, y)| {
            let here = y * side + x;
            let (right, below) = (x + 1 < side, y + 1 < side);
            [(right, 1), (below, side), (right && below, side + 1)]
                .into_iter()
                .filter_map(move |(is_there, step)| is_there.then_some((here, here + step)))
        });
        let edges: Vec<_> = edges
            .map(|(i, j)| (i, j, f64::from(rng.random_range(1..1_000_000_u32))))
            .collect();
        SparseCosts::from_edges(side * side, edges).unwrap()
    }

    fn steps(side: usize) -> u64 {
        let mut workspace = Workspace::new();
        ExactPairing::minimum()
            .solve_in(&mut workspace, &triangulated(side), &crate::Limits::unlimited())
            .unwrap();
        workspace.exact.narrow.forest.steps
    }

    #[test]
    fn the_work_of_planar_graphs_grows_little_faster_than_they_do() {
        let (small, large) = (steps(40), steps(160));
        assert!(small > 1_000, "{small}");
        // 16 times the vertices: 20 times the work, or 47 if children that stay inner are visited.
        assert!(large < 30 * small, "{small} {large}");
    }
}
