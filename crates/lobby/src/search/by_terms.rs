//! Lineups evaluated by terms: a proposal costs a few looks at tables, whatever the size of the teams.

use super::evaluator::Evaluator;
use super::noise::Noise;
use super::seats::{Exchange, Seats};
use super::table::{Lanes, Table};
use crate::random::SplitMix64;

/// Changes of a match after which its sums are computed anew: rounding adds up.
const MOST_CHANGES: u32 = 100;

/// What is known of a match.
#[derive(Debug, Clone, Copy, Default)]
struct Match {
    /// The sum of its pairs' terms.
    pairs: f32,
    /// What its links are worth.
    links: f32,
    /// How many of its players are linked with all others.
    linked: usize,
    /// What all its players would cost unmatched.
    penalty: f32,
    value: f32,
    /// Changes since its sums were computed anew.
    changes: u32,
}

/// Evaluates by the sums of terms.
///
/// For each team and each player of the pool it keeps the sum of the player's terms with the team's match, as if the
/// player were in that team. Proposals read these sums; only an exchange that is carried out adds rows to them, and
/// many are proposed for each of those.
#[derive(Debug)]
pub(super) struct ByTerms<'a> {
    table: &'a Table,
    matches: Vec<Match>,
    /// Team by team, for each player of the pool the sum of terms with its members as mates and the others of the
    /// match as opponents.
    insertion_gains: Vec<f32>,
    /// Team by team, the sum of each balance's levels.
    sums: Vec<Lanes>,
    /// Match by match, for each player of the pool with how many of its players there is no link; empty if links do
    /// not count.
    apart: Vec<u16>,
}

impl<'a> ByTerms<'a> {
    pub(super) fn new(table: &'a Table, seats: &Seats) -> Self {
        let matches = seats.matches();
        let with_links = if table.by_count().is_empty() { 0 } else { matches };
        let mut evaluator = Self {
            table,
            matches: vec![Match::default(); matches],
            insertion_gains: vec![0.0; 2 * matches * seats.len()],
            sums: vec![Lanes::default(); 2 * matches * table.lanes()],
            apart: vec![0; with_links * seats.len()],
        };
        for index in 0..matches {
            evaluator.recount(seats, index);
        }
        evaluator
    }

    /// For each player of the pool, the sum of terms with the match of a team as if in that team.
    #[inline]
    fn insertion_gains(&self, seats: &Seats, team: usize) -> &[f32] {
        &self.insertion_gains[team * seats.len()..][..seats.len()]
    }

    /// Computes the sums of a match anew.
    fn recount(&mut self, seats: &Seats, index: usize) {
        let (lanes, players) = (self.table.lanes(), seats.len());
        for side in 0..2 {
            let team = 2 * index + side;
            let (own, other) = (seats.team(team), seats.team(2 * index + 1 - side));
            let mates = own.iter().map(|&mate| self.table.together(mate));
            let opponents = other.iter().map(|&opponent| self.table.against(opponent));
            sum_rows(
                &mut self.insertion_gains[team * players..][..players],
                mates.chain(opponents),
            );
            let sums = &mut self.sums[team * lanes..][..lanes];
            sums.fill(Lanes::default());
            for &player in own {
                add_levels(sums, self.table.levels(player), 1.0);
            }
        }
        if let Some(counts) = self.apart.chunks_exact_mut(players).nth(index) {
            counts.fill(0);
            for row in seats
                .all(index)
                .iter()
                .filter_map(|&player| self.table.apart(player))
            {
                for (count, apart) in counts.iter_mut().zip(row) {
                    *count = count.wrapping_add(*apart);
                }
            }
        }
        self.matches[index].changes = 0;
        self.sum_up(seats, index);
    }

