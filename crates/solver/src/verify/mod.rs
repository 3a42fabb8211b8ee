//! The judge: takes a graph and a claim, and trusts nothing of the solver.
//!
//! It shares the public data types with the solvers, and the exact sum of floats that states a cost (which is compared
//! with the plain sum); it recomputes every integer from the oracle and sums in 128 bits, checked. Read [`verify`] to see what a proof of optimality consists of, and what is asked of
//! the oracle.

mod bound;
mod error;
mod family;
mod pairs;
mod points;
mod reading;
mod scale;
mod strips;
mod unmatched;

pub use bound::{VerifiedBound, verify_bound, verify_bound_within};
pub use error::VerifyError;

use crate::certificate::Certificate;
use crate::costs::{CostOracle, Unmatched};
use crate::limits::Limits;
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::sum::sum_rounded_once;
use strips::Readers;

/// A sum of costs may differ from ours by this part of the sum of their sizes: the order of summation is
/// free.
const SUM_TOLERANCE: f64 = 1e-12;

/// How far from the bound an optimal pairing may seem because costs were rounded, as a part of the sum of the
/// magnitudes of its costs.
const OPTIMAL_TOLERANCE: f64 = 1e-12;

/// What is proven about a pairing.
///
/// The certificate proves in exact integers that no pairing has a smaller sum of quantised costs. What that
/// says of the true costs depends on how much was rounded:
///
/// | `quantisation_error` | `optimal` | [`is_exact`](Self::is_exact) | proven |
/// |---|---|---|---|
/// | 0 | true | true | no pairing is better |
/// | so small that `gap` <= 1e-12 S | true | false | no pairing is better by more than `gap` |
/// | larger | false | false | the same, but `gap` is no trifle |
///
/// S is the sum of the magnitudes |c| of the matched costs.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Verdict {
    /// The sum of the true costs, recomputed, rounded once.
    pub cost: f64,
    /// No pairing of this graph costs less (if minimised) or more (if maximised), in true costs added up
    /// without rounding: the dual sum, taken back by `quantisation_error` and rounded away from the costs.
    /// Infinite (minus if minimised, plus if maximised or if the pairing has no objective) without a
    /// certificate.
    pub dual_bound: f64,
    /// `|cost - dual_bound|`: no pairing is better by more. At most one and a half times `quantisation_error`
    /// and two roundings to `f64`; 0 if exact and the cost is a sum without rounding, as of integers.
    /// Infinite without a certificate.
    pub gap: f64,
    /// The most by which the cost can miss the true optimum because costs were rounded: n times the largest
    /// rounding error. Exactly 0 if the resolution represents every cost.
    pub quantisation_error: f64,
    /// Proven optimal for the true costs: exactly (`quantisation_error` is 0), or with a `gap` of at most
    /// 1e-12 of the sum of the magnitudes of the matched costs. False if rounding could hide a pairing that is
    /// better by more, and without a certificate: not proven, not wrong.
    pub optimal: bool,
}

impl Verdict {
    /// Proven optimal for the true costs, without any rounding.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.optimal && self.quantisation_error == 0.0
    }
}

