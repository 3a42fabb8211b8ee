//! Small graphs whose costs add up without rounding, in whatever order.

use super::violation::{Law, LawViolation};
use crate::bits::SplitMix64;
use crate::costs::SparseCosts;

/// How many graphs are drawn of each kind.
const ROUNDS: usize = 40;

/// A graph to solve.
pub(super) struct Case {
    pub(super) costs: SparseCosts,
    pub(super) complete: bool,
    vertices: usize,
    edges: Vec<(usize, usize, f64)>,
}

impl Case {
    fn new(vertices: usize, edges: Vec<(usize, usize, f64)>) -> Option<Self> {
        let costs = SparseCosts::from_edges(vertices, edges.iter().copied()).ok()?;
        let complete = edges.len() == vertices * vertices.saturating_sub(1) / 2;
        Some(Self {
            costs,
            complete,
            vertices,
            edges,
        })
    }

    pub(super) fn violates(&self, law: Law, detail: impl Into<String>) -> LawViolation {
        let graph = format!("{} vertices with the edges {:?}", self.vertices, self.edges);
        LawViolation {
            law,
            detail: detail.into(),
            graph,
        }
    }
}

/// What edges may cost.
#[derive(Clone, Copy)]
enum Kind {
    /// 0, 1 or 2: many ties.
    Ties,
    /// Nothing at all.
    Zeros,
    /// Integers and eighths of both signs.
    Mixed,
    /// Near 10^15, a few units apart.
    Large,
}

/// The same graphs for the same seed.
pub(super) fn cases(seed: u64) -> impl Iterator<Item = Case> {
    let mut bits = SplitMix64(seed);
    let mut list = vec![Case::new(0, vec![]), Case::new(1, vec![]), Case::new(2, vec![])];
    // A star has no pairing, a path just one.
    list.push(Case::new(4, vec![(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0)]));
    list.push(Case::new(
        6,
        (0..5).map(|i| (i, i + 1, [5.0, 1.0][i % 2])).collect(),
    ));
    for _ in 0..ROUNDS {
        for kind in [Kind::Ties, Kind::Zeros, Kind::Mixed, Kind::Large] {
            for eighths in [8, 5] {
                let vertices = [2, 3, 4, 5, 6, 6, 8, 8][bits.below(8)];
                let edges = random_edges(&mut bits, vertices, eighths, kind);
                list.push(Case::new(vertices, edges));
            }
        }
    }
    list.into_iter().flatten()
}

/// Each pair with a probability in eighths.
fn random_edges(
    bits: &mut SplitMix64,
    vertices: usize,
    eighths: usize,
    kind: Kind,
) -> Vec<(usize, usize, f64)> {
    let mut edges = Vec::new();
    for i in 0..vertices {
        for j in i + 1..vertices {
            let cost = match kind {
                Kind::Ties => bits.below(3) as f64,
                Kind::Zeros => 0.0,
                Kind::Mixed => bits.below(1601) as f64 / 8.0 - 100.0,
                Kind::Large => 1e15 - bits.below(50) as f64,
            };
            if bits.below(8) < eighths {
                edges.push((i, j, cost));
            }
        }
    }
    edges
}
