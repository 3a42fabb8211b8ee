//! A solve that was stopped is completed, as well as what it has found allows.

use super::FREE;
use super::best_first::pair_best_first;
use super::bound::BoundedPairing;
use super::exchange::Exchange;
use super::graph::Graph;
use super::local_search::LocalSearch;
use super::padded::{drop_dear_pairs, leave_unmatched, place_all};
use super::partners::{Lists, Partners};
use crate::cardinality::maximise;
use crate::certificate::Certificate;
use crate::costs::{CostOracle, Counted, Unmatched};
use crate::error::SolveError;
use crate::exact::Unfinished;
use crate::limits::{Limits, Meter, Status};
use crate::objective::Objective;
use crate::solver::Workspace;

/// Exchanges take up to this part of the work that the solve has spent.
const SHARE: u64 = 8;

/// Unmatched vertices get the best partner left among the candidates, or of all if those are taken; exchanges
/// improve the whole. `spent` is the work of the solve, in rows of n pairs.
///
/// # Errors
/// [`SolveError::NoPerfectMatching`] if there is no pairing; or the oracle breaks its contract.
pub(crate) fn finish(
    workspace: &mut Workspace,
    costs: &Counted<'_>,
    objective: Objective,
    (unfinished, bound): (Unfinished, Certificate),
    (status, spent): (Status, u64),
) -> Result<BoundedPairing, SolveError> {
    let graph = Graph::open(costs, objective, workspace)?;
    let Unfinished {
        duals,
        mut mates,
        candidates,
    } = unfinished;
    let lists = tightest(&graph, &candidates, &duals);
    let unlimited = Meter::default();
    let mut partners = Partners::new(&graph, &unlimited);
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
    match costs.unmatched() {
        Unmatched::Penalties(_) => drop_dear_pairs(&graph, &mut mates),
        Unmatched::Forbidden => place_all(costs, &mut mates, &unlimited)?,
        Unmatched::MaximumCardinality(_) => {
            maximise(costs, &mut mates, &unlimited)?;
        }
    }
    leave_unmatched(&mut mates);
    // Exchanges know of pairs alone. One that is weighed looks at a pair.
    if mates.iter().enumerate().all(|(i, &mate)| i != mate) {
        let pairs = (spent / SHARE).saturating_mul(mates.len() as u64);
        let meter = Meter::new(Limits::unlimited().with_work(pairs));
        let mut exchange = Exchange::new(&graph, &lists, mates, &meter);
        // At the limit the pairing is the best so far.
        let _ = exchange.run(&meter);
        mates = exchange.mates;
    }
    let pairing = graph.finish(mates)?.with_status(status);
    Ok(BoundedPairing::new(pairing, objective, bound))
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
