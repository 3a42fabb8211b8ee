//! The cheapest partners of every vertex.

use super::graph::Graph;
use super::smallest::{cut, smallest_few};
use crate::costs::CostOracle;
use crate::error::SolveError;
use crate::limits::{Meter, Progress};
use crate::read::Reading;
use crate::read::space::{Duals, Space};

/// Finds the cheapest partners among the vertices that are free. Each search is a unit of work.
pub(super) struct Partners<'g> {
    pub(super) graph: &'g Graph<'g>,
    meter: &'g Meter<'g>,
    /// What is added to a weight: 0 for a vertex that is free, infinite for one that is not.
    barred: Vec<f64>,
    /// If costs are minimised and no less than distances.
    near: Option<Near<'g>>,
    buffer: Vec<f64>,
    minima: Vec<f64>,
}

/// A k-d tree of the free vertices.
struct Near<'g> {
    space: &'g Space<'g>,
    /// 0 for a vertex that is free.
    duals: Duals,
    /// Where in the tree each vertex is.
    place: Vec<usize>,
}

impl<'g> Near<'g> {
    fn new(space: &'g Space<'g>, vertices: usize) -> Self {
        let mut place = vec![0; vertices];
        for (at, &v) in space.order().iter().enumerate() {
            place[v as usize] = at;
        }
        Self {
            space,
            duals: space.arrange(&vec![0.0; vertices]),
            place,
        }
    }

    /// The cheapest of the free vertices near `i`.
    fn cheapest(
        &self,
        graph: &Graph<'_>,
        barred: &[f64],
        i: usize,
        limit: usize,
        list: &mut Vec<(f64, u32)>,
    ) -> Result<(), SolveError> {
        let mut outcome = Ok(());
        self.space
            .search(self.place[i], limit, &self.duals, list, &|_| true, |other| {
                let j = self.space.order()[other] as usize;
                if barred[j] > 0.0 {
                    return None;
                }
                let value = graph.costs.cost(i.min(j), i.max(j))?;
                if !value.is_finite() {
                    outcome = Err(SolveError::NotFinite { i, j, value });
                }
                // One zero of the two, so that they tie.
                Some(value + 0.0).filter(|value| value.is_finite())
            });
        outcome
    }
}

impl<'g> Partners<'g> {
    /// All vertices are free. O(n log n) if there are coordinates, else O(n).
    pub(super) fn new(graph: &'g Graph<'g>, meter: &'g Meter<'g>) -> Self {
        let vertices = graph.vertices();
        Self {
            graph,
            meter,
            barred: vec![0.0; vertices],
            near: match &graph.reading {
                Reading::Space(space) => Some(Near::new(space, vertices)),
                _ => None,
            },
            buffer: Vec::new(),
            minima: Vec::new(),
        }
    }

    pub(super) fn is_free(&self, i: usize) -> bool {
        self.barred[i] == 0.0
    }

    /// `i` is free no more.
    pub(super) fn take(&mut self, i: usize) {
        self.barred[i] = f64::INFINITY;
        if let Some(near) = &mut self.near {
            near.space.exclude(near.place[i], &mut near.duals);
        }
    }

    /// The `limit` cheapest free partners of `i`, ascending; all of them if they are fewer. O(n), O(degree),
    /// or O(log n) in practice with coordinates; to which each that is on the list for a while adds
    /// O(`limit`).
    ///
    /// # Errors
    /// What is read breaks the oracle's contract; [`SolveError::Limited`].
    pub(super) fn cheapest(
        &mut self,
        i: usize,
        limit: usize,
        list: &mut Vec<(f64, u32)>,
    ) -> Result<(), SolveError> {
        self.meter.spend(1)?;
        self.meter.check(Progress::new("candidate partners"))?;
        if let Some(near) = &self.near {
            return near.cheapest(self.graph, &self.barred, i, limit, list);
        }
        list.clear();
        match &self.graph.reading {
            Reading::Lists(lists) => {
                let free = lists.row(i).filter(|&(j, _)| self.barred[j as usize] == 0.0);
                list.extend(free.map(|(j, weight)| (weight + 0.0, j)));
            }
            Reading::Matrix(matrix) => {
                smallest_few(matrix.whole_row(i), &self.barred, limit, &mut self.minima, list);
            }
            _ => {
                self.graph.read_row(i, &mut self.buffer)?;
                smallest_few(&self.buffer, &self.barred, limit, &mut self.minima, list);
            }
        }
        cut(list, limit);
        Ok(())
    }
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
