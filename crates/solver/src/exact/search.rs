//! One tree: grown from an exposed vertex until its root is matched.

use super::forest::{Forest, Label, NONE, Rival};
use super::graph::IntegerGraph;
use super::integer::{Integer, Overflow, within_limit};

/// What happens next.
enum Event {
    /// An edge to this free vertex becomes tight.
    Grow(usize),
    /// An edge between two outer nodes becomes tight.
    Shrink(usize, usize),
    /// The dual of this inner blossom is used up.
    Expand(usize),
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The root and another exposed vertex are matched.
    Augmented,
    /// No dual adjustment helps: the tree is dead, and one vertex stays alone in every matching.
    Stuck,
}

impl<W: Integer> Forest<W> {
    /// Grows a tree from the exposed vertex `root`. Every event shrinks or grows the tree; blossoms shrunk
    /// in a search are outer until it ends, and an expanded one was there before, so there are O(n) events,
    /// each in O(n) plus the scans: O(n^2) in all.
    pub(super) fn search(&mut self, graph: &IntegerGraph<W>, root: usize) -> Result<Outcome, Overflow> {
        self.now = W::ZERO;
        let mut fresh = std::mem::take(&mut self.leaves);
        fresh.clear();
        self.make_outer(self.top[root], &mut fresh);
        self.scan_all(graph, self.top[root], &fresh);
        let outcome = loop {
            let Some((time, event)) = self.next_event() else {
                self.bury();
                break Outcome::Stuck;
            };
            self.now = within_limit(time)?;
            fresh.clear();
            match event {
                Event::Grow(j) if self.mate[self.base[self.top[j]]] == NONE => {
                    self.augment(self.via[j], j);
                    self.end_search()?;
                    break Outcome::Augmented;
                }
                Event::Grow(j) => self.grow(graph, j, &mut fresh),
                Event::Shrink(i, j) => self.shrink(graph, i, j, &mut fresh)?,
                Event::Expand(blossom) => self.expand(graph, blossom, &mut fresh)?,
            }
        };
        self.leaves = fresh;
        Ok(outcome)
    }

    /// The earliest event. Of several at a time: grow, then shrink, then expand, by the smallest vertex or
    /// the oldest node.
    fn next_event(&mut self) -> Option<(W, Event)> {
        let (reach, j) = self.nearest();
        let rivals = self.closest_rivals();
        let events = [
            (reach < W::FAR).then_some((reach, Event::Grow(j))),
            rivals.map(|Rival { time, own, other }| (time.half(), Event::Shrink(own, other))),
            self.weakest_inner()
                .map(|(time, blossom)| (time, Event::Expand(blossom))),
        ];
        events.into_iter().flatten().min_by_key(|(time, _)| *time)
    }

    /// The free vertex that is reached first; of several an exposed one, then the smallest.
    fn nearest(&mut self) -> (W, usize) {
        let mut best = (W::FAR, true, NONE);
        let (top, base, label, reach, mate) = (&self.top, &self.base, &self.label, &self.reach, &self.mate);
        self.frontier.retain(|&j| {
            let free = label[top[j]] == Label::Free;
            if free && reach[j] <= best.0 {
                best = best.min((reach[j], mate[base[top[j]]] != NONE, j));
            }
            free
        });
        (best.0, best.2)
    }

    /// The edge between two outer nodes that becomes tight first.
    fn closest_rivals(&mut self) -> Option<Rival<W>> {
        let (parent, label) = (&self.parent, &self.label);
        self.outer
            .retain(|&node| parent[node] == NONE && label[node] == Label::Outer);
        self.outer
            .iter()
            .filter_map(|&node| self.first_rival[node])
            .min_by_key(|rival| rival.time)
    }

    /// The inner blossom whose dual is used up first.
    fn weakest_inner(&mut self) -> Option<(W, usize)> {
        let (parent, label) = (&self.parent, &self.label);
        self.inner
            .retain(|&node| parent[node] == NONE && label[node] == Label::Inner);
        let vertices = self.vertices();
        let end = |&node: &usize| (self.since[node] + self.cycles[node - vertices].dual.half(), node);
        self.inner.iter().map(end).min()
    }

    /// The node around the free vertex `j` becomes inner, its mate outer.
    fn grow(&mut self, graph: &IntegerGraph<W>, j: usize, fresh: &mut Vec<usize>) {
        let node = self.top[j];
        self.make_inner(node, (self.via[j], j));
        let next = self.top[self.mate[self.base[node]]];
        self.make_outer(next, fresh);
        self.scan_all(graph, next, fresh);
    }

    /// Scans the vertices of a node that has become outer and settles its rivals.
    pub(super) fn scan_all(&mut self, graph: &IntegerGraph<W>, node: usize, fresh: &[usize]) {
        for &v in fresh {
            self.scan(graph, v);
        }
        self.settle(node);
    }

    /// Writes all duals as of now and takes the labels off. Blossoms stay, even with dual 0: one that gets in the
    /// way is expanded as soon as it is inner.
    fn end_search(&mut self) -> Result<(), Overflow> {
        let mut leaves = Vec::new();
        let labelled = std::mem::take(&mut self.labelled);
        for &node in &labelled {
            if self.parent[node] != NONE || self.label[node] == Label::Free {
                continue;
            }
            leaves.clear();
            self.gather(node, &mut leaves);
            let change = match self.label[node] {
                Label::Outer => self.now,
                _ => self.since[node] - self.now,
            };
            for &v in &leaves {
                self.dual[v] = within_limit(self.dual[v] + change)?;
            }
            self.settle_blossom_dual(node)?;
            self.label[node] = Label::Free;
            self.rivals[node].clear();
        }
        self.labelled = labelled;
        self.clear_tree();
        Ok(())
    }

    /// Marks a tree that cannot grow as dead, so that later trees pass it by.
    fn bury(&mut self) {
        for &node in &self.labelled {
            if self.parent[node] == NONE {
                self.label[node] = match self.label[node] {
                    Label::Outer => Label::DeadOuter,
                    Label::Inner => Label::DeadInner,
                    other => other,
                };
            }
        }
        self.clear_tree();
    }

    fn clear_tree(&mut self) {
        for v in self.reached.drain(..) {
            self.reach[v] = W::FAR;
        }
        self.frontier.clear();
        self.outer.clear();
        self.inner.clear();
        self.labelled.clear();
    }
}
