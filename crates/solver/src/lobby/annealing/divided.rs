//! What an exchange between matches gains if each match's players are divided best.

use super::judge::Judge;
use super::noise::Noise;
use super::seats::{Exchange, Seats};
use super::table::{FORBIDDEN, Table};
use super::tally::{exchange_rows, sum_up};
use super::ways::{LANES, MOST_GROUPS, MOST_PAIRS, MOST_PLAYERS, Ways};
use crate::bits::SplitMix64;

/// Changes of a match after which it is counted anew.
const MOST_CHANGES: u32 = 100;

/// What an exchange is given for divisions not yet looked at: no less than this share of those that were.
const LIKELY: f32 = 0.9;

/// By how much that estimate moves with each division looked at, in qualities.
const PACE: f32 = 0.002;

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
}

/// Matches whose parties have the same sizes.
#[derive(Debug)]
struct Kind {
    /// How many players are in parties of 1, 2, 3, ...: four bits each.
    sizes: u32,
    /// What the best way to divide one adds, likely at most.
    likely_rest: f32,
}

/// Judges matches by their best division, where seats are of whole matches.
///
/// Whatever does not depend on the division is counted on with every exchange, as [`Tally`](super::tally::Tally) does;
/// it decides most of them. Only where the best division could make up for it, all of them are looked at.
#[derive(Debug)]
pub(super) struct Divided<'a> {
    table: &'a Table,
    ways: &'a Ways,
    matches: Vec<Match>,
    kinds: Vec<Kind>,
    /// Row by row, what a pair is worth in the mean of all ways, and what it is worth more as mates than as
    /// opponents.
    mean: Vec<f32>,
    excess: Vec<f32>,
    /// How many of a match's pairs are mates, as a share.
    mates: f32,
    /// Match by match, for each player of the pool the sum of `mean` with its players.
    fits: Vec<f32>,
    /// Match by match, for each player of the pool with how many of its players he is not linked; empty if links do
    /// not count.
    apart: Vec<u16>,
    /// What the exchange judged last would make of its two matches.
    judged: [Match; 2],
}

impl<'a> Divided<'a> {
    pub(super) fn new(table: &'a Table, ways: &'a Ways, sizes: (usize, usize), seats: &Seats) -> Self {
        let (players, matches) = (table.players(), seats.matches());
        #[allow(clippy::cast_precision_loss, reason = "a handful of players")]
        let pairs_of = |size: usize| (size * size.saturating_sub(1) / 2) as f32;
        let mates = (pairs_of(sizes.0) + pairs_of(sizes.1)) / pairs_of(sizes.0 + sizes.1);
        let mut divided = Self {
            table,
            ways,
            matches: vec![Match::default(); matches],
            kinds: Vec::new(),
            mean: Vec::with_capacity(players * players),
            excess: Vec::with_capacity(players * players),
            mates,
            fits: vec![0.0; matches * players],
            apart: vec![
                0;
                if table.by_count().is_empty() {
                    0
                } else {
                    matches * players
                }
            ],
            judged: [Match::default(); 2],
        };
        for player in 0..players {
            #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
            let player = player as u32;
            for (&together, &against) in table.together(player).iter().zip(table.against(player)) {
                // A pair that is forbidden one way only is worth what it is the other way.
                let mean = match (together == FORBIDDEN, against == FORBIDDEN) {
                    (true, _) => against,
                    (_, true) => together,
                    _ => mates * together + (1.0 - mates) * against,
                };
                divided.mean.push(mean);
                divided.excess.push(together - against);
            }
        }
        for index in 0..matches {
            divided.count(seats, index);
        }
        divided
    }

    /// Counts a match anew.
    fn count(&mut self, seats: &Seats, index: usize) {
        let players = self.table.players();
        let team = seats.team(index);
        let fits = &mut self.fits[index * players..][..players];
        let rows = team
            .iter()
            .map(|&player| &self.mean[player as usize * players..][..players]);
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
        let rest = self.best_way(seats, team).0 + self.links(index, team, &[], &[]);
        let kind = self.kind_of(Self::sizes(seats, team));
        self.matches[index] = Match {
            pairs,
            rest,
            kind,
            changes: 0,
        };
    }

