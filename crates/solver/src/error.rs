//! What can be wrong with a graph, and why a pairing can fail.

use std::fmt;
use std::num::NonZeroU32;

use thiserror::Error;

use crate::limits::Status;

/// A graph that cannot be built from the numbers given.
///
/// Positions count edges from 0 in the order in which they were given.
///
/// ```
/// use matchwright_solver::SparseCosts;
///
/// let error = SparseCosts::from_edges(3, [(0, 1, 2.0), (2, 2, 1.0)]).unwrap_err();
/// assert_eq!(error.to_string(), "edge 1 joins vertex 2 to itself: drop the self loop");
/// ```
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum GraphError {
    /// A cost that is NaN or infinite.
    #[error("the cost of ({i}, {j}) is {value}: give a finite number, or leave a forbidden pair out")]
    NotFinite { i: usize, j: usize, value: f64 },
    /// An edge of the list whose cost is NaN or infinite.
    #[error("edge {position} ({i}, {j}) costs {value}: give a finite number, or leave a forbidden pair out")]
    EdgeNotFinite {
        position: usize,
        i: usize,
        j: usize,
        value: f64,
    },
    /// An edge of the list that was given before, in this or the other direction.
    #[error("edge {position} ({i}, {j}) repeats edge {first}: keep one of the two")]
    DuplicateEdge {
        position: usize,
        first: usize,
        i: usize,
        j: usize,
    },
    /// An edge of the list from a vertex to itself.
    #[error("edge {position} joins vertex {i} to itself: drop the self loop")]
    SelfLoop { position: usize, i: usize },
    /// An edge of the list that names a vertex which the graph does not have.
    #[error("edge {position} ({i}, {j}) leaves the graph: vertices run from 0 to below {vertices}")]
    OutOfRange {
        position: usize,
        i: usize,
        j: usize,
        vertices: usize,
    },
    /// Coordinates that are no whole number of points.
    #[error("{values} coordinates are no points of {dimensions} dimensions: give that many numbers for each")]
    CoordinateCount { values: usize, dimensions: usize },
    /// A coordinate that is NaN, infinite or too large for distances.
    #[error("coordinate {coordinate} of vertex {vertex} is {value}: give numbers within 10^150 of 0")]
    CoordinateNotFinite {
        vertex: usize,
        coordinate: usize,
        value: f64,
    },
    /// More vertices than the representation is made for.
    #[error(
        "{vertices} vertices are more than the {limit} that fit here: use sparse costs or split the pool"
    )]
    TooLarge { vertices: usize, limit: usize },
}

impl GraphError {
    /// The position of the edge at fault in the list of edges, from 0; `None` if there is no list.
    #[must_use]
    pub const fn edge(&self) -> Option<usize> {
        match self {
            Self::EdgeNotFinite { position, .. }
            | Self::DuplicateEdge { position, .. }
            | Self::SelfLoop { position, .. }
            | Self::OutOfRange { position, .. } => Some(*position),
            Self::NotFinite { .. }
            | Self::CoordinateCount { .. }
            | Self::CoordinateNotFinite { .. }
            | Self::TooLarge { .. } => None,
        }
    }
}

