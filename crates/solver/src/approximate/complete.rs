//! A matching made as large as any, by augmenting paths.

use std::collections::VecDeque;

use super::FREE;
use super::graph::Graph;
use crate::error::SolveError;

/// Pairs everyone whom a maximum matching pairs, at whatever weight; who is paired stays so, if with
/// another.
///
/// From each free vertex a search grows a tree of alternating paths, breadth first. An edge between two outer
/// vertices (those at an even distance) closes an odd cycle, whose vertices become outer, too: the blossom is
/// remembered by giving all of them one base. O(n) searches at most of O(n^2), one for each vertex that is
/// free at first.
///
/// Edmonds, "Paths, trees, and flowers", Canad. J. Math. 17 (1965), doi:10.4153/CJM-1965-045-4, in the form
/// with bases of Gabow, "An efficient implementation of Edmonds' algorithm for maximum matching on graphs",
/// J. ACM 23 (1976), doi:10.1145/321941.321942.
///
/// # Errors
/// [`SolveError::Stuck`] if even a maximum matching leaves vertices free; or the oracle breaks its contract.
pub(super) fn complete(graph: &Graph<'_>, mates: &mut [usize]) -> Result<(), SolveError> {
    let free: Vec<_> = (0..mates.len()).filter(|&i| mates[i] == FREE).collect();
    if free.is_empty() {
        return Ok(());
    }
    let mut search = Search {
        graph,
        mates,
        via: Vec::new(),
        base: Vec::new(),
        outer: Vec::new(),
        queue: VecDeque::new(),
    };
    let mut unplaced = Vec::new();
    for root in free {
        if search.mates[root] == FREE {
            match search.path_from(root)? {
                Some(end) => search.augment(end),
                None => unplaced.push(root),
            }
        }
    }
    if unplaced.is_empty() {
        Ok(())
    } else {
        Err(SolveError::Stuck { unplaced })
    }
}

struct Search<'s> {
    graph: &'s Graph<'s>,
    mates: &'s mut [usize],
    /// Of a vertex at an odd distance, and of those in blossoms: the vertex before it on its path.
    via: Vec<usize>,
    /// The vertex at which the outermost blossom around a vertex hangs; the vertex itself outside of any.
    base: Vec<usize>,
    /// Reached by a path of even length.
    outer: Vec<bool>,
    /// Outer vertices whose edges have not been looked at.
    queue: VecDeque<usize>,
}

impl Search<'_> {
    /// A free vertex at the end of an alternating path from `root`.
    fn path_from(&mut self, root: usize) -> Result<Option<usize>, SolveError> {
        let n = self.mates.len();
        self.via.clear();
        self.via.resize(n, FREE);
        self.base.clear();
        self.base.extend(0..n);
        self.outer.clear();
        self.outer.resize(n, false);
        self.outer[root] = true;
        self.queue.clear();
        self.queue.push_back(root);
        let (mut buffer, mut neighbours) = (Vec::new(), Vec::new());
        while let Some(v) = self.queue.pop_front() {
            neighbours.clear();
            self.graph
                .row(v, &mut buffer)?
                .for_each(|to, _| neighbours.push(to));
            for &to in &neighbours {
                if self.base[v] == self.base[to] || self.mates[v] == to {
                    continue;
                }
                if self.outer[to] {
                    self.shrink(v, to);
                } else if self.via[to] == FREE {
                    self.via[to] = v;
                    let mate = self.mates[to];
                    if mate == FREE {
                        return Ok(Some(to));
                    }
                    self.outer[mate] = true;
                    self.queue.push_back(mate);
                }
            }
        }
        Ok(None)
    }

    /// The edge between the outer vertices `a` and `b` closes a blossom.
    fn shrink(&mut self, a: usize, b: usize) {
        let meet = self.meet(a, b);
        let mut inside = vec![false; self.mates.len()];
        self.turn(a, b, meet, &mut inside);
        self.turn(b, a, meet, &mut inside);
        for i in 0..inside.len() {
            if inside[self.base[i]] {
                self.base[i] = meet;
                if !self.outer[i] {
                    self.outer[i] = true;
                    self.queue.push_back(i);
                }
            }
        }
    }

    /// The first base that the paths of both have in common.
    fn meet(&self, a: usize, b: usize) -> usize {
        let mut on_path = vec![false; self.mates.len()];
        let mut v = self.base[a];
        on_path[v] = true;
        while self.mates[v] != FREE {
            v = self.base[self.via[self.mates[v]]];
            on_path[v] = true;
        }
        let mut v = self.base[b];
        while !on_path[v] {
            v = self.base[self.via[self.mates[v]]];
        }
        v
    }

    /// Marks the bases from `v` down to `meet`, and lets outer vertices on the way be reached over `child` as
    /// well.
    fn turn(&mut self, mut v: usize, mut child: usize, meet: usize, inside: &mut [bool]) {
        while self.base[v] != meet {
            let mate = self.mates[v];
            inside[self.base[v]] = true;
            inside[self.base[mate]] = true;
            self.via[v] = child;
            (child, v) = (mate, self.via[mate]);
        }
    }

    /// Swaps what is paired and what is not along the path that ends in `end`.
    fn augment(&mut self, end: usize) {
        let mut v = end;
        while v != FREE {
            let before = self.via[v];
            let next = self.mates[before];
            (self.mates[v], self.mates[before]) = (before, v);
            v = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::{Adjacency, Counted, SparseCosts};
    use crate::objective::Objective;

    fn completed(n: usize, edges: &[(usize, usize)], mates: &[usize]) -> Result<Vec<usize>, SolveError> {
        let costs = SparseCosts::from_edges(n, edges.iter().map(|&(i, j)| (i, j, 1.0))).unwrap();
        let mut adjacency = Adjacency::default();
        let costs = Counted::new(&costs)?;
        let graph = Graph::open(&costs, Objective::Minimize, &mut adjacency)?;
        let mut mates = mates.to_vec();
        complete(&graph, &mut mates).map(|()| mates)
    }

    #[test]
    fn a_path_is_turned_over() {
        let path = [(0, 1), (1, 2), (2, 3)];
        assert_eq!(completed(4, &path, &[FREE, 2, 1, FREE]), Ok(vec![1, 0, 3, 2]));
    }

    /// From 0 the way to 7 leads round the cycle 2 3 4 5 6 the longer way.
    #[test]
    fn a_blossom_is_passed_on_the_side_that_fits() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 2), (3, 7)];
        let mates = [FREE, 2, 1, 4, 3, 6, 5, FREE];
        assert_eq!(completed(8, &edges, &mates), Ok(vec![1, 0, 6, 7, 5, 4, 2, 3]));
    }

    #[test]
    fn as_few_as_possible_are_left() {
        let star = [(0, 1), (0, 2), (0, 3), (4, 5)];
        let error = completed(6, &star, &[FREE; 6]).unwrap_err();
        assert_eq!(error, SolveError::Stuck { unplaced: vec![2, 3] });
    }
}
