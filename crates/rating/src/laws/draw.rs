//! [`Draw`]: seeded randomness for the laws, without a random number library in a public signature.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A stream of random numbers, the same for the same seed on every machine.
#[derive(Debug, Clone)]
pub struct Draw {
    stream: ChaCha8Rng,
}

impl Draw {
    /// The stream of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            stream: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// A number from `low` to `high`, all equally likely.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        // The upper 53 bits fill the significand.
        let unit = (self.stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// A positive number from `low` to `high`, all magnitudes equally likely.
    pub fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        self.uniform(low.ln(), high.ln()).exp()
    }

    /// A whole number below `end`, or 0 if `end` is 0.
    pub fn below(&mut self, end: u32) -> u32 {
        // The upper half of a 32 x 32 bit product; its bias is below 2^-24 for the small ranges of
        // tests.
        let wide = u64::from(self.stream.next_u32()) * u64::from(end);
        u32::try_from(wide >> 32).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_a_function_of_the_seed_and_stay_in_their_range() {
        let (mut one, mut two, mut other) = (Draw::new(7), Draw::new(7), Draw::new(8));
        let mut differs = false;
        let mut seen = [false; 5];
        for _ in 0..200 {
            let x = one.uniform(-1.0, 3.0);
            assert_eq!(x, two.uniform(-1.0, 3.0));
            differs |= x != other.uniform(-1.0, 3.0);
            assert!((-1.0..=3.0).contains(&x));
            assert!((1e-3..=1e3).contains(&one.log_uniform(1.001e-3, 0.999e3)));
            two.uniform(0.0, 1.0);
            let k = one.below(5);
            assert_eq!(k, two.below(5));
            seen[k as usize] = true;
        }
        assert!(differs && seen == [true; 5] && one.below(0) == 0);
    }
}
