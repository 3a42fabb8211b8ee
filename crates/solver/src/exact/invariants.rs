//! What holds between one step and the next, checked in debug builds.
//!
//! The fractional stage and the blossom stage keep the conditions of a primal-dual method all along: duals are
//! feasible for the candidates, and only tight edges are used. So whoever is matched is matched as well as can be,
//! and all that is missing is a partner for the others.

use super::blossom::{Forest, NONE};
use super::candidates::Candidates;
use super::fractional::Fractional;
use super::integer::Integer;

/// The broken invariants, for a person to read; `None` if all hold.
type Broken = Option<String>;

impl<W: Integer> Fractional<W> {
    /// After a solve: feasible duals; pairs and odd cycles of tight edges.
    pub(super) fn broken(&self, graph: &Candidates<W>) -> Broken {
        let slack = |i: usize, j: usize| graph.weight(i, j).map(|w| w - self.dual[i] - self.dual[j]);
        for i in 0..graph.vertices() {
            if let Some(&(j, _)) = graph
                .row(i)
                .iter()
                .find(|&&(j, weight)| weight - self.dual[i] < self.dual[j as usize])
            {
                return Some(format!("the edge {i} {j} has a negative slack"));
            }
            let (mate, next) = (self.mate[i], self.next[i]);
            if mate != NONE && next != NONE {
                return Some(format!("{i} has a partner and is on a cycle"));
            }
            if mate != NONE && self.mate[mate] != i {
                return Some(format!("{i} has the partner {mate}, who has another"));
            }
            if self.dual[i] > self.penalty[i] || mate == i && self.dual[i] != self.penalty[i] {
                return Some(format!(
                    "the dual of {i} is not below its penalty, or not equal to it"
                ));
            }
            if let Some(to) = [mate, next].into_iter().find(|&to| to != NONE && to != i)
                && slack(i, to) != Some(W::ZERO)
            {
                return Some(format!("the edge {i} {to} is used and not tight"));
            }
            if next != NONE {
                let around =
                    std::iter::successors(Some(next), |&v| Some(self.next[v]).filter(|&v| v != NONE));
                let length = around.take(graph.vertices()).take_while(|&v| v != i).count() + 1;
                if length < 3 || length.is_multiple_of(2) {
                    return Some(format!("{i} is on no odd cycle"));
                }
            }
        }
        None
    }
}

impl<W: Integer> Forest<W> {
    /// Between searches: feasible duals; pairs and blossoms of tight edges; nodes that know their place.
    pub(super) fn broken(&self, graph: &Candidates<W>) -> Broken {
        self.broken_edges(graph)
            .or_else(|| self.broken_pairs(graph))
            .or_else(|| {
                (self.vertices()..self.parent.len()).find_map(|node| self.broken_blossom(graph, node))
            })
    }

    fn broken_edges(&self, graph: &Candidates<W>) -> Broken {
        let edges =
            (0..graph.vertices()).flat_map(|i| graph.row(i).iter().map(move |&(j, _)| (i, j as usize)));
        edges
            .filter(|&(i, j)| i < j)
            .find(|&(i, j)| {
                self.slack_between(graph, i, j)
                    .is_none_or(|slack| slack < W::ZERO)
            })
            .map(|(i, j)| format!("the edge {i} {j} has a negative slack"))
    }

    fn broken_pairs(&self, graph: &Candidates<W>) -> Broken {
        for v in 0..self.vertices() {
            let mate = self.mate[v];
            if self.dual[v] > self.penalty[v] || mate == v && self.dual[v] != self.penalty[v] {
                return Some(format!(
                    "the dual of {v} is not below its penalty, or not equal to it"
                ));
            }
            if mate != NONE
                && mate != v
                && (self.mate[mate] != v || self.slack_between(graph, v, mate) != Some(W::ZERO))
            {
                return Some(format!("the pair {v} {mate} is none, or not tight"));
            }
            let mut top = v;
            while self.parent[top] != NONE {
                top = self.parent[top];
            }
            if self.top(v) != top {
                return Some(format!(
                    "{v} is within {top}, but takes itself to be in {}",
                    self.top(v)
                ));
            }
        }
        None
    }

    fn broken_blossom(&self, graph: &Candidates<W>, node: usize) -> Broken {
        if !self.is_in_use(node) {
            return None;
        }
        let cycle = self.inside(node);
        let child = |k: usize| cycle.children().nth(k).unwrap_or(NONE);
        let within = |v: usize| {
            let up = |&node: &usize| Some(self.parent[node]).filter(|&around| around != NONE);
            std::iter::successors(Some(v), up).find(|&at| self.parent[at] == node)
        };
        let length = cycle.children().count();
        if length < 3 || length.is_multiple_of(2) || cycle.links().len() != length {
            return Some(format!("the blossom {node} is no odd cycle"));
        }
        if cycle.dual < W::ZERO || cycle.dual.half().twice() != cycle.dual {
            return Some(format!("the blossom {node} has an odd dual, or a negative one"));
        }
        if self.base[node] != self.base[child(0)] {
            return Some(format!(
                "the base of the blossom {node} is not that of its first child"
            ));
        }
        for (k, &(a, b)) in cycle.links().iter().enumerate() {
            let (from, to) = (child(k), child((k + 1) % length));
            if within(a) != Some(from) || within(b) != Some(to) {
                return Some(format!(
                    "the link {a} {b} of the blossom {node} does not join its children"
                ));
            }
            if self.slack_between(graph, a, b) != Some(W::ZERO) {
                return Some(format!("the link {a} {b} of the blossom {node} is not tight"));
            }
            if k % 2 == 1 && self.mate[a] != b {
                return Some(format!("the link {a} {b} of the blossom {node} should be a pair"));
            }
        }
        None
    }

    fn slack_between(&self, graph: &Candidates<W>, i: usize, j: usize) -> Option<W> {
        Some(graph.weight(i, j)? - self.dual[i] - self.dual[j] + self.shared_dual(i, j))
    }
}

/// Stops a debug build where something is broken that must hold.
#[inline]
pub(super) fn check(broken: impl FnOnce() -> Broken) {
    if cfg!(debug_assertions) {
        let broken = broken();
        debug_assert!(broken.is_none(), "{}", broken.unwrap_or_default());
    }
}
