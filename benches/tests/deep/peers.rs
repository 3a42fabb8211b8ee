//! Other people's solvers, on the same integers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use geometric_traits::impls::ValuedCSR2D;
use geometric_traits::traits::{BlossomV, MatrixMut, SparseMatrixMut};
use rustworkx_core::max_weight_matching::max_weight_matching;
use rustworkx_core::petgraph::graph::{EdgeReference, NodeIndex, UnGraph};

use crate::graph::Graph;

/// mwmatching counts in 32 bits, and its duals may drift to some hundred times the costs.
const SPAN_OF_32_BITS: i128 = 1 << 22;

/// geometric-traits counts in 64 bits.
const SPAN_OF_64_BITS: i128 = 1 << 54;

/// Nobody's mate.
pub(crate) const ALONE: usize = usize::MAX;

/// What a peer says.
pub(crate) enum Answer {
    /// A matching of as many pairs as possible and, of these, of least weight.
    Mates(Vec<usize>),
    /// There is no perfect matching.
    Impossible,
    /// It panicked.
    Failed,
}

/// Weights that are to be made small, none below 0.
type Edges = [(usize, usize, i128)];

/// The answers of two peers, by name: of rustworkx-core, and of mwmatching or, where its integers are too short, of
/// geometric-traits. One alone if the weights fit neither of the latter.
pub(crate) fn ask(
    graph: &Graph,
    weight: impl Fn(usize, usize) -> Option<i128>,
) -> Vec<(&'static str, Answer)> {
    let n = graph.vertices();
    let mut edges: Vec<_> = graph
        .edges()
        .filter_map(|(i, j, _)| Some((i, j, weight(i, j)?)))
        .collect();
    let least = edges.iter().map(|edge| edge.2).min().unwrap_or(0);
    for edge in &mut edges {
        edge.2 -= least;
    }
    let span = edges.iter().map(|edge| edge.2).max().unwrap_or(0);
    let caught = |solve: &dyn Fn() -> Answer| catch_unwind(AssertUnwindSafe(solve)).unwrap_or(Answer::Failed);
    let mut answers = vec![(
        "rustworkx-core",
        caught(&|| Answer::Mates(ask_rustworkx(n, &edges, span))),
    )];
    if span <= SPAN_OF_32_BITS {
        answers.push(("mwmatching", caught(&|| ask_mwmatching(n, &edges, span))));
    } else if span <= SPAN_OF_64_BITS && n.is_multiple_of(2) {
        answers.push(("geometric-traits", caught(&|| ask_geometric_traits(n, &edges))));
    }
    answers
}

/// It maximises: it gets what is left of the span.
fn ask_mwmatching(n: usize, edges: &Edges, span: i128) -> Answer {
    let narrow = |&(i, j, weight): &(usize, usize, i128)| Some((i, j, i32::try_from(span - weight).ok()?));
    let Some(edges) = edges.iter().map(narrow).collect() else {
        return Answer::Failed;
    };
    let mut mates = mwmatching::Matching::new(edges).max_cardinality().solve();
    // Vertices without an edge at the end are unknown to it.
    mates.resize(n, ALONE);
    Answer::Mates(mates)
}

/// It maximises as well.
pub(crate) fn ask_rustworkx(n: usize, edges: &Edges, span: i128) -> Vec<usize> {
    let mut peer: UnGraph<(), i128> = UnGraph::with_capacity(n, edges.len());
    for _ in 0..n {
        peer.add_node(());
    }
    for &(i, j, weight) in edges {
        peer.add_edge(NodeIndex::new(i), NodeIndex::new(j), span - weight);
    }
    let weight = |edge: EdgeReference<'_, i128>| Ok::<i128, ()>(*edge.weight());
    let mut mates = vec![ALONE; n];
    for (i, j) in max_weight_matching(&peer, true, weight, false).unwrap_or_default() {
        (mates[i], mates[j]) = (j, i);
    }
    mates
}

fn ask_geometric_traits(n: usize, edges: &Edges) -> Answer {
    let mut rows = vec![Vec::new(); n];
    for &(i, j, weight) in edges {
        let Ok(weight) = i64::try_from(weight) else {
            return Answer::Failed;
        };
        rows[i].push((j, weight));
        rows[j].push((i, weight));
    }
    let mut peer: ValuedCSR2D<usize, usize, usize, i64> =
        SparseMatrixMut::with_sparse_shaped_capacity((n, n), 2 * edges.len());
    for (i, row) in rows.iter_mut().enumerate() {
        row.sort_unstable();
        for &mut (j, weight) in row {
            if MatrixMut::add(&mut peer, (i, j, weight)).is_err() {
                return Answer::Failed;
            }
        }
    }
    let Ok(pairs) = peer.blossom_v() else {
        return Answer::Impossible;
    };
    let mut mates = vec![ALONE; n];
    for (i, j) in pairs {
        (mates[i], mates[j]) = (j, i);
    }
    Answer::Mates(mates)
}
