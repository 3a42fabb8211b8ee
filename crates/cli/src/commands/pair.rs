//! `matchwright pair`: a graph in, pairs and a proof out.

mod solve;

use std::fmt::Write as _;
use std::time::Instant;

use matchwright_report::{Column, Table};
use matchwright_solver::{CostOracle, Objective};
use serde::Serialize;
use serde_json::json;

use crate::arguments::{DistancesName, ObjectiveName, PairOptions, SolverName};
use crate::failure::{Failure, tell};
use crate::graph::{Graph, GraphOptions, read_graph, read_penalties};
use crate::input::Source;
use crate::output::{Origin, Place, check_places, print, print_json, write_file};
use crate::progress::Bar;
use matchwright_import::EdgeColumns;
use matchwright_import::number::GREATEST_WHOLE;
use matchwright_import::unused_note;
use solve::{Met, Solved, solve};

/// All that is said of a pairing.
#[derive(Serialize)]
struct Answer {
    vertices: usize,
    edges: usize,
    /// Columns that nothing looks at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_used: Vec<String>,
    /// None for solvers that aim at neither end.
    objective: Option<&'static str>,
    solver: String,
    cost: f64,
    /// Proven bound on the cost of every pairing: no less, or for `max` no more, is possible. None if nothing is
    /// proven.
    dual_bound: Option<f64>,
    /// Most that rounding the weights to integers may have cost; none if nothing is proven.
    quantisation_error: Option<f64>,
    /// None without a deadline.
    #[serde(flatten)]
    deadline: Option<Met>,
    verdict: &'static str,
    read_seconds: f64,
    solve_seconds: f64,
    verify_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<(Vertex, Vertex)>>,
    /// None if every vertex had to be paired.
    #[serde(skip_serializing_if = "Option::is_none")]
    unmatched: Option<Vec<Vertex>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    barrier: Option<BarrierFacts>,
}

/// Why no fewer vertices can be unmatched: without these the graph falls into more odd components than they are.
#[derive(Serialize)]
struct BarrierFacts {
    vertices: Vec<Vertex>,
    odd_components: usize,
}

/// A vertex as its file calls it.
#[derive(Serialize)]
#[serde(untagged)]
enum Vertex {
    Number(usize),
    Name(String),
}

/// `command` is what repeats the result; `has_seed`: a seed was given.
pub(crate) fn run(options: &PairOptions, command: String, has_seed: bool) -> Result<(), Failure> {
    let objective = aim(options)?;
    check_places(
        [&options.graph].into_iter().chain(&options.unmatched_penalties),
        options.out.as_deref().map(Place::File),
    )?;
    let started = Instant::now();
    let bar = Bar::begun("reading the graph");
    let source = Source::open(&options.graph)?;
    let graph = read(options, &source)?;
    let names = graph.names.as_deref();
    let vertices = graph.costs.vertices();
    let (penalties, penalty_source) = penalties(options, vertices, names)?;
    let all_listed = match &penalty_source {
        Some(source) => read_penalties(source, vertices, names, None).is_ok(),
        None => false,
    };
    let read_seconds = started.elapsed().as_secs_f64();
    drop(bar);
    let unused = unused_note(&graph.unused, &[]);
    let notes = unused
        .into_iter()
        .chain(without_effect(options, &graph, all_listed, has_seed));
    notes.for_each(|note| tell(&note));

    let solved = solve(options, objective, &*graph.costs, penalties, &source.name)?;
    if solved.cost.abs() >= GREATEST_WHOLE {
        tell(
            "the cost is a sum beyond 9007199254740992 (2^53) either way, so that its last digits are rounded",
        );
    }
    let pairs = match names {
        None => pair_lines(vertices, &solved),
        Some(names) => pair_table(names, &*graph.costs, &solved).to_csv(),
    };
    let called = |vertex: usize| match names {
        None => Vertex::Number(vertex),
        Some(names) => Vertex::Name(names[vertex].clone()),
    };
    let all_called = |vertices: Vec<usize>| vertices.into_iter().map(called).collect();
    let mut answer = Answer {
        vertices,
        edges: graph.edges,
        not_used: graph.unused.clone(),
        objective: objective.map(objective_name),
        solver: solver_name(options.solver),
        cost: solved.cost,
        // No bound is -0.
        dual_bound: solved.claim.as_ref().map(|claim| claim.dual_bound + 0.0),
        quantisation_error: solved.quantisation_error(),
        verdict: verdict_of(options, &solved),
        deadline: solved.deadline,
        read_seconds,
        solve_seconds: solved.solve_seconds,
        verify_seconds: solved.verify_seconds,
        pairs: None,
        unmatched: solved.unmatched.map(all_called),
        barrier: solved.barrier.map(|barrier| BarrierFacts {
            vertices: all_called(barrier.vertices),
            odd_components: barrier.odd_components,
        }),
    };
    if let Some(path) = &options.out {
        let mut origin = Origin::new(
            command,
            &configuration(options, objective, answer.deadline.as_ref()),
        )?;
        origin.seed = (options.solver == SolverName::Random).then_some(options.seed);
        origin.inputs = std::iter::once(&source)
            .chain(&penalty_source)
            .map(|source| source.facts.clone())
            .collect();
        write_file(path, pairs.as_bytes(), &origin)?;
    }
    if options.json {
        let pairs = solved.pairs.iter().map(|&(i, j)| (called(i), called(j)));
        answer.pairs = options.out.is_none().then(|| pairs.collect());
        return print_json(&answer);
    }
    if options.out.is_none() {
        print(&pairs)?;
    }
    summary(&answer).lines().for_each(tell);
    Ok(())
}

