//! Who takes part, and on which graphs.

use std::fmt;

use clap::ValueEnum;

/// A kind of graph, complete or of few pairs; `matchwright-benches` knows how to draw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Family {
    /// EOMM's edges
    Eomm,
    /// Costs drawn evenly from (0, 1)
    Uniform,
    /// Distances in the unit square
    Euclid,
    /// Distances of points in clusters
    Clusters,
    /// Gaps in skill beyond a tolerance, mostly tied
    Plateau,
    /// A grid with one diagonal in each cell
    Triangulated,
    /// A grid that lacks half of its edges
    Road,
    /// Points with their eight nearest
    Nearest,
    /// The same of points in clusters
    NearestClustered,
    /// Pairs drawn evenly, three edges a vertex
    Random,
    /// The same, all of one cost
    Unit,
    /// Few vertices have most of the edges
    PowerLaw,
}

/// Somebody whose time is taken. The names are those that the workers know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Contender {
    /// Ours, from a matrix
    Matchwright,
    /// Ours, from a matrix and the duals of a sample of other players (eomm)
    MatchwrightWarm,
    /// Ours, from a list of edges
    MatchwrightEdges,
    /// Ours, from a function of two vertices
    MatchwrightImplicit,
    /// The same on all cores, from 10000 vertices on
    MatchwrightAllCores,
    /// A crate: Blossom V
    GeometricTraits,
    /// A crate: the O(n^3) algorithm after Galil
    Mwmatching,
    /// A crate: the same on a petgraph
    RustworkxCore,
    /// LEMON, a C++ library, where edges are arithmetic
    LemonFull,
    /// LEMON where edges are in arrays
    LemonSmart,
    /// A floor: one pass over the matrix
    MatrixPass,
    /// A floor: the cost of every pair
    AllPairs,
}

/// What a contender's time is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Ours,
    Peer,
    /// What nobody who looks at every pair can be faster than.
    Floor,
}

/// How a contender reads a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Integer costs.
    Matrix,
    /// Real costs, computed when asked for.
    Implicit,
}

/// Vertices of the largest matrix, 200 MB in double precision.
const LARGEST_MATRIX: usize = 5_000;

impl Contender {
    pub(crate) fn role(self) -> Role {
        match self {
            Self::Matchwright
            | Self::MatchwrightWarm
            | Self::MatchwrightEdges
            | Self::MatchwrightImplicit
            | Self::MatchwrightAllCores => Role::Ours,
            Self::MatrixPass | Self::AllPairs => Role::Floor,
            _ => Role::Peer,
        }
    }

    pub(crate) fn form(self) -> Form {
        match self {
            Self::MatchwrightImplicit | Self::MatchwrightAllCores | Self::AllPairs => Form::Implicit,
            _ => Form::Matrix,
        }
    }

    /// Whether it is asked to solve a graph: of matrices, those that leave room for a contender's own copies.
    pub(crate) fn plays(self, family: Family, n: usize) -> bool {
        match self {
            Self::MatchwrightEdges => family.is_sparse(),
            _ if family.is_sparse() => self == Self::LemonSmart,
            Self::MatchwrightWarm => family == Family::Eomm && n <= LARGEST_MATRIX,
            Self::MatchwrightAllCores => n >= 10_000,
            Self::MatrixPass => n <= 2 * LARGEST_MATRIX,
            _ => self.form() == Form::Implicit || n <= LARGEST_MATRIX,
        }
    }

    /// Whether its answers come with a proof to check. On all cores ours is the same answer as on one, which takes as
    /// long to check as all pairs to read.
    pub(crate) fn proves(self) -> bool {
        self.role() == Role::Ours && self != Self::MatchwrightAllCores
    }

    /// The graph that LEMON's worker is to use, if it is LEMON.
    pub(crate) fn lemon_graph(self) -> Option<&'static str> {
        match self {
            Self::LemonFull => Some("full"),
            Self::LemonSmart => Some("smart"),
            _ => None,
        }
    }
}

impl Family {
    /// Whether few pairs are possible.
    pub(crate) fn is_sparse(self) -> bool {
        !matches!(
            self,
            Self::Eomm | Self::Uniform | Self::Euclid | Self::Clusters | Self::Plateau
        )
    }

    /// Whether the costs are the same with and without a matrix, but for rounding.
    pub(crate) fn is_one_graph(self) -> bool {
        self != Self::Uniform
    }
}

/// The name by which a value is chosen on the command line.
fn name(value: &impl ValueEnum) -> String {
    let possible = value.to_possible_value();
    possible.map_or_else(String::new, |value| value.get_name().to_owned())
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&name(self))
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&name(self))
    }
}
