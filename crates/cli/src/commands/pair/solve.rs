//! From a graph to pairs: with everyone in a pair, or with players who sit out.

use std::time::Instant;

use matchwright_solver::{
    Barrier, BruteForce, Certificate, CostOracle, ExactPairing, GreedyPairing, Limits, LocalSearch,
    Objective, Pairing, PairingSolver, PathGrowing, RandomPairing, SolveError, SortAdjacent, Unmatched,
    UnmatchedPenalties, Verdict, VerifiedBound, Workspace, dual_bound, maximum_cardinality_barrier, verify,
    verify_bound,
};

use crate::arguments::{PairOptions, SolverName};
use crate::failure::Failure;

use super::deadline::{Met, within};
use super::may_sit_out;

/// What a solver made of a graph.
pub(super) struct Solved {
    pub(super) cost: f64,
    pub(super) pairs: Vec<(usize, usize)>,
    /// None if nobody was allowed to.
    pub(super) sitting_out: Option<Vec<usize>>,
    /// Why no fewer can sit out.
    pub(super) barrier: Option<Barrier>,
    /// What the solver claims, if it proves anything; or a bound found for it.
    pub(super) claim: Option<Claim>,
    /// Whether that is a bound found, and verified, for a solver that proves nothing itself.
    pub(super) measured: bool,
    /// What the judge found, if asked and if there was a claim.
    pub(super) verdict: Option<Verdict>,
    /// How the deadline was met, if there was one.
    pub(super) deadline: Option<Met>,
    pub(super) solve_seconds: f64,
    pub(super) verify_seconds: Option<f64>,
}

impl Solved {
    /// The most by which rounding may have moved the optimum, if that was checked.
    pub(super) fn checked_error(&self) -> Option<f64> {
        let verdict = self.verdict.as_ref().map(|verdict| verdict.quantisation_error);
        let measured = self.claim.as_ref().filter(|_| self.measured);
        verdict.or(measured.map(|claim| claim.quantisation_error))
    }
}

/// A bound on the cost of every answer, and the most by which rounding may have moved the optimum.
pub(super) struct Claim {
    pub(super) dual_bound: f64,
    pub(super) quantisation_error: f64,
}

impl From<VerifiedBound> for Claim {
    fn from(bound: VerifiedBound) -> Self {
        Self {
            dual_bound: bound.dual_bound,
            quantisation_error: bound.quantisation_error,
        }
    }
}

/// Pairs everyone, or with `prices` those who do not sit out. `name` is the graph's, for complaints.
pub(super) fn solve(
    options: &PairOptions,
    objective: Option<Objective>,
    graph: &dyn CostOracle,
    prices: Option<Vec<f64>>,
    name: &str,
) -> Result<Solved, Failure> {
    let objective = objective.unwrap_or(Objective::Minimize);
    let solver: Box<dyn PairingSolver> = match options.solver {
        SolverName::Exact => Box::new(ExactPairing::new(objective)),
        SolverName::LocalSearch => Box::new(LocalSearch::new(objective)),
        SolverName::PathGrowing => Box::new(PathGrowing::new(objective)),
        SolverName::Greedy => Box::new(GreedyPairing::new(objective)),
        SolverName::SortAdjacent => Box::new(SortAdjacent::by_index()),
        SolverName::Random => Box::new(RandomPairing::new(options.seed)),
        SolverName::BruteForce => Box::new(BruteForce::new(objective)),
    };
    match prices {
        None => match options.deadline {
            None => matched(options, &*solver, objective, graph, name),
            Some(limit) => within(limit, options.verify, objective, graph, name),
        },
        Some(prices) => {
            // A price is paid under either objective: it makes the sum worse.
            let penalties = prices
                .into_iter()
                .map(|price| objective.as_minimum(price))
                .collect();
            let problem = if options.fewest_out {
                UnmatchedPenalties::maximum_cardinality(graph).with_penalties(penalties)
            } else {
                UnmatchedPenalties::new(graph, penalties)
            };
            matched(options, &*solver, objective, &problem.map_err(Failure::of)?, name)
        }
    }
}

fn matched(
    options: &PairOptions,
    solver: &dyn PairingSolver,
    objective: Objective,
    graph: &dyn CostOracle,
    name: &str,
) -> Result<Solved, Failure> {
    let started = Instant::now();
    let pairing = solver
        .solve(&mut Workspace::new(), graph)
        .map_err(|error| Failure::Failed(format!("{name}: {error}")))?;
    let solve_seconds = started.elapsed().as_secs_f64();
    let mut claim = pairing.certificate().map(|certificate| Claim {
        dual_bound: certificate.dual_bound(),
        quantisation_error: certificate.quantisation_error(),
    });
    let started = Instant::now();
    // Of other pairings there is nothing to check but that they are matchings, which their type ensures.
    let verdict = if options.verify && claim.is_some() {
        Some(verify(graph, &pairing).map_err(rejected)?)
    } else {
        None
    };
    let measured = wants_bound(options);
    if measured {
        let certificate = dual_bound(graph, objective).map_err(Failure::of)?;
        claim = Some(
            verify_bound(graph, objective, &certificate)
                .map_err(rejected)?
                .into(),
        );
    }
    Ok(Solved {
        cost: pairing.cost(),
        pairs: pairing.pairs().collect(),
        sitting_out: may_sit_out(options).then(|| pairing.unmatched().collect()),
        barrier: barrier_of(graph, &pairing).map_err(Failure::of)?,
        claim,
        measured,
        verdict,
        deadline: None,
        solve_seconds,
        verify_seconds: options.verify.then(|| started.elapsed().as_secs_f64()),
    })
}

/// Why no fewer vertices can be unmatched, if that is asked and some are.
fn barrier_of(graph: &dyn CostOracle, pairing: &Pairing) -> Result<Option<Barrier>, SolveError> {
    let asked = matches!(graph.unmatched(), Unmatched::MaximumCardinality(_));
    if !asked || pairing.unmatched().next().is_none() {
        return Ok(None);
    }
    match pairing.certificate().and_then(Certificate::barrier) {
        Some(barrier) => Ok(Some(barrier.clone())),
        None => maximum_cardinality_barrier(graph, &Limits::unlimited()).map(Some),
    }
}

/// Whether a bound is asked for, and the solver aims at an objective without proving anything.
fn wants_bound(options: &PairOptions) -> bool {
    use SolverName::{Greedy, LocalSearch, PathGrowing};
    options.verify && matches!(options.solver, LocalSearch | PathGrowing | Greedy)
}

pub(super) fn rejected(error: impl std::fmt::Display) -> Failure {
    Failure::Failed(format!(
        "the certificate was rejected: {error}; please report this as a bug"
    ))
}
