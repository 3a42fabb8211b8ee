//! From a graph to pairs: with every vertex in a pair, with vertices unmatched at a penalty, or within a deadline.

use std::time::{Duration, Instant};

use matchwright_solver::{
    Barrier, BruteForce, Certificate, CostOracle, ExactPairing, GreedyPairing, Limits, LocalSearch,
    Objective, Pairing, PairingSolver, PathGrowing, RandomPairing, Snapshot, SolveError, SortAdjacent,
    Unmatched, UnmatchedPenalties, Verdict, VerifiedBound, Workspace, dual_bound,
    maximum_cardinality_barrier, verify, verify_bound,
};
use serde::Serialize;

use super::may_stay_unmatched;
use crate::arguments::{PairOptions, SolverName};
use crate::failure::Failure;
use crate::input::InputName;
use crate::interrupt::Interruptible;
use crate::progress::Bar;

/// What a solver made of a graph.
pub(super) struct Solved {
    pub(super) cost: f64,
    pub(super) pairs: Vec<(usize, usize)>,
    /// None if every vertex had to be paired.
    pub(super) unmatched: Option<Vec<usize>>,
    /// Why no fewer can be unmatched.
    pub(super) barrier: Option<Barrier>,
    /// What the solver claims, if it proves anything; or a bound found for it.
    pub(super) claim: Option<Claim>,
    /// Whether that is a bound, verified, of a pairing that is not proven to be optimal.
    pub(super) measured: bool,
    /// What the verifier found, if asked and if there was a claim to be optimal.
    pub(super) verdict: Option<Verdict>,
    /// How the deadline was met, if there was one.
    pub(super) deadline: Option<Met>,
    pub(super) solve_seconds: f64,
    pub(super) verify_seconds: Option<f64>,
}

impl Solved {
    /// The most by which rounding may have moved the optimum: as it was checked, or else as it is claimed.
    pub(super) fn quantisation_error(&self) -> Option<f64> {
        let verdict = self.verdict.as_ref().map(|verdict| verdict.quantisation_error);
        verdict.or(self.claim.as_ref().map(|claim| claim.quantisation_error))
    }
}

/// A bound on the cost of every answer, and the most by which rounding may have moved the optimum.
pub(super) struct Claim {
    pub(super) dual_bound: f64,
    pub(super) quantisation_error: f64,
}

/// What came of a deadline.
#[derive(Serialize)]
pub(super) struct Met {
    /// No pairing is better by more.
    pub(super) gap: f64,
    /// Whether the deadline stopped the solver.
    pub(super) deadline_reached: bool,
    /// Whether Ctrl-C did.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) interrupted: bool,
    /// Whether another run gives the same pairs.
    pub(super) reproducible: bool,
}

impl From<VerifiedBound> for Claim {
    fn from(bound: VerifiedBound) -> Self {
        Self {
            dual_bound: bound.dual_bound,
            quantisation_error: bound.quantisation_error,
        }
    }
}

/// Pairs every vertex, or with `penalties` those that are not left out. `name` is the graph's, for complaints.
pub(super) fn solve(
    options: &PairOptions,
    objective: Option<Objective>,
    graph: &dyn CostOracle,
    penalties: Option<Vec<f64>>,
    name: &InputName,
) -> Result<Solved, Failure> {
    let objective = objective.unwrap_or(Objective::Minimize);
    let Some(penalties) = penalties else {
        return match options.deadline {
            None => solve_whole(options, objective, graph, name),
            Some(limit) => solve_within(limit, options, objective, graph, name),
        };
    };
    // A penalty is paid under either objective: it makes the sum worse.
    let penalties = penalties.into_iter().map(|penalty| objective.as_minimum(penalty));
    let penalties = penalties.collect();
    let problem = if options.fewest_unmatched {
        UnmatchedPenalties::maximum_cardinality(graph).with_penalties(penalties)
    } else {
        UnmatchedPenalties::new(graph, penalties)
    };
    solve_whole(options, objective, &problem.map_err(Failure::of)?, name)
}

