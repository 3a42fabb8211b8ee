//! Other people's solvers in Rust. Each gets the graph in its own form, made before the clock starts, and none is
//! asked for more than a minimum-weight perfect matching.

use anyhow::{Context, Result};
use geometric_traits::impls::ValuedCSR2D;
use geometric_traits::traits::{BlossomV, MatrixMut, SparseMatrixMut};
use rustworkx_core::max_weight_matching::max_weight_matching;
use rustworkx_core::petgraph::graph::{EdgeReference, NodeIndex, UnGraph};

use crate::contender::{Answer, Contender, Graph, Input, Solved, mates_of, timed};

/// Some maximise: they get this less the cost, which is never negative.
const FLIP: i32 = 4_000_000;

/// Blossom V by priority queues, on a symmetric sparse matrix.
#[derive(Default)]
pub(crate) struct GeometricTraits {
    graph: Option<ValuedCSR2D<usize, usize, usize, i32>>,
}

/// The O(n^3) primal-dual algorithm after Galil, on a list of edges.
#[derive(Default)]
pub(crate) struct Mwmatching {
    n: usize,
    edges: Vec<(usize, usize, i32)>,
}

/// The same algorithm on a petgraph.
#[derive(Default)]
pub(crate) struct RustworkxCore {
    graph: UnGraph<(), i32>,
}

impl Contender for GeometricTraits {
    fn load(&mut self, _: Graph, input: Input<'_>) -> Result<()> {
        let instance = input.matrix()?;
        let n = instance.n;
        let mut graph: ValuedCSR2D<usize, usize, usize, i32> =
            SparseMatrixMut::with_sparse_shaped_capacity((n, n), instance.n * instance.n);
        for i in 0..n {
            for j in (0..n).filter(|&j| j != i) {
                let entry = (i, j, instance.cost(i, j));
                MatrixMut::add(&mut graph, entry)?;
            }
        }
        self.graph = Some(graph);
        Ok(())
    }

    fn solve(&mut self) -> Result<Solved> {
        let graph = self.graph.as_ref().context("nothing was drawn")?;
        let (elapsed, pairs) = timed(|| graph.blossom_v());
        let pairs = pairs?;
        Ok(Solved {
            elapsed,
            answer: Answer::Mates(mates_of(2 * pairs.len(), pairs)),
        })
    }
}

impl Contender for Mwmatching {
    fn load(&mut self, _: Graph, input: Input<'_>) -> Result<()> {
        let instance = input.matrix()?;
        self.n = instance.n;
        self.edges = instance.edges().map(|(i, j, cost)| (i, j, FLIP - cost)).collect();
        Ok(())
    }

    fn solve(&mut self) -> Result<Solved> {
        // It takes the edges away: the copy is made before the clock starts.
        let edges = self.edges.clone();
        let (elapsed, mates) = timed(|| mwmatching::Matching::new(edges).max_cardinality().solve());
        // Someone without a partner has a number beyond all vertices.
        let pairs = mates.iter().enumerate().filter(|&(_, &j)| j < self.n);
        Ok(Solved {
            elapsed,
            answer: Answer::Mates(mates_of(self.n, pairs.map(|(i, &j)| (i, j)))),
        })
    }
}

impl Contender for RustworkxCore {
    fn load(&mut self, _: Graph, input: Input<'_>) -> Result<()> {
        let edges = input.matrix()?.edges();
        let edge = |(i, j, cost)| (NodeIndex::new(i), NodeIndex::new(j), FLIP - cost);
        self.graph = UnGraph::from_edges(edges.map(edge));
        Ok(())
    }

    fn solve(&mut self) -> Result<Solved> {
        let weight =
            |edge: EdgeReference<'_, i32>| Ok::<i128, std::convert::Infallible>((*edge.weight()).into());
        let (elapsed, pairs) = timed(|| max_weight_matching(&self.graph, true, weight, false));
        Ok(Solved {
            elapsed,
            answer: Answer::Mates(mates_of(self.graph.node_count(), pairs?)),
        })
    }
}
