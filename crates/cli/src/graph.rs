//! The text edge list: `n m`, then `i j weight`, vertices from 0.

mod prices;
mod text;

pub(crate) use prices::{is_price, read_prices};

use matchwright_solver::{CostOracle, DenseCosts, SparseCosts};

use crate::failure::Failure;
use crate::input::Source;
use text::{Complaint, Lines, Text, Words};

/// A graph, as a matrix if the file lists every pair.
pub(crate) struct Graph {
    pub(crate) costs: Box<dyn CostOracle>,
    pub(crate) edges: usize,
}

/// Bytes of the shortest line of an edge, `0 1 2`.
const SHORTEST_EDGE: usize = 6;
/// Half as many vertices may have no edge at all, where vertices may sit out.
const MOST_WITHOUT_EDGES: usize = 1 << 20;

/// Reads a graph to its end. Blank lines and lines that begin with `#` are passed over. If not `all` are to be
/// paired, vertices may have no edge.
pub(crate) fn read_graph(source: &mut Source, all: bool) -> Result<Graph, Failure> {
    let text = Text::read(source)?;
    let mut lines = text.lines();
    let (n, m) = header(&mut lines).map_err(|complaint| text.complain(complaint))?;
    let mut edges = Vec::with_capacity(
        usize::try_from(m)
            .unwrap_or(0)
            .min(text.len() / SHORTEST_EDGE + 1),
    );
    let first = lines.line + 1;
    // Edges and their lines from which on lines were passed over.
    let mut jumps = vec![(0, first)];
    let mut expected = first;
    while let Some(line) = lines.next() {
        if lines.line != expected {
            jumps.push((edges.len(), lines.line));
        }
        expected = lines.line + 1;
        edges.push(edge(line).map_err(|(column, what)| text.complain((lines.line, column, what)))?);
    }
    let last = lines.line.max(1);
    let refuse = |what: String| text.complain((last, 1, what));
    if edges.len() as u64 != m {
        return Err(refuse(format!(
            "the first line promises {m} edges and {} follow; correct it, or look for lost lines",
            edges.len()
        )));
    }
    // A graph that promises more vertices than its edges can explain is refused before memory is taken for it.
    let explained = edges.len() + if all { 0 } else { MOST_WITHOUT_EDGES };
    let Some(vertices) = usize::try_from(n).ok().filter(|n| n.div_ceil(2) <= explained) else {
        let why = if all {
            "some vertex has none, so not all can be paired; --fewest-unmatched leaves out as few as possible"
        } else {
            "most vertices have none; leave those out of the file"
        };
        return Err(refuse(format!("{n} vertices and {} edges: {why}", edges.len())));
    };
    let edge_count = edges.len();
    let costs: Result<Box<dyn CostOracle>, _> = if is_complete(vertices, edge_count) {
        DenseCosts::from_edges(vertices, &edges).map(|costs| Box::new(costs) as _)
    } else {
        SparseCosts::from_edges(vertices, edges).map(|costs| Box::new(costs) as _)
    };
    let costs = costs.map_err(|error| {
        let line = error.edge().map_or(last, |edge| {
            let (from, line) = jumps[jumps.partition_point(|(from, _)| *from <= edge) - 1];
            line + (edge - from) as u64
        });
        text.complain((line, 1, error.to_string()))
    })?;
    Ok(Graph {
        costs,
        edges: edge_count,
    })
}

/// Whether so many different edges are all pairs of so many vertices, and few enough for a matrix.
fn is_complete(vertices: usize, edges: usize) -> bool {
    vertices <= DenseCosts::MAX_VERTICES && edges == vertices * vertices.saturating_sub(1) / 2
}

fn header(lines: &mut Lines<'_>) -> Result<(u64, u64), Complaint> {
    let Some(line) = lines.next() else {
        return Err((1, 1, "the file is empty; the first line must be `n m`".to_owned()));
    };
    let mut words = Words::new(line);
    let form = "the first line must be `n m`";
    let mut read = || {
        let counts = (words.amount("vertices", form)?, words.amount("edges", form)?);
        words.end(form)?;
        Ok(counts)
    };
    read().map_err(|(column, what): (u64, String)| (lines.line, column, what))
}

/// An edge, or the column and what is wrong there.
fn edge(line: &[u8]) -> Result<(usize, usize, f64), (u64, String)> {
    let mut words = Words::new(line);
    let form = "an edge is `i j weight`";
    let i = words.vertex("first vertex", form)?;
    let j = words.vertex("second vertex", form)?;
    let weight = words.number("weight", form, f64::is_finite)?;
    words.end(form)?;
    Ok((i, j, weight))
}