    /// How many of these players are in parties of 1, 2, 3, ...: four bits each.
    #[inline]
    fn sizes(seats: &Seats, players: &[u32]) -> u32 {
        let bit = |&player: &u32| 1_u32 << (4 * (seats.party(player).len() - 1));
        players.iter().map(bit).fold(0, u32::wrapping_add)
    }

    /// The kind of matches of these sizes.
    #[inline]
    fn kind_of(&mut self, sizes: u32) -> usize {
        let known = self.kinds.iter().position(|kind| kind.sizes == sizes);
        known.unwrap_or_else(|| {
            let likely_rest = self.table.most_balance() + self.table.most_links();
            self.kinds.push(Kind { sizes, likely_rest });
            self.kinds.len() - 1
        })
    }

    /// What the best way to divide these players adds to the mean, and which one it is; minus infinity if parties
    /// leave none.
    #[inline]
    fn best_way(&self, seats: &Seats, team: &[u32]) -> (f32, usize) {
        let players = self.table.players();
        let mut excess = [0.0_f32; MOST_PAIRS];
        let pairs = team.len() * team.len().saturating_sub(1) / 2;
        let mut at = 0;
        for (k, &player) in team.iter().enumerate() {
            let row = &self.excess[player as usize * players..][..players];
            for &other in &team[..k] {
                excess[at] = row[other as usize];
                at += 1;
            }
        }
        let excess = &excess[..pairs];
        // What is left if all were opponents.
        let mut base: f32 = if self.table.is_rough() {
            excess.iter().map(|&more| self.as_opponents(more)).sum()
        } else {
            -self.mates * excess.iter().sum::<f32>()
        };
        let sets = team.iter().map(|&player| seats.party(player));
        // Each party once, by its first member.
        let sets = sets
            .zip(team)
            .filter(|(party, player)| party.len() > 1 && party[0] == **player);
        let sets = sets.map(|(party, _)| {
            let is_in = team.iter().map(|other| usize::from(party.contains(other)));
            is_in.enumerate().fold(0, |set, (place, bit)| set | bit << place)
        });
        let mut ways = self.ways.that_keep(sets);
        let mut worths = [[0.0_f32; LANES]; MOST_GROUPS];
        for (worths, together) in worths.iter_mut().zip(self.ways.together()) {
            for (more, together) in excess.iter().zip(together) {
                for (worth, together) in worths.iter_mut().zip(together) {
                    *worth += more * together;
                }
            }
        }
        for (steps, (lanes, lane)) in self.table.balances() {
            let mut levels = [0.0_f32; MOST_PLAYERS];
            for (level, &player) in levels.iter_mut().zip(team) {
                *level = self.table.levels(player)[lanes][lane];
            }
            let levels = &levels[..team.len()];
            #[allow(clippy::float_cmp, reason = "levels that are the same, not nearly so")]
            if levels.iter().all(|&level| level == levels[0]) {
                base += steps.at(0.0);
                continue;
            }
            for (worths, shares) in worths.iter_mut().zip(self.ways.shares()) {
                let mut gaps = [0.0_f32; LANES];
                for (level, shares) in levels.iter().zip(shares) {
                    for (gap, share) in gaps.iter_mut().zip(shares) {
                        *gap += level * share;
                    }
                }
                for (worth, gap) in worths.iter_mut().zip(gaps) {
                    *worth += steps.at(gap.abs());
                }
            }
        }
        let (mut best, mut best_way) = (f32::NEG_INFINITY, 0);
        while ways != 0 {
            let way = ways.trailing_zeros() as usize;
            ways &= ways - 1;
            let worth = worths[way / LANES][way % LANES];
            if worth > best {
                (best, best_way) = (worth, way);
            }
        }
        (base + best, best_way)
    }

