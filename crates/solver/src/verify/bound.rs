//! The dual side: a bound that holds for every pairing, and when it is reached.

use super::Verifier;
use super::error::VerifyError;
use super::family::Family;
use super::pairs::Pairs;
use super::reading::read_all;
use super::scale::Scale;
use super::strips::Readers;
use super::unmatched::Penalties;
use crate::certificate::Certificate;
use crate::costs::CostOracle;
use crate::limits::Limits;
use crate::objective::Objective;

/// Floats that the certificate states may differ from ours by this part: one rounding or two.
const FLOAT_TOLERANCE: f64 = 1e-12;

/// A bound on the cost of every pairing of a graph, checked.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct VerifiedBound {
    /// No pairing costs less (if minimised) or more (if maximised): the error below is taken off already.
    pub dual_bound: f64,
    /// Twice the most by which rounding the costs can have moved the cost of a pairing.
    pub quantisation_error: f64,
}

/// Checks the bound of a certificate without asking which pairing it came with: how far from the best is a
/// heuristic's pairing?
///
/// # Errors
/// [`VerifyError`] if the duals are not feasible for these costs, or the certificate misstates what they
/// give.
///
/// ```
/// use matchwright_solver::{DenseCosts, ExactPairing, Objective, PairingSolver, SortAdjacent, verify_bound};
///
/// let costs = DenseCosts::from_fn(8, |i, j| ((3 * i + 5 * j) % 17) as f64)?;
/// let best = ExactPairing::minimum().solve(&costs)?;
/// let bound = verify_bound(&costs, Objective::Minimize, best.certificate().unwrap())?;
/// let simple = SortAdjacent::by_index().solve(&costs)?;
/// assert!(simple.cost() >= bound.dual_bound);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify_bound(
    costs: &dyn CostOracle,
    objective: Objective,
    certificate: &Certificate,
) -> Result<VerifiedBound, VerifyError> {
    verify_bound_within(costs, objective, certificate, &Limits::unlimited())
}

/// [`verify_bound`] within limits of work and time, which are those of [`verify_within`](crate::verify_within).
///
/// # Errors
/// As [`verify_bound`]; [`VerifyError::Limited`] at a limit.
pub fn verify_bound_within(
    costs: &dyn CostOracle,
    objective: Objective,
    certificate: &Certificate,
    limits: &Limits<'_>,
) -> Result<VerifiedBound, VerifyError> {
    Verifier::new().verify_bound_within(costs, objective, certificate, limits)
}

/// Checks feasibility and, if `mates` are given, that they reach the bound. How many vertices there are is asked
/// once, by the caller, lest an oracle give each part another number.
pub(super) fn check(
    (costs, vertices): (&dyn CostOracle, usize),
    objective: Objective,
    certificate: &Certificate,
    mates: Option<&[usize]>,
    readers: &Readers<'_>,
) -> Result<VerifiedBound, VerifyError> {
    let duals = certificate.vertex_duals();
    if duals.len() != vertices {
        return Err(VerifyError::DualCount {
            duals: duals.len(),
            vertices,
        });
    }
    let resolution = certificate.resolution();
    let scale = Scale::new(resolution, objective)?;
    let family = Family::new(certificate.blossoms(), vertices)?;
    let mut pairs = Pairs::new(scale, duals, &family, mates);
    read_all(costs, &mut pairs, readers)?;
    let primal = pairs.primal;
    let largest_error = pairs.largest_error;
    let penalties = Penalties::check((costs, vertices), scale, certificate, mates)?;
    let dual = dual_sum(duals, &family).and_then(|sum| sum.checked_sub(penalties.raised));
    let dual = dual.ok_or(VerifyError::DualOverflow)?;
    if let Some(mates) = mates {
        family.check_inside_pairs(mates)?;
        // It follows from the above (complementary slackness), and costs nothing to see.
        let primal = primal
            .checked_mul(2)
            .and_then(|sum| sum.checked_add(penalties.sum));
        let primal = primal.ok_or(VerifyError::DualOverflow)?;
        if primal != dual {
            return Err(VerifyError::DualityGap { primal, dual });
        }
    }
    let quantisation_error = penalties.terms(vertices) as f64 * largest_error.max(penalties.largest_error);
    let bound = VerifiedBound {
        dual_bound: objective.as_minimum(lower_bound(dual, resolution, quantisation_error)) + 0.0,
        quantisation_error,
    };
    check_statement(certificate, objective, penalties.terms(vertices), &bound)?;
    Ok(bound)
}

/// sum y - sum z (|B| - 1) / 2, in halves of a quantised cost; `None` beyond 128 bits.
fn dual_sum(duals: &[i128], family: &Family) -> Option<i128> {
    let vertices = duals.iter().try_fold(0_i128, |sum, &y| sum.checked_add(y))?;
    vertices.checked_sub(family.dual_sum()?)
}

/// The dual sum on the true scale, less what rounding the costs may hide. Never above the real number that it
/// stands for, since the next float below is taken wherever one may have been rounded up.
#[allow(
    clippy::cast_possible_truncation,
    reason = "an integer, and the cast saturates"
)]
fn lower_bound(dual: i128, resolution: f64, quantisation_error: f64) -> f64 {
    let mut sum = dual as f64;
    if sum as i128 > dual {
        sum = sum.next_down();
    }
    let exact = sum * 0.5 * resolution;
    if quantisation_error > 0.0 {
        (exact - quantisation_error).next_down()
    } else {
        exact
    }
}

/// The certificate's own numbers on the true scale promise no more than those found here, and less only by what a
/// solver must allow for that has not seen every cost: half a unit for each.
fn check_statement(
    certificate: &Certificate,
    objective: Objective,
    terms: usize,
    found: &VerifiedBound,
) -> Result<(), VerifyError> {
    let unseen = terms as f64 * 0.5 * certificate.resolution();
    let (claimed, actual) = (certificate.dual_bound(), found.dual_bound);
    let [promised, true_bound] = [claimed, actual].map(|bound| objective.as_minimum(bound));
    if !is_between(promised, true_bound - unseen, true_bound) {
        return Err(VerifyError::WrongBound { claimed, actual });
    }
    let (claimed, actual) = (certificate.quantisation_error(), found.quantisation_error);
    if !is_between(claimed, actual, unseen) {
        return Err(VerifyError::WrongQuantisationError { claimed, actual });
    }
    Ok(())
}

/// Whether a value lies between two others, rounding aside. NaN does not; what is infinite, at the end of the floats,
/// is between its likes alone.
fn is_between(value: f64, low: f64, high: f64) -> bool {
    let tolerance = FLOAT_TOLERANCE * low.abs().max(high.abs()).min(f64::MAX);
    value >= low - tolerance && value <= high + tolerance
}
