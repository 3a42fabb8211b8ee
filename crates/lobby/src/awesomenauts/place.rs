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
    let of_side = |side: u8| {
        (0..parties.len())
            .filter(|&at| sides.is_none_or(|sides| sides[at] == side))
            .collect()
    };
    let mut lists: Vec<Vec<usize>> = vec![of_side(0)];
    if sides.is_some() {
        lists.push(of_side(1));
    }
    for &wanted in party_sizes.iter().filter(|&&wanted| wanted > 1) {
        let most = sets.len() + MOST_SETS;
        for places in &lists {
            let place_sizes: Vec<usize> = places.iter().map(|&at| size(parties[at])).collect();
            let fillable = fillable(&place_sizes, wanted);
            combine(
                &place_sizes,
                &fillable,
                (0, wanted),
                &mut Vec::new(),
                &mut |chosen| {
                    sets.push(Set {
                        parties: chosen.iter().map(|&at| parties[places[at]]).collect(),
                        players: wanted,
                    });
                    sets.len() < most
                },
            );
        }
    }
    sets
}

/// For each place, whether the parties from there on can fill each room up to `most`.
fn fillable(sizes: &[usize], most: usize) -> Vec<Vec<bool>> {
    let mut fillable = vec![vec![false; most + 1]; sizes.len() + 1];
    fillable[sizes.len()][0] = true;
    for (at, &size) in sizes.iter().enumerate().rev() {
        for room in 0..=most {
            fillable[at][room] = fillable[at + 1][room] || room >= size && fillable[at + 1][room - size];
        }
    }
    fillable
}

/// Calls `found` with the places of two or more parties that have `room` players, until it says that it is enough.
/// Only what can be filled is begun, so that the time is in proportion to what is found.
fn combine(
    sizes: &[usize],
    fillable: &[Vec<bool>],
    (from, room): (usize, usize),
    chosen: &mut Vec<usize>,
    found: &mut dyn FnMut(&[usize]) -> bool,
) -> bool {
    if room == 0 {
        return chosen.len() < 2 || found(chosen);
    }
    for at in from..sizes.len() {
        if sizes[at] > room || !fillable[at + 1][room - sizes[at]] {
            continue;
        }
        chosen.push(at);
        let on = combine(sizes, fillable, (at + 1, room - sizes[at]), chosen, found);
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

    #[test]
    fn what_cannot_be_filled_takes_no_time() {
        // No number of duos has 15 players; 2^60 sets would have to be tried to see that one by one.
        let parties: Vec<u32> = (0..60).collect();
        assert_eq!(sets_of(&parties, None, &|_| 2, &[2, 15]).len(), 60);
    }
}
