//! The blossoms with a positive dual as nested intervals: which hold two vertices, and what are their duals in sum.
//!
//! On smooth costs blossoms nest hundreds deep, so that walking up from both vertices would cost more than all the
//! rest. In the order of a walk through the nest every blossom is an interval. Of the innermost blossoms that hold
//! two vertices next to each other in that order, the outermost between two places is the innermost that holds both:
//! a minimum over a range, read off a table of the minima over all ranges of 2, 4, 8, ... places.
//!
//! Bender and Farach-Colton, "The LCA problem revisited", LATIN 2000, `doi:10.1007/10719839_9`.

use super::blossom::{Forest, NONE, short};
use super::integer::Integer;

/// A blossom with a positive dual.
#[derive(Debug, Clone, Copy)]
struct Set<W> {
    /// Its vertices' places: from `first` to below `end`.
    first: u32,
    end: u32,
    /// The set directly around.
    around: u32,
    /// The sum of the duals from the outermost set down to this one.
    sum: W,
    /// The vertex that is not matched inside.
    base: usize,
}

/// The nest of a forest, between searches. Sets are numbered from 1, outer ones before those inside; 0 is the set of
/// all vertices.
#[derive(Debug, Default)]
pub(super) struct Nesting<W> {
    sets: Vec<Set<W>>,
    /// Of each vertex: its place in the order of the walk, and the innermost set around.
    place: Vec<u32>,
    innermost: Vec<u32>,
    /// Row k: for each place, the outermost set that is innermost around a place and the next, of the next 2^k.
    table: Vec<Vec<u32>>,
    /// The sets directly inside each, by their places, and where each list begins.
    inside: Vec<u32>,
    starts: Vec<u32>,
    stack: Vec<(usize, u32)>,
}

impl<W: Integer> Nesting<W> {
    /// Reads the blossoms of a forest. O(n log n), or O(n) if there are none.
    pub(super) fn read(&mut self, forest: &Forest<W>) {
        let vertices = forest.vertices();
        self.sets.clear();
        self.sets.push(Set {
            first: 0,
            end: short(vertices),
            around: 0,
            sum: W::ZERO,
            base: NONE,
        });
        self.place.clear();
        self.place.resize(vertices, 0);
        self.innermost.clear();
        self.innermost.resize(vertices, 0);
        let mut order = std::mem::take(&mut self.inside);
        order.clear();
        for node in 0..forest.parent.len() {
            if forest.parent[node] == NONE && forest.is_in_use(node) {
                self.walk(forest, node, &mut order);
            }
        }
        // So far each set ends where its own vertices do.
        for k in (1..self.sets.len()).rev() {
            let Set { around, end, .. } = self.sets[k];
            let outer = &mut self.sets[around as usize];
            outer.end = outer.end.max(end);
        }
        if self.sets.len() > 1 {
            self.tabulate(&order);
        }
        self.inside = order;
        self.list_children();
    }

    /// Lays out everything within a top node.
    fn walk(&mut self, forest: &Forest<W>, top: usize, order: &mut Vec<u32>) {
        let vertices = forest.vertices();
        self.stack.clear();
        self.stack.push((top, 0));
        while let Some((node, around)) = self.stack.pop() {
            let place = short(order.len());
            if node < vertices {
                self.place[node] = place;
                self.innermost[node] = around;
                order.push(short(node));
                let set = &mut self.sets[around as usize];
                set.end = set.end.max(place + 1);
                continue;
            }
            let cycle = forest.inside(node);
            let mut within = around;
            if cycle.dual > W::ZERO {
                within = short(self.sets.len());
                self.sets.push(Set {
                    first: place,
                    end: place,
                    around,
                    sum: self.sets[around as usize].sum + cycle.dual,
                    base: forest.base[node],
                });
            }
            self.stack
                .extend(cycle.children.iter().rev().map(|&child| (child, within)));
        }
    }

    /// The table of minima.
    fn tabulate(&mut self, order: &[u32]) {
        let count = order.len().saturating_sub(1);
        if self.table.is_empty() {
            self.table.push(Vec::new());
        }
        let row = &mut self.table[0];
        row.clear();
        for (place, &v) in (1..).zip(&order[..count]) {
            // The sets around this vertex that end here are left; each is left once.
            let mut set = self.innermost[v as usize];
            while self.sets[set as usize].end <= place {
                set = self.sets[set as usize].around;
            }
            row.push(set);
        }
        let mut width = 1;
        let mut level = 1;
        while 2 * width <= count {
            if self.table.len() == level {
                self.table.push(Vec::new());
            }
            let (below, row) = self.table.split_at_mut(level);
            let below = &below[level - 1];
            row[0].clear();
            let minima = below.iter().zip(&below[width..]).map(|(&a, &b)| a.min(b));
            row[0].extend(minima);
            width *= 2;
            level += 1;
        }
    }

    /// For each set the sets directly inside.
    fn list_children(&mut self) {
        self.starts.clear();
        self.starts.resize(self.sets.len() + 2, 0);
        for set in &self.sets[1..] {
            self.starts[set.around as usize + 2] += 1;
        }
        for k in 2..self.starts.len() {
            self.starts[k] += self.starts[k - 1];
        }
        self.inside.clear();
        self.inside.resize(self.sets.len(), 0);
        for k in 1..self.sets.len() {
            let at = &mut self.starts[self.sets[k].around as usize + 1];
            self.inside[*at as usize] = short(k);
            *at += 1;
        }
    }

    /// The sum of the duals of the blossoms that hold both vertices. O(1).
    pub(super) fn shared_dual(&self, i: usize, j: usize) -> W {
        self.sets[self.common(i, j)].sum
    }

    /// The innermost set that holds both vertices. O(1).
    pub(super) fn common(&self, i: usize, j: usize) -> usize {
        if self.innermost[i] == 0 || self.innermost[j] == 0 {
            return 0;
        }
        let (a, b) = (self.place[i].min(self.place[j]), self.place[i].max(self.place[j]));
        let level = (b - a).ilog2();
        let row = &self.table[level as usize];
        row[a as usize].min(row[b as usize - (1 << level)]) as usize
    }

    /// How many sets there are, that of all vertices included.
    pub(super) fn sets(&self) -> usize {
        self.sets.len()
    }

    /// The innermost set around a vertex.
    pub(super) fn innermost(&self, v: usize) -> usize {
        self.innermost[v] as usize
    }

    /// The set directly around another.
    pub(super) fn around(&self, set: usize) -> usize {
        self.sets[set].around as usize
    }

    /// The vertex of a set that is not matched inside.
    pub(super) fn base(&self, set: usize) -> usize {
        self.sets[set].base
    }

    /// The set directly inside another that holds the vertex `v`; `None` if `v` is directly inside itself. O(log
    /// sets).
    pub(super) fn child(&self, set: usize, v: usize) -> Option<usize> {
        let children = &self.inside[self.starts[set] as usize..self.starts[set + 1] as usize];
        let place = self.place[v];
        let after = children.partition_point(|&child| self.sets[child as usize].first <= place);
        let child = *children.get(after.checked_sub(1)?)? as usize;
        (place < self.sets[child].end).then_some(child)
    }
}
