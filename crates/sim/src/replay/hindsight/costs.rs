//! The permitted pairs of some tickets as an oracle for the solver, which prices them itself.

use std::sync::atomic::{AtomicU64, Ordering};

use matchwright_solver::{Coordinates, CostOracle};

use super::HindsightProblem;

/// Tickets of a log at costs that are raised by a constant, so that none is less than the distance in the plane of
/// waiting and rating (see `waiting`).
pub(super) struct Costs<'a> {
    problem: &'a HindsightProblem<'a>,
    /// The tickets, ascending.
    members: &'a [usize],
    points: Vec<f64>,
    dimensions: usize,
    /// What is added to the cost of each pair.
    pub(super) constant: f64,
    /// How often a cost was asked for alone, not in a row.
    evaluations: AtomicU64,
}

impl<'a> Costs<'a> {
    pub(super) fn new(problem: &'a HindsightProblem<'a>, members: &'a [usize]) -> Self {
        let params = &problem.params;
        let weight = params.mismatch_weight;
        let ratings = params.ratings.filter(|_| weight > 0.0);
        let slope = problem.minorant.slope;
        let first = members.first().map_or(0, |&i| params.tickets[i].came_ms);
        let point = |&i: &usize| {
            let waited = slope * (params.tickets[i].came_ms - first) as f64 / 1000.0;
            let rating = ratings.map(|ratings| weight * ratings[i]);
            (slope > 0.0).then_some(waited).into_iter().chain(rating)
        };
        let points: Vec<f64> = members.iter().flat_map(point).collect();
        // Coordinates and costs are rounded, which must not make a cost less than a distance.
        let largest = points.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        Self {
            problem,
            members,
            dimensions: usize::from(slope > 0.0) + usize::from(ratings.is_some()),
            points,
            constant: problem.minorant.constant + 8.0 * f64::EPSILON * largest,
            evaluations: AtomicU64::new(0),
        }
    }

    /// Has all pairs read.
    pub(super) fn forget_coordinates(&mut self) {
        self.dimensions = 0;
    }

    fn raised_cost(&self, i: usize, j: usize) -> Option<f64> {
        let cost = self.problem.pair_cost(self.members[i], self.members[j]);
        cost.map(|cost| cost + self.constant)
    }

    pub(super) fn evaluations(&self) -> u64 {
        self.evaluations.load(Ordering::Relaxed)
    }
}

impl CostOracle for Costs<'_> {
    fn vertices(&self) -> usize {
        self.members.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.evaluations.fetch_add(1, Ordering::Relaxed);
        self.raised_cost(i, j)
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        for (j, out) in (from..).zip(out) {
            let cost = if i == j { None } else { self.raised_cost(i, j) };
            // A cost of NaN is a mistake, which must not pass for a forbidden pair.
            *out = cost.map_or(f64::NAN, |cost| if cost.is_nan() { f64::INFINITY } else { cost });
        }
    }

    fn coordinates(&self) -> Option<Coordinates<'_>> {
        (self.dimensions > 0).then_some(Coordinates {
            slack: 0.0,
            dimensions: self.dimensions,
            values: &self.points,
        })
    }
}
