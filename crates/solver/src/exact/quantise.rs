//! Costs become integers once, at a resolution that is a power of two.

use super::integer::Integer;
use crate::objective::Objective;
use crate::read::survey::Survey;

/// Fewer bits than this are never tried.
pub(super) const COARSEST_BITS: i32 = 16;

/// The smallest and the largest power of two that a float holds.
const SMALLEST_EXPONENT: i32 = -1074;
const LARGEST_EXPONENT: i32 = 1023;

/// From here on sums of a few costs may be infinite: 2 to this power.
const LARGEST_MAGNITUDE: i32 = 960;

/// A cost beyond what a scale was chosen for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct OutOfRange(pub(super) f64);

/// How costs become integers: divided by the resolution, rounded to the nearest (ties to even).
///
/// Costs are as the algorithm sees them: already negated to maximise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    objective: Objective,
    /// The cost of one unit.
    pub(super) resolution: f64,
    /// The bits that the largest cost takes.
    pub(super) bits: i32,
    /// A bound on the rounding error of a cost: half a unit, or 0 if every cost is known to be a multiple.
    pub(super) largest_error: f64,
}

impl Scale {
    /// The coarsest resolution that represents every cost exactly, if the largest cost then fits into
    /// `bits` bits; else the finest at which it does.
    pub(super) fn choose<C: Iterator<Item = f64>>(
        costs: impl Fn() -> C,
        survey: &Survey,
        objective: Objective,
        bits: i32,
    ) -> Self {
        let mut scale = Self::for_range(survey.largest, objective, bits);
        let top = bits_above(survey.largest);
        // The last bit of any cost; where one lies below the resolution, the others do not matter.
        let finest = top - bits;
        let mut bottom = survey.last_bit().unwrap_or(top);
        if survey.last_bit().is_none() {
            for cost in costs().filter(|&cost| cost != 0.0) {
                bottom = bottom.min(lowest_bit(cost));
                if bottom < finest {
                    break;
                }
            }
        }
        if bottom >= finest {
            let exponent = bottom.clamp(SMALLEST_EXPONENT, LARGEST_EXPONENT);
            scale.resolution = power_of_two(exponent);
            scale.bits = top - exponent;
            scale.largest_error = 0.0;
            return scale;
        }
        scale
    }

    /// The finest resolution at which costs up to `largest` fit into `bits` bits, if nothing else is known of
    /// the costs.
    pub(super) fn for_range(largest: f64, objective: Objective, bits: i32) -> Self {
        let top = bits_above(largest);
        let exponent = (top - bits).max(SMALLEST_EXPONENT);
        let resolution = power_of_two(exponent);
        Self {
            objective,
            resolution,
            bits: top - exponent,
            largest_error: resolution / 2.0,
        }
    }

    /// Whether every cost was looked at, and is a multiple.
    pub(super) fn is_surveyed(&self) -> bool {
        self.largest_error == 0.0
    }

    /// Whether it is for costs so large that arithmetic with them may leave the floats.
    pub(super) fn may_overflow(&self) -> bool {
        bits_above(self.resolution) - 1 + self.bits > LARGEST_MAGNITUDE
    }

    /// A scale for costs up to `times` as large, in as many bits.
    pub(super) fn coarser(self, times: i32) -> Self {
        let resolution = self.resolution * f64::from(times);
        Self {
            resolution,
            largest_error: resolution / 2.0,
            ..self
        }
    }

    /// The quantised cost in halves, if it has no more bits than the scale was chosen for.
    pub(super) fn halves<W: Integer>(&self, cost: f64) -> Result<W, OutOfRange> {
        let units = (cost / self.resolution).round_ties_even();
        if units.abs() <= power_of_two(self.bits.max(0)) {
            Ok(W::from_whole(units).twice())
        } else {
            Err(OutOfRange(cost))
        }
    }

    /// A dual in halves, from one in costs: rounded down, and brought within reason.
    pub(super) fn dual<W: Integer>(&self, cost: f64) -> W {
        let halves = (2.0 * (cost / self.resolution)).floor();
        let limit = power_of_two(W::FINEST_BITS + 1);
        if halves.is_finite() {
            W::from_whole(halves.clamp(-limit, limit))
        } else {
            W::ZERO
        }
    }

    /// A dual in costs, from one in halves, up to rounding.
    pub(super) fn cost<W: Integer>(&self, halves: W) -> f64 {
        halves.wide() as f64 * 0.5 * self.resolution
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

/// How many bits the whole part of a number takes, fewer than 0 if it is a small fraction; 0 for 0.
fn bits_above(value: f64) -> i32 {
    let (mantissa, exponent) = decode(value);
    if mantissa == 0 {
        0
    } else {
        exponent + 64 - leading_zeros(mantissa)
    }
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

    fn scale_of(costs: &[f64], bits: i32) -> Scale {
        let survey = Survey::of(costs);
        Scale::choose(|| costs.iter().copied(), &survey, Objective::Minimize, bits)
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
                assert_eq!(scale.bound(scale.halves::<i64>(cost).unwrap().wide(), 2), cost);
            }
        }
    }

    #[test]
    fn too_wide_a_range_is_rounded_to_the_bits_allowed() {
        let scale = scale_of(&[1.0, 2.0_f64.powi(-70), 0.3], FINEST_BITS);
        assert_eq!((scale.resolution, scale.bits), (2.0_f64.powi(-53), 54));
        assert_eq!(scale.halves::<i64>(1.0), Ok(1 << 54));
        assert_eq!(scale.largest_error, scale.resolution / 2.0);
        assert_eq!(scale.halves::<i64>(2.5), Err(OutOfRange(2.5)));
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
}
