//! Every way to pair a few players.

use anyhow::{Result, anyhow};

/// The pairs of a pairing, each with the smaller index first, in ascending order.
pub type Pairs = Vec<(usize, usize)>;

/// The largest pool whose pairings are listed: there are 10,395 of 12 players.
pub const MAX_PLAYERS: usize = 12;

/// All (n-1)!! = 1 * 3 * 5 * ... * (n-1) pairings of `0..players`, in lexicographic order.
///
/// # Errors
/// For an odd number, fewer than two, or more than [`MAX_PLAYERS`].
///
/// ```
/// use matchwright_papers::eomm::theory::all_pairings;
///
/// let all: Vec<_> = all_pairings(4)?.collect();
/// assert_eq!(all, [vec![(0, 1), (2, 3)], vec![(0, 2), (1, 3)], vec![(0, 3), (1, 2)]]);
/// assert_eq!(all_pairings(10)?.len(), 945);
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn all_pairings(players: usize) -> Result<AllPairings> {
    if players < 2 || players % 2 == 1 || players > MAX_PLAYERS {
        return Err(too_many(players));
    }
    Ok(AllPairings {
        players,
        next: 0,
        end: (1..players).step_by(2).product(),
    })
}

/// Why so many players are refused.
pub(crate) fn too_many(players: usize) -> anyhow::Error {
    anyhow!(
        "{players} players cannot be paired in every way; give an even number up to 12 (4 or more for the checks)"
    )
}

/// The iterator of [`all_pairings`]. Each pairing takes O(n^2).
#[derive(Clone, Debug)]
pub struct AllPairings {
    players: usize,
    next: usize,
    end: usize,
}

impl Iterator for AllPairings {
    type Item = Pairs;

    /// The rank as a number of mixed radix: its digits, of bases n-1, n-3, ..., say which of the free players
    /// the first free one meets.
    fn next(&mut self) -> Option<Pairs> {
        if self.next == self.end {
            return None;
        }
        let mut rank = self.next;
        self.next += 1;
        let mut below = self.end;
        let mut free: Vec<usize> = (0..self.players).collect();
        let mut pairs = Vec::with_capacity(self.players / 2);
        while free.len() > 1 {
            below /= free.len() - 1;
            let first = free.remove(0);
            pairs.push((first, free.remove(rank / below)));
            rank %= below;
        }
        Some(pairs)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for AllPairings {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_pairing_comes_once_and_in_order() {
        for (players, count) in [(2, 1), (4, 3), (6, 15), (8, 105), (10, 945), (12, 10_395)] {
            let all: Vec<Pairs> = all_pairings(players).unwrap().collect();
            assert_eq!(all.len(), count);
            assert!(all.is_sorted());
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), count);
            for pairs in &all {
                let met: BTreeSet<usize> = pairs.iter().flat_map(|&(i, j)| [i, j]).collect();
                assert_eq!(met.len(), players, "{pairs:?}");
                assert!(pairs.iter().all(|(i, j)| i < j) && pairs.is_sorted());
            }
        }
    }

    #[test]
    fn each_pair_meets_in_one_pairing_of_n_minus_one() {
        let all: Vec<Pairs> = all_pairings(8).unwrap().collect();
        for i in 0..8 {
            for j in i + 1..8 {
                let met = all.iter().filter(|pairs| pairs.contains(&(i, j))).count();
                assert_eq!(met * 7, all.len());
            }
        }
    }

    #[test]
    fn sizes_without_a_pairing_or_with_too_many_are_refused() {
        for players in [0, 1, 3, 11, 14] {
            assert!(all_pairings(players).is_err(), "{players}");
        }
    }
}
