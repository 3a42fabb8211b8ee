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
use crate::bits::SplitMix64;

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
mod tests {
    use super::*;
    use crate::lobby::pool::LobbyPool;
    use crate::lobby::start::Plan;
    use crate::lobby::terms::{Balance, LobbyTerms};

    /// Terms of every kind; some pairs are forbidden as mates, as opponents or as both, if `rough`.
    fn terms(players: usize, rough: bool, bits: &mut SplitMix64) -> LobbyTerms {
        let mut table = |low: f64, high: f64| -> Vec<f64> {
            let mut table = vec![0.0; players * players];
            for i in 0..players {
                for j in 0..i {
                    let term = low + (high - low) * bits.unit();
                    (table[i * players + j], table[j * players + i]) = (term, term);
                }
            }
            table
        };
        let (together, against) = (table(-0.002, 0.01), table(0.001, 0.01));
        let (links, banned) = (table(0.0, 1.0), table(0.0, 1.0));
        let allowed = |at: usize, from: f64, to: f64| !rough || !(from..to).contains(&banned[at]);
        let levels = |bits: &mut SplitMix64, scale: f64| (0..players).map(|_| scale * bits.unit()).collect();
        let (skills, bonds) = (levels(bits, 1000.0), vec![0.0; players]);
        LobbyTerms::new(players)
            .with_pairs(
                |i, j| allowed(i * players + j, 0.9, 0.94).then(|| together[i * players + j]),
                |i, j| allowed(i * players + j, 0.92, 0.96).then(|| against[i * players + j]),
            )
            .unwrap()
            .with_balance(Balance::new(skills, 0.2, |gap| 0.2 - 0.2 * (gap / 1000.0)))
            .unwrap()
            // Everybody has the same level of this one.
            .with_balance(Balance::new(bonds, 0.1, |gap| 0.1 * (1.0 - gap)))
            .unwrap()
            .with_links(
                |i, j| links[i * players + j] < 0.8 || i == j,
                vec![0.0, 0.05, 0.07],
            )
            .unwrap()
    }

    /// What players are worth divided best, by the terms and all sets of the first team's size.
    fn best(pool: &LobbyPool, terms: &LobbyTerms, players: &[u32]) -> Option<f64> {
        let of_side = |set: u32, side: u32| -> Vec<usize> {
            let places = players.iter().enumerate();
            places
                .filter(|(place, _)| set >> place & 1 == side)
                .map(|(_, &player)| player as usize)
                .collect()
        };
        (0..1_u32 << players.len())
            .filter(|set| set.count_ones() as usize == pool.sizes().0)
            .map(|set| (of_side(set, 1), of_side(set, 0)))
            .filter(|(first, _)| {
                first
                    .iter()
                    .all(|&player| pool.party_of(player).iter().all(|mate| first.contains(mate)))
            })
            .filter_map(|(first, second)| terms.quality(&first, &second))
            .max_by(f64::total_cmp)
    }

    fn value(pool: &LobbyPool, terms: &LobbyTerms, seats: &Seats) -> Option<f64> {
        let matches = (0..seats.matches()).map(|k| best(pool, terms, seats.team(k)));
        let bench = seats.team(seats.bench()).iter();
        let out: f64 = bench.map(|&player| pool.prices()[player as usize]).sum();
        Some(matches.sum::<Option<f64>>()? - out)
    }

