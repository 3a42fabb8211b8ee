//! When there is no perfect matching: the proof, from a search in which all edges cost nothing.

use super::forest::{Forest, Label, NONE};
use super::graph::IntegerGraph;
use super::integer::{Integer, Overflow};
use super::search::Outcome;
use crate::error::Barrier;

impl<W: Integer> Forest<W> {
    /// A maximum matching of a graph whose weights are all 0, and the barrier that shows that it is one.
    ///
    /// Every tree that dies is left standing. Its outer nodes have edges to inner vertices of dead trees
    /// only, so that they fall apart once those are removed: one odd component more than there are inner
    /// vertices in each tree. Inner nodes are vertices, since a blossom without dual is expanded. The rest
    /// of the graph is matched within itself.
    pub(super) fn barrier(&mut self, graph: &IntegerGraph<W>) -> Result<Barrier, Overflow> {
        let vertices = graph.vertices();
        self.start(&greedy_mates(graph), &vec![W::ZERO; vertices]);
        let mut unplaced = Vec::new();
        for root in 0..vertices {
            if self.mate[root] == NONE && self.search(graph, root)? == Outcome::Stuck {
                unplaced.push(root);
            }
        }
        let tree = &*self;
        let dead = |label| {
            (0..tree.parent.len()).filter(move |&node| tree.parent[node] == NONE && tree.label[node] == label)
        };
        Ok(Barrier {
            vertices: dead(Label::DeadInner).collect(),
            odd_components: dead(Label::DeadOuter).count(),
            unplaced,
        })
    }
}

/// Everyone takes the first neighbour that is free.
fn greedy_mates<W: Integer>(graph: &IntegerGraph<W>) -> Vec<usize> {
    let mut mates = vec![NONE; graph.vertices()];
    for i in 0..graph.vertices() {
        graph.for_each(i, |j, weight| {
            if weight < W::FAR && mates[i] == NONE && mates[j] == NONE {
                (mates[i], mates[j]) = (j, i);
            }
        });
    }
    mates
}
