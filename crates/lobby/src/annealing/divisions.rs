//! What the ways to divide a match add to what its pairs are worth in the mean of all of them.

use super::seats::Seats;
use super::table::{FORBIDDEN, Table};
use super::ways::{LANES, MOST_GROUPS, MOST_PAIRS, MOST_PLAYERS, Ways, share_of_mates};

/// Pairs apart from divisions, and divisions apart from pairs.
#[derive(Debug)]
pub(super) struct Divisions<'a> {
    table: &'a Table,
    ways: &'a Ways,
    /// Row by row, what a pair is worth in the mean of all ways, and what it is worth more as mates than as
    /// opponents.
    mean: Vec<f32>,
    excess: Vec<f32>,
    /// How many of a match's pairs are mates, as a share.
    mates: f32,
    /// The first member of each player's party.
    parties: Vec<u32>,
}

/// What each way to divide a match adds to the mean of all.
#[derive(Default)]
pub(super) struct Worths {
    /// Whatever the way.
    base: f32,
    /// Group by group, beside that.
    by_way: [[f32; LANES]; MOST_GROUPS],
    /// The ways that leave parties whole, one bit each.
    kept: u64,
}

impl Worths {
    /// What the best way adds; minus infinity if parties leave none.
    #[inline]
    pub(super) fn best(&self) -> f32 {
        let by_way = self.by_way.as_flattened();
        self.base
            + members(self.kept)
                .map(|way| by_way[way])
                .fold(f32::NEG_INFINITY, f32::max)
    }

    /// The best way, the first of several; 0 if parties leave none.
    fn best_way(&self) -> usize {
        let by_way = self.by_way.as_flattened();
        let better = |best, way| if by_way[way] > by_way[best] { way } else { best };
        members(self.kept).reduce(better).unwrap_or(0)
    }
}

/// The numbers of the bits that are set.
#[inline]
fn members(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let number = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        number
    })
}

impl<'a> Divisions<'a> {
    pub(super) fn new(table: &'a Table, ways: &'a Ways, sizes: (usize, usize), seats: &Seats) -> Self {
        let players = table.players();
        let mut divisions = Self {
            table,
            ways,
            mean: Vec::with_capacity(players * players),
            excess: Vec::with_capacity(players * players),
            mates: share_of_mates(sizes),
            parties: Vec::with_capacity(players),
        };
        let mates = divisions.mates;
        #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
        for player in 0..players as u32 {
            let pairs = || table.together(player).iter().zip(table.against(player));
            // A pair that is forbidden one way only is worth what it is the other way.
            divisions.mean.extend(pairs().map(|(&together, &against)| {
                match (together == FORBIDDEN, against == FORBIDDEN) {
                    (true, _) => against,
                    (_, true) => together,
                    _ => mates * together + (1.0 - mates) * against,
                }
            }));
            divisions
                .excess
                .extend(pairs().map(|(together, against)| together - against));
            divisions.parties.push(seats.party(player)[0]);
        }
        divisions
    }

    /// What a player and each other are worth in the mean of all ways to divide a match of both.
    #[inline]
    pub(super) fn mean(&self, player: u32) -> &[f32] {
        let players = self.table.players();
        &self.mean[player as usize * players..][..players]
    }

    /// Whether players who stand party by party are all of one.
    #[inline]
    pub(super) fn is_party(&self, players: &[u32]) -> bool {
        let party = |player: Option<&u32>| player.map(|&player| self.parties[player as usize]);
        party(players.first()) == party(players.last())
    }

    /// The places of the first team in the best way, one bit each.
    pub(super) fn best_first(&self, team: &[u32]) -> u32 {
        self.ways.first(self.worths(team).best_way())
    }

    /// What each way to divide these players adds to the mean.
    #[inline]
    pub(super) fn worths(&self, team: &[u32]) -> Worths {
        // Code of its own for each number of players: its loops are laid out, and nothing is checked twice.
        let worths = match team.len() {
            2 => team.first_chunk().map(|team| self.worths_of::<2>(team)),
            3 => team.first_chunk().map(|team| self.worths_of::<3>(team)),
            4 => team.first_chunk().map(|team| self.worths_of::<4>(team)),
            5 => team.first_chunk().map(|team| self.worths_of::<5>(team)),
            6 => team.first_chunk().map(|team| self.worths_of::<6>(team)),
            7 => team.first_chunk().map(|team| self.worths_of::<7>(team)),
            MOST_PLAYERS => team
                .first_chunk()
                .map(|team| self.worths_of::<MOST_PLAYERS>(team)),
            _ => None,
        };
        worths.unwrap_or_default()
    }

    /// The same for so many players.
    #[inline(never)]
    fn worths_of<const N: usize>(&self, team: &[u32; N]) -> Worths {
        let players = self.table.players();
        let pairs = N * (N - 1) / 2;
        let together = &self.ways.kept()[..pairs];
        let mut parties = [0; N];
        for (party, &player) in parties.iter_mut().zip(team) {
            *party = self.parties[player as usize];
        }
        let (mut excess, mut kept) = ([0.0_f32; MOST_PAIRS], self.ways.all());
        for k in 1..N {
            let row = &self.excess[team[k] as usize * players..][..players];
            for j in 0..k {
                let at = k * (k - 1) / 2 + j;
                excess[at] = row[team[j] as usize];
                kept &= if parties[j] == parties[k] {
                    together[at]
                } else {
                    u64::MAX
                };
            }
        }
        let excess = &excess[..pairs];
        let mut base = 0.0;
        if self.table.is_rough() {
            base = excess.iter().map(|&more| self.beyond_mean(more)).sum();
        }
        let mut by_way = [[0.0_f32; LANES]; MOST_GROUPS];
        for (added, together) in by_way.iter_mut().zip(self.ways.together()) {
            let mut sums = [0.0_f32; LANES];
            for (more, together) in excess.iter().zip(&together[..pairs]) {
                for (sum, together) in sums.iter_mut().zip(together) {
                    *sum += more * together;
                }
            }
            *added = sums;
        }
        for (steps, (lanes, lane)) in self.table.balances() {
            let mut levels = [0.0; N];
            for (level, &player) in levels.iter_mut().zip(team) {
                *level = self.table.levels(player)[lanes][lane];
            }
            #[allow(clippy::float_cmp, reason = "levels that are the same, not nearly so")]
            if levels.iter().all(|&level| level == levels[0]) {
                base += steps.at(0.0);
                continue;
            }
            let mut gaps = [[0.0_f32; LANES]; MOST_GROUPS];
            for (gaps, shares) in gaps.iter_mut().zip(self.ways.shares()) {
                let mut sums = [0.0_f32; LANES];
                for (level, shares) in levels.iter().zip(&shares[..N]) {
                    for (sum, share) in sums.iter_mut().zip(shares) {
                        *sum += level * share;
                    }
                }
                *gaps = sums;
            }
            let (by_way, gaps) = (by_way.as_flattened_mut(), gaps.as_flattened());
            for way in members(kept) {
                by_way[way] += steps.at(gaps[way].abs());
            }
        }
        Worths { base, by_way, kept }
    }

    /// What two players are worth less than in the mean if one of the ways to play is forbidden them: of those, the
    /// mean is what is not forbidden.
    #[inline]
    fn beyond_mean(&self, excess: f32) -> f32 {
        if excess.abs() > -0.5 * FORBIDDEN {
            return self.mates * excess + (-excess).min(0.0);
        }
        0.0
    }
}