    /// Updates the sums of a match after players `left` one of its teams and others `joined` it.
    fn update(&mut self, seats: &Seats, team: usize, left: &[u32], joined: &[u32]) {
        let (index, players, lanes) = (team / 2, seats.len(), self.table.lanes());
        self.matches[index].changes += 1;
        if self.table.is_rough() || self.matches[index].changes > MOST_CHANGES {
            self.recount(seats, index);
            return;
        }
        for (&gone, &new) in left.iter().zip(joined) {
            let own = &mut self.insertion_gains[team * players..][..players];
            replace_row(own, self.table.together(new), self.table.together(gone));
            let other = &mut self.insertion_gains[(team ^ 1) * players..][..players];
            replace_row(other, self.table.against(new), self.table.against(gone));
            let sums = &mut self.sums[team * lanes..][..lanes];
            add_levels(sums, self.table.levels(gone), -1.0);
            add_levels(sums, self.table.levels(new), 1.0);
            if let (Some(new), Some(gone)) = (self.table.apart(new), self.table.apart(gone)) {
                let counts = &mut self.apart[index * players..][..players];
                for (count, (new, gone)) in counts.iter_mut().zip(new.iter().zip(gone)) {
                    *count = count.wrapping_add(*new).wrapping_sub(*gone);
                }
            }
        }
        self.sum_up(seats, index);
    }

    /// The value of a match from its sums.
    fn sum_up(&mut self, seats: &Seats, index: usize) {
        let mut total = 0.0;
        for team in [2 * index, 2 * index + 1] {
            let gains = self.insertion_gains(seats, team);
            total += seats
                .team(team)
                .iter()
                .map(|&player| gains[player as usize])
                .sum::<f32>();
        }
        let (mut links, mut linked) = (0.0, 0);
        if let Some(last) = self.table.by_count().len().checked_sub(1) {
            let counts = &self.apart[index * seats.len()..][..seats.len()];
            linked = seats
                .all(index)
                .iter()
                .filter(|&&player| counts[player as usize] == 0)
                .count();
            links = self.table.by_count()[linked.min(last)];
        }
        let balances = self.balances_after(2 * index, &[], &[]);
        let penalty = self.table.penalty(seats.all(index));
        let now = &mut self.matches[index];
        *now = Match {
            pairs: 0.5 * total,
            links,
            linked,
            penalty,
            ..*now
        };
        now.value = self.table.worth(now.pairs, balances + links, penalty);
    }

    /// By how much the sum of pairs rises in the match of `team` if `leave` left that team and `join` joined it.
    #[inline]
    fn pairs_gained(&self, seats: &Seats, team: usize, leave: &[u32], join: &[u32]) -> f32 {
        let gains = self.insertion_gains(seats, team);
        let mut pairs = 0.0;
        for &player in leave {
            pairs -= gains[player as usize];
        }
        for &player in join {
            let row = self.table.together(player);
            pairs += gains[player as usize];
            for &gone in leave {
                pairs -= row[gone as usize];
            }
        }
        if leave.len() > 1 {
            // Pairs among them were counted twice among those who leave, and not at all among those who join.
            pairs += self.within(leave) + self.within(join);
        }
        pairs
    }

    /// The sum of the pairs' terms among players of one team.
    fn within(&self, players: &[u32]) -> f32 {
        let mut sum = 0.0;
        for (k, &player) in players.iter().enumerate().skip(1) {
            let row = self.table.together(player);
            sum += players[..k].iter().map(|&mate| row[mate as usize]).sum::<f32>();
        }
        sum
    }

    /// What balances are worth in the match of `team` if `leave` left that team and `join` joined it.
    #[inline]
    fn balances_after(&self, team: usize, leave: &[u32], join: &[u32]) -> f32 {
        let other = team ^ 1;
        self.balances(team, |group| {
            [
                self.moved(team, group, leave, join),
                self.sums[other * self.table.lanes() + group],
            ]
        })
    }

    /// What balances are worth if the sums of this team and of its opponents are these in each lane group.
    #[inline]
    fn balances(&self, team: usize, sums: impl Fn(usize) -> [Lanes; 2]) -> f32 {
        let mut worth = 0.0;
        for group in 0..self.table.lanes() {
            let [own, other] = sums(group);
            worth += if team.is_multiple_of(2) {
                self.table.balance(group, &own, &other)
            } else {
                self.table.balance(group, &other, &own)
            };
        }
        worth
    }

