//! Which law was broken, and on what.

use std::fmt;

use thiserror::Error;

/// The laws of [`PairingSolver`](crate::PairingSolver), in the order in which they are checked, and of
/// [`CostOracle`](crate::CostOracle).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Law {
    /// Every vertex has a mate, another vertex of the graph.
    Perfect,
    /// Everyone is the mate of their mate.
    Symmetric,
    /// No pair is forbidden.
    Allowed,
    /// The cost is no less than the least and no more than the most that any pairing costs.
    WithinBruteForce,
    /// The cost is the sum of the costs of the pairs.
    CostIsSum,
    /// A solver that claims to be exact finds the optimum.
    Optimal,
    /// The certificate, if any, stands up to [`verify`](crate::verify()).
    Certified,
    /// There is an answer where the solver claims one.
    Answers,
    /// The same graph gets the same answer again.
    Deterministic,
    /// A workspace used before gives the same answer as a new one.
    WorkspaceIndependent,
    /// An oracle gives finite costs.
    FiniteCosts,
    /// An oracle gives both directions of a pair one cost.
    SymmetricCosts,
    /// An oracle visits exactly the allowed pairs, once each, at their cost.
    Neighbours,
    /// An oracle's rows are its costs, NaN where there is none.
    Rows,
    /// An oracle's lower bounds are no larger than its costs.
    LowerBounds,
    /// An oracle of some of the vertices has the same costs, in all its forms.
    Sample,
    /// An oracle's matrix holds its costs.
    Matrix,
    /// An oracle's pairs cost no less than the distance of their points.
    Coordinates,
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Perfect => "every vertex has a mate",
            Self::Symmetric => "everyone is the mate of their mate",
            Self::Allowed => "no pair is forbidden",
            Self::WithinBruteForce => "no cost is beyond those of all pairings",
            Self::CostIsSum => "the cost is the sum of the pairs",
            Self::Optimal => "an exact solver finds the optimum",
            Self::Certified => "a certificate proves its pairing",
            Self::Answers => "a graph with a pairing gets one",
            Self::Deterministic => "the same graph gets the same answer",
            Self::WorkspaceIndependent => "a used workspace changes nothing",
            Self::FiniteCosts => "costs are finite",
            Self::SymmetricCosts => "both directions of a pair cost the same",
            Self::Neighbours => "neighbours are the allowed pairs",
            Self::Rows => "rows are the costs",
            Self::LowerBounds => "lower bounds are no larger than the costs",
            Self::Sample => "a sample of the vertices has their costs",
            Self::Matrix => "the matrix holds the costs",
            Self::Coordinates => "no pair costs less than its distance",
        })
    }
}

/// A law that an implementation breaks.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("broken law: {law}; {detail}, on {graph}")]
pub struct LawViolation {
    pub(super) law: Law,
    pub(super) detail: String,
    pub(super) graph: String,
}

impl LawViolation {
    /// The law.
    #[must_use]
    pub const fn law(&self) -> Law {
        self.law
    }

    /// The graph on which it was broken: its number of vertices and its edges.
    #[must_use]
    pub fn graph(&self) -> &str {
        &self.graph
    }
}
