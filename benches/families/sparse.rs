//! Graphs of which few pairs are possible, each with a perfect matching.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::str::FromStr;

use matchwright_solver::{GraphError, SparseCosts};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{STEPS, UnknownFamily};

/// A kind of graph by its edges. Costs are even draws from 1 to a million, unless something else is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SparseFamily {
    /// A grid with one diagonal in each cell: planar, three edges a vertex.
    Triangulated,
    /// The same with 45 % of the edges beyond a perfect matching: planar, 1.6 edges a vertex.
    Road,
    /// Points drawn evenly from the unit square, each with its eight nearest; costs are distances.
    Nearest,
    /// The same of points in clusters of 300.
    NearestClustered,
    /// Pairs drawn evenly, three edges a vertex.
    Random,
    /// The same, of cost 1.
    Unit,
    /// Each vertex joins three others, drawn by their edges so far.
    PowerLaw,
}

/// A graph by its edges: `(i, j, cost)` with i < j, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edges {
    /// Vertices.
    pub n: usize,
    edges: Vec<(u32, u32, i32)>,
}

impl SparseFamily {
    /// All of them, with the names by which they are chosen.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Triangulated, "triangulated"),
        (Self::Road, "road"),
        (Self::Nearest, "nearest"),
        (Self::NearestClustered, "nearest-clustered"),
        (Self::Random, "random"),
        (Self::Unit, "unit"),
        (Self::PowerLaw, "power-law"),
    ];

    /// The graph of a seed, with `n` vertices; `n` is even.
    #[must_use]
    pub fn edges(self, n: usize, seed: u64) -> Edges {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut pairs = match self {
            Self::Triangulated => grid(n, 1.0, &mut rng),
            Self::Road => grid(n, 0.45, &mut rng),
            Self::Nearest => return nearest(n, 1, n, &mut rng),
            Self::NearestClustered => return nearest(n, n.div_ceil(300), 300, &mut rng),
            Self::Random | Self::Unit => random(n, &mut rng),
            Self::PowerLaw => power_law(n, &mut rng),
        };
        pairs.sort_unstable();
        pairs.dedup();
        let mut cost = || match self {
            Self::Unit => 1,
            _ => rng.random_range(1..1_000_000),
        };
        let edges = pairs.into_iter().map(|(i, j)| (i, j, cost())).collect();
        Edges { n, edges }
    }
}

impl FromStr for SparseFamily {
    type Err = UnknownFamily;

    fn from_str(text: &str) -> Result<Self, UnknownFamily> {
        let found = Self::ALL.into_iter().find(|(_, name)| *name == text);
        found.map_or_else(|| Err(UnknownFamily(text.to_owned())), |(family, _)| Ok(family))
    }
}

impl Edges {
    /// The graph as our solvers take it.
    ///
    /// # Errors
    /// [`GraphError::TooLarge`].
    pub fn sparse(&self) -> Result<SparseCosts, GraphError> {
        let edges = self.edges.iter();
        SparseCosts::from_edges(
            self.n,
            edges.map(|&(i, j, cost)| (i as usize, j as usize, cost.into())),
        )
    }

    /// What a pairing costs; `None` unless every vertex has another partner, over an edge, who has it.
    #[must_use]
    pub fn cost_of(&self, mates: &[usize]) -> Option<i64> {
        let of = |&(i, j, cost): &(u32, u32, i32)| {
            let paired =
                mates.get(i as usize) == Some(&(j as usize)) && mates.get(j as usize) == Some(&(i as usize));
            paired.then_some(i64::from(cost))
        };
        let costs: Vec<i64> = self.edges.iter().filter_map(of).collect();
        (mates.len() == self.n && 2 * costs.len() == self.n).then(|| costs.iter().sum())
    }

    /// The sum of all costs, by which two programs know that they read the same graph.
    #[must_use]
    pub fn checksum(&self) -> i64 {
        self.edges.iter().map(|edge| i64::from(edge.2)).sum()
    }

    /// Writes the number of vertices, that of edges, and each edge: 32-bit little-endian integers.
    ///
    /// # Errors
    /// Those of the writer; [`io::ErrorKind::InvalidInput`] for 2^32 vertices or edges and more.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        for count in [self.n, self.edges.len()] {
            let count = u32::try_from(count).map_err(|_| io::ErrorKind::InvalidInput)?;
            to.write_all(&count.to_le_bytes())?;
        }
        for &(i, j, cost) in &self.edges {
            for word in [i.to_le_bytes(), j.to_le_bytes(), cost.to_le_bytes()] {
                to.write_all(&word)?;
            }
        }
        to.flush()
    }
}

/// Vertices as the edges name them.
fn short(v: usize) -> u32 {
    u32::try_from(v).unwrap_or(u32::MAX)
}

/// Rows of an even number of vertices. The first and second of a row are joined, the third and fourth, and so on; of all
/// other edges this share.
fn grid(n: usize, share: f64, rng: &mut ChaCha8Rng) -> Vec<(u32, u32)> {
    let width = (n.isqrt() / 2 * 2).max(2);
    let mut pairs = Vec::new();
    for i in 0..n {
        let is_last = i % width + 1 == width;
        for (is_cell, step) in [(!is_last, 1), (true, width), (!is_last, width + 1)] {
            let must = step == 1 && i.is_multiple_of(2);
            if is_cell && i + step < n && (must || rng.random_bool(share)) {
                pairs.push((short(i), short(i + step)));
            }
        }
    }
    pairs
}

