//! What an exchange gains, from the terms: a few looks at tables.

use super::seats::{Exchange, Seats};
use super::table::{Lanes, Table};

/// What a search needs to know of an objective.
pub(in crate::lobby) trait Judge {
    /// By how much the exchange changes the value of the lineup.
    fn gain(&mut self, seats: &Seats, exchange: &Exchange) -> f32;

    /// Called after the exchange was carried out.
    fn moved(&mut self, seats: &Seats, exchange: &Exchange);

    /// The value of the match.
    fn value(&self, index: usize) -> f32;

    /// What leaving out these players costs.
    fn price(&self, players: &[u32]) -> f32;
}

/// What is remembered of a match.
#[derive(Debug, Clone, Copy, Default)]
struct Match {
    /// The sum of its pairs' terms.
    pairs: f32,
    /// What its links are worth.
    links: f32,
    value: f32,
    /// How many of its players are linked with all others.
    linked: usize,
}

/// Judges by the sums of terms.
///
/// For each team and each player of the pool, it keeps the sum of his terms with the team's match if he were in that
/// team. A proposal, then, costs the same few looks for teams of any size; only an exchange that is carried out sums
/// rows anew, and many are tried for each of those.
#[derive(Debug)]
pub(in crate::lobby) struct Tally<'a> {
    table: &'a Table,
    matches: Vec<Match>,
    /// Team by team, for each player of the pool the sum of his terms with its members as mates and the others as
    /// opponents.
    fits: Vec<f32>,
    /// For each team, the sum of each balance's levels.
    sums: Vec<Lanes>,
    /// Match by match, for each player of the pool with how many of its players he is not linked; empty if links do
    /// not count.
    apart: Vec<u16>,
}

