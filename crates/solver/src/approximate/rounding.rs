//! Duals in floats become a certificate in integers.

use super::graph::{Graph, Row};
use crate::certificate::{Certificate, CertificateParts};
use crate::error::SolveError;
use crate::objective::Objective;

/// Quantised costs have at most this many bits in the first attempt, so that twice a cost less a dual is an
/// integer that a float holds.
const NARROW_BITS: i32 = 52 - DUAL_BITS;

/// Duals, in halves, have so many bits more: up to 32 times the largest cost, from where on they are cut. On
/// a sparse graph they may be as large as a cost for each pair.
const DUAL_BITS: i32 = 6;

/// The second attempt takes as many as fit, up to this: what the judge accepts.
const WIDE_BITS: i32 = 118;

/// The first attempt does, if rounding hides no more than this part of the bound.
const HARMLESS: f64 = 1e-9;

/// The smallest power of two that a float holds, and the smallest whose reciprocal it holds.
const SMALLEST_EXPONENT: i32 = -1074;
const SMALLEST_NORMAL: i32 = -1022;

/// Which power of two is one unit of the quantised costs.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    exponent: i32,
    /// How many bits the largest cost takes.
    bits: i32,
}

impl Unit {
    /// The finest such that costs of up to `largest` take no more than `bits` bits.
    fn of(largest: f64, bits: i32, finest: i32) -> Self {
        let above = bits_above(largest);
        let exponent = (above - bits).max(finest);
        Self {
            exponent,
            bits: above - exponent,
        }
    }

    /// For computing in floats: none overflows, and the reciprocal of the resolution is one.
    pub(super) fn for_floats(largest: f64) -> Self {
        Self::of(largest, NARROW_BITS, SMALLEST_NORMAL)
    }

    /// What a cost is multiplied by to be a weight in floats.
    pub(super) fn factor(self, objective: Objective) -> f64 {
        objective.as_minimum(power_of_two(-self.exponent))
    }

    fn resolution(self) -> f64 {
        power_of_two(self.exponent)
    }
}

/// The certificate of `duals`, in units of `unit`, whatever they are: they are rounded down, and averaged
/// with their c-transform in integers, which makes them feasible. O(n^2), or O(m) on a sparse graph.
///
/// # Errors
/// [`SolveError::SumOverflow`] if the bound is no float; [`SolveError::Overflow`] if the oracle has changed
/// its answers.
pub(super) fn certify(
    graph: &Graph<'_>,
    largest: f64,
    unit: Unit,
    duals: &[f64],
) -> Result<Certificate, SolveError> {
    let narrow = Unit::of(largest, NARROW_BITS, SMALLEST_EXPONENT);
    let certificate = Rounding::new(graph, narrow).narrow(&doubled(duals, unit, narrow));
    let (error, bound) = (certificate.quantisation_error(), certificate.dual_bound());
    // Infinite, and NaN, if the largest float is rounded up.
    if bound.is_finite() && error <= HARMLESS * bound.abs() {
        return Ok(certificate);
    }
    let size = i32::try_from(usize::BITS - graph.vertices().leading_zeros()).unwrap_or(i32::MAX);
    // Transforms have one bit more than duals, the sum of all as many more as their number has.
    let bits = WIDE_BITS.min(i128::BITS.cast_signed() - 2 - DUAL_BITS - 1 - size);
    let wide = Unit::of(largest, bits, SMALLEST_EXPONENT);
    let certificate = Rounding::new(graph, wide).wide(&doubled(duals, unit, wide))?;
    let sum = certificate.dual_bound();
    if sum.is_finite() {
        Ok(certificate)
    } else {
        Err(SolveError::SumOverflow { sum })
    }
}