    /// What opponents are worth less than in the mean, from what mates are worth more than opponents.
    #[inline]
    fn as_opponents(&self, excess: f32) -> f32 {
        if excess.abs() > -0.5 * FORBIDDEN {
            // The mean is what is not forbidden.
            return (-excess).min(0.0);
        }
        -self.mates * excess
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

    #[inline]
    fn mean(&self, player: u32) -> &[f32] {
        let players = self.table.players();
        &self.mean[player as usize * players..][..players]
    }

    /// By how much the sum of pairs rises in a match if `leave` left it and `join` joined it.
    #[inline]
    fn pairs_gained(&self, index: usize, leave: &[u32], join: &[u32]) -> f32 {
        let fits = self.fits(index);
        let mut pairs = 0.0;
        for &player in leave {
            pairs -= fits[player as usize];
        }
        for &player in join {
            let row = self.mean(player);
            pairs += fits[player as usize];
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

    /// The sum of pairs among these players.
    fn within(&self, players: &[u32]) -> f32 {
        let mut sum = 0.0;
        for (k, &player) in players.iter().enumerate().skip(1) {
            let row = self.mean(player);
            for &mate in &players[..k] {
                sum += row[mate as usize];
            }
        }
        sum
    }

    /// The kind of match that this would be if `leave` left it and `join` joined it.
    #[inline]
    fn kind_after(&mut self, seats: &Seats, index: usize, leave: &[u32], join: &[u32]) -> usize {
        let kind = self.matches[index].kind;
        if leave.len() == 1 {
            return kind;
        }
        let (gone, new) = (Self::sizes(seats, leave), Self::sizes(seats, join));
        if gone == new {
            return kind;
        }
        let sizes = self.kinds[kind].sizes;
        self.kind_of(sizes.wrapping_sub(gone).wrapping_add(new))
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
            let (gone, new) = (gone as usize * players, new as usize * players);
            let fits = &mut self.fits[index * players..][..players];
            exchange_rows(fits, &self.mean[new..][..players], &self.mean[gone..][..players]);
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
        // What is known of the gain, and what it is given for the rest of each match.
        let (mut gain, mut hope) = (0.0, [0.0; 2]);
        for (end, (index, leave, join)) in ends.into_iter().enumerate() {
            if index == bench {
                gain += self.table.price(leave) - self.table.price(join);
                continue;
            }
            let gained = self.pairs_gained(index, leave, join);
            let kind = self.kind_after(seats, index, leave, join);
            let now = self.matches[index];
            hope[end] = self.kinds[kind].likely_rest - now.rest;
            gain += gained;
            self.judged[end] = Match {
                pairs: now.pairs + gained,
                rest: now.rest,
                kind,
                changes: 0,
            };
        }
        if gain + hope[0] + hope[1] < least {
            return None;
        }
        for (end, (index, leave, join)) in ends.into_iter().enumerate() {
            if index == bench {
                continue;
            }
            let mut team = [0; MOST_PLAYERS];
            let before = seats.team(index);
            let team = &mut team[..before.len()];
            for (place, player) in team.iter_mut().zip(before) {
                let gone = leave.iter().position(|gone| gone == player);
                *place = gone.map_or(*player, |k| join[k]);
            }
            let links = self.links(index, team, leave, join);
            hope[end] = 0.0;
            let judged = self.judged[end];
            let likely = self.kinds[judged.kind].likely_rest - self.table.most_links() + links - judged.rest;
            if gain + hope[0] + hope[1] + likely < least {
                return None;
            }
            let (worth, _) = self.best_way(seats, team);
            let judged = &mut self.judged[end];
            gain += worth + links - judged.rest;
            judged.rest = worth + links;
            if judged.rest.is_finite() {
                let likely = &mut self.kinds[judged.kind].likely_rest;
                let is_more = judged.rest > *likely;
                *likely += PACE * if is_more { LIKELY } else { LIKELY - 1.0 };
            }
            if gain + hope[0] + hope[1] < least {
                return None;
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
        let (row, here, there) = (self.mean(one), self.fits(from), self.fits(to));
        let mut chances = noise.gumbel(bits);
        let (mut best, mut place) = (f32::NEG_INFINITY, partner);
        for &other in seats.team(to).iter().filter(|&&other| other != partner) {
            let at = other as usize;
            let gain = here[at] - there[at] - 2.0 * row[at];
            let score = gain + temperature * chances.next().unwrap_or(0.0);
            if score > best {
                (best, place) = (score, other);
            }
        }
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
            let first = self.ways.first(self.best_way(seats, players).1);
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