fn random(n: usize, rng: &mut ChaCha8Rng) -> Vec<(u32, u32)> {
    let mut pairs: BTreeSet<_> = matched(n).collect();
    let wanted = (3 * n).min(n * (n - 1) / 2);
    while pairs.len() < wanted {
        let (i, j) = (rng.random_range(0..n), rng.random_range(0..n));
        if i != j {
            pairs.insert((short(i.min(j)), short(i.max(j))));
        }
    }
    pairs.into_iter().collect()
}

fn power_law(n: usize, rng: &mut ChaCha8Rng) -> Vec<(u32, u32)> {
    let mut pairs: Vec<_> = matched(n).collect();
    // Each vertex as often as it has edges.
    let mut ends = vec![0, 1];
    for i in 2..short(n) {
        for _ in 0..3 {
            let j = ends[rng.random_range(0..ends.len())];
            if j != i {
                pairs.push((i.min(j), i.max(j)));
                ends.extend([i, j]);
            }
        }
        ends.push(i);
    }
    pairs
}

/// Each even vertex with the next.
fn matched(n: usize) -> impl Iterator<Item = (u32, u32)> {
    (0..short(n)).step_by(2).map(|i| (i, i + 1))
}

/// The eight nearest of each point, and each even point with the next, which may be far away. Points are around this many
/// centres, as many each.
fn nearest(n: usize, centres: usize, each: usize, rng: &mut ChaCha8Rng) -> Edges {
    const NEAREST: usize = 8;
    let around: Vec<[f64; 2]> = (0..centres).map(|_| [rng.random(), rng.random()]).collect();
    let spread = if centres == 1 { 1.0 } else { 0.02 };
    let points: Vec<[f64; 2]> = (0..n)
        .map(|i| around[i / each].map(|centre| (centre + spread * rng.random::<f64>()).fract()))
        .collect();
    let distance = |i: usize, j: usize| {
        let ([x, y], [other_x, other_y]) = (points[i], points[j]);
        (x - other_x).hypot(y - other_y)
    };
    let cells = (n / 3).isqrt().max(1);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "coordinates are from 0 to 1"
    )]
    let place = |at: f64| ((at * cells as f64) as usize).min(cells - 1);
    let mut inside = vec![Vec::new(); cells * cells];
    for (i, &[x, y]) in points.iter().enumerate() {
        inside[place(y) * cells + place(x)].push(i);
    }
    let mut pairs: Vec<(u32, u32)> = matched(n).collect();
    for (i, point) in points.iter().enumerate() {
        let [x, y] = point.map(place);
        let mut near: Vec<(f64, usize)> = Vec::new();
        for reach in 1..=cells {
            // All within `reach` cells are closer than any beyond.
            let range = |at: usize| at.saturating_sub(reach)..(at + reach + 1).min(cells);
            near.clear();
            let within = range(y).flat_map(|y| range(x).map(move |x| y * cells + x));
            let found = within.flat_map(|cell| &inside[cell]).filter(|&&j| j != i);
            near.extend(found.map(|&j| (distance(i, j), j)));
            near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let sure = reach as f64 / cells as f64;
            if near.get(NEAREST - 1).is_some_and(|last| last.0 <= sure) {
                break;
            }
        }
        for &(_, j) in near.iter().take(NEAREST) {
            pairs.push((short(i.min(j)), short(i.max(j))));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    #[allow(
        clippy::cast_possible_truncation,
        reason = "distances are below 2, far inside i32 after scaling"
    )]
    let cost = |(i, j): (u32, u32)| (distance(i as usize, j as usize) * STEPS).round() as i32;
    let edges = pairs.into_iter().map(|(i, j)| (i, j, cost((i, j)))).collect();
    Edges { n, edges }
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_solver::{ExactPairing, PairingSolver};

    #[test]
    fn every_family_has_a_perfect_matching_whose_cost_is_told() {
        for (family, name) in SparseFamily::ALL {
            assert_eq!(name.parse(), Ok(family));
            for n in [2, 10, 300] {
                let graph = family.edges(n, 3);
                assert_eq!(graph, family.edges(n, 3));
                let pairing = ExactPairing::minimum().solve(&graph.sparse().unwrap()).unwrap();
                assert_eq!(
                    graph.cost_of(pairing.mates()).map(|cost| cost as f64),
                    Some(pairing.cost())
                );
                let mut none = pairing.mates().to_vec();
                none[0] = 0;
                assert_eq!(graph.cost_of(&none), None);
            }
        }
        assert!("grid".parse::<SparseFamily>().is_err());
    }

    #[test]
    fn nearest_are_nearest() {
        let graph = SparseFamily::Nearest.edges(400, 5);
        let sparse = graph.sparse().unwrap();
        // Eight each, most of which are mutual, and one that may be far.
        assert!(
            (1_600..3_200).contains(&sparse.edge_count()),
            "{}",
            sparse.edge_count()
        );
        let mut bytes = Vec::new();
        graph.write(&mut bytes).unwrap();
        assert_eq!(bytes.len(), 8 + 12 * sparse.edge_count());
    }
}
