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
use crate::limits::{Limits, Meter, Progress, Status};
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::solver::Workspace;

/// Runs a heuristic that matches every vertex, or the same on the padded graph where vertices may stay unmatched.
///
/// # Errors
/// [`SolveError::OddVertices`]; [`SolveError::Limited`] at a limit, if every vertex must be matched; those of `pair`.
pub(crate) fn run_heuristic(
    objective: Objective,
    workspace: &mut Workspace,
    costs: &dyn CostOracle,
    limits: &Limits<'_>,
    pair: impl FnOnce(&mut Workspace, &Counted<'_>, &Meter<'_>) -> Result<Pairing, SolveError>,
) -> Result<Pairing, SolveError> {
    let costs = &Counted::even(costs)?;
    let meter = &Meter::new(*limits);
    meter.check(Progress::new("start"))?;
    let (unmatched, vertices) = (costs.unmatched(), costs.vertices());
    if unmatched == Unmatched::Forbidden {
        return pair(workspace, costs, meter);
    }
    let mut mates = vec![FREE; vertices];
    // At a limit the matching so far is an answer.
    let mut outcome = if costs.is_sparse() {
        greedy(workspace, costs, objective, meter, &mut mates)
    } else {
        let padded = Padded::new(costs, objective);
        pair(workspace, &Counted::new(&padded)?, meter).map(|pairing| {
            let worth = |&(i, j): &(usize, usize)| j < vertices && padded.is_worth(i, j);
            for (i, j) in pairing.pairs().filter(worth) {
                (mates[i], mates[j]) = (j, i);
            }
        })
    };
    if outcome.is_ok() && matches!(unmatched, Unmatched::MaximumCardinality(_)) {
        outcome = maximise(costs, &mut mates, meter).map(|_| ());
    }
    let status = match (outcome, meter.ended()) {
        (Ok(()), Ok(())) => Status::Finished,
        (Err(SolveError::Limited { status }), _) | (Ok(()), Err(status)) => status,
        (Err(error), _) => return Err(error),
    };
    leave_unmatched(&mut mates);
    let pairing = Pairing::from_mates(costs, mates)?.with_objective(objective);
    Ok(pairing.with_status(status))
}

/// Gives every vertex a partner, by augmenting paths.
///
/// # Errors
/// [`SolveError::NoPerfectMatching`] if that cannot be; [`SolveError::Limited`].
pub(super) fn place_all(
    costs: &dyn CostOracle,
    mates: &mut [usize],
    meter: &Meter<'_>,
) -> Result<(), SolveError> {
    let barrier = maximise(costs, mates, meter)?;
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
    meter: &Meter<'_>,
    mates: &mut [usize],
) -> Result<(), SolveError> {
    let graph = Graph::open(costs, objective, workspace)?;
    let mut partners = Partners::new(&graph, meter);
    let outcome =
        Lists::new(&mut partners, AT_A_TIME).and_then(|lists| pair_best_first(&mut partners, &lists, mates));
    if let Unmatched::Penalties(_) = costs.unmatched() {
        drop_dear_pairs(&graph, mates);
    }
    outcome
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
    fn new(costs: &'a Counted<'a>, objective: Objective) -> Self {
        let unmatched = costs.unmatched();
        let penalty = |i| objective.as_minimum(unmatched.penalty(i).unwrap_or(0.0));
        let mut penalties: Vec<f64> = (0..costs.vertices()).map(penalty).collect();
        if let Unmatched::MaximumCardinality(_) = unmatched {
            let largest = penalties.iter().fold(largest_cost(costs), |a, b| a.max(b.abs()));
            let raised = (costs.vertices() as f64 + 1.0) * largest;
            for penalty in &mut penalties {
                *penalty += raised;
            }
        }
        Self {
            costs,
            objective,
            penalties,
        }
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

/// The largest magnitude of a cost.
fn largest_cost(costs: &Counted<'_>) -> f64 {
    let (mut row, mut largest) = (vec![0.0; costs.vertices()], 0.0_f64);
    for i in 0..row.len() {
        costs.cost_row(i, 0, &mut row);
        let finite = row.iter().filter(|cost| cost.is_finite());
        largest = finite.fold(largest, |a, b| a.max(b.abs()));
    }
    largest
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
