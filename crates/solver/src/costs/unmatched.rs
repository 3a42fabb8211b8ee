//! Which vertices may stay unmatched, and what that costs.

use std::fmt;

use super::{Coordinates, CostOracle, DenseCosts, forward_costs};
use crate::error::PenaltyError;

/// Whether vertices may stay unmatched: the problem that an oracle states beside its costs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Unmatched<'a> {
    /// Every vertex must be matched.
    #[default]
    Forbidden,
    /// Vertex i may stay unmatched, which adds the penalty `p_i` to the cost: one finite number for each vertex.
    Penalties(&'a [f64]),
    /// As few vertices as possible stay unmatched (maximum cardinality). Of all such matchings the sum of costs and
    /// penalties decides; no penalties at all are penalties of 0.
    MaximumCardinality(&'a [f64]),
}

impl<'a> Unmatched<'a> {
    /// The penalty of a vertex, which is 0 if none is given; `None` if it must be matched.
    #[must_use]
    pub fn penalty(self, vertex: usize) -> Option<f64> {
        match self {
            Self::Forbidden => None,
            Self::Penalties(list) | Self::MaximumCardinality(list) => {
                Some(list.get(vertex).copied().unwrap_or(0.0))
            }
        }
    }

    /// The penalties that are given.
    #[must_use]
    pub fn penalties(self) -> &'a [f64] {
        match self {
            Self::Forbidden => &[],
            Self::Penalties(list) | Self::MaximumCardinality(list) => list,
        }
    }

    /// Checks that there is one penalty for each of the vertices, and that sums of two are finite.
    pub(crate) fn check(self, vertices: usize) -> Result<(), PenaltyError> {
        let list = self.penalties();
        let may_be_empty = !matches!(self, Self::Penalties(_));
        if list.len() != vertices && !(may_be_empty && list.is_empty()) {
            return Err(PenaltyError::Count {
                penalties: list.len(),
                vertices,
            });
        }
        match list.iter().position(|penalty| !(2.0 * penalty).is_finite()) {
            Some(vertex) => Err(PenaltyError::NotFinite {
                vertex,
                penalty: list[vertex],
            }),
            None => Ok(()),
        }
    }
}

/// Costs with penalties for vertices that stay unmatched.
///
/// ```text
/// minimise  sum of c_ij over the pairs {i, j}  +  sum of p_k over the unmatched vertices k
/// ```
///
/// Each vertex is in at most one pair. A penalty has the unit of the costs: what it costs to let a player wait. It
/// may have any sign, and counts like a cost under either [`Objective`](crate::Objective): to maximise gains, take
/// what waiting loses as a negative penalty. With [`maximum_cardinality`](Self::maximum_cardinality) as many players
/// as possible are matched first, and the sum decides among such matchings.
///
/// [`ExactPairing`](crate::ExactPairing) finds the optimum and proves it; the heuristics pair two vertices at
/// `min(c_ij, p_i + p_j)`, where the latter leaves both unmatched.
///
/// ```
/// use matchwright_solver::{DenseCosts, ExactPairing, PairingSolver, UnmatchedPenalties, verify};
///
/// // Five players, the cost of a pair is the gap in skill; player 3 has waited for long.
/// let skills = [1500.0, 1540.0, 1900.0, 1450.0, 2400.0_f64];
/// let gaps = DenseCosts::from_fn(5, |i, j| (skills[i] - skills[j]).abs())?;
/// let waited = UnmatchedPenalties::new(&gaps, vec![30.0, 30.0, 30.0, 90.0, 30.0])?;
/// let pairing = ExactPairing::minimum().solve(&waited)?;
/// assert_eq!(pairing.pairs().collect::<Vec<_>>(), [(0, 3)]);
/// assert_eq!(pairing.unmatched().collect::<Vec<_>>(), [1, 2, 4]);
/// assert_eq!(pairing.cost(), 50.0 + 30.0 + 30.0 + 30.0);
/// assert!(verify(&waited, &pairing)?.is_exact());
///
/// // As many as possible play.
/// let all = UnmatchedPenalties::maximum_cardinality(&gaps);
/// let pairing = ExactPairing::minimum().solve(&all)?;
/// assert_eq!(pairing.unmatched().collect::<Vec<_>>(), [4]);
/// assert_eq!(pairing.certificate().unwrap().barrier().unwrap().unplaced.len(), 1);
/// assert!(verify(&all, &pairing)?.is_exact());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct UnmatchedPenalties<'a> {
    costs: &'a dyn CostOracle,
    penalties: Vec<f64>,
    maximum_cardinality: bool,
}

impl<'a> UnmatchedPenalties<'a> {
    /// These costs, with one penalty for each vertex.
    ///
    /// # Errors
    /// [`PenaltyError`] unless there is one finite penalty for each vertex.
    pub fn new(costs: &'a dyn CostOracle, penalties: Vec<f64>) -> Result<Self, PenaltyError> {
        Unmatched::Penalties(&penalties).check(costs.vertices())?;
        Ok(Self {
            costs,
            penalties,
            maximum_cardinality: false,
        })
    }

    /// These costs, where as few vertices as possible stay unmatched.
    #[must_use]
    pub fn maximum_cardinality(costs: &'a dyn CostOracle) -> Self {
        Self {
            costs,
            penalties: Vec::new(),
            maximum_cardinality: true,
        }
    }

    /// The same problem with these penalties, which tell among matchings of maximum cardinality.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_penalties(self, penalties: Vec<f64>) -> Result<Self, PenaltyError> {
        Ok(Self {
            maximum_cardinality: self.maximum_cardinality,
            ..Self::new(self.costs, penalties)?
        })
    }
}

impl CostOracle for UnmatchedPenalties<'_> {
    fn vertices(&self) -> usize {
        self.costs.vertices()
    }

    fn unmatched(&self) -> Unmatched<'_> {
        if self.maximum_cardinality {
            Unmatched::MaximumCardinality(&self.penalties)
        } else {
            Unmatched::Penalties(&self.penalties)
        }
    }

    forward_costs!(self => self.costs);
}

impl fmt::Debug for UnmatchedPenalties<'_> {
    /// All but the costs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnmatchedPenalties")
            .field("penalties", &self.penalties)
            .field("maximum_cardinality", &self.maximum_cardinality)
            .finish_non_exhaustive()
    }
}
