//! A k-d tree: the cheapest partners of a point without a look at all others.

use super::graph::Graph;
use super::partners::Shortlist;
use crate::costs::Coordinates;
use crate::error::SolveError;

/// Ranges of so few points are looked through.
const LEAF: usize = 8;

/// Points in an order such that each range's middle one parts it: those before lie on one side of it in the
/// range's widest dimension, those after on the other.
///
/// Bentley, "Multidimensional binary search trees used for associative searching", Comm. ACM 18 (1975),
/// doi:10.1145/361002.361007. Points are taken out by counting, as in Bentley, "K-d trees for
/// semidynamic point sets", SCG 1990, doi:10.1145/98524.98564.
pub(super) struct Tree<'a> {
    points: Coordinates<'a>,
    order: Vec<u32>,
    /// Where in the order each vertex is.
    place: Vec<u32>,
    /// By the place of a range's middle: the dimension in which it parts.
    dimension: Vec<u32>,
    /// By the place of a range's middle: how many of its points are left.
    left: Vec<u32>,
}

impl<'a> Tree<'a> {
    /// The tree of finite points, one for each of up to 2^28 vertices. O(n log n).
    pub(super) fn new(points: Coordinates<'a>, vertices: u32) -> Self {
        let n = vertices as usize;
        let mut tree = Self {
            points,
            order: (0..vertices).collect(),
            place: vec![0; n],
            dimension: vec![0; n],
            left: vec![0; n],
        };
        tree.part(0, n);
        for (at, &vertex) in (0..).zip(&tree.order) {
            tree.place[vertex as usize] = at;
        }
        tree
    }

    fn part(&mut self, start: usize, end: usize) {
        let middle = start.midpoint(end);
        if start < end {
            self.left[middle] = u32::try_from(end - start).unwrap_or(u32::MAX);
        }
        if end - start <= LEAF {
            return;
        }
        let dimension = self.widest(start, end);
        self.dimension[middle] = dimension;
        let points = self.points;
        let coordinate = |vertex: u32| points.point(vertex as usize)[dimension as usize];
        self.order[start..end].select_nth_unstable_by(middle - start, |&a, &b| {
            coordinate(a).total_cmp(&coordinate(b)).then(a.cmp(&b))
        });
        self.part(start, middle);
        self.part(middle + 1, end);
    }

    /// The dimension in which the points of a range reach furthest.
    fn widest(&self, start: usize, end: usize) -> u32 {
        let mut widest = (f64::NEG_INFINITY, 0);
        for (name, dimension) in (0..).zip(0..self.points.dimensions) {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for &vertex in &self.order[start..end] {
                let x = self.points.point(vertex as usize)[dimension];
                (low, high) = (low.min(x), high.max(x));
            }
            if high - low > widest.0 {
                widest = (high - low, name);
            }
        }
        widest.1
    }

    /// Takes a vertex out. O(log n).
    pub(super) fn remove(&mut self, vertex: usize) {
        let at = self.place[vertex] as usize;
        let (mut start, mut end) = (0_usize, self.order.len());
        loop {
            let middle = start.midpoint(end);
            self.left[middle] -= 1;
            if at == middle || end - start <= LEAF {
                return;
            }
            if at < middle {
                end = middle;
            } else {
                start = middle + 1;
            }
        }
    }

    /// Adds the cheapest of the points left that `vertex` may be paired with to its shortlist. O(log n) in
    /// practice, if costs are near the distances.
    pub(super) fn search(
        &self,
        graph: &Graph<'_>,
        barred: &[f64],
        vertex: usize,
        list: &mut Shortlist<'_>,
    ) -> Result<(), SolveError> {
        let query = Query {
            tree: self,
            graph,
            barred,
            vertex,
            point: self.points.point(vertex),
        };
        query.visit(0, self.order.len(), list)
    }
}

struct Query<'q> {
    tree: &'q Tree<'q>,
    graph: &'q Graph<'q>,
    barred: &'q [f64],
    vertex: usize,
    point: &'q [f64],
}

impl Query<'_> {
    /// As deep as the tree, 29 levels at most.
    fn visit(&self, start: usize, end: usize, list: &mut Shortlist<'_>) -> Result<(), SolveError> {
        let tree = self.tree;
        let middle = start.midpoint(end);
        if start == end || tree.left[middle] == 0 {
            return Ok(());
        }
        if end - start <= LEAF {
            return tree.order[start..end]
                .iter()
                .try_for_each(|&other| self.offer(other, list));
        }
        let other = tree.order[middle];
        let dimension = tree.dimension[middle] as usize;
        let beyond = self.point[dimension] - tree.points.point(other as usize)[dimension];
        let (near, far) = if beyond < 0.0 {
            ((start, middle), (middle + 1, end))
        } else {
            ((middle + 1, end), (start, middle))
        };
        self.visit(near.0, near.1, list)?;
        self.offer(other, list)?;
        // No pair costs less than its distance, which is no less than that in one dimension.
        if list.may_take(beyond.abs()) {
            self.visit(far.0, far.1, list)?;
        }
        Ok(())
    }

    fn offer(&self, other: u32, list: &mut Shortlist<'_>) -> Result<(), SolveError> {
        let (i, j) = (self.vertex, other as usize);
        if i == j || self.barred[j] > 0.0 {
            return Ok(());
        }
        let Some(value) = self.graph.costs.cost(i.min(j), i.max(j)) else {
            return Ok(());
        };
        if !value.is_finite() {
            return Err(SolveError::NotFinite { i, j, value });
        }
        list.offer(value, other);
        Ok(())
    }
}
