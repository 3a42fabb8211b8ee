//! Graphs: the text edge list, `n m` and then `i j weight` with vertices from 0; or named vertices in CSV or JSON.

mod penalties;
mod text;

pub(crate) use penalties::{is_penalty, read_penalties};

use matchwright_solver::{CostOracle, DenseCosts, EuclideanCosts, GraphError, SparseCosts};

use crate::failure::{Failure, tell};
use crate::input::Source;
use matchwright_import::{EdgeColumns, EdgeForm, EdgeOptions, Edges};
use text::{Fault, content, words};

/// A graph, as a matrix if the file lists every pair.
pub(crate) struct Graph {
    pub(crate) costs: Box<dyn CostOracle>,
    pub(crate) edges: usize,
    /// Of the vertices; none where they are numbers.
    pub(crate) names: Option<Vec<String>>,
    /// Columns that nothing looks at.
    pub(crate) unused: Vec<String>,
    /// Whether vertices are points, whose distances are the costs.
    pub(crate) is_points: bool,
}

/// Bytes of the shortest line of an edge, `0 1 2`.
const SHORTEST_EDGE: usize = 6;
/// Half as many vertices may have no edge at all, where vertices may stay unmatched.
const MOST_WITHOUT_EDGES: usize = 1 << 20;

/// How a graph is read.
#[derive(Clone, Default)]
pub(crate) struct GraphOptions {
    pub(crate) columns: EdgeColumns,
    /// Whether vertices may stay unmatched, and so have no edge.
    pub(crate) is_partial: bool,
    /// Each name is that of one player, whatever it looks like.
    pub(crate) names_as_written: bool,
    /// Whether distances of points are rounded to whole numbers.
    pub(crate) rounded: bool,
}

/// Reads a graph. Blank lines and lines that begin with `#` are passed over.
pub(crate) fn read_graph(source: &Source, options: &GraphOptions) -> Result<Graph, Failure> {
    let mut lines = content(source.text());
    let (mut last, first) = lines.next().unwrap_or((1, b""));
    if is_table(first) {
        return named(source, read_edges(source, options)?, options.rounded);
    }
    let (n, m) = header(first).map_err(|fault| source.name.at(last, fault))?;
    let capacity = usize::try_from(m).unwrap_or(usize::MAX);
    let mut edges = Vec::with_capacity(capacity.min(source.text().len() / SHORTEST_EDGE + 1));
    for (line, text) in lines {
        edges.push(edge(text).map_err(|fault| source.name.at(line, fault))?);
        last = line;
    }
    let refuse = |what: String| source.name.at(last, (1, what));
    let count = edges.len();
    if count as u64 != m {
        return Err(refuse(format!(
            "the first line promises {m} edges and {count} follow; correct it, or look for lost lines"
        )));
    }
    // A graph that promises more vertices than its edges can explain is refused before memory is taken for it.
    let explained = count + if options.is_partial { MOST_WITHOUT_EDGES } else { 0 };
    let Some(vertices) = usize::try_from(n).ok().filter(|n| n.div_ceil(2) <= explained) else {
        let why = if options.is_partial {
            "most vertices have none; leave those out of the file"
        } else {
            "some vertex has none, so not all can be paired; --fewest-unmatched leaves out as few as possible"
        };
        return Err(refuse(format!("{n} vertices and {count} edges: {why}")));
    };
    let costs = costs_of(vertices, edges).map_err(|error| {
        let line = error.edge().and_then(|edge| content(source.text()).nth(edge + 1));
        source.name.at(line.map_or(last, |(line, _)| line), (1, error))
    })?;
    Ok(Graph {
        costs,
        edges: count,
        names: None,
        unused: Vec::new(),
        is_points: false,
    })
}

