//! What remains of a match when somebody leaves it, ready to be completed by whoever comes in, in every split.

use super::table::{ALLOWED, FORBIDDEN, Table};

/// The parties of a match who stay, and all ways to divide them.
#[derive(Debug, Default)]
pub(super) struct Rest {
    /// The players, party by party, and where each party begins.
    players: Vec<u32>,
    starts: Vec<usize>,
    splits: Vec<Split>,
    /// For each split, the side of each party: 0 or 1.
    sides: Vec<u8>,
    /// For each split, the levels of both teams.
    sums: Vec<f32>,
    /// Players who are linked with all others who stay.
    linked: Vec<u32>,
}

/// One way to divide them.
#[derive(Debug, Clone, Copy)]
struct Split {
    /// How many more the first team takes.
    room_a: usize,
    /// The sum of the pairs' terms.
    pairs: f32,
}

/// Buffers for one judgement.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// For each party that stays, what those who come add on either side of it.
    added: Vec<f32>,
    levels: Vec<f32>,
}

impl Rest {
    /// `parties` divided in each of these ways, a side for each party and way.
    pub(super) fn new(table: &Table, parties: &[&[u32]], sides: Vec<u8>, size_a: usize) -> Self {
        let mut rest = Self {
            players: parties.concat(),
            starts: vec![0],
            sides,
            ..Self::default()
        };
        for party in parties {
            rest.starts.push(rest.starts[rest.starts.len() - 1] + party.len());
        }
        let count = table.balances();
        for way in 0..rest.sides.len() / parties.len().max(1) {
            let sides = &rest.sides[way * parties.len()..][..parties.len()];
            let mut sums = vec![0.0; 2 * count];
            let (mut room_a, mut pairs) = (size_a, 0.0);
            for (u, &side) in sides.iter().enumerate() {
                room_a -= if side == 0 { parties[u].len() } else { 0 };
                for (k, &player) in parties[u].iter().enumerate() {
                    let row = table.row(player);
                    pairs += parties[u][..k]
                        .iter()
                        .map(|&mate| row[mate as usize][0])
                        .sum::<f32>();
                    for (v, &other_side) in sides[..u].iter().enumerate() {
                        let against = usize::from(side != other_side);
                        let terms = parties[v].iter().map(|&other| row[other as usize][against]);
                        pairs += terms.sum::<f32>();
                    }
                    let sums = &mut sums[usize::from(side) * count..][..count];
                    for (sum, level) in sums.iter_mut().zip(table.levels(player)) {
                        *sum += level;
                    }
                }
            }
            rest.sums.extend(sums);
            rest.splits.push(Split { room_a, pairs });
        }
        if !table.worth_of_links().is_empty() {
            let with_all = |&i: &u32| rest.players.iter().all(|&j| table.linked(i, j));
            rest.linked = rest.players.iter().copied().filter(with_all).collect();
        }
        rest
    }

    /// The value of the best split of the match with these parties come in; minus infinity if they do not fill the
    /// teams. Adds to `tried` how many splits there were.
    pub(super) fn best_with(
        &self,
        table: &Table,
        parties: &[&[u32]],
        scratch: &mut Scratch,
        tried: &mut u64,
    ) -> f32 {
        let best = if let [party] = parties {
            self.best_with_one(table, party, scratch, tried)
        } else {
            self.best_with_several(table, parties, scratch, tried)
        };
        if best == f32::NEG_INFINITY {
            return best;
        }
        let value = best + self.links_with(table, parties);
        if value < ALLOWED {
            // So many pairs that are forbidden.
            (value / FORBIDDEN).round() * FORBIDDEN
        } else {
            value.clamp(0.0, 1.0)
        }
    }

