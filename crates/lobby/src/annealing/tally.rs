//! What a search remembers of lineups, so that exchanges are judged by a few looks at tables.

use super::seats::Seats;
use super::table::{Lanes, Table};

/// What is remembered of a match.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Match {
    /// The sum of its pairs' terms.
    pub(super) pairs: f32,
    pub(super) balances: f32,
    /// What its links are worth.
    pub(super) links: f32,
    /// How many of its players are linked with all others.
    pub(super) linked: usize,
    /// Changes since it was counted anew.
    changes: u32,
}

/// Changes of a match after which it is counted anew.
const MOST_CHANGES: u32 = 100;

/// Judges by the sums of terms.
///
/// For each team and each player of the pool, it keeps the sum of his terms with the team's match if he were in that
/// team. A proposal, then, costs the same few looks for teams of any size; only an exchange that is carried out adds
/// rows, and many are tried for each of those.
#[derive(Debug)]
pub(crate) struct Tally<'a> {
    pub(super) table: &'a Table,
    pub(super) matches: Vec<Match>,
    /// Team by team, for each player of the pool the sum of his terms with its members as mates and the others as
    /// opponents.
    fits: Vec<f32>,
    /// For each team, the sum of each balance's levels.
    pub(super) sums: Vec<Lanes>,
    /// Match by match, for each player of the pool with how many of its players he is not linked; empty if links do
    /// not count.
    pub(super) apart: Vec<u16>,
}

impl<'a> Tally<'a> {
    pub(crate) fn new(table: &'a Table, seats: &Seats) -> Self {
        let counted = if table.by_count().is_empty() {
            0
        } else {
            seats.matches()
        };
        let mut tally = Self {
            table,
            matches: vec![Match::default(); seats.matches()],
            fits: vec![0.0; 2 * seats.matches() * seats.len()],
            sums: vec![Lanes::default(); 2 * seats.matches() * table.lanes()],
            apart: vec![0; counted * seats.len()],
        };
        for index in 0..seats.matches() {
            tally.refresh(seats, index);
        }
        tally
    }

    /// Counts a match anew.
    pub(super) fn refresh(&mut self, seats: &Seats, index: usize) {
        let (lanes, players) = (self.table.lanes(), seats.len());
        for side in 0..2 {
            let team = 2 * index + side;
            let (own, other) = (seats.team(team), seats.team(2 * index + 1 - side));
            let mates = own.iter().map(|&mate| self.table.together(mate));
            let opponents = other.iter().map(|&opponent| self.table.against(opponent));
            sum_up(
                &mut self.fits[team * players..][..players],
                mates.chain(opponents),
            );
            let sums = &mut self.sums[team * lanes..][..lanes];
            sums.fill(Lanes::default());
            for &player in own {
                shift(sums, self.table.levels(player), 1.0);
            }
        }
        self.count_links(seats, index);
        self.matches[index].changes = 0;
        self.sum_up_match(seats, index);
    }

    /// Counts a match on after these players left one of its teams and those joined it. Rounding adds up, so it is
    /// counted anew from time to time, and always where forbidden pairs, which are large numbers, would leave much.
    pub(super) fn change(&mut self, seats: &Seats, team: usize, left: &[u32], joined: &[u32]) {
        let (index, side, players, lanes) = (team / 2, team % 2, seats.len(), self.table.lanes());
        self.matches[index].changes += 1;
        if self.table.is_rough() || self.matches[index].changes > MOST_CHANGES {
            self.refresh(seats, index);
            return;
        }
        let (one, other) = (team * players, (2 * index + 1 - side) * players);
        // As many join as left; one in, one out is what happens most.
        for (&gone, &new) in left.iter().zip(joined) {
            let (new_row, gone_row) = (self.table.together(new), self.table.together(gone));
            exchange_rows(&mut self.fits[one..][..players], new_row, gone_row);
            let (new_row, gone_row) = (self.table.against(new), self.table.against(gone));
            exchange_rows(&mut self.fits[other..][..players], new_row, gone_row);
            let sums = &mut self.sums[team * lanes..][..lanes];
            shift(sums, self.table.levels(gone), -1.0);
            shift(sums, self.table.levels(new), 1.0);
            if let (Some(new_row), Some(gone_row)) = (self.table.apart(new), self.table.apart(gone)) {
                let counts = &mut self.apart[index * players..][..players];
                for (count, (new, gone)) in counts.iter_mut().zip(new_row.iter().zip(gone_row)) {
                    *count = count.wrapping_add(*new).wrapping_sub(*gone);
                }
            }
        }
        self.sum_up_match(seats, index);
    }