/// Whether a first line is the header of CSV, or JSON: no line of numbers has commas, semicolons, or tabs between letters.
fn is_table(first: &[u8]) -> bool {
    let has = |wanted: &dyn Fn(&u8) -> bool| first.iter().any(wanted);
    let is_json = matches!(first.trim_ascii_start(), [b'{' | b'[', ..]);
    is_json
        || has(&|byte| b",;".contains(byte))
        || has(&|byte| *byte == b'\t') && has(&u8::is_ascii_alphabetic)
}

/// The edges of a table or of JSON, with what the user should hear told.
fn read_edges(source: &Source, options: &GraphOptions) -> Result<Edges, Failure> {
    let options = EdgeOptions {
        columns: options.columns.clone(),
        names_as_written: options.names_as_written,
    };
    let edges = Edges::of(&source.read, &options)?;
    edges.report.notes.iter().for_each(|note| tell(note));
    Ok(edges)
}

/// A graph of pairs, or of all pairs of players with the difference of their ratings or the distance of their points, which
/// may be rounded.
fn named(source: &Source, graph: Edges, rounded: bool) -> Result<Graph, Failure> {
    let Edges { names, form, report } = graph;
    let vertices = names.len();
    let all_pairs = vertices * vertices.saturating_sub(1) / 2;
    let is_points = matches!(form, EdgeForm::Points { .. });
    let (costs, edges): (Box<dyn CostOracle>, _) = match form {
        EdgeForm::Pairs(edges) => {
            let count = edges.len();
            let all = edges.iter().map(|edge| (edge.ends[0], edge.ends[1], edge.weight));
            let costs = costs_of(vertices, all.collect()).map_err(|error| {
                match error.edge().and_then(|edge| edges.get(edge)) {
                    Some(edge) => source.name.in_line(edge.line, error),
                    None => source.name.refuse(error),
                }
            })?;
            (costs, count)
        }
        EdgeForm::Ratings(ratings) => {
            let costs = EuclideanCosts::from_points(1, ratings).map_err(|error| source.name.refuse(error))?;
            (Box::new(costs), all_pairs)
        }
        EdgeForm::Points {
            dimensions,
            coordinates,
        } => {
            let costs = EuclideanCosts::from_points(dimensions, coordinates);
            let costs = costs.map_err(|error| source.name.refuse(error))?;
            let (costs, what) = if rounded {
                (costs.rounded(), ", rounded to a whole number")
            } else {
                (costs, "")
            };
            tell(&format!(
                "every pair is possible, and costs the distance of its points{what}"
            ));
            (Box::new(costs), all_pairs)
        }
    };
    Ok(Graph {
        costs,
        edges,
        names: Some(names),
        unused: report.unused,
        is_points,
    })
}

/// A matrix if all pairs are listed, and few enough.
fn costs_of(vertices: usize, edges: Vec<(usize, usize, f64)>) -> Result<Box<dyn CostOracle>, GraphError> {
    if is_complete(vertices, edges.len()) {
        DenseCosts::from_edges(vertices, &edges).map(|costs| Box::new(costs) as _)
    } else {
        SparseCosts::from_edges(vertices, edges).map(|costs| Box::new(costs) as _)
    }
}

/// Whether this many different edges are all pairs of this many vertices, and few enough for a matrix.
fn is_complete(vertices: usize, edges: usize) -> bool {
    vertices <= DenseCosts::MAX_VERTICES && edges == vertices * vertices.saturating_sub(1) / 2
}

fn header(line: &[u8]) -> Result<(u64, u64), Fault> {
    let form = "the first line must be `n m`";
    if line.is_empty() {
        return Err((1, format!("the file is empty; {form}")));
    }
    let names = ["number of vertices", "number of edges"];
    let [vertices, edges] = words(line, names, form)?;
    Ok((vertices.amount(names[0])?, edges.amount(names[1])?))
}

fn edge(line: &[u8]) -> Result<(usize, usize, f64), Fault> {
    let names = ["first vertex", "second vertex", "weight"];
    let [i, j, weight] = words(line, names, "an edge is `i j weight`")?;
    Ok((i.vertex()?, j.vertex()?, weight.number(f64::is_finite)?))
}