fn solve_whole(
    options: &PairOptions,
    objective: Objective,
    graph: &dyn CostOracle,
    name: &InputName,
) -> Result<Solved, Failure> {
    let solver: Box<dyn PairingSolver> = match options.solver {
        SolverName::Exact => Box::new(ExactPairing::new(objective)),
        SolverName::LocalSearch => Box::new(LocalSearch::new(objective)),
        SolverName::PathGrowing => Box::new(PathGrowing::new(objective)),
        SolverName::Greedy => Box::new(GreedyPairing::new(objective)),
        SolverName::SortAdjacent => Box::new(SortAdjacent::by_index()),
        SolverName::Random => Box::new(RandomPairing::new(options.seed)),
        SolverName::BruteForce => Box::new(BruteForce::new(objective)),
    };
    let _bar = Bar::begun("pairing");
    let started = Instant::now();
    let pairing = solver.solve(graph);
    let pairing = pairing.map_err(|error| Failure::Failed(format!("{name}: {error}")))?;
    let seconds = started.elapsed().as_secs_f64();
    checked(
        options,
        objective,
        graph,
        (&pairing, pairing.certificate()),
        None,
        seconds,
    )
}

/// The best pairing that the exact solver finds in time, and how far from the optimum that can be. The clock starts
/// here; what is left to do when it has run down takes time as well.
fn solve_within(
    limit: Duration,
    options: &PairOptions,
    objective: Objective,
    graph: &dyn CostOracle,
    name: &InputName,
) -> Result<Solved, Failure> {
    let interruptible = Interruptible::begin(limit);
    let _bar = Bar::begun("pairing");
    let started = Instant::now();
    let (mut reached, mut interrupted) = (false, false);
    let mut in_time = |_: &Snapshot<'_>| {
        interrupted = interruptible.is_asked();
        reached = started.elapsed() >= limit;
        !reached && !interrupted
    };
    let best = ExactPairing::new(objective)
        .solve_while(&mut Workspace::new(), graph, &mut in_time)
        .map_err(|error| Failure::Failed(format!("{name}: {error}")))?;
    let seconds = started.elapsed().as_secs_f64();
    let met = Met {
        gap: best.gap(),
        deadline_reached: reached,
        interrupted,
        reproducible: !reached && !interrupted,
    };
    let found = (best.pairing(), Some(best.certificate()));
    checked(options, objective, graph, found, Some(met), seconds)
}

/// The pairing with what can be said of it; certificates and bounds are verified if that is asked.
fn checked(
    options: &PairOptions,
    objective: Objective,
    graph: &dyn CostOracle,
    (pairing, certificate): (&Pairing, Option<&Certificate>),
    deadline: Option<Met>,
    solve_seconds: f64,
) -> Result<Solved, Failure> {
    let started = Instant::now();
    let stopped = deadline.as_ref().is_some_and(|met| !met.reproducible);
    let measured = options.verify && (stopped || is_heuristic(options.solver));
    let mut claim = certificate.map(|certificate| Claim {
        dual_bound: certificate.dual_bound(),
        quantisation_error: certificate.quantisation_error(),
    });
    let mut verdict = None;
    if measured {
        let found;
        let bound = if let Some(certificate) = certificate {
            certificate
        } else {
            found = dual_bound(graph, objective).map_err(Failure::of)?;
            &found
        };
        claim = Some(verify_bound(graph, objective, bound).map_err(rejected)?.into());
    } else if options.verify && claim.is_some() {
        // Of other pairings there is nothing to check but that they are matchings, which their type ensures.
        verdict = Some(verify(graph, pairing).map_err(rejected)?);
    }
    Ok(Solved {
        cost: pairing.cost(),
        pairs: pairing.pairs().collect(),
        unmatched: may_stay_unmatched(options).then(|| pairing.unmatched().collect()),
        barrier: barrier_of(graph, pairing).map_err(Failure::of)?,
        claim,
        measured,
        verdict,
        deadline,
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

/// Whether the solver aims at an objective without proving anything.
fn is_heuristic(solver: SolverName) -> bool {
    use SolverName::{Greedy, LocalSearch, PathGrowing};
    matches!(solver, LocalSearch | PathGrowing | Greedy)
}

fn rejected(error: impl std::fmt::Display) -> Failure {
    Failure::Failed(format!(
        "the certificate was rejected: {error}; please report this as a bug"
    ))
}