/// Options that change nothing, each with its reason; `all_listed`: a file has the penalty of every vertex.
fn without_effect(options: &PairOptions, graph: &Graph, all_listed: bool, has_seed: bool) -> Vec<String> {
    let is_free = matches!(options.solver, SolverName::SortAdjacent | SolverName::Random);
    let all = [
        (
            graph.names.is_none() && options.columns != EdgeColumns::default(),
            "--columns had no effect: an edge list has none",
        ),
        (
            graph.names.is_none() && options.names.as_written,
            "--names-as-written had no effect: vertices are numbers",
        ),
        (
            options.distances.is_some() && !graph.is_points,
            "--distances had no effect: the graph has no points",
        ),
        (
            options.unmatched_penalty.is_some() && all_listed,
            "--unmatched-penalty had no effect: --unmatched-penalties has every vertex",
        ),
        (
            options.verify && options.solver == SolverName::BruteForce,
            "--verify had no effect: every pairing is tried",
        ),
        (
            has_seed && options.solver != SolverName::Random,
            "--seed had no effect: only --solver random draws anything",
        ),
        (
            options.verify && is_free,
            "--verify had no effect: this solver claims nothing that could be checked",
        ),
    ];
    let said = all.into_iter().filter(|(is_so, _)| *is_so);
    said.map(|(_, what)| what.to_owned()).collect()
}

/// The graph; where players have names, an odd number of them is told without speaking of vertices.
fn read(options: &PairOptions, source: &Source) -> Result<Graph, Failure> {
    let all = !may_stay_unmatched(options);
    let graph = read_graph(
        source,
        &GraphOptions {
            columns: options.columns.clone(),
            is_partial: !all,
            names_as_written: options.names.as_written,
            rounded: options.distances == Some(DistancesName::Rounded),
        },
    )?;
    let players = graph.names.as_ref().map_or(0, Vec::len);
    if all && players % 2 == 1 {
        let what = format!(
            "{players} players are an odd number, so not all can be paired; --fewest-unmatched leaves one out"
        );
        return Err(source.name.refuse(what));
    }
    Ok(graph)
}

/// Whether not every vertex has to be paired.
fn may_stay_unmatched(options: &PairOptions) -> bool {
    options.fewest_unmatched || options.unmatched_penalty.is_some() || options.unmatched_penalties.is_some()
}

/// The penalty of each unmatched vertex, if any may be, and the file that they are from.
fn penalties(
    options: &PairOptions,
    vertices: usize,
    names: Option<&[String]>,
) -> Result<(Option<Vec<f64>>, Option<Source>), Failure> {
    let others = options
        .unmatched_penalty
        .or(options.fewest_unmatched.then_some(0.0));
    let Some(path) = &options.unmatched_penalties else {
        return Ok((others.map(|penalty| vec![penalty; vertices]), None));
    };
    let source = Source::open(path)?;
    let penalties = read_penalties(&source, vertices, names, others)?;
    Ok((Some(penalties), Some(source)))
}

/// What decided the pairs, for the manifest.
fn configuration(
    options: &PairOptions,
    objective: Option<Objective>,
    deadline: Option<&Met>,
) -> serde_json::Value {
    let mut configuration = json!({
        "solver": solver_name(options.solver),
        "objective": objective.map(objective_name),
    });
    if let (Some(limit), Some(met)) = (options.deadline, deadline) {
        configuration["deadline_seconds"] = json!(limit.as_secs_f64());
        configuration["deadline_reached"] = json!(met.deadline_reached);
        if met.interrupted {
            configuration["interrupted"] = json!(true);
        }
        configuration["reproducible"] = json!(met.reproducible);
    }
    if options.distances == Some(DistancesName::Rounded) {
        configuration["distances"] = json!("rounded");
    }
    if may_stay_unmatched(options) {
        configuration["unmatched_penalty"] = json!(options.unmatched_penalty);
        configuration["fewest_unmatched"] = json!(options.fewest_unmatched);
    }
    configuration
}

