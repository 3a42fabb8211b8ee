//! A solve that was stopped is completed, as well as what it has found allows.

use super::FREE;
use super::best_first::{AT_A_TIME, pair_best_first};
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
use crate::read::Reading;
use crate::read::rows::among;
use crate::solver::Workspace;

/// Exchanges take up to this part of the work that the solve has spent.
const SHARE: u64 = 8;

/// How often the limit of slacks grows.
const ROUNDS: i32 = 8;

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
        ..
    } = unfinished;
    let (by_slack, lists) = tightest(&graph, &candidates, &duals);
    let unlimited = Meter::default();
    for (i, mate) in mates.iter_mut().enumerate() {
        // An unmatched vertex may still be worth a partner.
        if *mate == i {
            *mate = FREE;
        }
    }
    augment_nearly_tight(&by_slack, &mut mates)?;
    let mut partners = Partners::new(&graph, &unlimited);
    for i in (0..mates.len()).filter(|&i| mates[i] != FREE) {
        partners.take(i);
    }
    if let Reading::Precise(_) | Reading::Quick(_) = graph.reading {
        pair_rest(costs, objective, &duals, &mut mates)?;
    } else {
        let rest = Lists::new(&mut partners, AT_A_TIME)?;
        pair_best_first(&mut partners, &rest, &mut mates)?;
    }
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

/// Matches free vertices by augmenting paths among the pairs of least slack, with a limit that grows: a path adds no
/// more to the sum than the slacks on it.
fn augment_nearly_tight(lists: &Lists, mates: &mut [usize]) -> Result<(), SolveError> {
    let all = (0..mates.len()).flat_map(|i| lists.of(i));
    let mut positive: Vec<f64> = all.map(|one| one.0).filter(|&slack| slack > 0.0).collect();
    let middle = positive.len() / 2;
    // Where no slack is positive one round with all pairs will do.
    let (rounds, median) = if positive.is_empty() {
        (0, 0.0)
    } else {
        (ROUNDS, *positive.select_nth_unstable_by(middle, f64::total_cmp).1)
    };
    let limits = (0..rounds).map(|round| median / 16.0 * f64::from(1 << (2 * round)));
    for limit in limits.chain([f64::INFINITY]) {
        if !mates.contains(&FREE) {
            break;
        }
        let vertices = mates.len();
        let near = NearlyTight {
            lists,
            vertices,
            limit,
        };
        maximise(&near, mates, &Meter::default())?;
    }
    Ok(())
}

/// The pairs of some lists with no more slack than a limit.
struct NearlyTight<'a> {
    lists: &'a Lists,
    vertices: usize,
    limit: f64,
}

impl CostOracle for NearlyTight<'_> {
    fn vertices(&self) -> usize {
        self.vertices
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let list = self.lists.of(i).iter();
        let found = list.filter(|one| one.1 as usize == j).map(|one| one.0);
        found.min_by(f64::total_cmp).filter(|&slack| slack <= self.limit)
    }

    fn is_sparse(&self) -> bool {
        true
    }

    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        for &(slack, j) in self.lists.of(i).iter().take_while(|one| one.0 <= self.limit) {
            visit(j as usize, slack);
        }
    }
}

/// Pairs those that are still free by the few least reduced costs of each among themselves, as long as that finds any:
/// each round looks at a small part of the pairs of the last.
fn pair_rest(
    costs: &Counted<'_>,
    objective: Objective,
    duals: &[f64],
    mates: &mut [usize],
) -> Result<(), SolveError> {
    loop {
        let all = (0..).zip(&*mates);
        let free: Vec<u32> = all.filter(|(_, mate)| **mate == FREE).map(|(v, _)| v).collect();
        if free.is_empty() {
            return Ok(());
        }
        let reduced = Reduced {
            costs: among(costs, &free),
            shares: free
                .iter()
                .map(|&v| objective.as_minimum(duals[v as usize]))
                .collect(),
        };
        let (rest, mut workspace, unlimited) = (Counted::new(&reduced)?, Workspace::new(), Meter::default());
        let graph = Graph::open(&rest, objective, &mut workspace)?;
        let mut partners = Partners::new(&graph, &unlimited);
        let mut lists = Lists::new(&mut partners, AT_A_TIME)?;
        lists.limit = usize::MAX;
        let mut found = vec![FREE; free.len()];
        pair_best_first(&mut partners, &lists, &mut found)?;
        if found.iter().all(|&mate| mate == FREE) {
            return Ok(());
        }
        for (&v, mate) in free.iter().zip(found).filter(|(_, mate)| *mate != FREE) {
            mates[v as usize] = free[mate] as usize;
        }
    }
}

/// Costs less what both vertices pay: of smooth costs all vertices have the same cheapest partners, but not by these.
struct Reduced<'a> {
    costs: Box<dyn CostOracle + 'a>,
    shares: Vec<f64>,
}

impl CostOracle for Reduced<'_> {
    fn vertices(&self) -> usize {
        self.shares.len()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let paid = self.shares[i] + self.shares[j];
        self.costs.cost(i, j).map(|cost| cost - paid)
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        self.costs.cost_row(i, from, out);
        for (out, share) in out.iter_mut().zip(&self.shares[from..]) {
            *out -= self.shares[i] + share;
        }
    }
}

/// Of the candidates of each vertex those with the least reduced cost, ascending by that, and by weight as lists are.
fn tightest(graph: &Graph<'_>, candidates: &[(usize, usize)], duals: &[f64]) -> (Lists, Lists) {
    let mut lists = vec![Vec::new(); duals.len()];
    for &(i, j) in candidates {
        let weight = graph.weight(i, j);
        let reduced = weight - duals[i] - duals[j];
        for (from, to) in [(i, j), (j, i)] {
            lists[from].push((reduced, weight, u32::try_from(to).unwrap_or(u32::MAX)));
        }
    }
    for list in &mut lists {
        list.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        list.truncate(LocalSearch::CANDIDATES);
    }
    let by_slack = lists
        .iter()
        .map(|list| list.iter().map(|one| (one.0, one.2)).collect());
    // Once such a list is used up, other partners are not looked for.
    let by_slack = Lists::given(by_slack, usize::MAX);
    let by_weight = lists.into_iter().map(|mut list| {
        list.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.2.cmp(&b.2)));
        list.into_iter().map(|one| (one.1, one.2)).collect()
    });
    (by_slack, Lists::given(by_weight, LocalSearch::CANDIDATES))
}
