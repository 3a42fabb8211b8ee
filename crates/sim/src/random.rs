//! Streams of randomness, each a pure function of what it is for.
//!
//! A study asks for the stream of `(seed, purpose, a, b)` and nothing else decides its numbers: not
//! the thread, not what was drawn before. The four numbers *are* the 256-bit key of a `ChaCha8`
//! generator, so two different streams never share a key, and `ChaCha8`'s output for a key is fixed by
//! its specification (Bernstein, "`ChaCha`, a variant of Salsa20", 2008), on every machine.

#[cfg(feature = "random")]
use rand::{Rng, SeedableRng};
#[cfg(feature = "random")]
use rand_chacha::ChaCha8Rng;
#[cfg(feature = "random")]
use rand_distr::{Distribution, StandardNormal};

/// What the streams of this crate are for; part of their key. Another crate has numbers of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// The generated population's hidden traits.
    Traits = 1,
    /// The generated population's matches.
    Matches = 2,
    /// Where its people play from; `(region, person)`.
    Homes = 3,
    /// How much outcomes matter to each of its players; `(region, 0)`.
    Sensitivities = 60,
    /// How their skills change; `(region, 0)`.
    Drift = 61,
    /// Players who wait for a lobby; `(player, 0)`.
    LobbyPlayers = 40,
    /// Their parties, `(0, 0)`, whom each met, `(1, player)`, and reaches, `(2, player)`.
    LobbyTies = 41,
    /// Tickets that arrive at a queue: when, `(0, 0)`, their ratings, `(1, 0)`, and patience, `(2, 0)`.
    Arrivals = 42,
    /// How long tickets of a log would have waited on; `(ticket, 0)`.
    Patience = 43,
    /// Parties, regions and matches of generated logs of a queue; `(ticket, 0)`.
    QueueTickets = 44,
    /// Resamples of games; `(resample, 0)`.
    Bootstrap = 45,
    /// Where simulated parties come from, `(party, 0)`, of how many players they are, `(party, 1)`, and what
    /// else is known of them, `(party, 2)` and `(party, 3)`.
    SimulatedParties = 46,
    /// Simulated players; `(player, 0)`.
    SimulatedPlayers = 47,
    /// When simulated parties come; `(region, 0)`.
    SimulatedArrivals = 48,
    /// How long they wait; `(party, wait)`.
    SimulatedWaits = 49,
    /// How they answer proposals; `(player, its party's waits and proposals in this one)`.
    SimulatedAnswers = 50,
    /// How their matches end; `(a player of it, that player's matches)`.
    SimulatedMatches = 51,
    /// What they do after a match; `(party, wait)`.
    SimulatedPauses = 52,
    /// What is wrong with their ratings; `(player, 0)`.
    SimulatedErrors = 53,
    /// How likely they are to leave for good, beside what happens to them; `(player, 0)`.
    SimulatedPropensities = 54,
    /// How their skills change; `(player, its party's waits)`.
    SimulatedDrift = 55,
    /// When copies of a log's tickets come; `(ticket, 0)`.
    SimulatedCopies = 56,
    /// The seeds of worlds that are compared; `(world, 0)`.
    SimulatedWorlds = 57,
    /// The gold difference of their matches; `(a player of it, that player's matches)`.
    SimulatedGold = 58,
    /// Which of its ratings counts each time that a party waits; `(party, wait)`.
    SimulatedModes = 59,
    /// Seeds of searches for lineups in hindsight; `(pass, handful of matches)`.
    HindsightLineups = 70,
}

impl From<Purpose> for u64 {
    fn from(purpose: Purpose) -> Self {
        purpose as Self
    }
}

/// The stream of this seed, purpose and pair of counters.
///
/// ```
/// use matchwright_sim::random::{Purpose, stream};
/// use rand::Rng;
///
/// let mut one = stream(7, Purpose::Traits, 100, 3);
/// let mut same = stream(7, Purpose::Traits, 100, 3);
/// let mut next = stream(7, Purpose::Traits, 100, 4);
/// assert_eq!(one.next_u64(), same.next_u64());
/// assert_ne!(one.next_u64(), next.next_u64());
/// ```
#[cfg(feature = "random")]
#[must_use]
pub fn stream(seed: u64, purpose: impl Into<u64>, a: u64, b: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    for (place, word) in key.chunks_exact_mut(8).zip([seed, purpose.into(), a, b]) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    ChaCha8Rng::from_seed(key)
}

