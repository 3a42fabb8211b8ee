//! Simulated annealing over the same swaps, as a reader of the article proposed.

use super::climb::{Climb, Stop, Swap};
use crate::random::SplitMix64;

/// Temperatures at the start and at the end, in qualities of a match.
const HOT: f64 = 0.02;
const COLD: f64 = 0.002;

/// Swaps tried between two questions whether to stop.
const TURNS: u64 = 64;

impl Climb<'_> {
    /// Random swaps, accepted with probability exp(gain / T), until so many splits are tried.
    pub(super) fn anneal(&mut self, splits: u64, bits: &mut SplitMix64, stop: Stop<'_>) {
        let from = self.tried;
        // A draw that is no swap counts as one split, so that this ends where no swap is possible.
        let mut misses = 0;
        for turn in 0_u64.. {
            let used = self.tried - from + misses;
            if used >= splits || (turn.is_multiple_of(TURNS) && stop(self.tried, self.value())) {
                return;
            }
            let temperature = HOT * (COLD / HOT).powf(used as f64 / splits as f64);
            match self.draw(bits) {
                Some((p, q, swap)) if bits.unit() < (swap.gain / temperature).exp() => {
                    self.step(p, q, swap, true);
                }
                Some(_) => {}
                None => misses += 1,
            }
        }
    }

    /// A random swap between two places, the first of which comes first, and what it gains; `None` if what was drawn
    /// does not fit.
    fn draw(&mut self, bits: &mut SplitMix64) -> Option<(usize, usize, Swap)> {
        let count = self.places.len();
        if count < 2 {
            return None;
        }
        let (one, other) = (bits.below(count), bits.below(count - 1));
        let other = other + usize::from(other >= one);
        let (p, q) = (one.min(other), one.max(other));
        if self.places[p].sets.is_empty() || self.places[q].sets.is_empty() {
            return None;
        }
        let x = bits.below(self.places[p].sets.len());
        let (mut scratch, mut tried) = (std::mem::take(&mut self.scratch), self.tried);
        let out = &self.places[p].sets[x];
        let fits: Vec<usize> = (0..self.places[q].sets.len())
            .filter(|&y| out.swaps_with(&self.places[q].sets[y]))
            .collect();
        let swap = (!fits.is_empty()).then(|| {
            let y = fits[bits.below(fits.len())];
            let come = &self.places[q].sets[y];
            let mut gain = -self.places[p].by_table - self.places[q].by_table;
            for (index, at, out, come) in [(p, x, out, come), (q, y, come, out)] {
                let members: Vec<&[u32]> = come
                    .parties
                    .iter()
                    .map(|&party| self.world.members(party))
                    .collect();
                gain += self.after(index, (at, out), come, &members, &mut scratch, &mut tried);
            }
            (p, q, Swap { gain, x, y })
        });
        (self.scratch, self.tried) = (scratch, tried);
        // Minus infinity: teams that cannot be filled.
        swap.filter(|(_, _, swap)| swap.gain.is_finite())
    }
}
