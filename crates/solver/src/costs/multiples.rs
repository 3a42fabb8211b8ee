//! Costs that are integers in a unit of their own, as tenths or cents.

use std::num::NonZeroU32;

use super::{CostOracle, Unmatched};
use crate::error::MultipleError;

/// From here on an integer cannot be told by a float that was rounded twice: 2^50.
const LIMIT: f64 = (1_u64 << 50) as f64;

/// How far an integer multiple of a cost may be off: 2^-20.
const TOLERANCE: f64 = 1.0 / (1_u64 << 20) as f64;

/// The costs of another oracle in units of 1/k, where k times each cost is an integer but for rounding.
///
/// ```text
/// c'_ij = the integer next to k c_ij        |k c_ij - c'_ij| <= max(2^-20, 2^-52 |k c_ij|)
/// ```
///
/// No float is 0.1, so that costs in tenths are rounded when they become integers, and a proof about more than 32
/// vertices is not [exact](crate::Verdict::is_exact). Ten times as large they are integers, it is, and sums that are
/// equal in tenths are ties. Penalties of unmatched vertices are multiplied alike. Solve and [`verify`](crate::verify())
/// the multiples; the pairing's cost and bounds are those of the multiples, k times as large as those of the costs.
/// They are read by rows or lists: no use is made of lower bounds or coordinates.
///
/// ```
/// use matchwright_solver::{DenseCosts, ExactPairing, PairingSolver, WholeMultiples, verify};
///
/// let tenths = DenseCosts::from_fn(40, |i, j| f64::from((7 * i as u32 + 7 * j as u32) % 100) / 10.0)?;
/// let rounded = ExactPairing::minimum().solve(&tenths)?;
/// assert!(!verify(&tenths, &rounded)?.is_exact());
///
/// let whole = WholeMultiples::new(&tenths, 10.try_into()?)?;
/// let pairing = ExactPairing::minimum().solve(&whole)?;
/// assert!(verify(&whole, &pairing)?.is_exact());
/// assert!((pairing.cost() / 10.0 - rounded.cost()).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct WholeMultiples<C> {
    costs: C,
    multiple: NonZeroU32,
    penalties: Vec<f64>,
}

impl<C: CostOracle> WholeMultiples<C> {
    /// `multiple` times these costs, each of which is read once. O(n^2), or O(m) of lists.
    ///
    /// A cost that is found to be another one later on is infinite, which solvers and verifiers refuse.
    ///
    /// # Errors
    /// [`MultipleError`] names the first pair whose cost, or the vertex whose penalty, is no such multiple: further
    /// from one than rounding explains, not finite, or more than 2^50 units.
    pub fn new(costs: C, multiple: NonZeroU32) -> Result<Self, MultipleError> {
        let this = Self::unchecked(costs, multiple);
        let vertices = this.vertices();
        let mut row = vec![0.0; if this.is_sparse() { 0 } else { vertices }];
        for i in 0..vertices {
            let mut first = None;
            let mut check = |j, cost| {
                if !this.whole(cost).is_finite() && first.is_none() {
                    first = Some(MultipleError::Pair { i, j, cost, multiple });
                }
            };
            if this.is_sparse() {
                this.costs.for_each_neighbour(i, &mut check);
            } else if i + 1 < vertices {
                this.costs.cost_row(i, i + 1, &mut row[i + 1..]);
                let allowed = (i + 1..).zip(&row[i + 1..]).filter(|(_, cost)| !cost.is_nan());
                allowed.for_each(|(j, &cost)| check(j, cost));
            }
            if let Some(error) = first {
                return Err(error);
            }
        }
        let penalties = this.costs.unmatched().penalties();
        match (0..)
            .zip(penalties)
            .find(|&(_, &penalty)| !this.whole(penalty).is_finite())
        {
            Some((vertex, &penalty)) => Err(MultipleError::Penalty {
                vertex,
                penalty,
                multiple,
            }),
            None => Ok(this),
        }
    }

    fn unchecked(costs: C, multiple: NonZeroU32) -> Self {
        let mut this = Self {
            costs,
            multiple,
            penalties: Vec::new(),
        };
        let penalties = this.costs.unmatched().penalties().iter();
        this.penalties = penalties.map(|&penalty| this.whole(penalty)).collect();
        this
    }

    /// The multiple of a cost: infinite if it is no integer, NaN of NaN.
    fn whole(&self, cost: f64) -> f64 {
        let exact = cost * f64::from(self.multiple.get());
        let whole = exact.round_ties_even();
        let is_off = (exact - whole).abs() > TOLERANCE.max(exact.abs() * f64::EPSILON);
        if is_off || whole.abs() > LIMIT {
            f64::INFINITY
        } else {
            whole
        }
    }
}

impl<C: CostOracle> CostOracle for WholeMultiples<C> {
    fn vertices(&self) -> usize {
        self.costs.vertices()
    }

    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        self.costs.cost(i, j).map(|cost| self.whole(cost))
    }

    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        self.costs
            .for_each_neighbour(i, &mut |j, cost| visit(j, self.whole(cost)));
    }

    fn is_sparse(&self) -> bool {
        self.costs.is_sparse()
    }

    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        self.costs.cost_row(i, from, out);
        for cost in out {
            *cost = self.whole(*cost);
        }
    }

    fn among<'a>(&'a self, vertices: &[u32]) -> Option<Box<dyn CostOracle + 'a>> {
        let among = self.costs.among(vertices)?;
        Some(Box::new(WholeMultiples::unchecked(among, self.multiple)))
    }

    fn unmatched(&self) -> Unmatched<'_> {
        match self.costs.unmatched() {
            Unmatched::Forbidden => Unmatched::Forbidden,
            Unmatched::Penalties(_) => Unmatched::Penalties(&self.penalties),
            Unmatched::MaximumCardinality(_) => Unmatched::MaximumCardinality(&self.penalties),
        }
    }
}
