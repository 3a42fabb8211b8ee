//! What a false claim gets wrong.

use thiserror::Error;

use crate::limits::Status;

/// Why a pairing or its certificate was rejected, or which contract its oracle broke.
///
/// Reduced costs and duals are in halves of a quantised cost; blossoms count from 0 in the certificate's
/// order.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum VerifyError {
    /// Not one mate per vertex.
    #[error("{mates} mates for {vertices} vertices: the pairing belongs to another graph")]
    WrongSize { mates: usize, vertices: usize },
    /// A mate that is not mutual, the vertex itself, or out of range.
    #[error("vertex {vertex} has the mate {mate}, which is no other vertex with the mate {vertex}")]
    NotPaired { vertex: usize, mate: usize },
    /// A pair that the graph does not allow.
    #[error("the pair ({i}, {j}) is forbidden")]
    Forbidden { i: usize, j: usize },
    /// A cost of the oracle that is NaN or infinite.
    #[error("the cost of ({i}, {j}) is {value}: costs are finite")]
    NotFinite { i: usize, j: usize, value: f64 },
    /// A limit was reached before all pairs were checked: nothing is proven or refuted.
    #[error("{status} before all pairs were checked: allow more work or time")]
    Limited { status: Status },
    /// A penalty of an unmatched vertex that is missing, NaN or infinite.
    #[error("the unmatched penalty of vertex {vertex} is {penalty}: penalties are finite")]
    BadPenalty { vertex: usize, penalty: f64 },
    /// A dual larger than its vertex's penalty, or of an unmatched vertex and not equal to it.
    #[error("vertex {vertex} has a dual that differs by {slack} from its penalty, against the proof")]
    Penalty { vertex: usize, slack: i128 },
    /// A barrier that does not show that the claimed number of vertices must be unmatched.
    #[error(
        "the barrier says that {claimed} vertices must be unmatched, counting its odd components shows          {shown}, and {unmatched} are"
    )]
    Barrier {
        claimed: usize,
        shown: usize,
        unmatched: usize,
    },
    /// The oracle gives two costs for a pair.
    #[error("({i}, {j}) costs {forward:?} but ({j}, {i}) costs {backward:?}: the oracle is not symmetric")]
    Asymmetric {
        i: usize,
        j: usize,
        forward: Option<f64>,
        backward: Option<f64>,
    },
    /// The oracle's rows or neighbours are not what it says of the pair alone; `None` is forbidden.
    #[error("({i}, {j}) costs {cost:?}, but the oracle's row or list says {shown:?}: make them agree")]
    Contradiction {
        i: usize,
        j: usize,
        cost: Option<f64>,
        shown: Option<f64>,
    },
    /// The oracle's coordinates promise that no pair costs less than its distance, less their slack.
    #[error(
        "({i}, {j}) costs {cost}, less than the distance {distance} of its points: the coordinates are wrong"
    )]
    Cheaper {
        i: usize,
        j: usize,
        cost: f64,
        distance: f64,
    },
    /// The oracle visits a neighbour that is none, or visits it twice.
    #[error("vertex {i} has the neighbour {j}: a neighbour is another vertex, visited once with its cost")]
    BadNeighbour { i: usize, j: usize },
    /// The pairing's cost is not the sum of its pairs.
    #[error("the pairing claims to cost {claimed}, its pairs cost {actual}")]
    WrongCost { claimed: f64, actual: f64 },
    /// A certificate without an objective to prove.
    #[error("the pairing has a certificate but no objective: say whether it is a minimum or a maximum")]
    NoObjective,
    /// A resolution that is no finite positive power of two.
    #[error("the resolution {resolution} is no power of two")]
    Resolution { resolution: f64 },
    /// A cost too large for the resolution.
    #[error("the cost {cost} of ({i}, {j}) does not fit into 120 bits at the resolution of the certificate")]
    OutOfScale { i: usize, j: usize, cost: f64 },
    /// Not one dual per vertex.
    #[error("{duals} vertex duals for {vertices} vertices")]
    DualCount { duals: usize, vertices: usize },
    /// A blossom with an even number of vertices, or fewer than three.
    #[error("blossom {blossom} has {size} vertices: blossoms are odd, with 3 or more")]
    NotOdd { blossom: usize, size: usize },
    /// A blossom said to lie inside itself, or inside one that is listed later or not at all.
    #[error("blossom {blossom} lies inside {around}: blossoms come after those around them")]
    Around { blossom: usize, around: usize },
    /// A blossom that names a vertex that was named before, by itself or another, or that does not exist.
    #[error("blossom {blossom} names vertex {vertex}, which was named before or does not exist")]
    BlossomVertex { blossom: usize, vertex: usize },
    /// A blossom with a negative dual.
    #[error("blossom {blossom} has the dual {dual}: blossom duals are not negative")]
    NegativeBlossom { blossom: usize, dual: i128 },
    /// Duals whose sums leave 128 bits, which no optimum needs.
    #[error("the duals add up to more than 128 bits hold: no sum of costs at this resolution is that large")]
    DualOverflow,
    /// A blossom with a positive dual that is not matched within itself but for one vertex.
    #[error("blossom {blossom} has a positive dual and {inside} pairs inside: it needs {needed}")]
    LooseBlossom {
        blossom: usize,
        inside: usize,
        needed: usize,
    },
    /// A pair that costs less than its duals allow: the bound does not hold.
    #[error("the pair ({i}, {j}) has the reduced cost {reduced}: the duals are not feasible")]
    NegativeReducedCost { i: usize, j: usize, reduced: i128 },
    /// A pair of the pairing that costs more than its duals: the pairing is not proven optimal.
    #[error("the pair ({i}, {j}) of the pairing has the reduced cost {reduced}: the proof needs 0")]
    LoosePair { i: usize, j: usize, reduced: i128 },
    /// Primal and dual sums differ.
    #[error(
        "the pairing's quantised cost, doubled, is {primal}, its dual bound {dual}: the proof needs them equal"
    )]
    DualityGap { primal: i128, dual: i128 },
    /// The bound stated is better than the one that the duals give, or needlessly worse.
    #[error("the certificate claims the bound {claimed}, its duals give {actual}")]
    WrongBound { claimed: f64, actual: f64 },
    /// The effect of rounding is understated, or overstated beyond half a unit a vertex.
    #[error("the certificate claims a quantisation error of {claimed}, rounding the costs gives {actual}")]
    WrongQuantisationError { claimed: f64, actual: f64 },
}

impl From<Status> for VerifyError {
    fn from(status: Status) -> Self {
        Self::Limited { status }
    }
}