/// Twice the duals, rounded down to whole units of another size, and cut.
fn doubled(duals: &[f64], from: Unit, to: Unit) -> Vec<f64> {
    // In two factors, either of which a float holds.
    let shift = from.exponent - to.exponent;
    let (half, rest) = (power_of_two(shift / 2), power_of_two(shift - shift / 2));
    let limit = power_of_two(to.bits + DUAL_BITS);
    let double = duals.iter().map(|y| (2.0 * y * half * rest).floor());
    // NaN, which only an oracle that changes its answers brings about, is as good as any.
    double
        .map(|y| if y.is_nan() { 0.0 } else { y.clamp(-limit, limit) })
        .collect()
}

struct Rounding<'g> {
    graph: &'g Graph<'g>,
    unit: Unit,
    /// The largest rounding error of a cost.
    largest_error: f64,
}

impl<'g> Rounding<'g> {
    fn new(graph: &'g Graph<'g>, unit: Unit) -> Self {
        Self {
            graph,
            unit,
            largest_error: 0.0,
        }
    }

    /// With so few bits that floats are exact.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "an integer, and the cast saturates"
    )]
    fn narrow(mut self, duals: &[f64]) -> Certificate {
        let mut buffer = Vec::new();
        let mut halves = Vec::with_capacity(duals.len());
        for (i, &y) in duals.iter().enumerate() {
            let least = match self.graph.row_again(i, &mut buffer) {
                Row::Dense(row) => self.least(row.iter().copied().zip(duals.iter().copied())),
                Row::Sparse(row) => self.least(row.iter().map(|&(j, cost)| (cost, duals[j as usize]))),
            };
            let transform = if least == f64::INFINITY { y } else { least };
            halves.push((i128::from(y as i64) + i128::from(transform as i64)).div_euclid(2));
        }
        self.state(halves)
    }

    /// The smallest of 2 w - y.
    fn least(&mut self, pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
        /// Beside it, a float below 2^51 has no room for a fraction: adding it rounds to the nearest integer,
        /// ties to even, as `round_ties_even` does in several times as long.
        const SHIFT: f64 = 1.5 * (1_u64 << 52) as f64;
        let resolution = self.graph.objective.as_minimum(self.unit.resolution());
        let (mut least, mut error) = (f64::INFINITY, self.largest_error);
        for (cost, y) in pairs {
            let exact = cost / resolution;
            let weight = (exact + SHIFT) - SHIFT;
            // Both are false for NaN, a forbidden pair.
            let (reduced, off) = (2.0 * weight - y, (cost - weight * resolution).abs());
            least = if reduced < least { reduced } else { least };
            error = if off > error { off } else { error };
        }
        self.largest_error = error;
        least
    }

    /// With as many bits as fit.
    #[allow(clippy::cast_possible_truncation, reason = "integers within 2^120")]
    fn wide(mut self, duals: &[f64]) -> Result<Certificate, SolveError> {
        const LIMIT: f64 = (1_u128 << 120) as f64;
        let vertices = duals.len();
        let resolution = self.graph.objective.as_minimum(self.unit.resolution());
        let (mut buffer, mut fits) = (Vec::new(), true);
        let mut halves = Vec::with_capacity(vertices);
        for (i, &y) in duals.iter().enumerate() {
            let mut least = None;
            let mut largest_error = self.largest_error;
            self.graph.row_again(i, &mut buffer).for_each(|j, cost| {
                let exact = cost / resolution;
                let weight = exact.round_ties_even();
                fits &= weight.abs() <= LIMIT;
                largest_error = largest_error.max((cost - weight * resolution).abs());
                let reduced = 2 * (weight.clamp(-LIMIT, LIMIT) as i128) - duals[j] as i128;
                least = Some(least.map_or(reduced, |least: i128| least.min(reduced)));
            });
            self.largest_error = largest_error;
            let y = y as i128;
            halves.push((y + least.unwrap_or(y)).div_euclid(2));
        }
        if fits {
            Ok(self.state(halves))
        } else {
            Err(SolveError::Overflow { vertices })
        }
    }

    /// The certificate of these duals, whose bound is rounded away from the costs.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "an integer, and the cast saturates"
    )]
    fn state(&self, vertex_duals: Vec<i128>) -> Certificate {
        let resolution = self.unit.resolution();
        let error = vertex_duals.len() as f64 * self.largest_error;
        let halves = vertex_duals.iter().fold(0_i128, |sum, &y| sum.saturating_add(y));
        let nearest = halves as f64;
        let below = if nearest as i128 > halves {
            nearest.next_down()
        } else {
            nearest
        };
        let sum = below * 0.5 * resolution;
        let bound = if error > 0.0 {
            (sum - error).next_down()
        } else {
            sum
        };
        Certificate::from_parts(CertificateParts {
            resolution,
            quantisation_error: error,
            dual_bound: self.graph.objective.as_minimum(bound) + 0.0,
            vertex_duals,
            blossoms: Vec::new(),
            barrier: None,
        })
    }
}

