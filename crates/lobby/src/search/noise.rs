//! Random numbers of two distributions, tabulated: drawing one costs a look at a table.

use crate::random::SplitMix64;

/// Numbers kept of each.
const KEPT: usize = 1024;

/// Gumbel numbers that are drawn at once, at least.
const AT_ONCE: usize = 128;

/// Logarithms of uniform numbers, and Gumbel numbers.
#[derive(Debug)]
pub(crate) struct Noise {
    logarithms: [f32; KEPT],
    /// In random order, so that neighbours are as good as independent; the first ones again at the end.
    gumbel: [f32; KEPT + AT_ONCE],
}

impl Noise {
    #[allow(clippy::cast_possible_truncation, reason = "the search needs no more")]
    pub(crate) fn new() -> Self {
        let (mut logarithms, mut extremes) = ([0.0; KEPT], [0.0; KEPT]);
        for (k, (log, extreme)) in logarithms.iter_mut().zip(&mut extremes).enumerate() {
            let ln = ((k as f64 + 0.5) / KEPT as f64).ln();
            *log = ln as f32;
            *extreme = -(-ln).ln() as f32;
        }
        SplitMix64(0).shuffle(&mut extremes);
        Self {
            logarithms,
            gumbel: std::array::from_fn(|k| extremes[k % KEPT]),
        }
    }

    /// The logarithm of a uniform number.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "ten bits are kept")]
    pub(crate) fn logarithm(&self, bits: &mut SplitMix64) -> f32 {
        self.logarithms[(bits.next() >> 54) as usize]
    }

    /// At least 128 Gumbel numbers. Added to gains in units of the temperature T, they make the greatest sum a draw
    /// with probabilities in proportion to exp(gain / T).
    #[inline]
    pub(crate) fn gumbel(&self, bits: &mut SplitMix64) -> &[f32] {
        &self.gumbel[bits.quick_below(KEPT)..]
    }
}