    /// The value of a match from what is counted of it.
    fn sum_up_match(&mut self, seats: &Seats, index: usize) {
        let lanes = self.table.lanes();
        let mut total = 0.0;
        for team in [2 * index, 2 * index + 1] {
            let fits = self.fits(seats, team);
            total += seats
                .team(team)
                .iter()
                .map(|&player| fits[player as usize])
                .sum::<f32>();
        }
        let (links, linked) = self.links(seats, index);
        let sums = &self.sums[2 * index * lanes..][..2 * lanes];
        let balances = self.table.balance(&sums[..lanes], &sums[lanes..]);
        let now = &mut self.matches[index];
        (now.pairs, now.balances, now.links, now.linked) = (0.5 * total, balances, links, linked);
    }

    /// What links are worth in a match, and how many of its players are linked with all others.
    fn links(&self, seats: &Seats, index: usize) -> (f32, usize) {
        let Some(last) = self.table.by_count().len().checked_sub(1) else {
            return (0.0, 0);
        };
        let counts = &self.apart[index * seats.len()..][..seats.len()];
        let with_all = |&&player: &&u32| counts[player as usize] == 0;
        let linked = seats.both(index).iter().filter(with_all).count();
        (self.table.by_count()[linked.min(last)], linked)
    }

    /// Counts anew with whom of a match's players each player is not linked.
    fn count_links(&mut self, seats: &Seats, index: usize) {
        if self.table.by_count().is_empty() {
            return;
        }
        let counts = &mut self.apart[index * seats.len()..][..seats.len()];
        counts.fill(0);
        for &player in seats.both(index) {
            for (count, apart) in counts
                .iter_mut()
                .zip(self.table.apart(player).unwrap_or_default())
            {
                *count = count.wrapping_add(*apart);
            }
        }
    }

    /// For each player of the pool, how he fits into the team.
    #[inline]
    pub(super) fn fits(&self, seats: &Seats, team: usize) -> &[f32] {
        &self.fits[team * seats.len()..][..seats.len()]
    }
}

/// Adds a player's levels, or takes them away.
#[inline]
pub(super) fn shift(sums: &mut [Lanes], levels: &[Lanes], sign: f32) {
    for (sums, levels) in sums.iter_mut().zip(levels) {
        for (sum, level) in sums.iter_mut().zip(levels) {
            *sum += sign * level;
        }
    }
}

/// Adds one row to sums, and takes another away.
pub(super) fn exchange_rows(sums: &mut [f32], new: &[f32], gone: &[f32]) {
    for (sum, (new, gone)) in sums.iter_mut().zip(new.iter().zip(gone)) {
        *sum += new - gone;
    }
}

/// The sums of rows, two at a time to write sums half as often.
pub(super) fn sum_up<'r>(sums: &mut [f32], mut rows: impl Iterator<Item = &'r [f32]>) {
    sums.fill(0.0);
    while let Some(one) = rows.next() {
        if let Some(other) = rows.next() {
            for (sum, (one, other)) in sums.iter_mut().zip(one.iter().zip(other)) {
                *sum += one + other;
            }
        } else {
            for (sum, one) in sums.iter_mut().zip(one) {
                *sum += one;
            }
        }
    }
}
