//! Random bits from a seed.

/// A counter in steps of the golden ratio, hashed; it starts at the seed.
///
/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014,
/// doi:10.1145/2660193.2660195.
#[derive(Debug, Clone)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next 64 bits.
    #[allow(clippy::should_implement_trait, reason = "the bits never end")]
    #[inline]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut hash = self.0;
        hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^ (hash >> 31)
    }

    /// Uniform in `0..bound`; draws again from the part of the range that would favour small numbers.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the remainder is below bound, which is a usize"
    )]
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        let unbiased = u64::MAX - u64::MAX % bound;
        loop {
            let draw = self.next();
            if draw < unbiased {
                return (draw % bound) as usize;
            }
        }
    }

    /// Nearly uniform in `0..bound`, for searches: a number's share is off by less than bound / 2^32, and it costs no
    /// division.
    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the product's upper half is below bound"
    )]
    pub fn quick_below(&mut self, bound: usize) -> usize {
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }

    /// Uniform in [0, 1), in steps of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Fisher-Yates.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of the reference implementation (Vigna, splitmix64.c) for the seed 1234567.
    #[test]
    fn the_bits_are_those_published() {
        let mut bits = SplitMix64(1234567);
        assert_eq!(bits.next(), 6457827717110365317);
        assert_eq!(bits.next(), 3203168211198807973);
        assert_eq!(bits.next(), 9817491932198370423);
        assert_eq!(bits.next(), 4593380528125082431);
        assert_eq!(bits.next(), 16408922859458223821);
    }

    #[test]
    fn quick_numbers_are_below_their_bound_and_all_come() {
        let mut bits = SplitMix64(3);
        let mut counts = [0; 7];
        for _ in 0..7000 {
            counts[bits.quick_below(7)] += 1;
        }
        assert!(
            counts.iter().all(|count| (850..1150).contains(count)),
            "{counts:?}"
        );
        assert!((0..1000).map(|_| bits.unit()).all(|x| (0.0..1.0).contains(&x)));
    }
}