/// Why a solver gave no pairing.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum SolveError {
    /// The graph has no perfect matching, and this is the proof.
    #[error("no perfect matching: {0}")]
    NoPerfectMatching(Barrier),
    /// Penalties that do not fit the graph.
    #[error(transparent)]
    Penalty(#[from] PenaltyError),
    /// A limit was reached before there was any pairing.
    #[error("{status} before there was a pairing: allow more work or time")]
    Limited { status: Status },
    /// An odd number of vertices cannot all be paired.
    #[error("{vertices} vertices cannot be paired: their number is odd, so leave one out or add one")]
    OddVertices { vertices: usize },
    /// A heuristic ran into a dead end, although a perfect matching may exist.
    #[error(
        "dead end: none of the unmatched {} may be paired: use ExactPairing or allow more pairs",
        Listed(.unplaced, "vertex", "vertices")
    )]
    DeadEnd { unplaced: Vec<usize> },
    /// A pairing made without a look at the costs uses a forbidden pair.
    #[error("the pair ({i}, {j}) is forbidden: use a solver that reads the costs, such as ExactPairing")]
    ForbiddenPair { i: usize, j: usize },
    /// The oracle gave a cost that is NaN or infinite.
    #[error("the cost of ({i}, {j}) is {value}: an oracle gives finite costs, and None for a forbidden pair")]
    NotFinite { i: usize, j: usize, value: f64 },
    /// The oracle contradicts itself about a pair.
    #[error(
        "({i}, {j}) costs {} but ({j}, {i}) costs {}: make the oracle symmetric",
        OrForbidden(.forward), OrForbidden(.backward)
    )]
    Asymmetric {
        i: usize,
        j: usize,
        forward: Option<f64>,
        backward: Option<f64>,
    },
    /// The oracle's quick answers do not go with its costs: a row shows another cost, a lower bound or the distance
    /// of the coordinates is larger, or a cost has changed since it was read.
    #[error(
        "({i}, {j}) costs {cost}, but the oracle's row, bound, distance or earlier answer says {shown}: \
         make them agree"
    )]
    Contradiction {
        i: usize,
        j: usize,
        cost: f64,
        shown: f64,
    },
    /// The oracle's coordinates are not one finite point for each vertex.
    #[error(
        "{values} coordinates in {dimensions} dimensions for {vertices} vertices: give one finite point for each, and a slack of 0 or more"
    )]
    BadCoordinates {
        values: usize,
        dimensions: usize,
        vertices: usize,
    },
    /// The oracle's neighbours of a vertex are not a set of other vertices.
    #[error(
        "vertex {i} has the neighbour {j}: a neighbour is another vertex below {vertices}, and is visited once"
    )]
    BadNeighbour { i: usize, j: usize, vertices: usize },
    /// Mates that are no perfect matching of the vertices.
    #[error("vertex {vertex} of {vertices}: its mate must be another vertex whose mate is {vertex}")]
    BadMates { vertex: usize, vertices: usize },
    /// Every cost is finite, their sum is not.
    #[error("the costs of the pairs add up to {sum}: scale them down")]
    SumOverflow { sum: f64 },
    /// More vertices than this solver takes.
    #[error("{vertices} vertices are more than the {limit} that this solver takes")]
    TooManyVertices { vertices: usize, limit: usize },
    /// Starting duals that do not fit the graph.
    #[error("{duals} starting duals for {vertices} vertices: give one per vertex")]
    StartCount { duals: usize, vertices: usize },
    /// Sorting keys that do not fit the graph.
    #[error("{keys} sorting keys for {vertices} vertices: give one per vertex")]
    KeyCount { keys: usize, vertices: usize },
    /// A sorting key that cannot be ordered.
    #[error("the sorting key of vertex {vertex} is NaN: give a number")]
    KeyNotANumber { vertex: usize },
    /// Dual variables outgrew 128 bits even at the coarsest resolution.
    #[error("the duals of {vertices} vertices outgrow 128 bits: split the pool")]
    Overflow { vertices: usize },
}

impl From<Status> for SolveError {
    fn from(status: Status) -> Self {
        Self::Limited { status }
    }
}

impl SolveError {
    /// The same breach of contract with a pair's vertices under other numbers and at other costs.
    pub(crate) fn restated(self, number: impl Fn(usize) -> usize, rescale: impl Fn(f64) -> f64) -> Self {
        match self {
            Self::NotFinite { i, j, value } => Self::NotFinite {
                i: number(i),
                j: number(j),
                value: rescale(value),
            },
            Self::Asymmetric {
                i,
                j,
                forward,
                backward,
            } => Self::Asymmetric {
                i: number(i),
                j: number(j),
                forward: forward.map(&rescale),
                backward: backward.map(rescale),
            },
            Self::Contradiction { i, j, cost, shown } => Self::Contradiction {
                i: number(i),
                j: number(j),
                cost: rescale(cost),
                shown: rescale(shown),
            },
            other => other,
        }
    }
}

