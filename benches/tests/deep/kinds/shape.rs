//! A graph under construction, edge by edge.

use std::collections::BTreeMap;

use rand::RngExt;
use rand::seq::SliceRandom;

use super::{Rng, pick, whole};
use crate::graph::Graph;

/// Vertices and edges so far, and how many vertices there will be.
pub(super) struct Shape {
    n: usize,
    made: usize,
    edges: BTreeMap<(usize, usize), f64>,
}

impl Shape {
    pub(super) fn new(n: usize) -> Self {
        Self {
            n,
            made: 0,
            edges: BTreeMap::new(),
        }
    }

    /// How many vertices are still to be made.
    pub(super) fn room(&self) -> usize {
        self.n - self.made
    }

    pub(super) fn vertex(&mut self) -> usize {
        assert!(self.made < self.n, "a kind keeps to its number of vertices");
        self.made += 1;
        self.made - 1
    }

    /// Joins two vertices unless they are one or joined.
    pub(super) fn join(&mut self, i: usize, j: usize, cost: f64) {
        if i != j {
            self.edges.entry((i.min(j), i.max(j))).or_insert(cost);
        }
    }

    /// Joins the vertices in a circle.
    pub(super) fn ring(&mut self, around: &[usize], mut cost: impl FnMut() -> f64) {
        for (k, &v) in around.iter().enumerate() {
            self.join(v, around[(k + 1) % around.len()], cost());
        }
    }

    /// Makes what is missing of the vertices, each with a few dear edges; sometimes lays dear edges that pair
    /// everyone under all; then shuffles the names, or not.
    pub(super) fn finish(mut self, rng: &mut Rng, dear: i64) -> Graph {
        while self.room() > 0 {
            let v = self.vertex();
            for _ in 0..rng.random_range(1..=3) {
                self.join(v, rng.random_range(0..=v), whole(rng, dear..=3 * dear));
            }
        }
        let mut names: Vec<_> = (0..self.n).collect();
        if rng.random_ratio(4, 5) {
            names.shuffle(rng);
            for pair in names.chunks_exact(2) {
                self.join(pair[0], pair[1], whole(rng, dear..=5 * dear));
            }
        }
        if pick(rng, &[true, true, false]) {
            names.shuffle(rng);
        } else {
            names.sort_unstable();
        }
        Graph::from_fn(self.n, |i, j| {
            let (i, j) = (names[i].min(names[j]), names[i].max(names[j]));
            self.edges.get(&(i, j)).copied()
        })
    }
}