/// Checks a pairing and, if it has one, its certificate.
///
/// 1. The mates are a matching of the graph's vertices, perfect unless vertices may stay unmatched
///    ([`CostOracle::unmatched`]), every pair is allowed, the cost is the sum of costs and penalties.
/// 2. The blossoms are odd sets of vertices, each vertex directly inside one at most, each blossom inside one that is
///    listed before or outside all, with z >= 0: so any two are nested or apart.
/// 3. Every allowed pair, read from the oracle and quantised anew, has reduced cost >= 0 (see
///    [`Certificate`](crate::Certificate)): so the dual bound holds for all pairings.
/// 4. Every pair of the pairing has reduced cost 0, every blossom with z > 0 has (|B| - 1) / 2 pairs
///    inside, and 2 w(M) equals the dual sum in exact integers: so no pairing is better.
/// 5. No dual exceeds its vertex's penalty, and those of unmatched vertices are equal to it. For maximum cardinality
///    penalties are raised alike, as far as the largest dual asks for, and the odd components without the certificate's
///    [`Barrier`](crate::Barrier) are counted: as many more than its vertices as are unmatched.
/// 6. The bound and the quantisation error that the certificate claims are those found here.
///
/// A pairing without a certificate passes on point 1 alone, with `optimal: false`. To measure a heuristic's
/// pairing against an exact solver's bound, use [`verify_bound`].
///
/// # What is read
/// Duals, blossoms and mates are the solver's, and none is believed. Costs are the oracle's, which is all that there
/// is to say what is to be solved; so a bound holds for the costs that are read:
///
/// - A [sparse](CostOracle::is_sparse) oracle's by [`for_each_neighbour`](CostOracle::for_each_neighbour), each
///   compared with [`cost`](CostOracle::cost) in both directions. A pair that it does not visit is forbidden to
///   solver and judge alike.
/// - Any other oracle's by [`cost_row`](CostOracle::cost_row), each pair from both sides, which must agree. They are
///   compared with `cost`, in both directions, for every pair that is matched, or forbidden, or for which 2 w - `y_i` -
///   `y_j` is not positive: all that are tight or in need of a blossom. For the other pairs rows are taken at their
///   word but for samples: those within the same 64 vertices (0 to 63, 64 to 127, ...), hence all if there are no more,
///   and one in 64 of the rest. The default `cost_row` is `cost` itself.
/// - To minimise, an oracle's with [`coordinates`](CostOracle::coordinates) by `cost`, in both directions, for every
///   pair of the pairing, every pair whose distance is at most (`y_i` + `y_j`) / 2, and one pair more a vertex. None of these
///   may cost less than its distance, which is what coordinates promise; the others are taken at that word.
///
/// Nothing else is asked: no bounds.
///
/// O(n^2) if read by rows, else O(m) and the look-ups of `cost`; plus the logarithm of the depth of the nest for each
/// pair that needs a blossom. With coordinates O(n log n) where few pairs lie so near that they are read.
/// Memory: O(n + blossoms).
///
/// # Errors
/// [`VerifyError`] says which of these fails first, and where.
///
/// ```
/// use matchwright_solver::{DenseCosts, ExactPairing, PairingSolver, VerifyError, verify};
///
/// let costs = DenseCosts::from_fn(6, |i, j| ((7 * i + 11 * j) % 13) as f64)?;
/// let pairing = ExactPairing::minimum().solve(&costs)?;
/// let verdict = verify(&costs, &pairing)?;
/// assert!(verdict.optimal && verdict.is_exact());
/// assert_eq!((verdict.cost, verdict.gap), (verdict.dual_bound, 0.0));
///
/// // The same pairing does not belong to other costs.
/// let others = DenseCosts::from_fn(6, |i, j| (i + j) as f64)?;
/// assert!(verify(&others, &pairing).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(costs: &dyn CostOracle, pairing: &Pairing) -> Result<Verdict, VerifyError> {
    verify_within(costs, pairing, &Limits::unlimited())
}

/// [`verify`] within limits of work and time. The unit of work is a vertex's list of neighbours, a tile of 64 by 64
/// pairs, or two boxes of points.
///
/// # Errors
/// As [`verify`]; [`VerifyError::Limited`] at a limit.
pub fn verify_within(
    costs: &dyn CostOracle,
    pairing: &Pairing,
    limits: &Limits<'_>,
) -> Result<Verdict, VerifyError> {
    Verifier::new().verify_within(costs, pairing, limits)
}

/// [`verify`] and [`verify_bound`] by several threads. Verdict and error are the same for any number of them.
///
/// They share rows or lists of neighbours; points with coordinates, of which few pairs are read, have one reader. A
/// [`Watch`](crate::Watch) is asked by all threads. Memory: two tiles of 64 by 64 costs a thread, or O(n) for lists.
///
/// ```
/// use matchwright_solver::{DenseCosts, ExactPairing, Limits, PairingSolver, Verifier, verify};
///
/// let costs = DenseCosts::from_fn(200, |i, j| ((7 * i + 7 * j) % 113) as f64)?;
/// let pairing = ExactPairing::minimum().with_threads(2).solve(&costs)?;
/// let verifier = Verifier::new().with_threads(2);
/// let verdict = verifier.verify_within(&costs, &pairing, &Limits::unlimited())?;
/// assert_eq!(verdict, verify(&costs, &pairing)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verifier {
    threads: usize,
}

impl Verifier {
    /// One thread.
    #[must_use]
    pub const fn new() -> Self {
        Self { threads: 1 }
    }

    /// This many threads, at least 1.
    #[must_use]
    pub const fn with_threads(self, threads: usize) -> Self {
        Self {
            threads: if threads == 0 { 1 } else { threads },
        }
    }

