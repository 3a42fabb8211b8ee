//! The cheapest partners of every vertex.

use super::graph::Graph;
use super::nearest::Tree;
use super::smallest::smallest;
use crate::costs::Coordinates;
use crate::error::SolveError;
use crate::objective::Objective;

/// Finds the cheapest partners among the vertices that are free.
pub(super) struct Partners<'g> {
    pub(super) graph: &'g Graph<'g>,
    /// What is added to a weight: 0 for a vertex that is free, infinite for one that is not.
    barred: Vec<f64>,
    /// If costs are minimised and no less than distances.
    tree: Option<Tree<'g>>,
    buffer: Vec<f64>,
    minima: Vec<f64>,
}

/// The `limit` cheapest so far, ascending: (weight, vertex). Ties go by index.
pub(super) struct Shortlist<'l> {
    list: &'l mut Vec<(f64, u32)>,
    limit: usize,
}

impl Shortlist<'_> {
    /// Whether something of this weight, or more by a tie or rounding, would have a place.
    pub(super) fn may_take(&self, weight: f64) -> bool {
        const ROUNDING: f64 = 1.0 - 1e-12;
        self.list.len() < self.limit || self.list.last().is_some_and(|last| weight * ROUNDING <= last.0)
    }

    pub(super) fn offer(&mut self, weight: f64, vertex: u32) {
        // One zero of the two, so that they tie.
        let entry = (weight + 0.0, vertex);
        if self.list.len() >= self.limit {
            if self.list.last().is_none_or(|last| *last <= entry) {
                return;
            }
            self.list.pop();
        }
        let at = self.list.partition_point(|other| *other < entry);
        self.list.insert(at, entry);
    }
}

impl<'g> Partners<'g> {
    /// All vertices are free. O(n log n) if there are coordinates, else O(n).
    pub(super) fn new(graph: &'g Graph<'g>) -> Self {
        Self {
            graph,
            barred: vec![0.0; graph.vertices()],
            tree: points_of(graph).and_then(|points| {
                let vertices = u32::try_from(graph.vertices()).ok()?;
                Some(Tree::new(points, vertices))
            }),
            buffer: Vec::new(),
            minima: Vec::new(),
        }
    }

    pub(super) fn is_free(&self, i: usize) -> bool {
        self.barred[i] == 0.0
    }

    /// `i` is free no more. Once for each vertex.
    pub(super) fn take(&mut self, i: usize) {
        self.barred[i] = f64::INFINITY;
        if let Some(tree) = &mut self.tree {
            tree.remove(i);
        }
    }

    /// The `limit` cheapest free partners of `i`, ascending; all of them if they are fewer. O(n), O(degree),
    /// or O(log n) in practice with coordinates; to which each that is on the list for a while adds
    /// O(`limit`).
    ///
    /// # Errors
    /// What is read breaks the oracle's contract.
    pub(super) fn cheapest(
        &mut self,
        i: usize,
        limit: usize,
        list: &mut Vec<(f64, u32)>,
    ) -> Result<(), SolveError> {
        list.clear();
        if let Some(tree) = &self.tree {
            let mut shortlist = Shortlist { list, limit };
            return tree.search(self.graph, &self.barred, i, &mut shortlist);
        }
        let sign = self.graph.objective.as_minimum(1.0);
        let row = self.graph.row(i, &mut self.buffer)?;
        smallest(&row, sign, &self.barred, limit, &mut self.minima, list);
        Ok(())
    }
}

/// The coordinates, if they help and are what they should be.
fn points_of<'g>(graph: &Graph<'g>) -> Option<Coordinates<'g>> {
    let points = graph.costs.coordinates()?;
    let sized =
        points.dimensions > 0 && points.values.len() == graph.vertices().checked_mul(points.dimensions)?;
    let usable = graph.objective == Objective::Minimize && sized;
    (usable && points.values.iter().all(|x| x.is_finite())).then_some(points)
}

/// The cheapest partners of every vertex: at most `limit` each, ascending.
pub(super) struct Lists {
    pub(super) limit: usize,
    starts: Vec<usize>,
    entries: Vec<(f64, u32)>,
}

impl Lists {
    /// Of and among the free vertices; the others' lists are empty. A limit of 0 counts as 1.
    pub(super) fn new(partners: &mut Partners<'_>, limit: usize) -> Result<Self, SolveError> {
        let limit = limit.max(1);
        let mut lists = Self {
            limit,
            starts: vec![0],
            entries: Vec::new(),
        };
        let mut list = Vec::new();
        for i in 0..partners.barred.len() {
            if partners.is_free(i) {
                partners.cheapest(i, limit, &mut list)?;
                lists.entries.extend_from_slice(&list);
            }
            lists.starts.push(lists.entries.len());
        }
        Ok(lists)
    }

    /// Lists that are given, vertex by vertex.
    pub(super) fn given(lists: impl Iterator<Item = Vec<(f64, u32)>>, limit: usize) -> Self {
        let (mut starts, mut entries) = (vec![0], Vec::new());
        for list in lists {
            entries.extend(list);
            starts.push(entries.len());
        }
        Self {
            limit,
            starts,
            entries,
        }
    }

    pub(super) fn of(&self, i: usize) -> &[(f64, u32)] {
        &self.entries[self.starts[i]..self.starts[i + 1]]
    }
}
