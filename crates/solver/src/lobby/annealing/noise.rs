//! Random numbers of two distributions, worked out once: drawing one costs a look at a table.

use crate::bits::SplitMix64;

/// Numbers kept of each.
const KEPT: usize = 1024;

#[derive(Debug)]
pub(in crate::lobby) struct Noise {
    logarithms: [f32; KEPT],
    /// In random order, so that numbers next to each other are as good as independent.
    gumbel: [f32; KEPT],
}

impl Noise {
    #[allow(clippy::cast_possible_truncation, reason = "the search needs no more")]
    pub(in crate::lobby) fn new() -> Self {
        let (mut logarithms, mut gumbel) = ([0.0; KEPT], [0.0; KEPT]);
        for (k, (log, extreme)) in logarithms.iter_mut().zip(&mut gumbel).enumerate() {
            let ln = ((k as f64 + 0.5) / KEPT as f64).ln();
            *log = ln as f32;
            *extreme = -(-ln).ln() as f32;
        }
        SplitMix64(0).shuffle(&mut gumbel);
        Self { logarithms, gumbel }
    }

    /// The logarithm of a uniform number.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "ten bits are kept")]
    pub(super) fn logarithm(&self, bits: &mut SplitMix64) -> f32 {
        self.logarithms[(bits.next() >> 54) as usize]
    }

    /// Numbers of Gumbel's distribution, from a random one on. Added to gains in units of the temperature, they make
    /// the greatest sum a draw with chances in proportion to exp(gain / T).
    #[inline]
    pub(super) fn gumbel(&self, bits: &mut SplitMix64) -> impl Iterator<Item = f32> {
        let start = bits.quick_below(KEPT);
        let (before, after) = self.gumbel.split_at(start);
        after.iter().chain(before).copied().cycle()
    }
}
