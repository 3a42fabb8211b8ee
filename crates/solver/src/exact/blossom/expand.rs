//! A blossom comes apart when it is inner and its dual is used up.

use std::cmp::Reverse;

use super::super::integer::{Integer, Overflow, within_limit};
use super::Neighbours;
use super::forest::{Event, Forest, Label};
use crate::read::short;

impl<W: Integer> Forest<W> {
    /// An inner blossom without dual gives way to its children: those on the even way round from where the
    /// tree enters to the base become inner and outer in turn, the others free.
    pub(super) fn expand(
        &mut self,
        graph: &impl Neighbours<W>,
        blossom: usize,
        fresh: &mut Vec<usize>,
    ) -> Result<(), Overflow> {
        let entry = self.entry[blossom];
        let place = self.place_of(entry.1, blossom);
        self.leave_inner_clock(blossom)?;
        let cycle = self.release(blossom);
        let mut outer = std::mem::take(&mut self.way);
        outer.clear();
        self.label_way(&cycle.children, &cycle.links, place, entry, &mut outer);
        for &child in &cycle.children {
            if self.label[child] == Label::Free {
                self.announce(child);
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

    /// Puts the vertices of a node that is free again on the list of those that the tree may reach.
    fn announce(&mut self, node: usize) {
        let mut leaves = std::mem::take(&mut self.leaves);
        leaves.clear();
        self.gather(node, &mut leaves);
        for &v in leaves.iter().filter(|&&v| self.reach[v] != W::FAR) {
            self.events.push(Reverse((self.reach[v], Event::Grow(short(v)))));
        }
        self.leaves = leaves;
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

    /// Writes the duals of an inner blossom's vertices as of now, and moves on the times at which they are
    /// reached, which stood still.
    fn leave_inner_clock(&mut self, blossom: usize) -> Result<(), Overflow> {
        let passed = self.now - self.since[blossom];
        if passed == W::ZERO {
            return Ok(());
        }
        let mut leaves = std::mem::take(&mut self.leaves);
        leaves.clear();
        self.gather(blossom, &mut leaves);
        for &v in &leaves {
            self.dual[v] = within_limit(self.dual[v] - passed)?;
            if self.reach[v] != W::FAR {
                self.reach[v] += passed;
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
