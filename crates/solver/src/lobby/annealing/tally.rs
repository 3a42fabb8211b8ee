//! What an exchange gains, from the terms: a few dozen looks at tables.

use super::seats::{Exchange, Seats};
use super::table::{Change, Table};

/// What a search needs to know of an objective.
pub(in crate::lobby) trait Judge {
    /// By how much the exchange changes the value of the lineup.
    fn gain(&mut self, seats: &Seats, exchange: &Exchange) -> f32;

    /// Called after the exchange was carried out.
    fn moved(&mut self, seats: &Seats, exchange: &Exchange);

    /// The value of the match.
    fn value(&self, index: usize) -> f32;
}

/// What is remembered of a match.
#[derive(Debug, Clone, Copy, Default)]
struct Match {
    /// The sum of its pairs' terms.
    pairs: f32,
    value: f32,
    with_everybody: u32,
}

/// Judges by the sums of terms.
#[derive(Debug)]
pub(in crate::lobby) struct Tally<'a> {
    table: &'a Table,
    matches: Vec<Match>,
    /// For each player who plays, the sum of his pairs' terms.
    contributions: Vec<f32>,
    /// For each team, the sum of each balance's levels.
    sums: Vec<f32>,
}

impl<'a> Tally<'a> {
    pub(in crate::lobby) fn new(table: &'a Table, seats: &Seats) -> Self {
        let balances = table.balances();
        let mut tally = Self {
            table,
            matches: vec![Match::default(); seats.matches()],
            contributions: vec![0.0; seats.len()],
            sums: vec![0.0; 2 * seats.matches() * balances],
        };
        for index in 0..seats.matches() {
            tally.refresh(seats, index);
        }
        tally
    }

    /// Counts a match anew.
    fn refresh(&mut self, seats: &Seats, index: usize) {
        let count = self.table.balances();
        let mut total = 0.0;
        let mut with_everybody = 0;
        for side in 0..2 {
            let (own, other) = (seats.team(2 * index + side), seats.team(2 * index + 1 - side));
            let sums = &mut self.sums[(2 * index + side) * count..][..count];
            sums.fill(0.0);
            for &player in own {
                let row = self.table.row(player);
                let mut sum = 0.0;
                for &mate in own {
                    sum += row[mate as usize][0];
                }
                for &opponent in other {
                    sum += row[opponent as usize][1];
                }
                self.contributions[player as usize] = sum;
                total += sum;
                with_everybody += self.table.with_everybody(player);
                for (sum, level) in sums.iter_mut().zip(self.table.levels(player)) {
                    *sum += level;
                }
            }
        }
        let pairs = 0.5 * total;
        let sums = &self.sums[2 * index * count..][..2 * count];
        let balances = (0..count).map(|k| self.table.balance(k, [sums[k], sums[count + k]]));
        let value = pairs
            + balances.sum::<f32>()
            + self
                .table
                .linked(with_everybody, seats.both(index), Change::NONE, &[]);
        self.matches[index] = Match {
            pairs,
            value,
            with_everybody,
        };
    }

    /// The sum of the pairs' terms among players of one team.
    fn within(&self, players: &[u32]) -> f32 {
        let mut sum = 0.0;
        for (k, &player) in players.iter().enumerate().skip(1) {
            let row = self.table.row(player);
            for &mate in &players[..k] {
                sum += row[mate as usize][0];
            }
        }
        sum
    }

    /// The value of the match of `team` if `leave` left that team and `join` joined it.
    #[inline]
    fn after(&self, seats: &Seats, team: usize, leave: &[u32], join: &[u32]) -> f32 {
        let (index, side) = (team / 2, team % 2);
        let (own, other) = (seats.team(team), seats.team(2 * index + 1 - side));
        let now = self.matches[index];
        let mut pairs = now.pairs;
        for &player in leave {
            pairs -= self.contributions[player as usize];
        }
        for &player in join {
            let row = self.table.row(player);
            for &mate in own {
                pairs += row[mate as usize][0];
            }
            for &gone in leave {
                pairs -= row[gone as usize][0];
            }
            for &opponent in other {
                pairs += row[opponent as usize][1];
            }
        }
        if leave.len() > 1 {
            // Pairs among them were counted twice among those who leave, and not at all among those who join.
            pairs += self.within(leave) + self.within(join);
        }
        let mut with_everybody = now.with_everybody;
        for &player in leave {
            with_everybody -= self.table.with_everybody(player);
        }
        for &player in join {
            with_everybody += self.table.with_everybody(player);
        }
        let count = self.table.balances();
        let sums = &self.sums[2 * index * count..][..2 * count];
        for balance in 0..count {
            let mut change = 0.0;
            for &player in leave {
                change -= self.table.levels(player)[balance];
            }
            for &player in join {
                change += self.table.levels(player)[balance];
            }
            let mut teams = [sums[balance], sums[count + balance]];
            teams[side] += change;
            pairs += self.table.balance(balance, teams);
        }
        pairs
            + self
                .table
                .linked(with_everybody, own, Change { leave, join }, other)
    }

    /// The gain of an exchange between the teams of one match.
    fn gain_within(&self, seats: &Seats, exchange: &Exchange) -> f32 {
        let index = exchange.from / 2;
        let count = self.table.balances();
        let mut pairs = self.matches[index].pairs;
        // Who crosses over: mates become opponents and the other way round, but for those who cross with him.
        for (movers, with, own, other) in [
            (&exchange.out, &exchange.back, exchange.from, exchange.to),
            (&exchange.back, &exchange.out, exchange.to, exchange.from),
        ] {
            for &player in movers {
                let row = self.table.row(player);
                for &mate in seats.team(own) {
                    if !movers.contains(&mate) {
                        pairs += row[mate as usize][1] - row[mate as usize][0];
                    }
                }
                for &opponent in seats.team(other) {
                    if !with.contains(&opponent) {
                        pairs += row[opponent as usize][0] - row[opponent as usize][1];
                    }
                }
            }
        }
        let sums = &self.sums[2 * index * count..][..2 * count];
        let side = exchange.from % 2;
        for balance in 0..count {
            let levels = |movers: &[u32]| -> f32 {
                movers
                    .iter()
                    .map(|&player| self.table.levels(player)[balance])
                    .sum()
            };
            let change = levels(&exchange.back) - levels(&exchange.out);
            let mut teams = [sums[balance], sums[count + balance]];
            teams[side] += change;
            teams[1 - side] -= change;
            pairs += self.table.balance(balance, teams);
        }
        let now = self.matches[index];
        let linked = self
            .table
            .linked(now.with_everybody, seats.both(index), Change::NONE, &[]);
        pairs + linked - now.value
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
