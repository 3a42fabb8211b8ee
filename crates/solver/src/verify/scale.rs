//! How costs become integers.

use super::error::VerifyError;
use crate::objective::Objective;

/// Quantised costs reach no further than this: 120 bits.
const LIMIT: f64 = (1_u128 << 120) as f64;

/// The rule that the certificate documents: costs, negated to maximise, are divided by the resolution and rounded to
/// the nearest integer, ties to the even one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// What one unit costs: the resolution, negative to maximise.
    unit: f64,
}

impl Scale {
    /// The scale of a resolution, which must be a power of two: so that division is exact.
    pub(super) fn new(resolution: f64, objective: Objective) -> Result<Self, VerifyError> {
        if is_power_of_two(resolution) {
            Ok(Self {
                unit: objective.as_minimum(resolution),
            })
        } else {
            Err(VerifyError::Resolution { resolution })
        }
    }

    /// Whether costs are not negated.
    pub(super) fn minimises(self) -> bool {
        self.unit > 0.0
    }

    /// What this many units cost.
    pub(super) fn cost(self, units: f64) -> f64 {
        units * self.unit
    }

    /// The nearest number of units, as a float without fraction; NaN of NaN.
    #[inline]
    pub(super) fn units(self, cost: f64) -> f64 {
        (cost / self.unit).round_ties_even()
    }

    /// By how much a cost changes when taken for this many units.
    #[inline]
    pub(super) fn error(self, cost: f64, units: f64) -> f64 {
        (cost - units * self.unit).abs()
    }

    /// The integer; `None` beyond 120 bits.
    #[allow(clippy::cast_possible_truncation, reason = "an integer of at most 2^120")]
    pub(super) fn quantise(self, cost: f64) -> Option<i128> {
        let units = self.units(cost);
        (units.abs() <= LIMIT).then_some(units as i128)
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
        let scale = |objective| Scale::new(0.5, objective).unwrap();
        let least = [0.74, 0.75, 0.25, -0.25, -0.76].map(|cost| scale(Objective::Minimize).quantise(cost));
        assert_eq!(least, [1, 2, 0, 0, -2].map(Some));
        assert_eq!(scale(Objective::Maximize).quantise(0.75), Some(-2));
        assert_eq!(
            scale(Objective::Minimize).quantise(2.0_f64.powi(99)),
            Some(1 << 100)
        );
        assert_eq!(scale(Objective::Minimize).quantise(1e36), None);
        assert_eq!(scale(Objective::Minimize).quantise(f64::NAN), None);
        assert_eq!(scale(Objective::Minimize).error(0.75, 2.0), 0.25);
        assert_eq!(scale(Objective::Maximize).error(0.75, -2.0), 0.25);
    }
}
