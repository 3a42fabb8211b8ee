//! Heuristics where vertices may stay unmatched: on a complete graph in which two unmatched vertices are a pair.
//!
//! ```text
//! c'_ij = min(c_ij, p_i + p_j)        and p_i with one more vertex, if their number is odd
//! ```
//!
//! For maximum cardinality pairs that are forbidden cost more than all others together, and what the heuristic then
//! leaves unmatched is made as little as possible by augmenting paths. Sparse graphs stay sparse: there the cheapest
//! pairs that are worth their penalties come first.

use super::FREE;
use super::best_first::{AT_A_TIME, pair_best_first};
use super::graph::Graph;
use super::partners::{Lists, Partners};
use crate::cardinality::maximise;
use crate::costs::{CostOracle, Counted, Unmatched};
use crate::error::SolveError;
use crate::limits::{Limits, Meter, Status};
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::solver::{PairingSolver, Workspace};

/// The matching that a heuristic finds where vertices may stay unmatched; `None` if all must be matched.
pub(crate) fn solve_padded(
    solver: &dyn PairingSolver,
    objective: Objective,
    workspace: &mut Workspace,
    costs: &dyn CostOracle,
    limits: &Limits<'_>,
) -> Result<Option<Pairing>, SolveError> {
    let costs = &Counted::new(costs)?;
    let unmatched = costs.unmatched();
    if unmatched == Unmatched::Forbidden {
        return Ok(None);
    }
    let vertices = costs.vertices();
    let mut status = Status::Finished;
    let mut mates = if costs.is_sparse() {
        greedy(workspace, costs, objective)?
    } else {
        let padded = Padded::new(workspace, costs, objective)?;
        let pairing = solver.solve_within(workspace, &padded, limits)?;
        status = pairing.status();
        let worth = |i: usize, &j: &usize| j < vertices && padded.is_worth(i, j);
        let mates = pairing.mates().iter().enumerate().take(vertices);
        mates.map(|(i, j)| if worth(i, j) { *j } else { FREE }).collect()
    };
    if let Unmatched::MaximumCardinality(_) = unmatched {
        // Not within the limits, lest there be no answer.
        maximise(costs, &mut mates, &Meter::default())?;
    }
    leave_unmatched(&mut mates);
    let pairing = Pairing::from_mates(costs, mates)?.with_objective(objective);
    Ok(Some(pairing.with_status(status)))
}

/// Gives every vertex a partner, by augmenting paths.
///
/// # Errors
/// [`SolveError::NoPerfectMatching`] if that cannot be.
pub(super) fn place_all(costs: &dyn CostOracle, mates: &mut [usize]) -> Result<(), SolveError> {
    let barrier = maximise(costs, mates, &Meter::default())?;
    if barrier.unplaced.is_empty() {
        Ok(())
    } else {
        Err(SolveError::NoPerfectMatching(barrier))
    }
}

/// Vertices without a partner are unmatched.
pub(super) fn leave_unmatched(mates: &mut [usize]) {
    for (i, mate) in mates.iter_mut().enumerate() {
        if *mate == FREE {
            *mate = i;
        }
    }
}

/// The cheapest pairs first that are worth their penalties.
fn greedy(
    workspace: &mut Workspace,
    costs: &Counted<'_>,
    objective: Objective,
) -> Result<Vec<usize>, SolveError> {
    let graph = Graph::open(costs, objective, &mut workspace.adjacency)?;
    let mut partners = Partners::new(&graph);
    let lists = Lists::new(&mut partners, AT_A_TIME)?;
    let mut mates = vec![FREE; costs.vertices()];
    pair_best_first(&mut partners, &lists, &mut mates)?;
    if let Unmatched::Penalties(_) = costs.unmatched() {
        drop_dear_pairs(&graph, &mut mates);
    }
    Ok(mates)
}

/// Takes pairs apart that cost more than their penalties.
pub(super) fn drop_dear_pairs(graph: &Graph<'_>, mates: &mut [usize]) {
    let penalty = |i: usize| {
        let penalty = graph.costs.unmatched().penalty(i).unwrap_or(f64::INFINITY);
        graph.objective.as_minimum(penalty)
    };
    for i in 0..mates.len() {
        let j = mates[i];
        if j != FREE && i < j && graph.weight(i, j) > penalty(i) + penalty(j) {
            (mates[i], mates[j]) = (FREE, FREE);
        }
    }
}

/// The padded graph.
struct Padded<'a> {
    costs: &'a Counted<'a>,
    objective: Objective,
    /// Of every vertex, to be minimised; for maximum cardinality raised beyond all costs.
    penalties: Vec<f64>,
}

impl<'a> Padded<'a> {
    fn new(
        workspace: &mut Workspace,
        costs: &'a Counted<'a>,
        objective: Objective,
    ) -> Result<Self, SolveError> {
        let unmatched = costs.unmatched();
        let penalty = |i| objective.as_minimum(unmatched.penalty(i).unwrap_or(0.0));
        let mut penalties: Vec<f64> = (0..costs.vertices()).map(penalty).collect();
        if let Unmatched::MaximumCardinality(_) = unmatched {
            let largest = Graph::open(costs, objective, &mut workspace.adjacency)?.check()?;
            let dearest = penalties.iter().fold(largest, |a, b| a.max(b.abs()));
            let raised = (costs.vertices() as f64 + 1.0) * dearest;
            for penalty in &mut penalties {
                *penalty += raised;
            }
        }
        Ok(Self {
            costs,
            objective,
            penalties,
        })
    }

    /// Whether a pair is better than two unmatched vertices.
    fn is_worth(&self, i: usize, j: usize) -> bool {
        let cost = self.costs.cost(i, j);
        cost.is_some_and(|cost| self.objective.as_minimum(cost) <= self.penalties[i] + self.penalties[j])
    }

    fn padded(&self, i: usize, j: usize, cost: f64) -> f64 {
        if !cost.is_nan() && !cost.is_finite() {
            return cost;
        }
        let penalty = |v: usize| self.penalties.get(v).copied().unwrap_or(0.0);
        // The smaller of the two, and the penalties if the pair is forbidden.
        self.objective
            .as_minimum((penalty(i) + penalty(j)).min(self.objective.as_minimum(cost)))
    }
}

impl CostOracle for Padded<'_> {
    fn vertices(&self) -> usize {
        self.costs.vertices().next_multiple_of(2)
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let vertices = self.costs.vertices();
        let own = if i < vertices && j < vertices {
            // A cost of NaN is a mistake, which must not pass for a forbidden pair.
            self.costs
                .cost(i, j)
                .map(|cost| if cost.is_nan() { f64::INFINITY } else { cost })
        } else {
            None
        };
        Some(self.padded(i, j, own.unwrap_or(f64::NAN)))
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        let vertices = self.costs.vertices();
        out.fill(f64::NAN);
        if i < vertices {
            let inside = out.len().min(vertices.saturating_sub(from));
            self.costs.cost_row(i, from, &mut out[..inside]);
        }
        for (j, out) in (from..).zip(out) {
            *out = if i == j { f64::NAN } else { self.padded(i, j, *out) };
        }
    }
}
