//! What an exchange between matches gains if each match's players are divided best.

use super::divisions::Divisions;
use super::judge::Judge;
use super::kinds::{Kinds, PROBED};
use super::noise::Noise;
use super::seats::{Exchange, Seats};
use super::seen::Seen;
use super::table::Table;
use super::tally::{exchange_rows, sum_up};
use super::ways::{MOST_PLAYERS, Ways};
use crate::random::SplitMix64;

/// Changes of a match after which it is counted anew.
const MOST_CHANGES: u32 = 100;

/// What is remembered of a match.
#[derive(Debug, Clone, Copy, Default)]
struct Match {
    /// The sum of what its pairs are worth in the mean of all ways to divide it.
    pairs: f32,
    /// What the best way adds, with balances and links.
    rest: f32,
    /// Which kind of match it is.
    kind: usize,
    changes: u32,
    /// The sum of its players' numbers among the matches seen.
    number: u64,
}

/// Judges matches by their best division, where seats are of whole matches.
///
/// Whatever does not depend on the division is counted on with every exchange, as [`Tally`](super::tally::Tally) does;
/// it decides most of them. Only where the best division could make up for it, all of them are looked at.
#[derive(Debug)]
pub(super) struct Divided<'a> {
    table: &'a Table,
    divisions: Divisions<'a>,
    matches: Vec<Match>,
    kinds: Kinds,
    /// Match by match, for each player of the pool the sum of `mean` with its players; the last row is the bench's: what
    /// he costs there, negative.
    fits: Vec<f32>,
    /// Match by match, for each player of the pool with how many of its players he is not linked; empty if links do
    /// not count.
    apart: Vec<u16>,
    /// What the exchange judged last would make of its two matches.
    judged: [Match; 2],
    /// Exchanges judged so far.
    asked: u32,
    /// What divisions and links add to matches looked at lately.
    seen: Seen,
}

impl<'a> Divided<'a> {
    pub(super) fn new(table: &'a Table, ways: &'a Ways, sizes: (usize, usize), seats: &Seats) -> Self {
        let (players, matches) = (table.players(), seats.matches());
        #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
        let party_sizes = (0..players as u32).map(|player| seats.party(player).len());
        let mut divided = Self {
            table,
            divisions: Divisions::new(table, ways, sizes, seats),
            matches: vec![Match::default(); matches],
            kinds: Kinds::new(party_sizes, table.most_balance() + table.most_links()),
            fits: vec![0.0; (matches + 1) * players],
            apart: vec![
                0;
                if table.by_count().is_empty() {
                    0
                } else {
                    matches * players
                }
            ],
            judged: [Match::default(); 2],
            asked: 0,
            seen: Seen::new(players),
        };
        for index in 0..matches {
            divided.count(seats, index);
        }
        for (player, cost) in divided.fits[matches * players..].iter_mut().enumerate() {
            *cost = -table.price_of(player);
        }
        divided
    }

    /// Counts a match anew.
    fn count(&mut self, seats: &Seats, index: usize) {
        let players = self.table.players();
        let team = seats.team(index);
        let fits = &mut self.fits[index * players..][..players];
        let rows = team.iter().map(|&player| self.divisions.mean(player));
        sum_up(fits, rows);
        if let Some(apart) = self
            .apart
            .get_mut(index * players..)
            .filter(|rest| !rest.is_empty())
        {
            let apart = &mut apart[..players];
            apart.fill(0);
            for row in team.iter().filter_map(|&player| self.table.apart(player)) {
                for (count, row) in apart.iter_mut().zip(row) {
                    *count = count.wrapping_add(*row);
                }
            }
        }
        let fits = self.fits(index);
        let pairs = 0.5 * team.iter().map(|&player| fits[player as usize]).sum::<f32>();
        let rest = self.divisions.worths(team).best() + self.links(index, team, &[], &[]);
        let kind = self.kinds.of(team);
        self.matches[index] = Match {
            pairs,
            rest,
            kind,
            changes: 0,
            number: self.seen.number(team),
        };
    }

    /// What links are worth in a match of these players, which it is after `leave` left it and `join` joined it.
    #[inline]
    fn links(&self, index: usize, players: &[u32], leave: &[u32], join: &[u32]) -> f32 {
        let by_count = self.table.by_count();
        let Some(last) = by_count.len().checked_sub(1) else {
            return 0.0;
        };
        let all = self.table.players();
        let apart = &self.apart[index * all..][..all];
        let mut linked = 0;
        for &player in players {
            // Links have no direction: his row tells who is not linked with him, too.
            let row = self.table.apart(player).unwrap_or_default();
            let mut count = apart[player as usize];
            for (&gone, &new) in leave.iter().zip(join) {
                count = count
                    .wrapping_add(row[new as usize])
                    .wrapping_sub(row[gone as usize]);
            }
            linked += usize::from(count == 0);
            if linked >= last {
                return by_count[last];
            }
        }
        by_count[linked]
    }