    /// As [`verify_within`].
    ///
    /// # Errors
    /// As [`verify_within`].
    pub fn verify_within(
        &self,
        costs: &dyn CostOracle,
        pairing: &Pairing,
        limits: &Limits<'_>,
    ) -> Result<Verdict, VerifyError> {
        let vertices = costs.vertices();
        let unmatched = costs.unmatched();
        check_mates(vertices, pairing.mates(), unmatched == Unmatched::Forbidden)?;
        let (cost, magnitude) = check_cost(costs, pairing)?;
        let Some(certificate) = pairing.certificate() else {
            return Ok(without_certificate(cost, pairing));
        };
        let objective = pairing.objective().ok_or(VerifyError::NoObjective)?;
        let bound = bound::check(
            (costs, vertices),
            objective,
            certificate,
            Some(pairing.mates()),
            &Readers::new(self.threads, limits),
        )?;
        let gap = (cost - bound.dual_bound).abs();
        Ok(Verdict {
            cost,
            dual_bound: bound.dual_bound,
            gap,
            quantisation_error: bound.quantisation_error,
            optimal: bound.quantisation_error == 0.0 || gap <= OPTIMAL_TOLERANCE * magnitude,
        })
    }

    /// As [`verify_bound_within`].
    ///
    /// # Errors
    /// As [`verify_bound_within`].
    pub fn verify_bound_within(
        &self,
        costs: &dyn CostOracle,
        objective: Objective,
        certificate: &Certificate,
        limits: &Limits<'_>,
    ) -> Result<VerifiedBound, VerifyError> {
        bound::check(
            (costs, costs.vertices()),
            objective,
            certificate,
            None,
            &Readers::new(self.threads, limits),
        )
    }
}

impl Default for Verifier {
    fn default() -> Self {
        Self::new()
    }
}

fn without_certificate(cost: f64, pairing: &Pairing) -> Verdict {
    let unbounded = match pairing.objective() {
        Some(Objective::Minimize) => f64::NEG_INFINITY,
        _ => f64::INFINITY,
    };
    Verdict {
        cost,
        dual_bound: unbounded,
        gap: f64::INFINITY,
        quantisation_error: 0.0,
        optimal: false,
    }
}

/// Every vertex has a partner, whose partner it is; if that is itself, it is unmatched.
fn check_mates(vertices: usize, mates: &[usize], is_perfect: bool) -> Result<(), VerifyError> {
    if mates.len() != vertices {
        return Err(VerifyError::WrongSize {
            mates: mates.len(),
            vertices,
        });
    }
    match (0..vertices).find(|&i| is_perfect && mates[i] == i || mates.get(mates[i]) != Some(&i)) {
        Some(vertex) => Err(VerifyError::NotPaired {
            vertex,
            mate: mates[vertex],
        }),
        None => Ok(()),
    }
}

/// Every pair is allowed in both directions, and the costs add up: to their sum, and to that of their
/// magnitudes.
fn check_cost(costs: &dyn CostOracle, pairing: &Pairing) -> Result<(f64, f64), VerifyError> {
    let (mut sum, mut size) = (0.0, 0.0_f64);
    let mut values = Vec::new();
    for (i, j) in pairing.pairs() {
        let (forward, backward) = (costs.cost(i, j), costs.cost(j, i));
        if forward != backward && !forward.is_some_and(f64::is_nan) {
            return Err(VerifyError::Asymmetric {
                i,
                j,
                forward,
                backward,
            });
        }
        let value = forward.ok_or(VerifyError::Forbidden { i, j })?;
        if !value.is_finite() {
            return Err(VerifyError::NotFinite { i, j, value });
        }
        sum += value;
        size += value.abs();
        values.push(value);
    }
    let unmatched = costs.unmatched();
    for vertex in pairing.unmatched() {
        let penalty = unmatched.penalty(vertex).unwrap_or(f64::NAN);
        if !penalty.is_finite() {
            return Err(VerifyError::BadPenalty { vertex, penalty });
        }
        sum += penalty;
        size += penalty.abs();
        values.push(penalty);
    }
    let claimed = pairing.cost();
    let size = size.min(f64::MAX);
    // Against the plain sum, which needs no trust; written so that a claim of NaN fails.
    if (claimed - sum).abs() <= SUM_TOLERANCE * size {
        Ok((sum_rounded_once(values.into_iter()), size))
    } else {
        Err(VerifyError::WrongCost { claimed, actual: sum })
    }
}