    /// The best sum of pairs and balances with one party come in.
    #[inline]
    fn best_with_one(&self, table: &Table, party: &&[u32], scratch: &mut Scratch, tried: &mut u64) -> f32 {
        let units = self.starts.len() - 1;
        let inner = self.prepare(table, std::slice::from_ref(party), &|_| 0, scratch);
        // Nobody, those who come, nobody: from the middle on they are in the first team, from the start on in the
        // second.
        let count = table.balances();
        let levels = &mut scratch.levels;
        levels.splice(..0, std::iter::repeat_n(0.0, count));
        let mut best = f32::NEG_INFINITY;
        for (way, split) in self.splits.iter().enumerate() {
            let side = match split.room_a {
                0 => 1,
                room if room == party.len() => 0,
                _ => continue,
            };
            *tried += 1;
            let mut value = split.pairs + inner;
            let sides = &self.sides[way * units..][..units];
            for (added, &of) in scratch.added.chunks_exact(2).zip(sides) {
                value += added[usize::from((of ^ side) & 1)];
            }
            let join = &levels[usize::from(1 - side) * count..][..2 * count];
            value += table.balanced(&self.sums[way * 2 * count..][..2 * count], join);
            best = best.max(value);
        }
        best
    }

    /// The same with several parties.
    fn best_with_several(
        &self,
        table: &Table,
        parties: &[&[u32]],
        scratch: &mut Scratch,
        tried: &mut u64,
    ) -> f32 {
        let units = self.starts.len() - 1;
        let mut best = f32::NEG_INFINITY;
        for ways in 0..1_u64 << parties.len().min(63) {
            let side = |k: usize| usize::from(ways >> k & 1 == 1);
            let players = |(k, party): (usize, &&[u32])| if side(k) == 0 { party.len() } else { 0 };
            let size_a: usize = parties.iter().enumerate().map(players).sum();
            if !self.splits.iter().any(|split| split.room_a == size_a) {
                continue;
            }
            let inner = self.prepare(table, parties, &side, scratch);
            let count = 2 * table.balances();
            for (way, split) in self.splits.iter().enumerate() {
                if split.room_a != size_a {
                    continue;
                }
                *tried += 1;
                let mut value = split.pairs + inner;
                let sides = &self.sides[way * units..][..units];
                for (added, &side) in scratch.added.chunks_exact(2).zip(sides) {
                    value += added[usize::from(side & 1)];
                }
                value += table.balanced(&self.sums[way * count..][..count], &scratch.levels);
                best = best.max(value);
            }
        }
        best
    }

    /// What those who come add with each party that stays, for either of its sides, and their levels; returns the sum
    /// of the terms among them.
    #[inline]
    fn prepare(
        &self,
        table: &Table,
        parties: &[&[u32]],
        side: &impl Fn(usize) -> usize,
        scratch: &mut Scratch,
    ) -> f32 {
        let count = table.balances();
        scratch.added.clear();
        scratch.added.resize(2 * (self.starts.len() - 1), 0.0);
        scratch.levels.clear();
        scratch.levels.resize(2 * count, 0.0);
        let mut inner = 0.0;
        for (k, party) in parties.iter().enumerate() {
            for (at, &player) in party.iter().enumerate() {
                let row = table.row(player);
                for (added, ends) in scratch.added.chunks_exact_mut(2).zip(self.starts.windows(2)) {
                    for &other in &self.players[ends[0]..ends[1]] {
                        let pair = row[other as usize];
                        added[0] += pair[side(k)];
                        added[1] += pair[1 - side(k)];
                    }
                }
                let levels = &mut scratch.levels[side(k) * count..][..count];
                for (sum, level) in levels.iter_mut().zip(table.levels(player)) {
                    *sum += level;
                }
                inner += party[..at].iter().map(|&mate| row[mate as usize][0]).sum::<f32>();
                for (l, other) in parties[..k].iter().enumerate() {
                    let against = usize::from(side(k) != side(l));
                    inner += other
                        .iter()
                        .map(|&other| row[other as usize][against])
                        .sum::<f32>();
                }
            }
        }
        inner
    }

    /// What links are worth with these parties come in.
    #[inline]
    fn links_with(&self, table: &Table, parties: &[&[u32]]) -> f32 {
        let Some(last) = table.worth_of_links().len().checked_sub(1) else {
            return 0.0;
        };
        let new = || parties.iter().flat_map(|party| party.iter().copied());
        let stay = |&&i: &&u32| new().all(|j| table.linked(i, j));
        let mut count = self.linked.iter().filter(stay).take(last).count();
        if count < last {
            let come = |&i: &u32| {
                self.players.iter().all(|&j| table.linked(i, j)) && new().all(|j| table.linked(i, j))
            };
            count += new().filter(come).count();
        }
        table.worth_of_links()[count.min(last)]
    }
}
