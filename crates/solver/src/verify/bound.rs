//! The dual side: a bound that holds for every pairing, and when it is reached.

use super::error::VerifyError;
use super::family::{Family, check_inside_pairs};
use crate::certificate::Certificate;
use crate::costs::CostOracle;
use crate::objective::Objective;

/// Quantised costs reach no further than this: 120 bits.
const SCALE_LIMIT: f64 = (1_u128 << 120) as f64;

/// Floats that the certificate states may differ from ours by this part: one rounding or two.
const FLOAT_TOLERANCE: f64 = 1e-12;

/// A bound on the cost of every pairing of a graph, checked.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct DualBound {
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
/// use matchwright_solver::{
///     DenseCosts, ExactPairing, Objective, PairingSolver, SortAdjacent, Workspace, verify_bound,
/// };
///
/// let costs = DenseCosts::from_fn(8, |i, j| ((3 * i + 5 * j) % 17) as f64)?;
/// let mut workspace = Workspace::new();
/// let best = ExactPairing::minimum().solve(&mut workspace, &costs)?;
/// let bound = verify_bound(&costs, Objective::Minimize, best.certificate().unwrap())?;
/// let simple = SortAdjacent::by_index().solve(&mut workspace, &costs)?;
/// assert!(simple.cost() >= bound.dual_bound);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify_bound(
    costs: &dyn CostOracle,
    objective: Objective,
    certificate: &Certificate,
) -> Result<DualBound, VerifyError> {
    check(costs, objective, certificate, None)
}

/// Checks feasibility and, if `mates` are given, that they reach the bound.
pub(super) fn check(
    costs: &dyn CostOracle,
    objective: Objective,
    certificate: &Certificate,
    mates: Option<&[usize]>,
) -> Result<DualBound, VerifyError> {
    let (vertices, duals) = (costs.vertices(), certificate.vertex_duals());
    if duals.len() != vertices {
        return Err(VerifyError::DualCount {
            duals: duals.len(),
            vertices,
        });
    }
    let resolution = certificate.resolution();
    if !is_power_of_two(resolution) {
        return Err(VerifyError::Resolution { resolution });
    }
    let mut graph = Reading {
        costs,
        scale: Scale {
            resolution,
            objective,
        },
        family: Family::new(certificate.blossoms(), vertices)?,
        duals,
        visited: vec![usize::MAX; vertices],
        largest_error: 0.0,
        primal: 0,
    };
    for i in 0..vertices {
        graph.check_row(i, mates.map(|mates| mates[i]))?;
    }
    let dual = dual_sum(certificate).ok_or(VerifyError::DualOverflow)?;
    if let Some(mates) = mates {
        check_inside_pairs(certificate.blossoms(), mates)?;
        // It follows from the above (complementary slackness), and costs nothing to see.
        let primal = graph.primal.checked_mul(2).ok_or(VerifyError::DualOverflow)?;
        if primal != dual {
            return Err(VerifyError::DualityGap { primal, dual });
        }
    }
    let quantisation_error = vertices as f64 * graph.largest_error;
    let bound = DualBound {
        dual_bound: objective.as_minimum(lower_bound(dual, resolution, quantisation_error)) + 0.0,
        quantisation_error,
    };
    check_statement(certificate, objective, &bound)?;
    Ok(bound)
}

/// The oracle as it is read, row by row, against the duals.
struct Reading<'a> {
    costs: &'a dyn CostOracle,
    scale: Scale,
    family: Family,
    duals: &'a [i128],
    /// The last row that visited each vertex.
    visited: Vec<usize>,
    /// The largest rounding error of a cost, on the true scale.
    largest_error: f64,
    /// The quantised cost of the pairing.
    primal: i128,
}

impl Reading<'_> {
    /// Every neighbour is one, costs the same from both sides, and has reduced cost >= 0; the mate's is 0.
    fn check_row(&mut self, i: usize, mate: Option<usize>) -> Result<(), VerifyError> {
        self.family.mark_around(i);
        let costs = self.costs;
        let mut result = Ok(());
        costs.for_each_neighbour(i, &mut |j, cost| {
            if result.is_ok() {
                result = self.check_pair(i, j, cost, mate);
            }
        });
        result?;
        match mate {
            Some(j) if self.visited[j] != i => Err(VerifyError::Forbidden { i, j }),
            _ => Ok(()),
        }
    }

    fn check_pair(&mut self, i: usize, j: usize, cost: f64, mate: Option<usize>) -> Result<(), VerifyError> {
        if j == i || self.visited.get(j).is_none_or(|&by| by == i) {
            return Err(VerifyError::BadNeighbour { i, j });
        }
        self.visited[j] = i;
        if !cost.is_finite() {
            return Err(VerifyError::NotFinite { i, j, value: cost });
        }
        let (forward, backward) = (self.costs.cost(i, j), self.costs.cost(j, i));
        if forward != Some(cost) || backward != Some(cost) {
            let forward = if forward == Some(cost) {
                forward
            } else {
                Some(cost)
            };
            return Err(VerifyError::Asymmetric {
                i,
                j,
                forward,
                backward,
            });
        }
        // Not only for i < j: an oracle may visit a pair from one side alone.
        let weight = self
            .scale
            .quantise(cost)
            .ok_or(VerifyError::OutOfScale { i, j, cost })?;
        self.largest_error = self.largest_error.max(self.scale.error(cost, weight));
        let reduced = self.reduced_cost(i, j, weight).ok_or(VerifyError::DualOverflow)?;
        if reduced < 0 {
            return Err(VerifyError::NegativeReducedCost { i, j, reduced });
        }
        if mate == Some(j) {
            if reduced != 0 {
                return Err(VerifyError::LoosePair { i, j, reduced });
            }
            let gain = if i < j { weight } else { 0 };
            self.primal = self.primal.checked_add(gain).ok_or(VerifyError::DualOverflow)?;
        }
        Ok(())
    }

    /// 2 w less both vertex duals, plus the blossom duals shared; `None` beyond 128 bits.
    fn reduced_cost(&self, i: usize, j: usize, weight: i128) -> Option<i128> {
        let duals = self.duals[i].checked_add(self.duals[j])?;
        let without_blossoms = (2 * weight).checked_sub(duals)?;
        without_blossoms.checked_add(self.family.shared_dual(i, j))
    }
}

