//! The root gets matched: pairs shift along the tree, and around blossoms on the way.

use super::super::integer::Integer;
use super::forest::{Forest, NONE};

impl<W: Integer> Forest<W> {
    /// Matches the outer vertex `outer` with the vertex `other` of a free node without a mate, and shifts
    /// the pairs on the way to the root.
    pub(super) fn augment(&mut self, outer: usize, other: usize) {
        self.rebase(self.top(other), other);
        self.mate[other] = outer;
        self.shift(outer, other);
    }

    /// Leaves the outer vertex `outer` unmatched instead of the root.
    pub(super) fn retire(&mut self, outer: usize) {
        self.shift(outer, outer);
    }

    /// Gives the outer vertex `own` a new partner, its own partner the next outer vertex, and so on to the root.
    fn shift(&mut self, mut own: usize, mut partner: usize) {
        loop {
            let node = self.top(own);
            let left = self.mate[self.base[node]];
            self.rebase(node, own);
            self.mate[own] = partner;
            if left == NONE {
                return;
            }
            let inner = self.top(left);
            let (above, entered) = self.entry[inner];
            self.rebase(inner, entered);
            self.mate[entered] = above;
            (own, partner) = (above, entered);
        }
    }

    /// Makes `v` the base of `node`: shifts the pairs inside by one along the even way round from the child
    /// with `v` to the old base. In nested blossoms as well, from a list rather than by recursion.
    pub(super) fn rebase(&mut self, node: usize, v: usize) {
        let vertices = self.vertices();
        let mut tasks = std::mem::take(&mut self.rebased);
        tasks.push((node, v));
        while let Some((node, v)) = tasks.pop() {
            self.base[node] = v;
            if node < vertices {
                continue;
            }
            let place = self.place_of(v, node);
            let cycle = &mut self.cycles[node - vertices];
            cycle.children.rotate_left(place);
            cycle.links.rotate_left(place);
            tasks.push((cycle.children[0], v));
            // Places as of now: the base child is at 0, so 1 and 2, 3 and 4, ... are to be pairs. Those on
            // the other way are already.
            let length = cycle.children.len();
            let shifted = if place % 2 == 1 {
                1..length - place
            } else {
                length - place..length
            };
            for k in shifted.step_by(2) {
                let (a, b) = cycle.links[k];
                (self.mate[a], self.mate[b]) = (b, a);
                tasks.push((cycle.children[k], a));
                tasks.push((cycle.children[k + 1], b));
            }
        }
        self.rebased = tasks;
    }
}
