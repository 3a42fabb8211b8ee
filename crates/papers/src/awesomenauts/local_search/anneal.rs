//! Simulated annealing over the same swaps, as a reader of the article proposed.

use matchwright_sim::random::stream;
use matchwright_solver::Status;
use rand::RngExt;

use super::climb::{Climb, Swap};
use crate::random::Purpose;

/// Temperatures at the start and at the end, in qualities of a match.
const HOT: f64 = 0.02;
const COLD: f64 = 0.002;

/// Swaps tried between two looks at the limits.
const TURNS: u64 = 64;

impl Climb<'_> {
    /// Random swaps, accepted with probability exp(gain / T), until this many splits are tried or a limit is reached.
    pub(super) fn anneal(&mut self, splits: u64, seed: u64) -> Result<(), Status> {
        let mut random = stream(seed, Purpose::LocalSearch, 0, 0);
        let from = self.splits;
        // A draw that is no swap counts as one split, so that this ends where no swap is possible.
        let mut misses = 0;
        for turn in 0_u64.. {
            let used = self.splits - from + misses;
            if used >= splits {
                break;
            }
            if turn.is_multiple_of(TURNS) {
                self.check()?;
            }
            let temperature = HOT * (COLD / HOT).powf(used as f64 / splits as f64);
            match self.draw(&mut random) {
                Some(swap) if random.random::<f64>() < (swap.gain / temperature).exp() => self.step(swap),
                Some(_) => {}
                None => misses += 1,
            }
        }
        Ok(())
    }

    /// A random swap between two places; `None` if the sets drawn cannot change places.
    fn draw(&mut self, random: &mut impl rand::Rng) -> Option<Swap> {
        let count = self.places.len();
        let (one, other) = (random.random_range(0..count), random.random_range(0..count));
        let places = [one.min(other), one.max(other)];
        let [p, q] = places.map(|index| &self.places[index].sets);
        if one == other || p.is_empty() {
            return None;
        }
        let x = random.random_range(0..p.len());
        let fits: Vec<usize> = (0..q.len()).filter(|&y| p[x].swaps_with(&q[y])).collect();
        if fits.is_empty() {
            return None;
        }
        let sets = [x, fits[random.random_range(0..fits.len())]];
        let gain = self.gain(places, sets, f64::NEG_INFINITY);
        gain.is_finite().then_some(Swap { gain, places, sets })
    }
}
