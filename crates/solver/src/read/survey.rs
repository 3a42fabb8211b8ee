//! What must be known of all costs before they become integers, in one pass.

/// The largest cost, and the last bit that any of them has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Survey {
    /// The largest magnitude.
    pub(crate) largest: f64,
    /// If all costs are integers below 2^51: all of these, or-ed.
    integers: Option<u64>,
}

/// 1.5 x 2^52: a float near it has its units in the last bit, so that adding it rounds to an integer, whose bits can
/// be read off.
const MAGIC: f64 = 6_755_399_441_055_744.0;

/// What one lane of a vectorised loop has seen.
#[derive(Debug, Clone, Copy, Default)]
struct Lane {
    largest: f64,
    bits: u64,
    /// The largest distance from an integer.
    off: f64,
}

impl Lane {
    #[inline]
    fn take(&mut self, cost: f64) {
        let cost = if cost.is_nan() { 0.0 } else { cost };
        let shifted = cost + MAGIC;
        let (size, off) = (cost.abs(), (shifted - MAGIC - cost).abs());
        self.largest = if size > self.largest { size } else { self.largest };
        self.off = if off > self.off { off } else { self.off };
        self.bits |= shifted.to_bits().wrapping_sub(MAGIC.to_bits());
    }
}

impl Survey {
    /// Looks at all costs; NaN counts for nothing. In a form that compilers vectorise.
    pub(crate) fn of(costs: &[f64]) -> Self {
        const LANES: usize = 8;
        let mut lanes = [Lane::default(); LANES];
        let chunks = costs.chunks_exact(LANES);
        chunks.remainder().iter().for_each(|&cost| lanes[0].take(cost));
        for chunk in chunks {
            for (lane, &cost) in lanes.iter_mut().zip(chunk) {
                lane.take(cost);
            }
        }
        let largest = lanes.iter().fold(0.0, |all: f64, lane| all.max(lane.largest));
        let whole = largest < 2.0_f64.powi(51) && lanes.iter().all(|lane| lane.off == 0.0);
        Self {
            largest,
            integers: whole.then(|| lanes.iter().fold(0, |all, lane| all | lane.bits)),
        }
    }

    /// Looks at more costs. Once one was no integer, only the largest is looked for.
    pub(crate) fn with(self, costs: &[f64]) -> Self {
        match self.integers {
            Some(_) => self.and(Self::of(costs)),
            None => Self::up_to(self.largest.max(largest_of(costs))),
        }
    }

    /// What is known of two lots of costs.
    fn and(self, other: Self) -> Self {
        Self {
            largest: self.largest.max(other.largest),
            integers: self.integers.zip(other.integers).map(|(a, b)| a | b),
        }
    }

    /// Nothing is known but the largest magnitude.
    pub(crate) fn up_to(largest: f64) -> Self {
        Self {
            largest,
            integers: None,
        }
    }

    /// The exponent of the last bit of any cost, if all are integers and not all 0.
    #[allow(clippy::cast_possible_wrap, reason = "63 at most")]
    pub(crate) fn last_bit(&self) -> Option<i32> {
        let bits = self.integers.filter(|&bits| bits != 0)?;
        Some(bits.trailing_zeros() as i32)
    }
}

/// The largest magnitude; NaN counts for nothing. In a form that compilers vectorise.
fn largest_of(costs: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut lanes = [0.0_f64; LANES];
    let take = |lane: &mut f64, cost: f64| {
        let size = cost.abs();
        *lane = if size > *lane { size } else { *lane };
    };
    let chunks = costs.chunks_exact(LANES);
    chunks
        .remainder()
        .iter()
        .for_each(|&cost| take(&mut lanes[0], cost));
    for chunk in chunks {
        for (lane, &cost) in lanes.iter_mut().zip(chunk) {
            take(lane, cost);
        }
    }
    lanes.into_iter().fold(0.0, f64::max)
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
        let (few, more) = ([0.5, -2.0], [7.0, f64::NAN, -9.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(Survey::of(&few).with(&more), Survey::up_to(9.5));
        assert_eq!(Survey::of(&more[..1]).with(&costs[..7]).last_bit(), Some(0));
    }
}