/// The seed of a component that takes a number, not a generator: the first 64 bits of that `stream`.
#[must_use]
pub fn derived_seed(seed: u64, purpose: impl Into<u64>, a: u64, b: u64) -> u64 {
    let halves = |word: u64| {
        let [a, b, c, d, e, f, g, h] = word.to_le_bytes();
        [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
    };
    let key = [seed, purpose.into(), a, b].map(halves);
    let mut state = [0; 16];
    // "expand 32-byte k"; block and nonce are 0.
    state[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
    state[4..12].copy_from_slice(key.as_flattened());
    let [first, second, ..] = chacha8(state);
    u64::from(second) << 32 | u64::from(first)
}

/// A block of `ChaCha` in eight rounds: of columns and of diagonals in turn.
fn chacha8(start: [u32; 16]) -> [u32; 16] {
    let mut state = start;
    let mut quarter = |[a, b, c, d]: [usize; 4]| {
        for (into, of, turned, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
            state[into] = state[into].wrapping_add(state[of]);
            state[turned] = (state[turned] ^ state[into]).rotate_left(by);
        }
    };
    for _ in 0..4 {
        for k in 0..4 {
            quarter([k, 4 + k, 8 + k, 12 + k]);
        }
        for k in 0..4 {
            quarter([k, 4 + (k + 1) % 4, 8 + (k + 2) % 4, 12 + (k + 3) % 4]);
        }
    }
    std::array::from_fn(|k| state[k].wrapping_add(start[k]))
}

/// A draw from the normal distribution of mean 0 and variance 1.
#[cfg(feature = "random")]
pub fn standard_normal(rng: &mut (impl Rng + ?Sized)) -> f64 {
    StandardNormal.sample(rng)
}

#[cfg(test)]
#[cfg(feature = "random")]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::Rng;

    proptest! {
        #[test]
        fn a_derived_seed_is_the_first_number_of_its_stream(key: [u64; 4]) {
            let [seed, purpose, a, b] = key;
            prop_assert_eq!(derived_seed(seed, purpose, a, b), stream(seed, purpose, a, b).next_u64());
        }
    }

    #[test]
    fn the_numbers_of_a_stream_are_a_promise() {
        let mut stream = stream(1, 4_u64, 100, 0);
        let drawn: Vec<u64> = (0..2).map(|_| stream.next_u64()).collect();
        assert_eq!(drawn, PROMISED);
        assert_eq!(derived_seed(1, 4_u64, 100, 0), PROMISED[0]);
    }

    const PROMISED: [u64; 2] = [11265829605680498972, 15590250003111995937];

    #[test]
    fn standard_normal_draws_have_mean_zero_and_variance_one() {
        let mut rng = stream(1, Purpose::Traits, 0, 0);
        let draws: Vec<f64> = (0..10_000).map(|_| standard_normal(&mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / 1e4;
        let variance = draws.iter().map(|x| x * x).sum::<f64>() / 1e4 - mean * mean;
        // Four standard errors: .01 of the mean, sqrt(2) * .01 of the variance.
        assert!(mean.abs() < 0.04, "{mean}");
        assert!((variance - 1.0).abs() < 0.057, "{variance}");
    }

    #[test]
    fn each_part_of_the_key_makes_another_stream() {
        let first = |seed, purpose, a, b| stream(seed, purpose, a, b).next_u64();
        let base = first(1, Purpose::Traits, 2, 3);
        assert_ne!(base, first(2, Purpose::Traits, 2, 3));
        assert_ne!(base, first(1, Purpose::Matches, 2, 3));
        assert_ne!(base, first(1, Purpose::Traits, 3, 2));
        assert_ne!(base, first(1, Purpose::Traits, 2, 4));
    }
}
