//! Matches and the bench as places for parties, and the sets of parties that may change places.

use super::rest::Rest;

/// A match, or the bench of those left out.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// Its parties, by their numbers.
    pub(super) parties: Vec<u32>,
    /// The side of each party: 0 or 1; of no meaning on the bench.
    pub(super) sides: Vec<u8>,
    /// The quality of a match, or what the bench costs with its sign turned.
    pub(super) value: f64,
    /// The same as the tables have it.
    pub(super) by_table: f64,
    pub(super) sets: Vec<Set>,
    /// What remains without each of the sets; empty where there are no tables, and for the bench.
    pub(super) rests: Vec<Rest>,
}

/// Parties that leave a place together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Set {
    pub(super) parties: Vec<u32>,
    pub(super) players: usize,
}

impl Set {
    /// Whether it may change places with the other one: as many players, and one of the two a single party.
    pub(super) fn swaps_with(&self, other: &Self) -> bool {
        self.players == other.players && (self.parties.len() == 1 || other.parties.len() == 1)
    }
}

/// Sets of several parties of one size, above which the rest are not considered.
const MOST_SETS: usize = 256;

/// The parties, one by one, then all sets of several parties that have as many players as some party of the pool,
/// which they could change places with. `sides`, if given, says that only parties of one side go together.
pub(super) fn sets_of(
    parties: &[u32],
    sides: Option<&[u8]>,
    size: &dyn Fn(u32) -> usize,
    party_sizes: &[usize],
) -> Vec<Set> {
    let mut sets: Vec<Set> = parties
        .iter()
        .map(|&party| Set {
            parties: vec![party],
            players: size(party),
        })
        .collect();
    for &wanted in party_sizes.iter().filter(|&&wanted| wanted > 1) {
        let most = sets.len() + MOST_SETS;
        let mut chosen = Vec::new();
        combine(parties, sides, size, (0, wanted), &mut chosen, &mut |chosen| {
            sets.push(Set {
                parties: chosen.iter().map(|&at| parties[at]).collect(),
                players: wanted,
            });
            sets.len() < most
        });
    }
    sets
}

/// Calls `found` with the places of two or more parties that have `room` players, until it says that it is enough.
fn combine(
    parties: &[u32],
    sides: Option<&[u8]>,
    size: &dyn Fn(u32) -> usize,
    (from, room): (usize, usize),
    chosen: &mut Vec<usize>,
    found: &mut dyn FnMut(&[usize]) -> bool,
) -> bool {
    if room == 0 {
        return chosen.len() < 2 || found(chosen);
    }
    for at in from..parties.len() {
        let players = size(parties[at]);
        let apart = sides.is_some_and(|sides| chosen.first().is_some_and(|&first| sides[first] != sides[at]));
        if players > room || apart {
            continue;
        }
        chosen.push(at);
        let on = combine(parties, sides, size, (at + 1, room - players), chosen, found);
        chosen.pop();
        if !on {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_parties_and_what_could_take_the_place_of_one() {
        let sizes = [2, 1, 1, 1, 1];
        let size = |party: u32| sizes[party as usize];
        let sets = |party_sizes: &[usize]| sets_of(&[0, 1, 2, 3, 4], None, &size, party_sizes);
        assert_eq!(sets(&[1]).len(), 5);
        // Six twos of those who came alone, and the party itself.
        assert_eq!(sets(&[1, 2]).len(), 5 + 6);
        // And four threes of the party and one more, and four of three who came alone.
        assert_eq!(sets(&[1, 2, 3]).len(), 5 + 6 + 8);
        let one_side = sets_of(&[0, 1, 2, 3, 4], Some(&[0, 0, 1, 1, 1]), &size, &[2]);
        assert_eq!(one_side.len(), 5 + 3);
    }
}