/// What the solver aims at; a wish that it cannot heed is refused.
fn aim(options: &PairOptions) -> Result<Option<Objective>, Failure> {
    if options.deadline.is_some() && options.solver != SolverName::Exact {
        return Err(Failure::Usage(format!(
            "--solver {} has no --deadline; drop one of the two",
            solver_name(options.solver)
        )));
    }
    if matches!(options.solver, SolverName::SortAdjacent | SolverName::Random) {
        return match options.objective {
            None => Ok(None),
            Some(_) => Err(Failure::Usage(format!(
                "--solver {} aims at no objective; drop --objective, or choose another solver",
                solver_name(options.solver)
            ))),
        };
    }
    Ok(Some(match options.objective {
        None | Some(ObjectiveName::Min) => Objective::Minimize,
        Some(ObjectiveName::Max) => Objective::Maximize,
    }))
}

fn verdict_of(options: &PairOptions, solved: &Solved) -> &'static str {
    match (&solved.verdict, &solved.claim) {
        (Some(verdict), _) if verdict.is_exact() => "optimal, verified",
        (Some(verdict), _) if verdict.optimal => "optimal within the rounding of the weights, verified",
        (Some(_), _) => "within quantisation_error of the optimum, verified",
        (None, Some(claim)) if solved.measured && claim.dual_bound == solved.cost => {
            "optimal by its bound, verified"
        }
        (None, Some(_)) if solved.measured => "the optimum lies between dual_bound and cost, verified",
        (None, Some(_)) if solved.is_unverified => match &solved.deadline {
            Some(met) if !met.reproducible => {
                "the optimum lies between dual_bound and cost, not verified: time"
            }
            _ => "within quantisation_error of the optimum, not verified: time",
        },
        (None, Some(_)) if solved.deadline.as_ref().is_some_and(|met| !met.reproducible) => {
            "the optimum lies between dual_bound and cost, bound not checked (--verify checks it)"
        }
        (None, Some(claim)) if claim.quantisation_error == 0.0 => {
            "optimal, certificate not checked (--verify checks it)"
        }
        (None, Some(_)) => {
            "within quantisation_error of the optimum, certificate not checked (--verify checks it)"
        }
        (None, None) if options.solver == SolverName::BruteForce => "optimal, every pairing was tried",
        (None, None) if may_stay_unmatched(options) => "nothing proven about its cost",
        (None, None) => "perfect, nothing proven about its cost",
    }
}

/// Pairs of names with their costs, and who is unmatched without a second.
fn pair_table(names: &[String], costs: &dyn CostOracle, solved: &Solved) -> Table {
    let pairs = solved.pairs.iter().map(|&(i, j)| (i, Some(j)));
    let unmatched = solved.unmatched.iter().flatten().map(|&i| (i, None));
    Table::of("Pairs", pairs.chain(unmatched))
        .column(Column::text("player1"), |(i, _)| names[i].as_str())
        .column(Column::text("player2"), |(_, j)| {
            j.map_or("", |j| names[j].as_str())
        })
        .column(Column::number("weight", 6), |(i, j)| costs.cost(i, j?))
        .build()
}

fn pair_lines(vertices: usize, solved: &Solved) -> String {
    let mut text = format!("{vertices} {}\n", solved.pairs.len());
    for (i, j) in &solved.pairs {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{i} {j}");
    }
    for i in solved.unmatched.iter().flatten() {
        let _ = writeln!(text, "{i} -");
    }
    text
}

fn summary(answer: &Answer) -> String {
    let bound = answer
        .dual_bound
        .map_or("none".to_owned(), |bound| bound.to_string());
    let mut lines = vec![format!("cost {}", answer.cost), format!("dual_bound {bound}")];
    lines.extend(
        answer
            .quantisation_error
            .map(|error| format!("quantisation_error {error}")),
    );
    if let Some(met) = &answer.deadline {
        let reached = if met.interrupted {
            "not reached: stopped by Ctrl-C, so that this run is not reproducible to the byte"
        } else if met.deadline_reached {
            "reached: where the solver stopped depends on the machine, so that this run is not reproducible to the byte"
        } else {
            "not reached"
        };
        lines.extend([format!("gap {}", met.gap), format!("deadline {reached}")]);
    }
    lines.extend(
        answer
            .unmatched
            .as_ref()
            .map(|unmatched| format!("unmatched {}", unmatched.len())),
    );
    lines.extend(answer.barrier.as_ref().map(|barrier| {
        format!(
            "barrier of {}: without it there are {} odd components, so that no fewer can be unmatched",
            barrier.vertices.len(),
            barrier.odd_components
        )
    }));
    lines.push(format!("verdict {}", answer.verdict));
    lines.push(format!("read_seconds {:.6}", answer.read_seconds));
    lines.push(format!("solve_seconds {:.6}", answer.solve_seconds));
    lines.extend(
        answer
            .verify_seconds
            .map(|seconds| format!("verify_seconds {seconds:.6}")),
    );
    lines.join("\n")
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
