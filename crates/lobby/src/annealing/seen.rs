//! Matches looked at lately: exchanges come back to many of them.

use crate::random::SplitMix64;

/// Matches remembered, as a power of two.
const BITS: u32 = 12;

/// What divisions and links add to matches looked at lately.
///
/// Players have random numbers, and a match the sum of its players' (Zobrist, "A new hashing method with application
/// for game playing", 1970), so that an exchange changes it by a few additions. Two matches of one sum are as likely as
/// one in 2^64.
#[derive(Debug)]
pub(super) struct Seen {
    numbers: Vec<u64>,
    /// By the upper bits of a match's number: the number, and what was found. A later match takes an earlier one's place.
    kept: Vec<(u64, f32)>,
}

impl Seen {
    /// None yet, of so many players.
    pub(super) fn new(players: usize) -> Self {
        let mut bits = SplitMix64(0);
        Self {
            numbers: (0..players).map(|_| bits.next()).collect(),
            kept: vec![(0, 0.0); 1 << BITS],
        }
    }

    /// The sum of these players' numbers.
    #[inline]
    pub(super) fn number(&self, players: &[u32]) -> u64 {
        let numbers = players.iter().map(|&player| self.numbers[player as usize]);
        numbers.fold(0, u64::wrapping_add)
    }

    /// What was found of the match of this number, if it is remembered.
    #[inline]
    pub(super) fn rest(&self, number: u64) -> Option<f32> {
        let (of, rest) = self.kept[place(number)];
        (of == number).then_some(rest)
    }

    /// Remembers what was found.
    #[inline]
    pub(super) fn keep(&mut self, number: u64, rest: f32) {
        self.kept[place(number)] = (number, rest);
    }
}

#[allow(clippy::cast_possible_truncation, reason = "a few bits are left")]
const fn place(number: u64) -> usize {
    (number >> (u64::BITS - BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_remembered_whatever_its_order_until_another_takes_its_place() {
        let mut seen = Seen::new(100);
        let one = seen.number(&[5, 17, 99, 3]);
        assert_eq!(seen.rest(one), None);
        seen.keep(one, 0.25);
        let [gone, new] = [seen.number(&[4]), seen.number(&[3])];
        let by_exchange = seen.number(&[99, 4, 5, 17]).wrapping_sub(gone).wrapping_add(new);
        assert_eq!(seen.rest(by_exchange), Some(0.25));
        assert_eq!(seen.rest(seen.number(&[5, 17, 99, 2])), None);
        let of_its_place = one ^ 1;
        seen.keep(of_its_place, 0.5);
        assert_eq!((seen.rest(one), seen.rest(of_its_place)), (None, Some(0.5)));
    }
}
