//! Blossoms are taken apart between searches: where a new edge, or another weight, makes a dual too high.

use super::super::integer::{Integer, Overflow, within_limit};
use super::forest::{Forest, Label, NONE};

impl<W: Integer> Forest<W> {
    /// Takes all blossoms around a vertex apart and exposes it, between searches. Other vertices may be left
    /// exposed as well: `loose` gets them.
    ///
    /// No slack falls: where a blossom with the dual z goes, each of its vertices gives z / 2, so that edges
    /// inside keep their slack and edges across gain. So the edge from its base is no longer tight, unless z
    /// was 0, and its two ends part. O(vertices in the outermost blossom), however deep the nest.
    pub(in super::super) fn set_free(&mut self, v: usize) -> Result<(), Overflow> {
        let mut way = std::mem::take(&mut self.way);
        way.clear();
        way.push(v);
        while self.parent[way[way.len() - 1]] != NONE {
            way.push(self.parent[way[way.len() - 1]]);
        }
        // What the vertices give that are in all of the blossoms so far.
        let mut share = W::ZERO;
        let mut leaves = std::mem::take(&mut self.leaves);
        for step in way.windows(2).rev() {
            let (next, blossom) = (step[0], step[1]);
            let own = self.inside(blossom).dual.half();
            if own > W::ZERO {
                self.part(self.base[blossom]);
            }
            share += own;
            for at in 0..self.inside(blossom).children.len() {
                let child = self.inside(blossom).children[at];
                self.parent[child] = NONE;
                self.label[child] = Label::Free;
                self.holder[self.own_group[child] as usize] = child;
                if child == next {
                    continue;
                }
                leaves.clear();
                self.gather(child, &mut leaves);
                for &leaf in &leaves {
                    self.dual[leaf] = within_limit(self.dual[leaf] - share)?;
                    self.group[leaf] = self.own_group[child];
                }
            }
            self.label[blossom] = Label::Free;
            self.unused.push(blossom);
            let cycle = self.take_cycle(blossom);
            self.recycle(blossom, cycle);
        }
        (self.way, self.leaves) = (way, leaves);
        self.dual[v] = within_limit(self.dual[v] - share)?;
        self.group[v] = self.own_group[v];
        self.part(v);
        Ok(())
    }

    /// Lowers the dual of a vertex, between searches: of one that [`set_free`](Self::set_free) has exposed, or for a
    /// bound alone.
    pub(in super::super) fn lower(&mut self, v: usize, amount: W) -> Result<(), Overflow> {
        self.dual[v] = within_limit(self.dual[v] - amount)?;
        Ok(())
    }

    /// Exposes `v` and its partner.
    fn part(&mut self, v: usize) {
        let mate = std::mem::replace(&mut self.mate[v], NONE);
        if mate == v {
            self.loose.push(v);
        } else if mate != NONE {
            self.mate[mate] = NONE;
            // The last is looked at first: a choice there finds the way to the other.
            self.loose.extend([mate, v]);
        }
    }
}