    #[test]
    fn what_an_exchange_gains_is_the_difference_of_the_best_divisions() {
        let mut bits = SplitMix64(12);
        for (players, sizes, parties, rough) in [
            (
                26,
                (3, 3),
                vec![vec![0, 1, 2], vec![3, 4], vec![5, 6], vec![7, 8]],
                false,
            ),
            (
                26,
                (3, 3),
                vec![vec![0, 1, 2], vec![3, 4], vec![5, 6], vec![7, 8]],
                true,
            ),
            (13, (1, 4), vec![vec![0, 1, 2, 3], vec![4, 5]], false),
            (18, (4, 4), vec![vec![0, 1], vec![2, 3, 4]], false),
            (11, (2, 3), vec![vec![0, 1], vec![2, 3, 4]], true),
            (7, (1, 1), vec![], false),
        ] {
            let prices: Vec<f64> = (0..players).map(|_| bits.unit()).collect();
            let pool = LobbyPool::new(players, sizes).unwrap();
            let pool = pool.with_parties(&parties).unwrap().with_prices(&prices).unwrap();
            let terms = terms(players, rough, &mut bits);
            let table = Table::new(&pool, &terms);
            let ways = Ways::of(sizes).unwrap();
            let teams = Plan::of(&pool).deal(&pool, 9.0, &mut bits);
            let matches: Vec<Vec<u32>> = teams.chunks(2).map(<[_]>::concat).collect();
            let mut seats = Seats::of_matches(&pool, &matches);
            let mut divided = Divided::new(&table, &ways, sizes, &seats);
            let mut exchange = Exchange::default();
            let (mut compared, mut impossible) = (0, 0);
            for _ in 0..1500 {
                let (one, other) = (seats.at(bits.below(players)), seats.at(bits.below(players)));
                if !seats.propose(one, other, &mut bits, &mut exchange) {
                    continue;
                }
                let before = value(&pool, &terms, &seats);
                let Some(gain) = divided
                    .gain_above(&seats, &exchange, f32::NEG_INFINITY)
                    .filter(|gain| gain.is_finite())
                else {
                    impossible += 1;
                    continue;
                };
                seats.apply(&exchange);
                divided.moved(&seats, &exchange);
                let after = value(&pool, &terms, &seats);
                if let (Some(before), Some(after)) = (before, after) {
                    compared += 1;
                    let difference = after - before;
                    assert!(
                        (f64::from(gain) - difference).abs() < 1e-3,
                        "{gain} for {difference}"
                    );
                    assert!((divided.total(&seats) - after).abs() < 1e-3);
                    let found = divided.teams(&seats);
                    for (index, pair) in found.chunks_exact(2).enumerate() {
                        let names = |team: &[u32]| team.iter().map(|&p| p as usize).collect::<Vec<_>>();
                        let quality = terms.quality(&names(&pair[0]), &names(&pair[1])).unwrap();
                        let best = best(&pool, &terms, seats.team(index)).unwrap();
                        assert!((quality - best).abs() < 1e-3);
                    }
                } else if before.is_some() {
                    // A forbidden match costs more than everything else is worth.
                    assert!(gain < -100.0, "{gain}");
                }
            }
            assert!(
                compared > if rough { 10 } else { 500 },
                "{players} {sizes:?} {rough}: {compared}"
            );
            assert!(impossible < 700);
        }
    }

    #[test]
    fn an_estimate_that_hides_what_gains_is_found_out() {
        // Balance is all there is: both matches have one player too strong, who are better off in one.
        let skills = vec![0.0, 0.0, 0.0, 6.0, 0.0, 0.0, 0.0, 6.0];
        let pool = LobbyPool::new(8, (2, 2)).unwrap();
        let terms = LobbyTerms::new(8)
            .with_balance(Balance::new(skills, 1.0, |gap| 1.0 - gap / 6.0))
            .unwrap();
        let table = Table::new(&pool, &terms);
        let ways = Ways::of((2, 2)).unwrap();
        let seats = Seats::of_matches(&pool, &[vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![]]);
        let mut divided = Divided::new(&table, &ways, (2, 2), &seats);
        // Uneven matches alone were looked at, for long.
        for _ in 0..20_000 {
            divided.kinds.learn(0, -1.0);
        }
        assert!(divided.kinds.likely_rest(0) < -0.5);
        let exchange = Exchange {
            from: 0,
            to: 1,
            out: vec![3],
            back: vec![4],
        };
        let gains: Vec<f32> = (0..PROBED)
            .filter_map(|_| divided.gain_above(&seats, &exchange, 0.01))
            .collect();
        assert_eq!(gains.len(), 1, "{gains:?}");
        assert!(divided.kinds.likely_rest(0) > 0.9);
        // Now that it is known, every time.
        let gains = (0..PROBED).filter_map(|_| divided.gain_above(&seats, &exchange, 0.01));
        assert_eq!(gains.count(), PROBED as usize);
    }

    #[test]
    fn parties_that_fit_into_no_division_are_never_brought_together() {
        let pool = LobbyPool::new(12, (3, 3)).unwrap();
        let pool = pool.with_parties(&[vec![0, 1], vec![2, 3], vec![6, 7]]).unwrap();
        let terms = LobbyTerms::new(12)
            .with_pairs(|_, _| Some(0.01), |_, _| Some(0.01))
            .unwrap();
        let table = Table::new(&pool, &terms);
        let ways = Ways::of((3, 3)).unwrap();
        let seats = Seats::of_matches(&pool, &[(0..6).collect(), (6..12).collect(), vec![]]);
        let mut divided = Divided::new(&table, &ways, (3, 3), &seats);
        let exchange = Exchange {
            from: 0,
            to: 1,
            out: vec![4, 5],
            back: vec![6, 7],
        };
        let gain = divided.gain_above(&seats, &exchange, f32::NEG_INFINITY);
        assert!(gain.is_none_or(|gain| gain == f32::NEG_INFINITY), "{gain:?}");
    }
}
