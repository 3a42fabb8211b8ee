//! Costs become integers once, at a resolution that is a power of two.

use super::integer::Integer;
use crate::costs::Adjacency;
use crate::objective::Objective;

/// Fewer bits than this are never tried.
pub(super) const COARSEST_BITS: i32 = 16;

/// The smallest power of two that a float holds.
const SMALLEST_EXPONENT: i32 = -1074;

/// How costs become integers: divided by the resolution, rounded to the nearest (ties to even), negated to
/// maximise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    objective: Objective,
    /// The cost of one unit.
    pub(super) resolution: f64,
    /// The bits that the largest cost takes.
    pub(super) bits: i32,
    /// The largest rounding error of a cost.
    pub(super) largest_error: f64,
}

impl Scale {
    /// The coarsest resolution that represents every cost exactly, if the largest cost then fits into
    /// `bits` bits; else the finest at which it does.
    pub(super) fn choose(adjacency: &Adjacency, objective: Objective, bits: i32) -> Self {
        let costs = || {
            adjacency
                .edges()
                .map(|(_, _, cost)| cost)
                .filter(|&cost| cost != 0.0)
        };
        let top = costs().map(highest_bit).max().map_or(0, |bit| bit + 1);
        let bottom = costs().map(lowest_bit).min().unwrap_or(0);
        let exponent = bottom.max(top - bits).max(SMALLEST_EXPONENT);
        let resolution = power_of_two(exponent);
        let mut scale = Self {
            objective,
            resolution,
            bits: top - exponent,
            largest_error: 0.0,
        };
        let error = |cost: f64| (cost - (cost / resolution).round_ties_even() * resolution).abs();
        scale.largest_error = costs().map(error).fold(0.0, f64::max);
        scale
    }

    /// The quantised cost in halves.
    pub(super) fn halves<W: Integer>(&self, cost: f64) -> W {
        W::from_whole((self.objective.as_minimum(cost) / self.resolution).round_ties_even()).twice()
    }

    /// The most by which rounding can have moved an optimum of this many vertices: n/2 pairs of ours and n/2
    /// of the true one.
    pub(super) fn error(&self, vertices: usize) -> f64 {
        vertices as f64 * self.largest_error
    }

    /// A dual sum, in halves, as a bound on true costs: less the error of rounding, and rounded away from the
    /// costs that it bounds.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "an integer, and the cast saturates"
    )]
    pub(super) fn bound(&self, halves: i128, vertices: usize) -> f64 {
        let units = halves as f64;
        let below = if units as i128 > halves {
            units.next_down()
        } else {
            units
        };
        let (below, error) = (below * 0.5 * self.resolution, self.error(vertices));
        let bound = if error > 0.0 {
            (below - error).next_down()
        } else {
            below
        };
        self.objective.as_minimum(bound) + 0.0
    }
}

/// The exponent of the leading bit of a number that is not 0.
fn highest_bit(value: f64) -> i32 {
    let (mantissa, exponent) = decode(value);
    exponent + 63 - leading_zeros(mantissa)
}

/// The exponent of the last bit that is set in a number that is not 0.
fn lowest_bit(value: f64) -> i32 {
    let (mantissa, exponent) = decode(value);
    exponent + 63 - leading_zeros(mantissa & mantissa.wrapping_neg())
}

#[allow(clippy::cast_possible_wrap, reason = "64 at most")]
fn leading_zeros(mantissa: u64) -> i32 {
    mantissa.leading_zeros() as i32
}

/// |value| = mantissa * 2^exponent (IEEE 754, binary64).
#[allow(clippy::cast_possible_truncation, reason = "an exponent field has 11 bits")]
fn decode(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    if field == 0 {
        (fraction, SMALLEST_EXPONENT)
    } else {
        (fraction | 1 << 52, field - 1075)
    }
}

/// 2^exponent, also where it is subnormal.
#[allow(clippy::cast_sign_loss, reason = "both shifts are by non-negative amounts")]
fn power_of_two(exponent: i32) -> f64 {
    if exponent >= -1022 {
        f64::from_bits(((exponent + 1023) as u64) << 52)
    } else {
        f64::from_bits(1 << (exponent - SMALLEST_EXPONENT) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::SparseCosts;

    fn scale_of(costs: &[f64], bits: i32) -> Scale {
        let edges = costs
            .iter()
            .enumerate()
            .map(|(k, &cost)| (2 * k, 2 * k + 1, cost));
        let mut adjacency = Adjacency::default();
        adjacency
            .read(&SparseCosts::from_edges(2 * costs.len(), edges).unwrap())
            .unwrap();
        Scale::choose(&adjacency, Objective::Minimize, bits)
    }

    const FINEST_BITS: i32 = i64::FINEST_BITS;

    #[test]
    fn integers_and_dyadic_fractions_are_exact() {
        for (costs, resolution) in [
            (vec![3.0, -8.0, 0.0], 1.0),
            (vec![6.0, 4.0], 2.0),
            (vec![1e15, 999_999_999_999_999.0], 1.0),
            (vec![0.375, 2.5], 0.125),
            (vec![0.0, -0.0], 1.0),
            (vec![5e-324], 5e-324),
            (vec![f64::MAX], 2.0_f64.powi(971)),
        ] {
            let scale = scale_of(&costs, FINEST_BITS);
            assert_eq!(
                (scale.resolution, scale.largest_error),
                (resolution, 0.0),
                "{costs:?}"
            );
            for cost in costs {
                assert_eq!(scale.bound(scale.halves(cost), 2), cost);
            }
        }
    }

    #[test]
    fn too_wide_a_range_is_rounded_to_the_bits_allowed() {
        let scale = scale_of(&[1.0, 2.0_f64.powi(-70), 0.3], FINEST_BITS);
        assert_eq!((scale.resolution, scale.bits), (2.0_f64.powi(-53), 54));
        assert_eq!(scale.halves::<i64>(1.0), 1 << 54);
        assert_eq!(
            scale.largest_error,
            2.0_f64
                .powi(-70)
                .max((0.3 - (scale.halves::<i64>(0.3) / 2) as f64 * 2.0_f64.powi(-53)).abs())
        );
        assert!(scale.largest_error <= scale.resolution / 2.0);
    }

    #[test]
    fn a_bound_is_rounded_away_from_what_it_bounds() {
        let mut scale = scale_of(&[1.0], FINEST_BITS);
        let large = (1_i128 << 60) + 2;
        assert_eq!(scale.bound(large, 2), 2.0_f64.powi(59));
        assert_eq!(scale.bound(-large, 2), -(2.0_f64.powi(59) + 128.0));
        scale.objective = Objective::Maximize;
        assert_eq!(scale.bound(large, 2), -2.0_f64.powi(59));
        scale.largest_error = 0.25;
        assert_eq!(scale.bound(20, 2), (-9.5_f64).next_up());
    }

    #[test]
    fn maximising_negates() {
        let mut scale = scale_of(&[3.0, 1.0], FINEST_BITS);
        scale.objective = Objective::Maximize;
        assert_eq!((scale.halves::<i64>(3.0), scale.bound(-6, 2)), (-6, 3.0));
    }
}