/// Why no perfect matching exists: a barrier in the sense of Tutte and Berge.
///
/// deficiency = max over A of odd(G - A) - |A|
///
/// where odd(G - A) counts the components with an odd number of vertices that are left when the set A is
/// taken out. Each needs a partner of its own in A, so at least odd(G - A) - |A| vertices stay alone in
/// every matching; a maximum matching leaves exactly that many. Anyone can check it: take `vertices` out,
/// count the odd components.
///
/// Tutte, "The factorization of linear graphs", 1947; Berge, "Sur le couplage maximum d'un graphe", 1958.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Barrier {
    /// The set A, ascending.
    pub vertices: Vec<usize>,
    /// odd(G - A), more than the number of vertices in A.
    pub odd_components: usize,
    /// The vertices that one maximum matching leaves without a partner, ascending: odd(G - A) - |A| of them.
    pub unplaced: Vec<usize>,
}

impl fmt::Display for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unplaced = Listed(&self.unplaced, "vertex", "vertices");
        write!(f, "{unplaced} cannot be placed, since ")?;
        if self.vertices.is_empty() {
            let plural = if self.odd_components == 1 { "" } else { "s" };
            write!(f, "the graph has {} odd component{plural}", self.odd_components)?;
        } else {
            let removed = Listed(&self.vertices, "vertex", "vertices");
            write!(
                f,
                "without {removed} it falls into {} odd components",
                self.odd_components
            )?;
        }
        write!(f, "; leave the unplaced out or allow more pairs")
    }
}

/// "vertices 1, 2 and 3", cut after ten.
struct Listed<'a>(&'a [usize], &'static str, &'static str);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 10;
        let Self(items, one, many) = self;
        f.write_str(if items.len() == 1 { one } else { many })?;
        for (k, item) in items.iter().take(SHOWN).enumerate() {
            write!(f, "{}{item}", if k == 0 { " " } else { ", " })?;
        }
        if items.len() > SHOWN {
            write!(f, " and {} more", items.len() - SHOWN)?;
        }
        Ok(())
    }
}

struct OrForbidden<'a>(&'a Option<f64>);

impl fmt::Display for OrForbidden<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(cost) => write!(f, "{cost}"),
            None => f.write_str("nothing (forbidden)"),
        }
    }
}

/// Costs whose multiples are no integers.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum MultipleError {
    /// Of a pair.
    #[error("({i}, {j}) costs {cost}, which times {multiple} is no integer of at most 2^50: is it rounded?")]
    Pair {
        i: usize,
        j: usize,
        cost: f64,
        multiple: NonZeroU32,
    },
    /// Of a vertex that may stay unmatched.
    #[error(
        "vertex {vertex} has the penalty {penalty}, which times {multiple} is no integer of at most 2^50"
    )]
    Penalty {
        vertex: usize,
        penalty: f64,
        multiple: NonZeroU32,
    },
}

/// Penalties that do not fit a graph.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum PenaltyError {
    /// Not one penalty for each vertex.
    #[error("{penalties} unmatched penalties for {vertices} vertices: give one for each")]
    Count { penalties: usize, vertices: usize },
    /// A penalty that is NaN, infinite, or too large to be added to another.
    #[error("the unmatched penalty of vertex {vertex} is {penalty}: give a number within 8e307 of 0")]
    NotFinite { vertex: usize, penalty: f64 },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_cut_after_ten() {
        let error = SolveError::DeadEnd {
            unplaced: (0..13).collect(),
        };
        assert_eq!(
            error.to_string(),
            "dead end: none of the unmatched vertices 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 3 more may be paired: \
             use ExactPairing or allow more pairs"
        );
    }

    #[test]
    fn an_asymmetric_pair_shows_both_sides() {
        let error = SolveError::Asymmetric {
            i: 1,
            j: 4,
            forward: Some(2.5),
            backward: None,
        };
        assert_eq!(
            error.to_string(),
            "(1, 4) costs 2.5 but (4, 1) costs nothing (forbidden): make the oracle symmetric"
        );
    }

    #[test]
    fn a_barrier_reads_as_a_sentence() {
        let barrier = Barrier {
            vertices: vec![0],
            odd_components: 3,
            unplaced: vec![2, 3],
        };
        assert_eq!(
            barrier.to_string(),
            "vertices 2, 3 cannot be placed, since without vertex 0 it falls into 3 odd components; \
             leave the unplaced out or allow more pairs"
        );
    }
}