impl<'a> Tally<'a> {
    pub(in crate::lobby) fn new(table: &'a Table, seats: &Seats) -> Self {
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
    fn refresh(&mut self, seats: &Seats, index: usize) {
        let (lanes, players) = (self.table.lanes(), seats.len());
        let mut total = 0.0;
        for side in 0..2 {
            let team = 2 * index + side;
            let (own, other) = (seats.team(team), seats.team(2 * index + 1 - side));
            let fits = &mut self.fits[team * players..][..players];
            let mates = own.iter().map(|&mate| self.table.together(mate));
            let opponents = other.iter().map(|&opponent| self.table.against(opponent));
            sum_up(fits, mates.chain(opponents));
            let sums = &mut self.sums[team * lanes..][..lanes];
            sums.fill(Lanes::default());
            for &player in own {
                total += fits[player as usize];
                shift(sums, self.table.levels(player), 1.0);
            }
        }
        let (links, linked) = self.count_links(seats, index);
        let pairs = 0.5 * total;
        let sums = &self.sums[2 * index * lanes..][..2 * lanes];
        let balances = self.table.balance(&sums[..lanes], &sums[lanes..]);
        self.matches[index] = Match {
            pairs,
            links,
            value: pairs + balances + links,
            linked,
        };
    }

    /// Counts anew with whom of a match's players each player is not linked. What links are worth, and how many are
    /// linked with all.
    fn count_links(&mut self, seats: &Seats, index: usize) -> (f32, usize) {
        let Some(last) = self.table.by_count().len().checked_sub(1) else {
            return (0.0, 0);
        };
        let counts = &mut self.apart[index * seats.len()..][..seats.len()];
        counts.fill(0);
        for &player in seats.both(index) {
            for (count, apart) in counts
                .iter_mut()
                .zip(self.table.apart(player).unwrap_or_default())
            {
                // Whoever has so many is linked with all after no exchange.
                *count = count.saturating_add(*apart);
            }
        }
        let with_all = |&&player: &&u32| counts[player as usize] == 0;
        let linked = seats.both(index).iter().filter(with_all).count();
        (self.table.by_count()[linked.min(last)], linked)
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
        // Whoever joins and is linked with all takes nothing from the others: mostly there are enough, then.
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
        let stayed = seats.both(index).iter().filter(|player| !leave.contains(player));
        let linked = stayed.chain(join).filter(with_all).take(last).count();
        by_count[linked]
    }

    /// The sum of the pairs' terms among players of one team.
    fn within(&self, players: &[u32]) -> f32 {
        let mut sum = 0.0;
        for (k, &player) in players.iter().enumerate().skip(1) {
            let row = self.table.together(player);
            for &mate in &players[..k] {
                sum += row[mate as usize];
            }
        }
        sum
    }

    /// For each player of the pool, how he fits into the team.
    #[inline]
    fn fits(&self, seats: &Seats, team: usize) -> &[f32] {
        &self.fits[team * seats.len()..][..seats.len()]
    }

    /// The value of the match of `team` if `leave` left that team and `join` joined it.
    #[inline]
    fn after(&self, seats: &Seats, team: usize, leave: &[u32], join: &[u32]) -> f32 {
        let (index, side) = (team / 2, team % 2);
        let now = self.matches[index];
        let fits = self.fits(seats, team);
        let mut pairs = now.pairs;
        for &player in leave {
            pairs -= fits[player as usize];
        }
        for &player in join {
            let row = self.table.together(player);
            pairs += fits[player as usize];
            for &gone in leave {
                pairs -= row[gone as usize];
            }
        }
        if leave.len() > 1 {
            // Pairs among them were counted twice among those who leave, and not at all among those who join.
            pairs += self.within(leave) + self.within(join);
        }
        let lanes = self.table.lanes();
        let sums = &self.sums[2 * index * lanes..][..2 * lanes];
        let mut changed = Sums::of(&sums[side * lanes..][..lanes]);
        for &player in leave {
            shift(changed.as_mut(), self.table.levels(player), -1.0);
        }
        for &player in join {
            shift(changed.as_mut(), self.table.levels(player), 1.0);
        }
        let other = &sums[(1 - side) * lanes..][..lanes];
        pairs + self.balance(side, changed.as_mut(), other) + self.links_after(seats, team, leave, join)
    }

    /// What balances are worth if the team of this side has the first of these sums.
    #[inline]
    fn balance(&self, side: usize, own: &[Lanes], other: &[Lanes]) -> f32 {
        if side == 0 {
            self.table.balance(own, other)
        } else {
            self.table.balance(other, own)
        }
    }

    /// The gain of an exchange between the teams of one match.
    fn gain_within(&self, seats: &Seats, exchange: &Exchange) -> f32 {
        let index = exchange.from / 2;
        let mut pairs = self.matches[index].pairs;
        // Who crosses over: mates become opponents and the other way round, but for those who cross with him.
        for (movers, with, own, other) in [
            (&exchange.out, &exchange.back, exchange.from, exchange.to),
            (&exchange.back, &exchange.out, exchange.to, exchange.from),
        ] {
            let (before, after) = (self.fits(seats, own), self.fits(seats, other));
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
        let lanes = self.table.lanes();
        let sums = &self.sums[2 * index * lanes..][..2 * lanes];
        let side = exchange.from % 2;
        let mut own = Sums::of(&sums[side * lanes..][..lanes]);
        let mut other = Sums::of(&sums[(1 - side) * lanes..][..lanes]);
        for (movers, sign) in [(&exchange.back, 1.0), (&exchange.out, -1.0)] {
            for &player in movers {
                shift(own.as_mut(), self.table.levels(player), sign);
                shift(other.as_mut(), self.table.levels(player), -sign);
            }
        }
        let now = self.matches[index];
        pairs + self.balance(side, own.as_mut(), other.as_mut()) + now.links - now.value
    }
}

/// Sums of levels to try a change on: a few lanes on the stack, or as many as there are.
enum Sums {
    Few(Lanes),
    Many(Vec<Lanes>),
}

impl Sums {
    #[inline]
    fn of(sums: &[Lanes]) -> Self {
        match sums {
            [one] => Self::Few(*one),
            _ => Self::Many(sums.to_vec()),
        }
    }

    #[inline]
    fn as_mut(&mut self) -> &mut [Lanes] {
        match self {
            Self::Few(one) => std::slice::from_mut(one),
            Self::Many(all) => all,
        }
    }
}

/// Adds a player's levels, or takes them away.
#[inline]
fn shift(sums: &mut [Lanes], levels: &[Lanes], sign: f32) {
    for (sums, levels) in sums.iter_mut().zip(levels) {
        for (sum, level) in sums.iter_mut().zip(levels) {
            *sum += sign * level;
        }
    }
}

impl Judge for Tally<'_> {
    #[inline]
    fn gain(&mut self, seats: &Seats, exchange: &Exchange) -> f32 {
        let bench = seats.bench();
        if exchange.from / 2 == exchange.to / 2 {
            return self.gain_within(seats, exchange);
        }
        let mut gain = 0.0;
        for (team, leave, join) in [
            (exchange.from, &exchange.out, &exchange.back),
            (exchange.to, &exchange.back, &exchange.out),
        ] {
            gain += if team == bench {
                self.table.price(leave) - self.table.price(join)
            } else {
                self.after(seats, team, leave, join) - self.matches[team / 2].value
            };
        }
        gain
    }

    fn moved(&mut self, seats: &Seats, exchange: &Exchange) {
        let (one, other) = (exchange.from / 2, exchange.to / 2);
        for index in [one, other] {
            if index < seats.matches() {
                self.refresh(seats, index);
            }
            if one == other {
                break;
            }
        }
    }

    fn value(&self, index: usize) -> f32 {
        self.matches[index].value
    }

    fn price(&self, players: &[u32]) -> f32 {
        self.table.price(players)
    }
}

/// The sums of rows, two at a time to write sums half as often.
fn sum_up<'r>(sums: &mut [f32], mut rows: impl Iterator<Item = &'r [f32]>) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::SplitMix64;
    use crate::lobby::pool::LobbyPool;
    use crate::lobby::start::Plan;
    use crate::lobby::terms::{Balance, LobbyTerms};

    /// Terms of every kind, so small that no sum leaves [0, 1].
    fn terms(players: usize, bits: &mut SplitMix64) -> LobbyTerms {
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
        let (together, against, links) = (table(-0.002, 0.01), table(0.001, 0.01), table(0.0, 1.0));
        let levels = |bits: &mut SplitMix64, scale: f64| (0..players).map(|_| scale * bits.unit()).collect();
        let (skills, bonds) = (levels(bits, 1000.0), levels(bits, 1.0));
        LobbyTerms::new(players)
            .with_pairs(
                |i, j| Some(together[i * players + j]),
                |i, j| Some(against[i * players + j]),
            )
            .unwrap()
            .with_balance(Balance::new(skills, 0.2, |gap| 0.2 - 0.2 * (gap / 1000.0).sqrt()))
            .unwrap()
            .with_balance(Balance::new(bonds, 0.1, |gap| 0.1 * (1.0 - gap)))
            .unwrap()
            .with_links(
                |i, j| links[i * players + j] < 0.8 || i == j,
                vec![0.0, 0.05, 0.07],
            )
            .unwrap()
    }

    /// The lineup's value by the terms themselves.
    fn value(pool: &LobbyPool, terms: &LobbyTerms, seats: &Seats) -> f64 {
        let names = |team: usize| seats.team(team).iter().map(|&p| p as usize).collect::<Vec<_>>();
        let matches = (0..seats.matches()).map(|k| terms.quality(&names(2 * k), &names(2 * k + 1)).unwrap());
        let out: f64 = names(seats.bench())
            .iter()
            .map(|&player| pool.prices()[player])
            .sum();
        matches.sum::<f64>() - out
    }

    #[test]
    fn what_an_exchange_gains_is_the_difference_of_the_values() {
        let mut bits = SplitMix64(11);
        for (players, sizes, parties) in [
            (
                26,
                (3, 3),
                vec![vec![0, 1, 2], vec![3, 4], vec![5, 6], vec![7, 8]],
            ),
            (13, (1, 4), vec![vec![0, 1, 2, 3], vec![4, 5]]),
            (11, (5, 5), vec![vec![0, 1], vec![2, 3, 4]]),
        ] {
            let prices: Vec<f64> = (0..players).map(|_| bits.unit()).collect();
            let pool = LobbyPool::new(players, sizes)
                .unwrap()
                .with_parties(&parties)
                .unwrap();
            let pool = pool.with_prices(&prices).unwrap();
            let terms = terms(players, &mut bits);
            let table = Table::new(&pool, &terms);
            let teams = Plan::of(&pool).deal(&pool, 9.0, &mut bits);
            let mut seats = Seats::new(&pool, &teams);
            let mut tally = Tally::new(&table, &seats);
            let mut exchange = Exchange::default();
            let mut judged = 0;
            for _ in 0..4000 {
                let (one, other) = (seats.at(bits.below(players)), seats.at(bits.below(players)));
                if !seats.propose(one, other, &mut bits, &mut exchange) {
                    continue;
                }
                judged += 1;
                let before = value(&pool, &terms, &seats);
                let gain = f64::from(tally.gain(&seats, &exchange));
                seats.apply(&exchange);
                tally.moved(&seats, &exchange);
                let difference = value(&pool, &terms, &seats) - before;
                // The square root is tabulated, and steep where it starts.
                assert!((gain - difference).abs() < 2e-3, "{gain} for {difference}");
            }
            assert!(judged > 1000);
        }
    }
}
