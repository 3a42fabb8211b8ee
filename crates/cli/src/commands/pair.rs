//! `matchwright pair`: a graph in, pairs and a proof out.

use std::fmt::Write as _;
use std::time::Instant;

use matchwright_solver::{
    BruteForce, CostOracle, DenseCosts, ExactPairing, GreedyPairing, Objective, Pairing, PairingSolver,
    RandomPairing, SortAdjacent, SparseCosts, Verdict, Workspace, verify,
};
use serde::Serialize;
use serde_json::json;

use crate::arguments::{ObjectiveName, PairOptions, SolverName};
use crate::failure::Failure;
use crate::graph::read_graph;
use crate::input::Source;
use crate::output::{Origin, print, print_json, write_file};

/// All that is said of a pairing.
#[derive(Serialize)]
struct Answer {
    vertices: usize,
    edges: usize,
    objective: &'static str,
    solver: String,
    cost: f64,
    /// Proven bound on the cost of every pairing; none for solvers that prove nothing.
    dual_bound: Option<f64>,
    /// Most that rounding the weights to integers may have cost.
    quantisation_error: Option<f64>,
    verdict: &'static str,
    read_seconds: f64,
    solve_seconds: f64,
    verify_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<(usize, usize)>>,
}

pub(crate) fn run(options: &PairOptions) -> Result<(), Failure> {
    let started = Instant::now();
    let mut source = Source::open(&options.graph)?;
    let sparse = read_graph(&mut source)?;
    let read_seconds = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let graph = densest(&sparse)?;
    let pairing =
        solve(options, &*graph).map_err(|error| Failure::Failed(format!("{}: {error}", source.name)))?;
    let solve_seconds = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let verdict = if options.verify {
        check(&*graph, &pairing)?
    } else {
        None
    };
    let mut answer = Answer {
        vertices: sparse.vertices(),
        edges: sparse.edge_count(),
        objective: objective_name(options.objective),
        solver: solver_name(options.solver),
        cost: pairing.cost(),
        dual_bound: pairing
            .certificate()
            .map(matchwright_solver::Certificate::dual_bound),
        quantisation_error: verdict.as_ref().map(|verdict| verdict.quantisation_error),
        verdict: verdict_of(options, &pairing, verdict.as_ref()),
        read_seconds,
        solve_seconds,
        verify_seconds: options.verify.then(|| started.elapsed().as_secs_f64()),
        pairs: None,
    };
    let pairs = pair_lines(&pairing);
    if let Some(path) = &options.out {
        let mut origin = Origin::new(
            command(options, &source),
            &json!({ "solver": answer.solver, "objective": answer.objective }),
        )?;
        origin.seed = (options.solver == SolverName::Random).then_some(options.seed);
        origin.inputs = vec![source.facts()];
        write_file(path, pairs.as_bytes(), &origin)?;
    }
    if options.json {
        answer.pairs = options.out.is_none().then(|| pairing.pairs().collect());
        return print_json(&answer);
    }
    if options.out.is_none() {
        print(&pairs)?;
    }
    eprint!("{}", summary(&answer));
    Ok(())
}

/// A complete graph is solved from its matrix, which is far faster to scan than lists.
fn densest(sparse: &SparseCosts) -> Result<Box<dyn CostOracle + '_>, Failure> {
    let n = sparse.vertices();
    if sparse.edge_count() < n.saturating_mul(n.saturating_sub(1)) / 2 {
        return Ok(Box::new(sparse));
    }
    let dense = DenseCosts::from_optional_fn(n, |i, j| sparse.cost(i, j)).map_err(Failure::of)?;
    Ok(Box::new(dense))
}

fn solve(options: &PairOptions, graph: &dyn CostOracle) -> Result<Pairing, matchwright_solver::SolveError> {
    let objective = match options.objective {
        ObjectiveName::Min => Objective::Minimize,
        ObjectiveName::Max => Objective::Maximize,
    };
    let solver: Box<dyn PairingSolver> = match options.solver {
        SolverName::Exact => Box::new(ExactPairing::new(objective)),
        SolverName::Greedy => Box::new(GreedyPairing::new(objective)),
        SolverName::SortAdjacent => Box::new(SortAdjacent::by_index()),
        SolverName::Random => Box::new(RandomPairing::new(options.seed)),
        SolverName::BruteForce => Box::new(BruteForce::new(objective)),
    };
    solver.solve(&mut Workspace::new(), graph)
}

/// A pairing without a certificate has nothing to check but itself, which its own type ensures.
fn check(graph: &dyn CostOracle, pairing: &Pairing) -> Result<Option<Verdict>, Failure> {
    if pairing.certificate().is_none() {
        return Ok(None);
    }
    let rejected = |error| {
        Failure::Failed(format!(
            "the certificate was rejected: {error}; please report this as a bug"
        ))
    };
    verify(graph, pairing).map(Some).map_err(rejected)
}

fn verdict_of(options: &PairOptions, pairing: &Pairing, verdict: Option<&Verdict>) -> &'static str {
    match verdict {
        Some(verdict) if verdict.optimal && verdict.is_exact() => "optimal, verified",
        Some(verdict) if verdict.optimal => "optimal up to the rounding of the weights, verified",
        Some(_) => "perfect, and the bound holds, but they differ",
        None if pairing.certificate().is_some() => "optimal, certificate not checked (--verify checks it)",
        None if options.solver == SolverName::BruteForce => "optimal, every pairing was tried",
        None => "perfect, nothing proven about its cost",
    }
}

fn pair_lines(pairing: &Pairing) -> String {
    let n = pairing.vertices();
    let mut text = format!("{n} {}\n", n / 2);
    for (i, j) in pairing.pairs() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{i} {j}");
    }
    text
}

fn summary(answer: &Answer) -> String {
    let bound = answer
        .dual_bound
        .map_or("none".to_owned(), |bound| bound.to_string());
    let mut text = format!(
        "cost {}\ndual_bound {bound}\nverdict {}\nread_seconds {:.6}\nsolve_seconds {:.6}\n",
        answer.cost, answer.verdict, answer.read_seconds, answer.solve_seconds
    );
    if let Some(seconds) = answer.verify_seconds {
        let _ = writeln!(text, "verify_seconds {seconds:.6}");
    }
    text
}

fn command(options: &PairOptions, source: &Source) -> String {
    let seed = if options.solver == SolverName::Random {
        format!(" --seed {}", options.seed)
    } else {
        String::new()
    };
    let (objective, solver) = (objective_name(options.objective), solver_name(options.solver));
    format!(
        "matchwright pair {} --objective {objective} --solver {solver}{seed}",
        source.facts().name
    )
}

fn objective_name(objective: ObjectiveName) -> &'static str {
    match objective {
        ObjectiveName::Min => "min",
        ObjectiveName::Max => "max",
    }
}

fn solver_name(solver: SolverName) -> String {
    use clap::ValueEnum;
    solver
        .to_possible_value()
        .map(|value| value.get_name().to_owned())
        .unwrap_or_default()
}
