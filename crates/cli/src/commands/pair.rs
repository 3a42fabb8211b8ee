//! `matchwright pair`: a graph in, pairs and a proof out.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use matchwright_solver::{
    BruteForce, Certificate, CostOracle, DenseCosts, ExactPairing, GreedyPairing, Objective, Pairing,
    PairingSolver, RandomPairing, SortAdjacent, SparseCosts, Verdict, Workspace, verify,
};
use serde::Serialize;
use serde_json::json;

use crate::arguments::{ObjectiveName, PairOptions, SolverName};
use crate::failure::{Failure, tell};
use crate::graph::read_graph;
use crate::input::Source;
use crate::output::{Origin, check_places, print, print_json, write_file};

/// All that is said of a pairing.
#[derive(Serialize)]
struct Answer {
    vertices: usize,
    edges: usize,
    /// None for solvers that aim at neither end.
    objective: Option<&'static str>,
    solver: String,
    cost: f64,
    /// Proven bound on the cost of every pairing: no less, or for `max` no more, is possible. None for
    /// solvers that prove nothing.
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
    let objective = aim(options)?;
    check_places(
        &[&options.graph],
        &options.out.iter().map(PathBuf::as_path).collect::<Vec<_>>(),
    )?;
    let started = Instant::now();
    let mut source = Source::open(&options.graph)?;
    let sparse = read_graph(&mut source)?;
    let read_seconds = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let graph = densest(&sparse)?;
    let pairing = solve(options, objective, &*graph)
        .map_err(|error| Failure::Failed(format!("{}: {error}", source.name)))?;
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
        objective: objective.map(objective_name),
        solver: solver_name(options.solver),
        cost: pairing.cost(),
        dual_bound: pairing.certificate().map(Certificate::dual_bound),
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
            command(options, objective, &source),
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
    tell(summary(&answer).trim_end());
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

/// What the solver aims at; a wish that it cannot heed is refused.
fn aim(options: &PairOptions) -> Result<Option<Objective>, Failure> {
    if matches!(options.solver, SolverName::SortAdjacent | SolverName::Random) {
        return match options.objective {
            None => Ok(None),
            Some(_) => Err(Failure::Usage(format!(
                "--solver {} aims at no objective; drop --objective, or choose exact, greedy or brute-force",
                solver_name(options.solver)
            ))),
        };
    }
    Ok(Some(match options.objective {
        None | Some(ObjectiveName::Min) => Objective::Minimize,
        Some(ObjectiveName::Max) => Objective::Maximize,
    }))
}

fn solve(
    options: &PairOptions,
    objective: Option<Objective>,
    graph: &dyn CostOracle,
) -> Result<Pairing, matchwright_solver::SolveError> {
    let objective = objective.unwrap_or(Objective::Minimize);
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
    match (verdict, pairing.certificate()) {
        (Some(verdict), _) if verdict.is_exact() => "optimal, verified",
        (Some(verdict), _) if verdict.optimal => "optimal within the rounding of the weights, verified",
        (Some(_), _) => "within quantisation_error of the optimum, verified",
        (None, Some(certificate)) if certificate.quantisation_error() == 0.0 => {
            "optimal, certificate not checked (--verify checks it)"
        }
        (None, Some(_)) => {
            "within quantisation_error of the optimum, certificate not checked (--verify checks it)"
        }
        (None, None) if options.solver == SolverName::BruteForce => "optimal, every pairing was tried",
        (None, None) => "perfect, nothing proven about its cost",
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
    let error = answer
        .quantisation_error
        .map_or(String::new(), |error| format!("quantisation_error {error}\n"));
    let mut text = format!(
        "cost {}\ndual_bound {bound}\n{error}verdict {}\nread_seconds {:.6}\nsolve_seconds {:.6}\n",
        answer.cost, answer.verdict, answer.read_seconds, answer.solve_seconds
    );
    if let Some(seconds) = answer.verify_seconds {
        let _ = writeln!(text, "verify_seconds {seconds:.6}");
    }
    text
}

fn command(options: &PairOptions, objective: Option<Objective>, source: &Source) -> String {
    let mut command = format!("matchwright pair {}", source.facts().name);
    if let Some(objective) = objective {
        command += " --objective ";
        command += objective_name(objective);
    }
    command += " --solver ";
    command += &solver_name(options.solver);
    if options.solver == SolverName::Random {
        let _ = write!(command, " --seed {}", options.seed);
    }
    command
}

fn objective_name(objective: Objective) -> &'static str {
    match objective {
        Objective::Minimize => "min",
        Objective::Maximize => "max",
    }
}

fn solver_name(solver: SolverName) -> String {
    use clap::ValueEnum;
    solver
        .to_possible_value()
        .map(|value| value.get_name().to_owned())
        .unwrap_or_default()
}
