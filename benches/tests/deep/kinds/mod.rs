//! The kinds of graphs that have broken matching codes before.

mod blossoms;
mod costs;
mod shape;
mod structure;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::graph::Graph;

type Rng = ChaCha8Rng;

/// A way to draw graphs.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// Draws a graph of about this many vertices, and never more.
    draw: fn(&mut Rng, usize) -> Graph,
    /// Small graphs have up to this many vertices: more where blossoms are to nest than elsewhere.
    small: usize,
    /// What a sample of it must contain, or it tests nothing.
    pub(crate) expects: &'static [Expect],
}

/// What must occur in a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expect {
    Pairings,
    /// Graphs without a perfect matching.
    Barriers,
    /// Certificates with blossoms.
    Blossoms,
    /// Blossoms within blossoms.
    Nesting,
}

/// How many vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// At most 12 or 16, so that all pairings can be tried.
    Small,
    /// From 50 to 400.
    Large,
    /// From 2,050 to 2,500.
    Vast,
}

const P: &[Expect] = &[Expect::Pairings];
const PB: &[Expect] = &[Expect::Pairings, Expect::Barriers];
const PX: &[Expect] = &[Expect::Pairings, Expect::Blossoms];
const PN: &[Expect] = &[Expect::Pairings, Expect::Blossoms, Expect::Nesting];

#[rustfmt::skip]
pub(crate) const KINDS: [Kind; 26] = [
    Kind { name: "sparse",     draw: structure::sparse,     small: 16, expects: PB },
    Kind { name: "components", draw: structure::components, small: 12, expects: PB },
    Kind { name: "starved",    draw: structure::starved,    small: 12, expects: PB },
    Kind { name: "bipartite",  draw: structure::bipartite,  small: 12, expects: PB },
    Kind { name: "drift",      draw: structure::drift,      small: 12, expects: P },
    Kind { name: "scattered",  draw: structure::scattered,  small: 12, expects: PX },
    Kind { name: "tied",       draw: costs::tied,           small: 12, expects: PB },
    Kind { name: "equal",      draw: costs::equal,          small: 12, expects: PB },
    Kind { name: "negative",   draw: costs::negative,       small: 12, expects: PX },
    Kind { name: "metric",     draw: costs::metric,         small: 12, expects: PX },
    Kind { name: "euclid",     draw: costs::euclid,         small: 12, expects: PX },
    Kind { name: "grid",       draw: costs::grid,           small: 12, expects: PX },
    Kind { name: "sums",       draw: costs::sums,           small: 12, expects: P },
    Kind { name: "products",   draw: costs::products,       small: 12, expects: PX },
    Kind { name: "eomm",       draw: costs::eomm,           small: 12, expects: PX },
    Kind { name: "huge",       draw: costs::huge,           small: 12, expects: PX },
    Kind { name: "fractions",  draw: costs::fractions,      small: 12, expects: PX },
    Kind { name: "wide",       draw: costs::wide,           small: 12, expects: PX },
    Kind { name: "nested",     draw: blossoms::nested,      small: 16, expects: PN },
    Kind { name: "groups",     draw: blossoms::groups,      small: 16, expects: PN },
    Kind { name: "onions",     draw: blossoms::onions,      small: 16, expects: PN },
    Kind { name: "rings",      draw: blossoms::rings,       small: 16, expects: PX },
    Kind { name: "triangles",  draw: blossoms::triangles,   small: 16, expects: PX },
    Kind { name: "valleys",    draw: blossoms::valleys,     small: 16, expects: PN },
    Kind { name: "flowers",    draw: blossoms::flowers,     small: 16, expects: PX },
    Kind { name: "churned",    draw: blossoms::churned,     small: 16, expects: PX },
];

impl Kind {
    /// The graph of a number: a function of kind, size and number alone.
    pub(crate) fn graph(&self, size: Size, number: u64) -> Graph {
        let name = self.name.bytes().fold(size as u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        let mut rng = Rng::seed_from_u64(name);
        rng.set_stream(number);
        let n = size.draw(&mut rng, self.small);
        (self.draw)(&mut rng, n)
    }
}

impl Size {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Large => "large",
            Self::Vast => "vast",
        }
    }

    /// Mostly even, up to `small` or 400.
    fn draw(self, rng: &mut Rng, small: usize) -> usize {
        let even = match self {
            Self::Small => small - 2 * pick(rng, &[0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5]),
            Self::Large => 2 * rng.random_range(25..=200),
            Self::Vast => 2 * rng.random_range(1_025..=1_250),
        };
        even - usize::from(![50, 2_050].contains(&even) && rng.random_ratio(1, 20))
    }
}

/// An integer as a cost.
fn whole(rng: &mut Rng, range: std::ops::RangeInclusive<i64>) -> f64 {
    rng.random_range(range) as f64
}

/// One of a few.
fn pick<T: Copy>(rng: &mut Rng, list: &[T]) -> T {
    list[rng.random_range(0..list.len())]
}

/// A part of all pairs: often all, down to some three or four a vertex.
fn density(rng: &mut Rng, n: usize) -> f64 {
    pick(rng, &[1.0, 1.0, 0.7, 0.3, (4.0 / n as f64).min(1.0)])
}
