//! Starting teams: full teams out of whole parties, in the pool's order with noise.

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};

use super::pool::LobbyPool;
use crate::random::SplitMix64;

/// The sizes of the parties that fill each team of each match: as many matches as a greedy search fills, largest
/// parties first.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// Match by match and team by team, the sizes of the parties.
    matches: Vec<Vec<Vec<usize>>>,
}

impl LobbyPool {
    /// Full teams out of whole parties, where a search can start: as many matches as a greedy search fills, parties in
    /// the pool's order. Teams come match by match; the unmatched players come last.
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
        let sizes = pool.sizes();
        let mut left = vec![0_usize; pool.largest_team() + 1];
        for party in pool.parties() {
            left[party.len()] += 1;
        }
        // Larger teams take first, as they alone have room for the largest parties.
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|&team| Reverse(sizes[team]));
        let mut matches = Vec::new();
        loop {
            let mut teams = vec![Vec::new(); sizes.len()];
            for &team in &order {
                match fill(sizes[team], &mut left) {
                    Some(parties) => teams[team] = parties,
                    None => return Self { matches },
                }
            }
            matches.push(teams);
        }
    }

    /// How many matches it fills.
    #[cfg(test)]
    fn matches(&self) -> usize {
        self.matches.len()
    }

    /// Parties for the plan: each team takes the next of the sizes that it wants, in the pool's order with noise.
    /// Teams match by match, then the unmatched players.
    ///
    /// `noise` is in places of the order: 0 for none, the number of players for any order at all.
    pub(super) fn deal(&self, pool: &LobbyPool, noise: f64, bits: &mut SplitMix64) -> Vec<Vec<u32>> {
        let mut place = party_places(pool);
        for place in &mut place {
            *place += noise * bits.unit();
        }
        let mut by_place: Vec<usize> = (0..place.len()).collect();
        by_place.sort_by(|&a, &b| place[a].total_cmp(&place[b]).then(a.cmp(&b)));
        let mut queues = vec![VecDeque::new(); pool.largest_team() + 1];
        for &party in &by_place {
            queues[pool.parties()[party].len()].push_back(party);
        }
        let mut order: Vec<usize> = (0..self.matches.len()).collect();
        bits.shuffle(&mut order);
        let each = pool.sizes().len();
        let bench = each * self.matches.len();
        let mut teams = vec![Vec::new(); bench + 1];
        for index in order {
            for (team, sizes) in self.matches[index].iter().enumerate() {
                for &size in sizes {
                    if let Some(party) = queues[size].pop_front() {
                        teams[each * index + team].extend(as_u32(&pool.parties()[party]));
                    }
                }
            }
        }
        for party in queues.into_iter().flatten() {
            teams[bench].extend(as_u32(&pool.parties()[party]));
        }
        teams
    }
}

/// Full teams of one match, and then the unmatched players: the first of these parties, then the earliest that fill the
/// teams; `None` if no parties do.
///
/// Depth first, and no room is looked at twice from one party on: O(parties x rooms), which for two teams are
/// players of one x players of the other.
pub(super) fn first_match(pool: &LobbyPool, order: &[usize]) -> Option<Vec<Vec<u32>>> {
    let parties: Vec<&[usize]> = order.iter().map(|&party| &pool.parties()[party][..]).collect();
    let mut room = pool.sizes().to_vec();
    let bench = room.len();
    // The teams of the parties so far, and for each of them the teams that were not tried, the next last.
    let (mut chosen, mut untried): (Vec<usize>, Vec<Vec<usize>>) = Default::default();
    let mut failed = BTreeSet::new();
    while room.iter().any(|&room| room > 0) {
        let at = chosen.len();
        let is_open = at < parties.len() && (failed.is_empty() || !failed.contains(&(at, sorted(&room))));
        untried.push(if is_open {
            choices(&room, parties[at].len(), at > 0)
        } else {
            Vec::new()
        });
        // Where no team is untried, steps are taken back.
        let team = loop {
            if let Some(team) = untried.last_mut()?.pop() {
                break team;
            }
            untried.pop();
            failed.insert((untried.len(), sorted(&room)));
            let team = chosen.pop()?;
            if team < bench {
                room[team] += parties[chosen.len()].len();
            }
        };
        if team < bench {
            room[team] -= parties[chosen.len()].len();
        }
        chosen.push(team);
    }
    let mut teams = vec![Vec::new(); bench + 1];
    for (at, party) in parties.into_iter().enumerate() {
        teams[chosen.get(at).copied().unwrap_or(bench)].extend(as_u32(party));
    }
    Some(teams)
}

/// The teams that have room for this many players, and the bench if the party may stay unmatched, the first choice last:
/// the emptiest team, so that neighbours are shared out. Of teams with as much room one is enough.
fn choices(room: &[usize], players: usize, may_stay: bool) -> Vec<usize> {
    let mut teams: Vec<usize> = (0..room.len()).filter(|&team| room[team] >= players).collect();
    teams.sort_by_key(|&team| Reverse(room[team]));
    teams.dedup_by_key(|team| room[*team]);
    if may_stay {
        teams.push(room.len());
    }
    teams.reverse();
    teams
}

fn sorted(room: &[usize]) -> Vec<usize> {
    let mut room = room.to_vec();
    room.sort_unstable();
    room
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

    fn pool(players: usize, sizes: &[usize], parties: &[usize]) -> LobbyPool {
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
            (12, &[3, 3][..], &[3, 2, 2][..], 2),
            (13, &[3, 3], &[], 2),
            // Six duos fill no team of three.
            (12, &[3, 3], &[2, 2, 2, 2, 2, 2], 0),
            (12, &[3, 3], &[2, 2, 2, 2], 2),
            (10, &[1, 4], &[4, 4], 2),
            (10, &[4, 1], &[3, 2], 2),
            (20, &[5, 5], &[4, 3, 3, 2, 2, 2], 2),
            (25, &[3, 3, 3], &[3, 3, 2, 2, 2, 2], 2),
            (20, &[2, 4, 1], &[4, 2, 2, 2], 2),
            (9, &[1; 4], &[], 2),
        ] {
            let pool = pool(players, sizes, parties);
            let plan = Plan::of(&pool);
            assert_eq!(plan.matches(), matches, "{sizes:?} {parties:?}");
            let teams = plan.deal(&pool, 5.0, &mut SplitMix64(1));
            let mut seen: Vec<u32> = teams.concat();
            seen.sort_unstable();
            assert_eq!(seen, (0..u32::try_from(players).unwrap()).collect::<Vec<_>>());
            for (at, team) in teams[..sizes.len() * matches].iter().enumerate() {
                assert_eq!(team.len(), sizes[at % sizes.len()]);
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
        let pool = pool(12, &[3, 3], &[]).with_order(&order).unwrap();
        let teams = Plan::of(&pool).deal(&pool, 0.0, &mut SplitMix64(1));
        let mut matches: Vec<Vec<u32>> = teams[..4].chunks(2).map(<[Vec<u32>]>::concat).collect();
        for players in &mut matches {
            players.sort_unstable();
        }
        matches.sort();
        assert_eq!(matches, [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]);
    }
}
