//! Starting teams: full teams out of whole parties, in the pool's order with noise.

use super::pool::LobbyPool;
use crate::random::SplitMix64;

/// The sizes of the parties that fill each team of each match: as many matches as a greedy search fills, largest
/// parties first.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// Match by match, the sizes of the first team's parties and of the second's.
    matches: Vec<[Vec<usize>; 2]>,
}

impl LobbyPool {
    /// Full teams out of whole parties, where a search can start: as many matches as a greedy search fills, parties in
    /// the pool's order. Teams 2k and 2k + 1 are match k; the unmatched players come last.
    ///
    /// `noise` is how far parties move at random, in places of the order: 0 for none, the number of players for a random
    /// order.
    #[must_use]
    pub fn starting_teams(&self, noise: f64, seed: u64) -> Vec<Vec<usize>> {
        let teams = Plan::of(self).deal(self, noise, &mut SplitMix64(seed));
        let names = |team: Vec<u32>| team.into_iter().map(|player| player as usize).collect();
        teams.into_iter().map(names).collect()
    }
}

impl Plan {
    /// The plan for this pool.
    pub(super) fn of(pool: &LobbyPool) -> Self {
        let (size_a, size_b) = pool.sizes();
        let largest = size_a.max(size_b);
        let mut left = vec![0_usize; largest + 1];
        for party in pool.parties() {
            left[party.len()] += 1;
        }
        let mut matches = Vec::new();
        loop {
            // The larger team takes first, as it alone has room for the largest parties.
            let (first, second) = if size_a >= size_b {
                (size_a, size_b)
            } else {
                (size_b, size_a)
            };
            let Some(one) = fill(first, &mut left) else { break };
            let Some(other) = fill(second, &mut left) else {
                break;
            };
            matches.push(if size_a >= size_b {
                [one, other]
            } else {
                [other, one]
            });
        }
        Self { matches }
    }

    /// How many matches it fills.
    #[cfg(test)]
    fn matches(&self) -> usize {
        self.matches.len()
    }

    /// Parties for the plan: each team takes the next of the sizes that it wants, in the pool's order with noise.
    /// Teams in turn, first and second of each match, then the unmatched players.
    ///
    /// `noise` is in places of the order: 0 for none, the number of players for any order at all.
    pub(super) fn deal(&self, pool: &LobbyPool, noise: f64, bits: &mut SplitMix64) -> Vec<Vec<u32>> {
        let mut place = party_places(pool);
        for place in &mut place {
            *place += noise * bits.unit();
        }
        let mut by_place: Vec<usize> = (0..place.len()).collect();
        by_place.sort_by(|&a, &b| place[a].total_cmp(&place[b]).then(a.cmp(&b)));
        let largest = pool.sizes().0.max(pool.sizes().1);
        let mut queues = vec![std::collections::VecDeque::new(); largest + 1];
        for &party in &by_place {
            queues[pool.parties()[party].len()].push_back(party);
        }
        let mut order: Vec<usize> = (0..self.matches.len()).collect();
        bits.shuffle(&mut order);
        let mut teams = vec![Vec::new(); 2 * self.matches.len() + 1];
        for index in order {
            for (side, sizes) in self.matches[index].iter().enumerate() {
                for &size in sizes {
                    if let Some(party) = queues[size].pop_front() {
                        teams[2 * index + side].extend(as_u32(&pool.parties()[party]));
                    }
                }
            }
        }
        let bench = 2 * self.matches.len();
        for party in queues.into_iter().flatten() {
            teams[bench].extend(as_u32(&pool.parties()[party]));
        }
        teams
    }
}

/// Full teams of one match, and the unmatched players: the first of these parties, then the earliest that fill both
/// teams; `None` if no parties do.
///
/// O(parties x players of one team x players of the other).
pub(super) fn first_match(pool: &LobbyPool, order: &[usize]) -> Option<[Vec<u32>; 3]> {
    let parties: Vec<&[usize]> = order.iter().map(|&party| &pool.parties()[party][..]).collect();
    let (size_a, size_b) = pool.sizes();
    let states = (size_a + 1) * (size_b + 1);
    let at = |from: usize, room: [usize; 2]| from * states + room[0] * (size_b + 1) + room[1];
    // Whether parties from one on fill the room in both teams; the first party must be among them.
    let mut can_fill = vec![false; (parties.len() + 1) * states];
    can_fill[at(parties.len(), [0, 0])] = true;
    for (from, party) in parties.iter().enumerate().rev() {
        for (a, b) in (0..=size_a).flat_map(|a| (0..=size_b).map(move |b| (a, b))) {
            let after = |room: [Option<usize>; 2]| match room {
                [Some(a), Some(b)] => can_fill[at(from + 1, [a, b])],
                _ => false,
            };
            can_fill[at(from, [a, b])] = (from > 0 && after([Some(a), Some(b)]))
                || after([a.checked_sub(party.len()), Some(b)])
                || after([Some(a), b.checked_sub(party.len())]);
        }
    }
    let mut room = [size_a, size_b];
    if !can_fill[at(0, room)] {
        return None;
    }
    let mut teams = [const { Vec::new() }; 3];
    for (from, party) in parties.iter().enumerate() {
        let after = |team: usize| {
            let mut after = room;
            after[team] = room[team].checked_sub(party.len())?;
            can_fill[at(from + 1, after)].then_some((team, after))
        };
        // The emptier team first, so that neighbours are shared out.
        let emptier = usize::from(room[1] > room[0]);
        let place = after(emptier).or_else(|| after(1 - emptier));
        let (team, left) = place.unwrap_or((2, room));
        room = left;
        teams[team].extend(as_u32(party));
    }
    Some(teams)
}

