//! One tree: grown from an exposed vertex until its root is matched.

use std::cmp::Reverse;

use super::super::halt::{Halt, STEPS_BETWEEN_LOOKS};
use super::super::integer::{Integer, Overflow, within_limit};
use super::Neighbours;
use super::forest::{Event, Forest, Label, NONE};

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Outcome {
    /// The root is matched, or unmatched at its penalty, or another vertex of its tree is unmatched instead.
    Augmented,
    /// The limit was reached: the root is still exposed, its dual higher by the limit.
    Paused,
    /// No dual adjustment helps: with these edges one vertex stays alone in every matching.
    NoPath,
}

impl<W: Integer> Forest<W> {
    /// Grows a tree from the exposed vertex `root`. Every event grows the tree, or shrinks or expands a blossom;
    /// blossoms shrunk in a search are outer until it ends, and an expanded one was there before, so
    /// there are O(n) events that count, and every edge is scanned at most twice. An expanded blossom visits the vertices
    /// of those children that do not stay inner; each of them may be reached and expanded again, so that a vertex is
    /// visited at most as often as blossoms nest around it: O(m log m + n depth) in all, of which the second part was
    /// below the first in all graphs that were tried.
    ///
    /// Ends when duals have changed by `limit`, so that others may grow first. A tree without a path is left as it
    /// is, for [`give_up`](Self::give_up).
    pub(in super::super) fn search(
        &mut self,
        graph: &impl Neighbours<W>,
        root: usize,
        limit: W,
    ) -> Result<Outcome, Halt> {
        self.search_shown(graph, root, limit, &mut |_| Ok(()))
    }

    /// The same; `show` is called when the tree has grown, before anyone is paired, and on the way in large trees.
    pub(in super::super) fn search_shown(
        &mut self,
        graph: &impl Neighbours<W>,
        root: usize,
        limit: W,
        show: &mut impl FnMut(&Self) -> Result<(), Halt>,
    ) -> Result<Outcome, Halt> {
        self.now = W::ZERO;
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.clear();
        self.make_outer(self.top(root), &mut fresh);
        self.scan_all(graph, &fresh);
        let outcome = self.events_until(graph, limit, &mut fresh, show);
        self.fresh = fresh;
        outcome
    }

    /// Event by event, until the tree ends.
    fn events_until(
        &mut self,
        graph: &impl Neighbours<W>,
        limit: W,
        fresh: &mut Vec<usize>,
        show: &mut impl FnMut(&Self) -> Result<(), Halt>,
    ) -> Result<Outcome, Halt> {
        loop {
            self.steps += 1;
            if self.steps - self.shown >= STEPS_BETWEEN_LOOKS {
                self.shown = self.steps;
                show(self)?;
            }
            let Some((time, event)) = self.next_event() else {
                return Ok(Outcome::NoPath);
            };
            if time > limit {
                within_limit(time)?;
                self.now = limit;
                show(self)?;
                self.end_search()?;
                return Ok(Outcome::Paused);
            }
            self.now = within_limit(time)?;
            fresh.clear();
            match event {
                Event::Meet(j) => {
                    show(self)?;
                    self.augment(self.via[j as usize], j as usize);
                    self.end_search()?;
                    return Ok(Outcome::Augmented);
                }
                Event::Retire(v) => {
                    show(self)?;
                    self.retire(v as usize);
                    self.end_search()?;
                    return Ok(Outcome::Augmented);
                }
                Event::Grow(j) => self.grow(graph, j as usize, fresh),
                Event::Shrink(i, j) => self.shrink(graph, i as usize, j as usize, fresh)?,
                Event::Expand(blossom) => self.expand(graph, blossom as usize, fresh)?,
            }
        }
    }

    /// The earliest event that is not out of date.
    fn next_event(&mut self) -> Option<(W, Event)> {
        while let Some(Reverse((time, event))) = self.events.pop() {
            let holds = match event {
                Event::Meet(j) | Event::Grow(j) => {
                    let j = j as usize;
                    self.label[self.top(j)] == Label::Free && self.reach[j] == time
                }
                // An outer vertex stays outer, but two nodes may have become one.
                Event::Shrink(i, j) => self.top(i as usize) != self.top(j as usize),
                Event::Retire(_) => true,
                Event::Expand(node) => {
                    let node = node as usize;
                    self.parent[node] == NONE
                        && self.label[node] == Label::Inner
                        && self.since[node] + self.cycles[node - self.vertices()].dual.half() == time
                }
            };
            if holds {
                return Some((time, event));
            }
        }
        None
    }

    /// The node around the free vertex `j` becomes inner, its mate outer.
    fn grow(&mut self, graph: &impl Neighbours<W>, j: usize, fresh: &mut Vec<usize>) {
        let node = self.top(j);
        self.make_inner(node, (self.via[j], j));
        let next = self.top(self.mate[self.base[node]]);
        self.make_outer(next, fresh);
        self.scan_all(graph, fresh);
    }

    /// Writes all duals as of now and takes the labels off. Blossoms stay, even with dual 0: one that gets in the
    /// way is expanded as soon as it is inner.
    fn end_search(&mut self) -> Result<(), Overflow> {
        let mut leaves = std::mem::take(&mut self.leaves);
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
        }
        self.labelled = labelled;
        self.leaves = leaves;
        self.clear_tree();
        Ok(())
    }

    /// Ends a search without a path, its root still exposed.
    pub(in super::super) fn give_up(&mut self) -> Result<(), Overflow> {
        self.end_search()
    }

    fn clear_tree(&mut self) {
        for v in self.reached.drain(..) {
            self.reach[v] = W::FAR;
        }
        self.events.clear();
        self.labelled.clear();
    }
}
