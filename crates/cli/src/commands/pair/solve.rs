//! From a graph to pairs: with everyone in a pair, or with players who sit out.

use std::time::Instant;

use matchwright_solver::{
    Barrier, BruteForce, CostOracle, DualBound, ExactPairing, GreedyPairing, Objective, PairingSolver,
    RandomPairing, SittingOut, SortAdjacent, Verdict, Workspace, verify,
};

use crate::arguments::{PairOptions, SolverName};
use crate::failure::Failure;

/// What a solver made of a graph.
pub(super) struct Solved {
    pub(super) cost: f64,
    pub(super) pairs: Vec<(usize, usize)>,
    /// None if nobody was allowed to.
    pub(super) sitting_out: Option<Vec<usize>>,
    /// Why no fewer can sit out.
    pub(super) barrier: Option<Barrier>,
    /// What the solver claims, if it proves anything.
    pub(super) claim: Option<Claim>,
    /// What the judge found, if asked and if there was a claim.
    pub(super) verdict: Option<Verdict>,
    pub(super) solve_seconds: f64,
    pub(super) verify_seconds: Option<f64>,
}

/// A bound on the cost of every answer, and the most by which rounding may have moved the optimum.
pub(super) struct Claim {
    pub(super) dual_bound: f64,
    pub(super) quantisation_error: f64,
}

impl From<DualBound> for Claim {
    fn from(bound: DualBound) -> Self {
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
        SolverName::Greedy => Box::new(GreedyPairing::new(objective)),
        SolverName::SortAdjacent => Box::new(SortAdjacent::by_index()),
        SolverName::Random => Box::new(RandomPairing::new(options.seed)),
        SolverName::BruteForce => Box::new(BruteForce::new(objective)),
    };
    match prices {
        None => everyone(options, &*solver, graph, name),
        Some(prices) => {
            let question = if options.fewest_out {
                SittingOut::fewest(graph).with_prices(prices)
            } else {
                SittingOut::priced(graph, prices)
            };
            let question = question.map_err(Failure::of)?.with_objective(objective);
            lineup(options, &*solver, &question, name)
        }
    }
}

fn everyone(
    options: &PairOptions,
    solver: &dyn PairingSolver,
    graph: &dyn CostOracle,
    name: &str,
) -> Result<Solved, Failure> {
    let started = Instant::now();
    let pairing = solver
        .solve(&mut Workspace::new(), graph)
        .map_err(|error| Failure::Failed(format!("{name}: {error}")))?;
    let solve_seconds = started.elapsed().as_secs_f64();
    let claim = pairing.certificate().map(|certificate| Claim {
        dual_bound: certificate.dual_bound(),
        quantisation_error: certificate.quantisation_error(),
    });
    let started = Instant::now();
    // A pairing without a certificate has nothing to check but itself, which its own type ensures.
    let verdict = if options.verify && claim.is_some() {
        Some(verify(graph, &pairing).map_err(rejected)?)
    } else {
        None
    };
    Ok(Solved {
        cost: pairing.cost(),
        pairs: pairing.pairs().collect(),
        sitting_out: None,
        barrier: None,
        claim,
        verdict,
        solve_seconds,
        verify_seconds: options.verify.then(|| started.elapsed().as_secs_f64()),
    })
}

fn lineup(
    options: &PairOptions,
    solver: &dyn PairingSolver,
    question: &SittingOut<'_>,
    name: &str,
) -> Result<Solved, Failure> {
    let started = Instant::now();
    let lineup = question
        .solve(solver, &mut Workspace::new())
        .map_err(|error| Failure::Failed(format!("{name}: {error}")))?;
    let solve_seconds = started.elapsed().as_secs_f64();
    let claim = question.bound(&lineup).map_err(Failure::of)?.map(Claim::from);
    let started = Instant::now();
    let verdict = if options.verify && claim.is_some() {
        Some(question.verify(&lineup).map_err(rejected)?)
    } else {
        None
    };
    Ok(Solved {
        cost: lineup.cost(),
        pairs: lineup.pairs().collect(),
        sitting_out: Some(lineup.sitting_out().collect()),
        barrier: lineup.barrier().cloned(),
        claim,
        verdict,
        solve_seconds,
        verify_seconds: options.verify.then(|| started.elapsed().as_secs_f64()),
    })
}

fn rejected(error: impl std::fmt::Display) -> Failure {
    Failure::Failed(format!(
        "the certificate was rejected: {error}; please report this as a bug"
    ))
}
