//! Sparse graphs: every edge, read once and checked.

use super::survey::Survey;
use super::{Graph, Query};
use crate::costs::Adjacency;
use crate::error::SolveError;
use crate::objective::Objective;

/// The edges of a sparse oracle.
pub(crate) struct Lists<'a> {
    adjacency: &'a Adjacency,
    objective: Objective,
    pub(crate) survey: Survey,
}

impl<'a> Lists<'a> {
    pub(crate) fn new(adjacency: &'a Adjacency, objective: Objective) -> Self {
        let largest = adjacency
            .edges()
            .fold(0.0, |largest: f64, edge| largest.max(edge.2.abs()));
        Self {
            adjacency,
            objective,
            survey: Survey::up_to(largest),
        }
    }

    /// The costs of every allowed pair, once.
    pub(crate) fn all(&self) -> impl Iterator<Item = f64> + '_ {
        self.adjacency
            .edges()
            .map(|(_, _, cost)| self.objective.as_minimum(cost))
    }

    /// The edges among some vertices, ascending, in other memory; vertex v is called `places[v]` there, `u32::MAX` if
    /// it is left out.
    pub(crate) fn among<'b>(&self, vertices: &[u32], places: &[u32], memory: &'b mut Adjacency) -> Lists<'b> {
        self.adjacency.copy_part(vertices, places, memory);
        Lists {
            adjacency: memory,
            objective: self.objective,
            survey: self.survey,
        }
    }

    /// How many pairs are allowed.
    pub(crate) fn edges(&self) -> usize {
        self.adjacency.entries() / 2
    }

    /// The allowed partners of `i`, ascending, with the costs of the pairs.
    pub(crate) fn row(&self, i: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let row = self.adjacency.row(i).iter();
        row.map(|&(j, cost)| (j, self.objective.as_minimum(cost)))
    }
}

impl Graph for Lists<'_> {
    fn vertices(&self) -> usize {
        self.adjacency.vertices()
    }

    fn cost(&self, i: u32, j: u32) -> Result<Option<f64>, SolveError> {
        let cost = self.adjacency.cost(i as usize, j as usize);
        Ok(cost.map(|cost| self.objective.as_minimum(cost)))
    }

    fn for_each_neighbour(&self, i: u32, visit: &mut dyn FnMut(u32, f64)) -> Result<(), SolveError> {
        self.row(i as usize).for_each(|(j, cost)| visit(j, cost));
        Ok(())
    }

    fn is_sparse(&self) -> bool {
        true
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        out.fill(f64::NAN);
        for (j, cost) in self.row(i) {
            if let Some(place) = (j as usize).checked_sub(from).and_then(|at| out.get_mut(at)) {
                *place = cost;
            }
        }
    }

    fn maybe_violated(&self, query: &Query<'_>, found: &mut Vec<(u32, u32)>) {
        let margin = query.margin::<f64>();
        let duals = query.duals;
        for i in (0..).take(self.vertices()) {
            let own = duals[i as usize] + margin;
            for (j, cost) in self.row(i as usize).filter(|&(j, _)| j > i) {
                let reduced = cost - duals[j as usize] - own;
                if reduced <= 0.0 && query.holds(i, j, reduced, 0.0) && query.wants(i, j, Some(cost)) {
                    found.push((i, j));
                }
            }
        }
    }
}