/// All parties, that of the player first, the others from near to far in the pool's order.
pub(super) fn by_distance(pool: &LobbyPool, player: usize) -> Vec<usize> {
    let place = party_places(pool);
    let own = pool.party_index(player);
    let distance = |party: usize| {
        if party == own {
            -1.0
        } else {
            (place[party] - place[own]).abs()
        }
    };
    let mut order: Vec<usize> = (0..place.len()).collect();
    order.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)));
    order
}

/// The place of each party in the pool's order: the mean of its members'.
fn party_places(pool: &LobbyPool) -> Vec<f64> {
    let mut place = vec![0.0; pool.parties().len()];
    for (at, &player) in pool.order().iter().enumerate() {
        let party = pool.party_index(player);
        place[party] += at as f64 / pool.parties()[party].len() as f64;
    }
    place
}

#[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
pub(super) fn as_u32(players: &[usize]) -> impl Iterator<Item = u32> + '_ {
    players.iter().map(|&player| player as u32)
}

/// Sizes of parties that sum to `team`, taken from `left`, as large ones as possible first; `None`, and nothing
/// taken, if there are none. O(team^2 log team) in all.
fn fill(team: usize, left: &mut [usize]) -> Option<Vec<usize>> {
    // reachable[size][room]: parties of up to `size` fill `room`.
    let mut reachable = vec![vec![false; team + 1]; left.len()];
    reachable[0][0] = true;
    for size in 1..left.len() {
        let (smaller, own) = reachable.split_at_mut(size);
        for room in 0..=team {
            let most = left[size].min(room / size);
            own[0][room] = (0..=most).any(|count| smaller[size - 1][room - count * size]);
        }
    }
    let largest = left.len() - 1;
    if !reachable[largest][team] {
        return None;
    }
    let (mut taken, mut room) = (Vec::new(), team);
    for size in (1..=largest).rev() {
        let most = left[size].min(room / size);
        let count = (0..=most)
            .rev()
            .find(|count| reachable[size - 1][room - count * size])?;
        left[size] -= count;
        room -= count * size;
        taken.resize(taken.len() + count, size);
    }
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(players: usize, sizes: (usize, usize), parties: &[usize]) -> LobbyPool {
        let mut next = 0;
        let parties: Vec<Vec<usize>> = parties
            .iter()
            .map(|&size| {
                next += size;
                (next - size..next).collect()
            })
            .collect();
        LobbyPool::new(players, sizes)
            .unwrap()
            .with_parties(&parties)
            .unwrap()
    }

    #[test]
    fn teams_are_full_and_parties_whole() {
        for (players, sizes, parties, matches) in [
            (12, (3, 3), &[3, 2, 2][..], 2),
            (13, (3, 3), &[], 2),
            // Six duos fill no team of three.
            (12, (3, 3), &[2, 2, 2, 2, 2, 2], 0),
            (12, (3, 3), &[2, 2, 2, 2], 2),
            (10, (1, 4), &[4, 4], 2),
            (10, (4, 1), &[3, 2], 2),
            (20, (5, 5), &[4, 3, 3, 2, 2, 2], 2),
        ] {
            let pool = pool(players, sizes, parties);
            let plan = Plan::of(&pool);
            assert_eq!(plan.matches(), matches, "{sizes:?} {parties:?}");
            let teams = plan.deal(&pool, 5.0, &mut SplitMix64(1));
            let mut seen: Vec<u32> = teams.concat();
            seen.sort_unstable();
            assert_eq!(seen, (0..u32::try_from(players).unwrap()).collect::<Vec<_>>());
            for (at, team) in teams[..2 * matches].iter().enumerate() {
                assert_eq!(team.len(), if at % 2 == 0 { sizes.0 } else { sizes.1 });
                for &player in team {
                    for &mate in pool.party_of(player as usize) {
                        assert!(team.iter().any(|&other| other as usize == mate));
                    }
                }
            }
        }
    }

    #[test]
    fn without_noise_neighbours_of_the_order_meet() {
        let order = [5, 3, 1, 0, 2, 4, 6, 8, 7, 9, 11, 10];
        let pool = pool(12, (3, 3), &[]).with_order(&order).unwrap();
        let teams = Plan::of(&pool).deal(&pool, 0.0, &mut SplitMix64(1));
        let mut matches: Vec<Vec<u32>> = teams[..4].chunks(2).map(<[Vec<u32>]>::concat).collect();
        for players in &mut matches {
            players.sort_unstable();
        }
        matches.sort();
        assert_eq!(matches, [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]);
    }
}