    /// The sums of a team in a lane group if `leave` left and `join` joined.
    #[inline]
    fn moved(&self, team: usize, group: usize, leave: &[u32], join: &[u32]) -> Lanes {
        let mut sums = [self.sums[team * self.table.lanes() + group]];
        for (players, sign) in [(leave, -1.0), (join, 1.0)] {
            for &player in players {
                add_levels(&mut sums, &self.table.levels(player)[group..], sign);
            }
        }
        sums[0]
    }

    /// What links are worth in the match of `team` if `leave` left that team and `join` joined it.
    #[inline]
    fn links_after(&self, seats: &Seats, team: usize, leave: &[u32], join: &[u32]) -> f32 {
        let by_count = self.table.by_count();
        let Some(last) = by_count.len().checked_sub(1) else {
            return 0.0;
        };
        let index = team / 2;
        let apart = &self.apart[index * seats.len()..][..seats.len()];
        // A player who joins and is linked with all takes nothing from the others: mostly there are enough, then.
        if join.len() == 1 && apart[join[0] as usize] == 0 {
            let gone = leave
                .iter()
                .filter(|&&player| apart[player as usize] == 0)
                .count();
            if self.matches[index].linked - gone + 1 >= last {
                return by_count[last];
            }
        }
        let rows = |players: &[u32], of: u32| -> u16 {
            let rows = players.iter().filter_map(|&player| self.table.apart(player));
            rows.map(|row| row[of as usize]).sum()
        };
        let with_all = |&&player: &&u32| apart[player as usize] + rows(join, player) == rows(leave, player);
        let stayed = seats.all(index).iter().filter(|player| !leave.contains(player));
        by_count[stayed.chain(join).filter(with_all).take(last).count()]
    }

    /// The gain of an exchange between the teams of one match.
    fn gain_within(&self, seats: &Seats, exchange: &Exchange) -> f32 {
        let (from, to) = (exchange.from, exchange.to);
        let now = self.matches[from / 2];
        let mut pairs = now.pairs;
        // Mates of those who cross over become opponents and the other way round, but for those who cross with them.
        for (movers, with, own, other) in [
            (&exchange.out, &exchange.back, from, to),
            (&exchange.back, &exchange.out, to, from),
        ] {
            let (before, after) = (
                self.insertion_gains(seats, own),
                self.insertion_gains(seats, other),
            );
            for &player in movers {
                let (together, against) = (self.table.together(player), self.table.against(player));
                pairs += after[player as usize] - before[player as usize];
                for &mate in movers.iter().filter(|&&mate| mate != player) {
                    pairs += together[mate as usize] - against[mate as usize];
                }
                for &opponent in with {
                    pairs += against[opponent as usize] - together[opponent as usize];
                }
            }
        }
        let balances = self.balances(from, |group| {
            [
                self.moved(from, group, &exchange.out, &exchange.back),
                self.moved(to, group, &exchange.back, &exchange.out),
            ]
        });
        self.table.worth(pairs, balances + now.links, now.penalty) - now.value
    }
}