    /// For each player of the pool, how he fits into the match in the mean.
    #[inline]
    fn fits(&self, index: usize) -> &[f32] {
        let players = self.table.players();
        &self.fits[index * players..][..players]
    }

    /// By how much the sums of pairs rise in the two matches of an exchange, or what the bench costs falls.
    #[inline]
    fn pairs_gained(&self, seats: &Seats, exchange: &Exchange) -> [f32; 2] {
        let (out, back, bench) = (&exchange.out, &exchange.back, seats.bench());
        // Who leaves takes along pairs with those who come, in either match. Pairs among them were counted twice among
        // those who leave, and not at all among those who come.
        let mut between = 0.0;
        for &gone in out {
            let row = self.divisions.mean(gone);
            for &new in back {
                between -= row[new as usize];
            }
        }
        if out.len() > 1 {
            between += self.within(out) + self.within(back);
        }
        let all = self.table.players();
        let row = |index: usize| &self.fits[index * all..][..all];
        let (here, there) = (row(exchange.from), row(exchange.to));
        let of_pairs = |index: usize| if index == bench { 0.0 } else { between };
        let mut gained = [of_pairs(exchange.from), of_pairs(exchange.to)];
        for (&gone, &new) in out.iter().zip(back) {
            let (gone, new) = (gone as usize, new as usize);
            gained[0] += here[new] - here[gone];
            gained[1] += there[gone] - there[new];
        }
        gained
    }

    /// The sum of pairs among these players.
    #[inline]
    fn within(&self, players: &[u32]) -> f32 {
        if let &[one, other] = players {
            return self.divisions.mean(one)[other as usize];
        }
        let mut sum = 0.0;
        for (k, &player) in players.iter().enumerate().skip(1) {
            let row = self.divisions.mean(player);
            for &mate in &players[..k] {
                sum += row[mate as usize];
            }
        }
        sum
    }

    /// The kinds of matches that an exchange would make of its two; of the bench, any.
    #[inline]
    fn kinds_after(&mut self, seats: &Seats, exchange: &Exchange) -> [usize; 2] {
        let bench = seats.bench();
        let kind = |index: usize| {
            if index == bench {
                0
            } else {
                self.matches[index].kind
            }
        };
        let now = [kind(exchange.from), kind(exchange.to)];
        let (out, back) = (&exchange.out, &exchange.back);
        if out.len() == 1 || self.divisions.is_party(out) && self.divisions.is_party(back) {
            return now;
        }
        let (out, back) = (self.kinds.sizes(out), self.kinds.sizes(back));
        if out == back {
            return now;
        }
        let mut after = |index: usize, kind: usize, leave: u32, join: u32| {
            if index == bench {
                kind
            } else {
                self.kinds.after(kind, leave, join)
            }
        };
        [
            after(exchange.from, now[0], out, back),
            after(exchange.to, now[1], back, out),
        ]
    }

    /// Counts a match on after these players left it and those joined it.
    fn change(&mut self, seats: &Seats, index: usize, left: &[u32], joined: &[u32], judged: Match) {
        let players = self.table.players();
        let changes = self.matches[index].changes + 1;
        if self.table.is_rough() || changes > MOST_CHANGES {
            self.count(seats, index);
            return;
        }
        for (&gone, &new) in left.iter().zip(joined) {
            let fits = &mut self.fits[index * players..][..players];
            exchange_rows(fits, self.divisions.mean(new), self.divisions.mean(gone));
        }
        if !self.apart.is_empty() {
            let counts = &mut self.apart[index * players..][..players];
            for (&gone, &new) in left.iter().zip(joined) {
                let rows = self.table.apart(new).unwrap_or_default().iter();
                let rows = rows.zip(self.table.apart(gone).unwrap_or_default());
                for (count, (new, gone)) in counts.iter_mut().zip(rows) {
                    *count = count.wrapping_add(*new).wrapping_sub(*gone);
                }
            }
        }
        self.matches[index] = Match { changes, ..judged };
    }
}

