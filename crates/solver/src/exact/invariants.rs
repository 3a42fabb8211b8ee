//! What holds between one step and the next, checked in debug builds.
//!
//! The fractional stage and the blossom stage keep the conditions of a primal-dual method all along: duals are
//! feasible for the candidates, and only tight edges are used. So every matched vertex is matched as well as can be,
//! and all that is missing is a partner for the others.

use super::blossom::{Forest, NONE};
use super::candidates::Candidates;
use super::fractional::Fractional;
use super::integer::Integer;

/// The dual of `v` is at most its penalty, and equal to it if the vertex is unmatched.
fn check_penalty<W: Integer>(v: usize, mate: usize, dual: W, penalty: W) {
    debug_assert!(dual <= penalty && (mate != v || dual == penalty), "dual of {v}");
}

impl<W: Integer> Fractional<W> {
    /// After a solve: feasible duals; pairs and odd cycles of tight edges.
    pub(super) fn check(&self, graph: &Candidates<W>) {
        if !cfg!(debug_assertions) {
            return;
        }
        for i in 0..graph.vertices() {
            for &(j, weight) in graph.row(i) {
                let feasible = weight - self.dual[i] >= self.dual[j as usize];
                debug_assert!(feasible, "the edge {i} {j} has a negative slack");
            }
            let (mate, next) = (self.mate[i], self.next[i]);
            check_penalty(i, mate, self.dual[i], self.penalty[i]);
            debug_assert!(
                mate == NONE || next == NONE && self.mate[mate] == i,
                "mate of {i}"
            );
            if let Some(to) = [mate, next].into_iter().find(|&to| to != NONE && to != i) {
                let slack = graph.weight(i, to).map(|w| w - self.dual[i] - self.dual[to]);
                debug_assert_eq!(slack, Some(W::ZERO), "the edge {i} {to} is used");
            }
            if next != NONE {
                let around =
                    std::iter::successors(Some(next), |&v| Some(self.next[v]).filter(|&v| v != NONE));
                let length = around.take(graph.vertices()).take_while(|&v| v != i).count() + 1;
                debug_assert!(length >= 3 && length % 2 == 1, "{i} is on no odd cycle");
            }
        }
    }
}

impl<W: Integer> Forest<W> {
    /// Between searches: feasible duals; pairs and blossoms of tight edges; nodes that know their place.
    pub(super) fn check(&self, graph: &Candidates<W>) {
        if !cfg!(debug_assertions) {
            return;
        }
        for i in 0..graph.vertices() {
            for &(j, _) in graph.row(i) {
                let slack = self.slack_between(graph, i, j as usize);
                debug_assert!(slack >= Some(W::ZERO), "the edge {i} {j} has a negative slack");
            }
        }
        for v in 0..self.vertices() {
            let mate = self.mate[v];
            check_penalty(v, mate, self.dual[v], self.penalty[v]);
            if mate != NONE && mate != v {
                let tight = self.slack_between(graph, v, mate) == Some(W::ZERO);
                debug_assert!(tight && self.mate[mate] == v, "the pair {v} {mate}");
            }
            let up = |&node: &usize| Some(self.parent[node]).filter(|&around| around != NONE);
            let top = std::iter::successors(Some(v), up).last();
            debug_assert_eq!(top, Some(self.top(v)), "the top node around {v}");
        }
        let blossoms = self.vertices()..self.parent.len();
        for node in blossoms.filter(|&node| self.is_in_use(node)) {
            self.check_blossom(graph, node);
        }
    }

    /// An odd cycle of tight links between its children, every second of which is a pair.
    fn check_blossom(&self, graph: &Candidates<W>, node: usize) {
        let cycle = self.inside(node);
        let (children, length) = (&cycle.children, cycle.children.len());
        let child_with = |v: usize| {
            let up = |&node: &usize| Some(self.parent[node]).filter(|&around| around != NONE);
            std::iter::successors(Some(v), up).find(|&at| self.parent[at] == node)
        };
        debug_assert!(
            length >= 3 && length % 2 == 1 && cycle.links.len() == length,
            "{node}"
        );
        let even = cycle.dual.half().twice() == cycle.dual;
        debug_assert!(cycle.dual >= W::ZERO && even, "the dual of {node}");
        debug_assert_eq!(self.base[node], self.base[children[0]], "the base of {node}");
        for (k, &(a, b)) in cycle.links.iter().enumerate() {
            let ends = (Some(children[k]), Some(children[(k + 1) % length]));
            debug_assert_eq!((child_with(a), child_with(b)), ends, "the link {a} {b} of {node}");
            debug_assert_eq!(
                self.slack_between(graph, a, b),
                Some(W::ZERO),
                "{a} {b} in {node}"
            );
            debug_assert!(k % 2 == 0 || self.mate[a] == b, "the pair {a} {b} in {node}");
        }
    }

    fn slack_between(&self, graph: &Candidates<W>, i: usize, j: usize) -> Option<W> {
        Some(graph.weight(i, j)? - self.dual[i] - self.dual[j] + self.shared_dual(i, j))
    }
}