impl Evaluator for ByTerms<'_> {
    #[inline]
    fn gain(&mut self, seats: &Seats, exchange: &Exchange, least: f32) -> Option<f32> {
        if exchange.from / 2 == exchange.to / 2 {
            let gain = self.gain_within(seats, exchange);
            return (gain >= least).then_some(gain);
        }
        let bench = seats.bench();
        let ends = [
            (exchange.from, &exchange.out[..], &exchange.back[..]),
            (exchange.to, &exchange.back, &exchange.out),
        ];
        // Pairs cost little, and mostly tell that an exchange is out of the question: balances first count as the most
        // that they can be worth, links likewise.
        let (mut pairs, mut penalty) = ([0.0; 2], [0.0; 2]);
        let mut balances = [self.table.most_balance(); 2];
        let mut links = [self.table.most_links(); 2];
        let mut known = 0.0;
        for (end, (team, leave, join)) in ends.into_iter().enumerate() {
            if team == bench {
                known += self.table.penalty(leave) - self.table.penalty(join);
            } else {
                let now = &self.matches[team / 2];
                pairs[end] = now.pairs + self.pairs_gained(seats, team, leave, join);
                known -= now.value;
                if self.table.is_rough() {
                    penalty[end] = now.penalty + self.table.penalty(join) - self.table.penalty(leave);
                }
            }
        }
        for stage in 0..3 {
            let mut gain = known;
            for (end, (team, leave, join)) in ends.into_iter().enumerate() {
                if team == bench {
                    continue;
                }
                match stage {
                    0 => {}
                    1 => balances[end] = self.balances_after(team, leave, join),
                    _ => links[end] = self.links_after(seats, team, leave, join),
                }
                gain += self
                    .table
                    .worth(pairs[end], balances[end] + links[end], penalty[end]);
            }
            if gain < least {
                return None;
            }
            if stage == 2 || stage == 1 && self.apart.is_empty() {
                return Some(gain);
            }
        }
        None
    }

    fn apply(&mut self, seats: &Seats, exchange: &Exchange) {
        if exchange.from / 2 == exchange.to / 2 {
            self.recount(seats, exchange.from / 2);
            return;
        }
        for (team, left, joined) in [
            (exchange.from, &exchange.out, &exchange.back),
            (exchange.to, &exchange.back, &exchange.out),
        ] {
            if team != seats.bench() {
                self.update(seats, team, left, joined);
            }
        }
    }

    fn value(&self, index: usize) -> f32 {
        self.matches[index].value
    }

    fn penalty(&self, players: &[u32]) -> f32 {
        self.table.penalty(players)
    }

    #[inline]
    fn insertion_gain(&self, seats: &Seats, player: u32) -> f32 {
        let team = seats.team_of(player);
        if team == seats.bench() {
            0.0
        } else {
            self.insertion_gains(seats, team)[player as usize]
        }
    }

    /// Draws by the sums of pairs: in proportion to exp(gain / T).
    #[inline]
    fn sample_swap(
        &self,
        seats: &Seats,
        one: u32,
        target: usize,
        temperature: f32,
        (bits, noise): (&mut SplitMix64, &Noise),
    ) -> u32 {
        let (from, bench) = (seats.team_of(one), seats.bench());
        let players = seats.around(target);
        if from == bench || target == bench || from / 2 == target / 2 {
            return players[bits.quick_below(players.len())];
        }
        let (row, here) = (self.table.together(one), self.insertion_gains(seats, from));
        let mut chances = noise.gumbel(bits).iter().cycle();
        let (mut best, mut chosen) = (f32::NEG_INFINITY, players[0]);
        for team in [target & !1, target | 1] {
            let there = self.insertion_gains(seats, team);
            let joining = there[one as usize];
            for &other in seats.team(team) {
                let at = other as usize;
                let gain = joining + here[at] - there[at] - 2.0 * row[at];
                let score = gain + temperature * chances.next().unwrap_or(&0.0);
                if score > best {
                    (best, chosen) = (score, other);
                }
            }
        }
        chosen
    }
}

/// Adds a player's levels with a sign.
#[inline]
fn add_levels(sums: &mut [Lanes], levels: &[Lanes], sign: f32) {
    for (sums, levels) in sums.iter_mut().zip(levels) {
        for (sum, level) in sums.iter_mut().zip(levels) {
            *sum += sign * level;
        }
    }
}

/// Adds one row to sums, and takes another away.
fn replace_row(sums: &mut [f32], new: &[f32], gone: &[f32]) {
    for (sum, (new, gone)) in sums.iter_mut().zip(new.iter().zip(gone)) {
        *sum += new - gone;
    }
}

/// The sums of rows, two at a time to write sums half as often.
fn sum_rows<'r>(sums: &mut [f32], mut rows: impl Iterator<Item = &'r [f32]>) {
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
