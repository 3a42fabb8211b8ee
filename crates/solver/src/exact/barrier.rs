//! When there is no perfect matching: the proof, from a search in which all edges cost nothing.

use super::blossom::forest::Label;
use super::blossom::{Forest, NONE, Neighbours, Outcome};
use super::halt::Halt;
use super::integer::Integer;
use super::read::Graph;
use crate::error::{Barrier, SolveError};

/// The allowed pairs of a graph, at no cost, read as they are needed.
struct Allowed<'a> {
    graph: &'a dyn Graph,
    /// What went wrong in reading, if anything.
    error: std::cell::RefCell<Option<SolveError>>,
}

impl Neighbours<i64> for Allowed<'_> {
    fn vertices(&self) -> usize {
        self.graph.vertices()
    }

    fn for_each(&self, i: usize, mut visit: impl FnMut(usize, i64)) {
        let i = u32::try_from(i).unwrap_or(u32::MAX);
        let read = self.graph.for_each_neighbour(i, &mut |j, _| visit(j as usize, 0));
        if let Err(error) = read {
            self.error.borrow_mut().get_or_insert(error);
        }
    }
}

impl Forest<i64> {
    /// A maximum matching of a graph, whatever it costs, and the barrier that shows that it is one.
    ///
    /// Every tree that dies is left standing. Its outer nodes have edges to inner vertices of dead trees
    /// only, so that they fall apart once those are removed: one odd component more than there are inner
    /// vertices in each tree. Inner nodes are vertices, since a blossom without dual is expanded. The rest
    /// of the graph is matched within itself.
    pub(super) fn barrier(&mut self, graph: &dyn Graph) -> Result<Barrier, Halt> {
        let allowed = Allowed {
            graph,
            error: std::cell::RefCell::new(None),
        };
        let vertices = graph.vertices();
        self.start(&greedy_mates(&allowed), &vec![0; vertices]);
        let mut unplaced = Vec::new();
        for root in 0..vertices {
            if self.mate[root] == NONE && self.search(&allowed, root, i64::LIMIT)? == Outcome::Stuck {
                self.bury();
                unplaced.push(root);
            }
        }
        if let Some(error) = allowed.error.into_inner() {
            return Err(Halt::Broken(error));
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
fn greedy_mates(graph: &Allowed<'_>) -> Vec<usize> {
    let mut mates = vec![NONE; graph.vertices()];
    for i in 0..graph.vertices() {
        if mates[i] == NONE {
            graph.for_each(i, |j, _| {
                if mates[i] == NONE && mates[j] == NONE {
                    (mates[i], mates[j]) = (j, i);
                }
            });
        }
    }
    mates
}