/// How costs become integers, by the rule that the certificate documents.
struct Scale {
    resolution: f64,
    objective: Objective,
}

impl Scale {
    /// The nearest multiple of the resolution, ties to even; `None` beyond 120 bits.
    #[allow(clippy::cast_possible_truncation, reason = "an integer of at most 2^120")]
    fn quantise(&self, cost: f64) -> Option<i128> {
        let steps = (self.objective.as_minimum(cost) / self.resolution).round_ties_even();
        (steps.abs() <= SCALE_LIMIT).then_some(steps as i128)
    }

    /// What the rounding did to this cost.
    fn error(&self, cost: f64, weight: i128) -> f64 {
        (self.objective.as_minimum(cost) - weight as f64 * self.resolution).abs()
    }
}

/// Normal numbers have no mantissa bit then, subnormal ones exactly one.
fn is_power_of_two(value: f64) -> bool {
    const MANTISSA: u64 = (1 << 52) - 1;
    let mantissa = value.to_bits() & MANTISSA;
    let one_bit = if value.is_normal() {
        mantissa == 0
    } else {
        mantissa.is_power_of_two()
    };
    value > 0.0 && value.is_finite() && one_bit
}

/// sum y - sum z (|B| - 1) / 2, in halves of a quantised cost; `None` beyond 128 bits.
fn dual_sum(certificate: &Certificate) -> Option<i128> {
    let mut duals = certificate.vertex_duals().iter();
    let vertices = duals.try_fold(0_i128, |sum, &y| sum.checked_add(y))?;
    certificate.blossoms().iter().try_fold(vertices, |sum, set| {
        let pairs = (set.vertices.len() / 2) as i128;
        sum.checked_sub(pairs.checked_mul(set.dual)?)
    })
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

/// The certificate's own numbers on the true scale promise no more than those found here, and less only by what a solver
/// must allow for that has not seen every cost: half a unit for each.
fn check_statement(
    certificate: &Certificate,
    objective: Objective,
    found: &DualBound,
) -> Result<(), VerifyError> {
    let unseen = certificate.vertex_duals().len() as f64 * 0.5 * certificate.resolution();
    let (claimed, actual) = (certificate.dual_bound(), found.dual_bound);
    let promised = objective.as_minimum(claimed) - objective.as_minimum(actual);
    if !is_between(promised, -unseen, 0.0, actual.abs()) {
        return Err(VerifyError::WrongBound { claimed, actual });
    }
    let (claimed, actual) = (certificate.quantisation_error(), found.quantisation_error);
    if !is_between(claimed, actual, unseen, actual.max(unseen)) {
        return Err(VerifyError::WrongQuantisationError { claimed, actual });
    }
    Ok(())
}

/// Whether a value lies between two others, rounding at this magnitude aside. NaN does not.
fn is_between(value: f64, low: f64, high: f64, magnitude: f64) -> bool {
    let tolerance = FLOAT_TOLERANCE * magnitude;
    value >= low - tolerance && value <= high + tolerance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_told_from_other_numbers() {
        for power in [
            1.0,
            0.5,
            4096.0,
            f64::MIN_POSITIVE,
            5e-324,
            2.0_f64.powi(1023),
            2.0_f64.powi(-1060),
        ] {
            assert!(is_power_of_two(power), "{power}");
        }
        for other in [0.0, -1.0, 3.0, 0.1, f64::NAN, f64::INFINITY, 1.5e-323] {
            assert!(!is_power_of_two(other), "{other}");
        }
    }

    #[test]
    fn rounding_is_to_the_nearest_and_of_ties_to_the_even() {
        let scale = |objective| Scale {
            resolution: 0.5,
            objective,
        };
        let least = [0.74, 0.75, 0.25, -0.25, -0.76].map(|cost| scale(Objective::Minimize).quantise(cost));
        assert_eq!(least, [1, 2, 0, 0, -2].map(Some));
        assert_eq!(scale(Objective::Maximize).quantise(0.75), Some(-2));
        assert_eq!(
            scale(Objective::Minimize).quantise(2.0_f64.powi(99)),
            Some(1 << 100)
        );
        assert_eq!(scale(Objective::Minimize).quantise(1e36), None);
        assert_eq!(scale(Objective::Minimize).error(0.75, 2), 0.25);
    }
}
