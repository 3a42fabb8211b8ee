//! The parties that stay in a match when others leave it, and the best split with any parties that come in.

use super::evaluator::{Evaluator, FORBIDDEN, Terms};

/// The parties that stay, and all ways to divide them.
#[derive(Debug, Default)]
pub(super) struct Rest {
    /// The players, party by party, and where each party begins; the last entry is their number.
    players: Vec<u32>,
    starts: Vec<usize>,
    ways: Vec<Way>,
    /// Way by way, the side of each party: 0 or 1.
    sides: Vec<u8>,
    /// Way by way, the sums of levels of the first team, and of the second.
    sums: Vec<f64>,
    /// Players who are linked with all others who stay.
    linked: Vec<u32>,
}

/// One way to divide them.
#[derive(Debug, Clone, Copy)]
struct Way {
    /// How many players the first team lacks.
    room_a: usize,
    /// The sum of the pairs' terms.
    pairs: f64,
}

impl Rest {
    /// These parties, divided in each of these ways: a side for each party, way after way.
    pub(super) fn new(terms: &Terms, evaluator: &Evaluator<'_>, parties: &[u32], sides: Vec<u8>) -> Self {
        let members = |party: u32| evaluator.members[party as usize].iter().copied();
        let mut rest = Self {
            players: parties.iter().flat_map(|&party| members(party)).collect(),
            starts: vec![0],
            sides,
            ..Self::default()
        };
        for &party in parties {
            rest.starts
                .push(rest.starts[rest.starts.len() - 1] + members(party).len());
        }
        let count = terms.balances();
        for sides in rest.sides.chunks_exact(parties.len().max(1)) {
            let mut way = Way {
                room_a: evaluator.pool.sizes().0,
                pairs: 0.0,
            };
            let mut sums = vec![0.0; 2 * count];
            let seats =
                || (0..parties.len()).flat_map(|u| (rest.starts[u]..rest.starts[u + 1]).map(move |k| (u, k)));
            for (u, k) in seats() {
                let (side, row) = (sides[u], terms.row(rest.players[k]));
                way.room_a -= usize::from(side == 0);
                let before = seats().take(k);
                way.pairs += before
                    .map(|(v, l)| row[rest.players[l] as usize][usize::from(sides[v] != side)])
                    .sum::<f64>();
                let sums = &mut sums[usize::from(side) * count..][..count];
                for (sum, level) in sums.iter_mut().zip(terms.levels(rest.players[k])) {
                    *sum += level;
                }
            }
            rest.sums.extend(sums);
            rest.ways.push(way);
        }
        if !terms.worth_of_links().is_empty() {
            let with_all = |&i: &u32| rest.players.iter().all(|&j| terms.linked(i, j));
            rest.linked = rest.players.iter().copied().filter(with_all).collect();
        }
        rest
    }

    /// The value of the best split of the match with these parties come in, and its way; minus infinity if they do not
    /// fill the teams. Adds to `tried` how many splits there were. `buffer` is reused memory.
    pub(super) fn best_with(
        &self,
        terms: &Terms,
        evaluator: &Evaluator<'_>,
        come: &[u32],
        buffer: &mut Vec<f64>,
        tried: &mut u64,
    ) -> (f64, usize) {
        let (units, count) = (self.starts.len() - 1, terms.balances());
        let size = evaluator.size(come);
        let mut best = (f64::NEG_INFINITY, 0);
        // Sides of those who come, the first in the first team; then all of them on the other side.
        for sides in 0..1_u32 << come.len().saturating_sub(1) {
            let sides = sides << 1;
            let (inner, size_a) = self.prepare(terms, evaluator, (come, sides), buffer);
            let (added, levels) = buffer.split_at(2 * units);
            for flip in 0..=usize::from(!come.is_empty()) {
                let wanted = if flip == 0 { size_a } else { size - size_a };
                let (to_a, to_b) = (&levels[flip * count..], &levels[(1 - flip) * count..]);
                for (at, way) in self.ways.iter().enumerate() {
                    if way.room_a != wanted {
                        continue;
                    }
                    *tried += 1;
                    let mut value = way.pairs + inner;
                    let of_way = &self.sides[at * units..][..units];
                    for (added, &side) in added.chunks_exact(2).zip(of_way) {
                        value += added[usize::from(side) ^ flip];
                    }
                    if value + terms.most <= best.0 {
                        continue;
                    }
                    let (in_a, in_b) = self.sums[2 * at * count..][..2 * count].split_at(count);
                    value += terms.balanced([in_a, to_a], [in_b, to_b]);
                    if value > best.0 {
                        best = (value, at);
                    }
                }
            }
        }
        if best.0 == f64::NEG_INFINITY {
            return best;
        }
        let value = best.0 + self.links_with(terms, evaluator, come);
        let forbidden = (value / FORBIDDEN).round();
        let value = if forbidden >= 1.0 {
            forbidden * FORBIDDEN
        } else {
            value.clamp(0.0, 1.0)
        };
        (value, best.1)
    }

    /// Fills the buffer: for each party that stays, what those who come add if it is on side 0 and on side 1; then
    /// their levels by side. Returns the sum of the terms among them, and how many players come to side 0.
    #[inline]
    fn prepare(
        &self,
        terms: &Terms,
        evaluator: &Evaluator<'_>,
        (come, sides): (&[u32], u32),
        buffer: &mut Vec<f64>,
    ) -> (f64, usize) {
        let (units, count) = (self.starts.len() - 1, terms.balances());
        buffer.clear();
        buffer.resize(2 * units + 2 * count, 0.0);
        let (added, levels) = buffer.split_at_mut(2 * units);
        let (mut inner, mut size_a) = (0.0, 0);
        for (k, &party) in come.iter().enumerate() {
            let side = (sides >> k & 1) as usize;
            let members = &evaluator.members[party as usize];
            size_a += if side == 0 { members.len() } else { 0 };
            for (at, &player) in members.iter().enumerate() {
                let row = terms.row(player);
                for (added, ends) in added.chunks_exact_mut(2).zip(self.starts.windows(2)) {
                    for &other in &self.players[ends[0]..ends[1]] {
                        let pair = row[other as usize];
                        added[0] += pair[side];
                        added[1] += pair[1 - side];
                    }
                }
                for (sum, level) in levels[side * count..].iter_mut().zip(terms.levels(player)) {
                    *sum += level;
                }
                inner += members[..at]
                    .iter()
                    .map(|&mate| row[mate as usize][0])
                    .sum::<f64>();
                for (l, &other) in come[..k].iter().enumerate() {
                    let against = usize::from(side != (sides >> l & 1) as usize);
                    let others = evaluator.members[other as usize].iter();
                    inner += others.map(|&other| row[other as usize][against]).sum::<f64>();
                }
            }
        }
        (inner, size_a)
    }

    /// The worth of links with these parties come in.
    #[inline]
    fn links_with(&self, terms: &Terms, evaluator: &Evaluator<'_>, come: &[u32]) -> f64 {
        let Some(last) = terms.worth_of_links().len().checked_sub(1) else {
            return 0.0;
        };
        let new = || {
            come.iter()
                .flat_map(|&party| evaluator.members[party as usize].iter().copied())
        };
        let with_new = |&&i: &&u32| new().all(|j| terms.linked(i, j));
        let mut count = self.linked.iter().filter(with_new).take(last).count();
        if count < last {
            let with_all = |i: &u32| self.players.iter().all(|&j| terms.linked(*i, j)) && with_new(&i);
            count += new().filter(with_all).count();
        }
        terms.worth_of_links()[count.min(last)]
    }
}
