//! What must be known of all costs before they become integers, in one pass.

/// The largest cost, and the last bit that any of them has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) struct Survey {
    /// The largest magnitude.
    pub(in super::super) largest: f64,
    /// If all costs are integers below 2^51: all of these, or-ed.
    integers: Option<u64>,
}

/// 1.5 x 2^52: a float near it has its units in the last bit, so that adding it rounds to an integer, whose bits can be
/// read off.
const MAGIC: f64 = 6_755_399_441_055_744.0;

impl Survey {
    /// Looks at all costs; NaN counts for nothing. In a form that compilers vectorise.
    pub(in super::super) fn of(costs: &[f64]) -> Self {
        const LANES: usize = 8;
        let (mut largest, mut bits, mut whole) = ([0.0_f64; LANES], [0_u64; LANES], [true; LANES]);
        for chunk in costs.chunks(LANES) {
            for (lane, &cost) in chunk.iter().enumerate() {
                let number = !cost.is_nan();
                let size = if number { cost.abs() } else { 0.0 };
                largest[lane] = if size > largest[lane] { size } else { largest[lane] };
                let shifted = if number { cost } else { 0.0 } + MAGIC;
                whole[lane] &= !number || shifted - MAGIC == cost;
                bits[lane] |= shifted.to_bits().wrapping_sub(MAGIC.to_bits());
            }
        }
        let largest = largest.into_iter().fold(0.0, f64::max);
        let whole = largest < 2.0_f64.powi(51) && whole.into_iter().all(|whole| whole);
        Self {
            largest,
            integers: whole.then(|| bits.into_iter().fold(0, |all, lane| all | lane)),
        }
    }

    /// Nothing is known but the largest magnitude.
    pub(in super::super) fn up_to(largest: f64) -> Self {
        Self {
            largest,
            integers: None,
        }
    }

    /// The exponent of the last bit of any cost, if all are integers and not all 0.
    #[allow(clippy::cast_possible_wrap, reason = "63 at most")]
    pub(in super::super) fn last_bit(&self) -> Option<i32> {
        let bits = self.integers.filter(|&bits| bits != 0)?;
        Some(bits.trailing_zeros() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_known_by_their_bits() {
        let costs = [
            12.0,
            f64::NAN,
            -4.0,
            0.0,
            1_048_576.0,
            8.0,
            -0.0,
            4e15,
            40.0,
            96.0,
        ];
        let survey = Survey::of(&costs[..7]);
        assert_eq!((survey.largest, survey.last_bit()), (1_048_576.0, Some(2)));
        assert_eq!(Survey::of(&costs).last_bit(), None);
        assert_eq!(Survey::of(&[3.5, 2.0]).last_bit(), None);
        assert_eq!(
            Survey::of(&[f64::NAN, 0.0]),
            Survey {
                largest: 0.0,
                integers: Some(0)
            }
        );
        assert_eq!(Survey::of(&[-2.25, 1.0]).largest, 2.25);
    }
}
