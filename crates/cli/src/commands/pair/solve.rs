//! From a graph to pairs: with every vertex in a pair, with vertices unmatched at a penalty, or within a deadline.

use std::time::{Duration, Instant};

use matchwright_solver::{
    Barrier, BruteForce, Certificate, CostOracle, ExactPairing, GreedyPairing, Limits, LocalSearch,
    Objective, Pairing, PairingSolver, PathGrowing, Progress, RandomPairing, SolveError, SortAdjacent,
    Unmatched, UnmatchedPenalties, Verdict, VerifiedBound, Verifier, VerifyError, Workspace, dual_bound,
    maximum_cardinality_barrier,
};
use serde::Serialize;

use super::may_stay_unmatched;
use crate::arguments::{PairOptions, SolverName};
use crate::failure::Failure;
use crate::input::InputName;
use crate::interrupt::Interruptible;
use crate::progress::Bar;
use crate::threads::threads;

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
    /// Whether the deadline left no time to verify.
    pub(super) is_unverified: bool,
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
    let verified = Verified::new(
        options,
        objective,
        graph,
        (&pairing, pairing.certificate()),
        (false, &Limits::unlimited()),
    )?;
    verified.into_solved(options, graph, &pairing, None, seconds)
}

/// How many looks at all pairs the verifier takes, or rather more.
const LOOKS_TO_VERIFY: u8 = 3;

/// The best pairing that the exact solver finds in time, and how far from the optimum that can be. The clock starts
/// here, and runs until all is verified.
fn solve_within(
    limit: Duration,
    options: &PairOptions,
    objective: Objective,
    graph: &dyn CostOracle,
    name: &InputName,
) -> Result<Solved, Failure> {
    let interruptible = Interruptible::begin(&format!("searching for up to {limit:?}"));
    let _bar = Bar::begun("pairing");
    let started = Instant::now();
    let share = |_: &Progress| {
        if interruptible.is_asked() {
            1.0
        } else {
            started.elapsed().as_secs_f64() / limit.as_secs_f64()
        }
    };
    let limits = Limits::unlimited().with_watch(&share);
    let looks = if options.verify { LOOKS_TO_VERIFY } else { 0 };
    let best = ExactPairing::new(objective)
        .with_time_for_looks(looks)
        .approximate_within(&mut Workspace::new(), graph, &limits)
        .map_err(|error| Failure::Failed(format!("{name}: {error}")))?;
    let seconds = started.elapsed().as_secs_f64();
    let is_stopped = best.pairing().status().is_limited();
    let interrupted = is_stopped && interruptible.is_asked();
    let met = Met {
        gap: best.gap(),
        deadline_reached: is_stopped && !interrupted,
        interrupted,
        reproducible: !is_stopped,
    };
    let found = (best.pairing(), Some(best.certificate()));
    let verified = Verified::new(options, objective, graph, found, (is_stopped, &limits))?;
    verified.into_solved(options, graph, best.pairing(), Some(met), seconds)
}

/// What can be said of a pairing's cost.
struct Verified {
    claim: Option<Claim>,
    measured: bool,
    verdict: Option<Verdict>,
    is_unverified: bool,
    seconds: Option<f64>,
}

impl Verified {
    /// Verifies certificates and bounds, if that is asked, within limits.
    fn new(
        options: &PairOptions,
        objective: Objective,
        graph: &dyn CostOracle,
        (pairing, certificate): (&Pairing, Option<&Certificate>),
        (is_stopped, limits): (bool, &Limits<'_>),
    ) -> Result<Self, Failure> {
        let started = Instant::now();
        let mut verified = Self {
            claim: certificate.map(|certificate| Claim {
                dual_bound: certificate.dual_bound(),
                quantisation_error: certificate.quantisation_error(),
            }),
            measured: options.verify && (is_stopped || is_heuristic(options.solver)),
            verdict: None,
            is_unverified: false,
            seconds: None,
        };
        // The verdict is the same for any number of them.
        let verifier = Verifier::new().with_threads(threads(None, u32::MAX)?);
        let outcome = if verified.measured {
            let found;
            let bound = if let Some(certificate) = certificate {
                certificate
            } else {
                found = dual_bound(graph, objective).map_err(Failure::of)?;
                &found
            };
            verifier
                .verify_bound_within(graph, objective, bound, limits)
                .map(|bound| verified.claim = Some(bound.into()))
        } else if options.verify && verified.claim.is_some() {
            // Of other pairings there is nothing to check but that they are matchings, which their type ensures.
            verifier
                .verify_within(graph, pairing, limits)
                .map(|verdict| verified.verdict = Some(verdict))
        } else {
            Ok(())
        };
        match outcome {
            Ok(()) => {}
            Err(VerifyError::Limited { .. }) => (verified.measured, verified.is_unverified) = (false, true),
            Err(error) => {
                return Err(Failure::Failed(format!(
                    "the certificate was rejected: {error}; please report this as a bug"
                )));
            }
        }
        verified.seconds = options.verify.then(|| started.elapsed().as_secs_f64());
        Ok(verified)
    }

    /// The pairing with all of this.
    fn into_solved(
        self,
        options: &PairOptions,
        graph: &dyn CostOracle,
        pairing: &Pairing,
        deadline: Option<Met>,
        solve_seconds: f64,
    ) -> Result<Solved, Failure> {
        Ok(Solved {
            cost: pairing.cost(),
            pairs: pairing.pairs().collect(),
            unmatched: may_stay_unmatched(options).then(|| pairing.unmatched().collect()),
            barrier: barrier_of(graph, pairing).map_err(Failure::of)?,
            claim: self.claim,
            measured: self.measured,
            verdict: self.verdict,
            is_unverified: self.is_unverified,
            deadline,
            solve_seconds,
            verify_seconds: self.seconds,
        })
    }
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
