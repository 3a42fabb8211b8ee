//! A solve that was stopped is completed, as well as what it has found allows.

use super::FREE;
use super::best_first::pair_best_first;
use super::bound::{Approximate, dual_bound};
use super::exchange::Exchange;
use super::graph::Graph;
use super::local_search::LocalSearch;
use super::padded::{drop_dear_pairs, leave_unmatched, place_all};
use super::partners::{Lists, Partners};
use crate::cardinality::maximise;
use crate::costs::{CostOracle, Counted, Unmatched};
use crate::error::SolveError;
use crate::exact::Unfinished;
use crate::limits::{Meter, Status};
use crate::objective::Objective;
use crate::solver::Workspace;

/// Exchanges are among up to so many pairs.
const MOVED: usize = 3;

/// Where the bound of the solve leaves more than this, duals that begin anew, by so many sweeps, may be better: those
/// of a sample say little of costs that are not smooth. On so many vertices at most, since sweeps look at all pairs.
const WIDE: f64 = 0.05;
const SWEEPS: usize = 2;
const FEW: usize = 2048;

/// Whoever is unpaired gets the best partner left among the candidates, or of all if those are taken; exchanges
/// improve the whole.
///
/// # Errors
/// [`SolveError::DeadEnd`] if there is no pairing; or the oracle breaks its contract.
pub(crate) fn finish(
    workspace: &mut Workspace,
    costs: &Counted<'_>,
    objective: Objective,
    unfinished: Unfinished,
    status: Status,
) -> Result<Approximate, SolveError> {
    let graph = Graph::open_to_skim(costs, objective, &mut workspace.adjacency)?;
    let Unfinished {
        duals,
        mut mates,
        candidates,
        bound,
    } = unfinished;
    let lists = tightest(&graph, &candidates, &duals);
    let mut partners = Partners::new(&graph);
    for (i, mate) in mates.iter_mut().enumerate() {
        // An unmatched vertex may still be worth a partner.
        if *mate == i {
            *mate = FREE;
        }
    }
    for i in (0..mates.len()).filter(|&i| mates[i] != FREE) {
        partners.take(i);
    }
    pair_best_first(&mut partners, &lists, &mut mates)?;
    let unmatched = costs.unmatched();
    if let Unmatched::Penalties(_) = unmatched {
        drop_dear_pairs(&graph, &mut mates);
    } else if unmatched == Unmatched::Forbidden {
        place_all(costs, &mut mates)?;
    } else {
        maximise(costs, &mut mates, &Meter::default())?;
    }
    leave_unmatched(&mut mates);
    let mut exchange = Exchange::new(&graph, &lists, mates, MOVED, u64::MAX);
    // Exchanges know of pairs alone.
    if exchange.mates.iter().enumerate().all(|(i, &mate)| i != mate) {
        // Without limits there is none to reach.
        let _ = exchange.run(&Meter::default());
    }
    let pairing = graph.finish(exchange.mates)?.with_status(status);
    let answer = match bound {
        Some(bound) => Approximate::new(pairing, objective, bound),
        None => Approximate::new(pairing, objective, dual_bound(costs, objective, 0)?),
    };
    if answer.relative_gap() < WIDE || (costs.vertices() > FEW && !costs.is_sparse()) {
        return Ok(answer);
    }
    let other = dual_bound(costs, objective, SWEEPS)?;
    let other = Approximate::new(answer.pairing().clone(), objective, other);
    Ok(if other.gap() < answer.gap() { other } else { answer })
}

/// Of the candidates of each vertex those with the least reduced cost, ascending by weight as lists are.
fn tightest(graph: &Graph<'_>, candidates: &[(usize, usize)], duals: &[f64]) -> Lists {
    let mut lists = vec![Vec::new(); duals.len()];
    for &(i, j) in candidates {
        let weight = graph.weight(i, j);
        let reduced = weight - duals[i] - duals[j];
        for (from, to) in [(i, j), (j, i)] {
            lists[from].push((reduced, weight, to));
        }
    }
    let few = lists.iter_mut().map(|list| {
        list.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        list.truncate(LocalSearch::CANDIDATES);
        let mut list: Vec<_> = list
            .iter()
            .map(|&(_, weight, to)| (weight, u32::try_from(to).unwrap_or(u32::MAX)))
            .collect();
        list.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        list
    });
    Lists::given(few, LocalSearch::CANDIDATES)
}