/// The exponent of the smallest power of two that no cost exceeds, or one more; 0 if all are 0.
fn bits_above(largest: f64) -> i32 {
    if largest == 0.0 {
        return 0;
    }
    let mut exponent = -1074;
    let field = i32::try_from(largest.to_bits() >> 52 & 0x7ff).unwrap_or(0);
    if field > 0 {
        exponent = field - 1022;
    } else {
        exponent += 64 - i32::try_from(largest.to_bits().leading_zeros()).unwrap_or(0);
    }
    exponent
}

/// 2^exponent, also where it is subnormal; infinite beyond the largest float.
#[allow(clippy::cast_sign_loss, reason = "both shifts are by non-negative amounts")]
fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        1024.. => f64::INFINITY,
        SMALLEST_NORMAL.. => f64::from_bits(((exponent + 1023) as u64) << 52),
        SMALLEST_EXPONENT.. => f64::from_bits(1 << (exponent - SMALLEST_EXPONENT) as u64),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::{Adjacency, Counted, DenseCosts};

    fn bound(objective: Objective, halves: i128, largest_error: f64) -> f64 {
        let (costs, mut adjacency) = (DenseCosts::default(), Adjacency::default());
        let costs = Counted::new(&costs).unwrap();
        let graph = Graph::open(&costs, objective, &mut adjacency).unwrap();
        let mut rounding = Rounding::new(&graph, Unit { exponent: 0, bits: 0 });
        rounding.largest_error = largest_error;
        rounding.state(vec![halves]).dual_bound()
    }

    #[test]
    fn a_bound_is_rounded_away_from_what_it_bounds() {
        let large = (1_i128 << 60) + 2;
        assert_eq!(bound(Objective::Minimize, large, 0.0), 2.0_f64.powi(59));
        assert_eq!(
            bound(Objective::Minimize, large + 254, 0.0),
            2.0_f64.powi(59) + 128.0
        );
        assert_eq!(bound(Objective::Minimize, large + 253, 0.0), 2.0_f64.powi(59));
        assert_eq!(
            bound(Objective::Minimize, -large, 0.0),
            -(2.0_f64.powi(59) + 128.0)
        );
        assert_eq!(bound(Objective::Maximize, large, 0.0), -2.0_f64.powi(59));
        assert_eq!(bound(Objective::Minimize, 20, 0.5), 9.5_f64.next_down());
        assert_eq!(bound(Objective::Maximize, 20, 0.5), (-9.5_f64).next_up());
    }

    #[test]
    fn units_are_the_finest_that_hold_the_largest_cost() {
        for (largest, bits) in [
            (1.0, 1),
            (0.75, 0),
            (3.0, 2),
            (f64::MAX, 1024),
            (5e-324, -1073),
            (0.0, 0),
        ] {
            assert_eq!(bits_above(largest), bits, "{largest}");
        }
        assert_eq!(
            Unit::of(3.0, 10, SMALLEST_EXPONENT).resolution(),
            2.0_f64.powi(-8)
        );
        let tiny = Unit::of(5e-324, 10, SMALLEST_EXPONENT);
        assert_eq!((tiny.resolution(), tiny.bits), (5e-324, 1));
        for exponent in [-1074, -1030, -1022, 0, 1023] {
            assert_eq!(power_of_two(exponent).log2(), f64::from(exponent));
        }
    }
}