impl Judge for Divided<'_> {
    #[inline]
    fn gain_above(&mut self, seats: &Seats, exchange: &Exchange, least: f32) -> Option<f32> {
        let bench = seats.bench();
        let ends = [
            (exchange.from, &exchange.out, &exchange.back),
            (exchange.to, &exchange.back, &exchange.out),
        ];
        let gained = self.pairs_gained(seats, exchange);
        let kinds = self.kinds_after(seats, exchange);
        // What is known of the gain, and what it is given for the rest of each match.
        let (mut gain, mut hope) = (gained[0] + gained[1], [0.0; 2]);
        for (end, (index, ..)) in ends.into_iter().enumerate() {
            if index == bench {
                continue;
            }
            let now = self.matches[index];
            hope[end] = self.kinds.likely_rest(kinds[end]) - now.rest;
            self.judged[end] = Match {
                pairs: now.pairs + gained[end],
                kind: kinds[end],
                changes: 0,
                ..now
            };
        }
        self.asked = self.asked.wrapping_add(1);
        let is_probed = self.asked.is_multiple_of(PROBED);
        let mut is_unlikely = gain + hope[0] + hope[1] < least;
        if is_unlikely && !is_probed {
            return None;
        }
        for (end, (index, leave, join)) in ends.into_iter().enumerate() {
            if index == bench {
                continue;
            }
            hope[end] = 0.0;
            let now = self.judged[end];
            let number = now
                .number
                .wrapping_add(self.seen.number(join))
                .wrapping_sub(self.seen.number(leave));
            let rest = if let Some(rest) = self.seen.rest(number) {
                rest
            } else {
                let mut team = [0; MOST_PLAYERS];
                let before = seats.team(index);
                let team = &mut team[..before.len()];
                for (place, player) in team.iter_mut().zip(before) {
                    let gone = leave.iter().position(|gone| gone == player);
                    *place = gone.map_or(*player, |k| join[k]);
                }
                let links = self.links(index, team, leave, join);
                let likely = self.kinds.likely_rest(now.kind) - self.table.most_links() + links - now.rest;
                is_unlikely |= gain + hope[0] + hope[1] + likely < least;
                if is_unlikely && !is_probed {
                    return None;
                }
                let rest = self.divisions.worths(team).best() + links;
                self.seen.keep(number, rest);
                self.kinds.learn(now.kind, rest);
                rest
            };
            gain += rest - now.rest;
            self.judged[end] = Match { rest, number, ..now };
            is_unlikely |= gain + hope[0] + hope[1] < least;
            if is_unlikely && !is_probed {
                return None;
            }
        }
        if gain < least {
            return None;
        }
        if is_unlikely {
            for (end, (index, ..)) in ends.into_iter().enumerate() {
                if index != bench {
                    self.kinds.begin_anew(kinds[end]);
                }
            }
        }
        Some(gain)
    }

    /// Draws by the sums of pairs: in proportion to exp(gain / T).
    #[inline]
    fn beside(
        &self,
        seats: &Seats,
        one: u32,
        partner: u32,
        temperature: f32,
        (bits, noise): (&mut SplitMix64, &Noise),
    ) -> u32 {
        let (from, to, bench) = (seats.team_of(one), seats.team_of(partner), seats.bench());
        if from == bench || to == bench || from == to {
            let players = seats.team(to);
            return players[bits.quick_below(players.len())];
        }
        let (row, here, there) = (self.divisions.mean(one), self.fits(from), self.fits(to));
        let mut best = u64::from(partner);
        for (&other, chance) in seats.team(to).iter().zip(noise.gumbel(bits)) {
            let at = other as usize;
            let gain = here[at] - there[at] - 2.0 * row[at];
            let score = gain + temperature * chance;
            // Whoever is best is anybody's guess: a number that says both spares a branch that is as often wrong.
            let key = u64::from(in_order(score)) << 32 | u64::from(other);
            best = best.max(if other == partner { 0 } else { key });
        }
        #[allow(clippy::cast_possible_truncation, reason = "the lower half is the player")]
        let place = best as u32;
        place
    }

    #[inline]
    fn fit(&self, seats: &Seats, player: u32) -> f32 {
        let team = seats.team_of(player);
        if team == seats.bench() {
            0.0
        } else {
            self.fits(team)[player as usize]
        }
    }

    fn moved(&mut self, seats: &Seats, exchange: &Exchange) {
        let [one, other] = self.judged;
        let bench = seats.bench();
        if exchange.from != bench {
            self.change(seats, exchange.from, &exchange.out, &exchange.back, one);
        }
        if exchange.to != bench {
            self.change(seats, exchange.to, &exchange.back, &exchange.out, other);
        }
    }

    fn value(&self, index: usize) -> f32 {
        self.matches[index].pairs + self.matches[index].rest
    }

    fn price(&self, players: &[u32]) -> f32 {
        self.table.price(players)
    }

    fn teams(&self, seats: &Seats) -> Vec<Vec<u32>> {
        let mut teams = Vec::with_capacity(2 * seats.matches() + 1);
        for index in 0..seats.matches() {
            let players = seats.team(index);
            let first = self.divisions.best_first(players);
            let of_side = |side: u32| {
                let places = players.iter().enumerate();
                places
                    .filter(|(place, _)| first >> place & 1 == side)
                    .map(|(_, &player)| player)
                    .collect()
            };
            teams.extend([of_side(1), of_side(0)]);
        }
        teams.push(seats.team(seats.bench()).to_vec());
        teams
    }
}

/// A number that is greater for greater numbers, which are no NaN.
#[inline]
const fn in_order(number: f32) -> u32 {
    let bits = number.to_bits();
    bits ^ ((bits.cast_signed() >> 31).cast_unsigned() | 1 << 31)
}

#[cfg(test)]
mod tests;
