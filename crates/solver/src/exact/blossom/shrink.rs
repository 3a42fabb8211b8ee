//! An odd cycle of outer and inner nodes becomes a blossom.

use super::super::integer::{Integer, Overflow};
use super::Neighbours;
use super::forest::{Forest, Label, NONE};

impl<W: Integer> Forest<W> {
    /// The tight edge between the outer vertices `i` and `j` closes a cycle through the node at which their
    /// ways to the root meet. It becomes an outer blossom with dual 0, and its inner vertices, now outer,
    /// are scanned.
    pub(super) fn shrink(
        &mut self,
        graph: &impl Neighbours<W>,
        i: usize,
        j: usize,
        fresh: &mut Vec<usize>,
    ) -> Result<(), Overflow> {
        let meet = self.meeting_node(self.top(i), self.top(j));
        let blossom = self.take_unused();
        self.lay_cycle(blossom, meet, (i, j));
        self.base[blossom] = self.base[meet];
        self.parent[blossom] = NONE;
        let vertices = self.vertices();
        let children = std::mem::take(&mut self.cycles[blossom - vertices].children);
        self.join_groups(blossom, &children);
        for &child in &children {
            self.settle_blossom_dual(child)?;
            // Outer vertices keep their clock and were scanned.
            if self.label[child] == Label::Inner {
                let from = fresh.len();
                self.gather(child, fresh);
                // From the falling clock to the rising one: p = y - (now - since), then less now.
                for &v in &fresh[from..] {
                    self.dual[v] += self.since[child] - self.now.twice();
                }
                self.await_penalty(&fresh[from..]);
            }
            self.parent[child] = blossom;
        }
        self.cycles[blossom - vertices].children = children;
        self.label[blossom] = Label::Outer;
        self.since[blossom] = self.now;
        self.labelled.push(blossom);
        self.scan_all(graph, fresh);
        Ok(())
    }

    /// Puts all vertices within the children into the group of the largest.
    fn join_groups(&mut self, blossom: usize, children: &[usize]) {
        let largest = children.iter().copied().max_by_key(|&child| self.size[child]);
        let group = largest.map_or(0, |child| self.own_group[child]);
        for &child in children.iter().filter(|&&child| Some(child) != largest) {
            self.regroup(child, group);
        }
        self.own_group[blossom] = group;
        self.holder[group as usize] = blossom;
        self.size[blossom] = children.iter().map(|&child| self.size[child]).sum();
    }

    /// The outer node two steps nearer the root: over the mate of the base, and the edge by which that hangs.
    fn above(&self, outer: usize) -> Option<usize> {
        let mate = self.mate[self.base[outer]];
        (mate != NONE).then(|| self.top(self.entry[self.top(mate)].0))
    }

    /// The first node on the ways of both to the root. Walks both at once, so that the cost is the length
    /// of the cycle.
    fn meeting_node(&mut self, i: usize, j: usize) -> usize {
        let (mut ahead, mut behind) = (Some(i), Some(j));
        self.stack.clear();
        let meet = loop {
            if let Some(node) = ahead {
                if self.marked[node] {
                    break node;
                }
                self.marked[node] = true;
                self.stack.push(node);
                ahead = self.above(node);
            }
            std::mem::swap(&mut ahead, &mut behind);
        };
        for &node in &self.stack {
            self.marked[node] = false;
        }
        meet
    }

    /// Writes children and links: from the meeting node down to the node of `i`, over the edge to that of
    /// `j`, and up again.
    fn lay_cycle(&mut self, blossom: usize, meet: usize, (i, j): (usize, usize)) {
        let at = blossom - self.vertices();
        let mut cycle = std::mem::take(&mut self.cycles[at]);
        cycle.children.clear();
        cycle.links.clear();
        cycle.dual = W::ZERO;
        self.climb(self.top(i), meet, &mut cycle.children, &mut cycle.links);
        cycle.children.push(meet);
        cycle.children.reverse();
        cycle.links.reverse();
        for link in &mut cycle.links {
            *link = (link.1, link.0);
        }
        cycle.links.push((i, j));
        self.climb(self.top(j), meet, &mut cycle.children, &mut cycle.links);
        self.cycles[at] = cycle;
    }

    /// Appends the nodes from `node` up to, but without, `meet`, each with its edge to the next above.
    fn climb(&self, mut node: usize, meet: usize, nodes: &mut Vec<usize>, links: &mut Vec<(usize, usize)>) {
        while node != meet {
            let base = self.base[node];
            let inner = self.top(self.mate[base]);
            let (outer, own) = self.entry[inner];
            nodes.extend([node, inner]);
            links.extend([(base, self.mate[base]), (own, outer)]);
            node = self.top(outer);
        }
    }
}
