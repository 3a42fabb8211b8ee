//! What an exchange gains, from the terms: a few looks at tables.

use super::judge::Judge;
use super::noise::Noise;
use super::seats::{Exchange, Seats};
use super::table::Lanes;
use super::tally::{Tally, shift};
use crate::random::SplitMix64;

impl Tally<'_> {
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

    /// By how much the sum of pairs rises in the match of `team` if `leave` left that team and `join` joined it.
    #[inline]
    fn pairs_gained(&self, seats: &Seats, team: usize, leave: &[u32], join: &[u32]) -> f32 {
        let fits = self.fits(seats, team);
        let mut pairs = 0.0;
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
        pairs
    }

    /// What balances are worth in the match of `team` if `leave` left that team and `join` joined it.
    #[inline]
    fn balances_after(&self, team: usize, leave: &[u32], join: &[u32]) -> f32 {
        let (index, side) = (team / 2, team % 2);
        let lanes = self.table.lanes();
        let sums = &self.sums[2 * index * lanes..][..2 * lanes];
        let mut changed = Sums::of(&sums[side * lanes..][..lanes]);
        for &player in leave {
            shift(changed.as_mut(), self.table.levels(player), -1.0);
        }
        for &player in join {
            shift(changed.as_mut(), self.table.levels(player), 1.0);
        }
        self.balance(side, changed.as_mut(), &sums[(1 - side) * lanes..][..lanes])
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
        pairs - now.pairs + self.balance(side, own.as_mut(), other.as_mut()) - now.balances
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

impl Judge for Tally<'_> {
    #[inline]
    fn gain_above(&mut self, seats: &Seats, exchange: &Exchange, least: f32) -> Option<f32> {
        if exchange.from / 2 == exchange.to / 2 {
            let gain = self.gain_within(seats, exchange);
            return (gain >= least).then_some(gain);
        }
        let bench = seats.bench();
        let ends = [
            (exchange.from, &exchange.out, &exchange.back),
            (exchange.to, &exchange.back, &exchange.out),
        ];
        // Pairs cost little, and mostly tell that an exchange is out of question: the rest can gain no more than a
        // match lacks.
        let (mut gain, mut lacking, mut lacking_links) = (0.0, 0.0, 0.0);
        for (team, leave, join) in ends {
            if team == bench {
                gain += self.table.price(leave) - self.table.price(join);
            } else {
                gain += self.pairs_gained(seats, team, leave, join);
                let now = &self.matches[team / 2];
                lacking += self.table.most_balance() - now.balances;
                lacking_links += self.table.most_links() - now.links;
            }
        }
        if gain + lacking + lacking_links < least {
            return None;
        }
        for (team, leave, join) in ends.into_iter().filter(|end| end.0 != bench) {
            gain += self.balances_after(team, leave, join) - self.matches[team / 2].balances;
        }
        if gain + lacking_links < least {
            return None;
        }
        for (team, leave, join) in ends.into_iter().filter(|end| end.0 != bench) {
            gain += self.links_after(seats, team, leave, join) - self.matches[team / 2].links;
        }
        (gain >= least).then_some(gain)
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
        if from == bench || to == bench || from / 2 == to / 2 {
            let players = seats.around(partner);
            return players[bits.quick_below(players.len())];
        }
        let (row, here) = (self.table.together(one), self.fits(seats, from));
        let mut chances = noise.gumbel(bits).iter().cycle();
        let (mut best, mut place) = (f32::NEG_INFINITY, partner);
        for team in [to & !1, to | 1] {
            let there = self.fits(seats, team);
            let joining = there[one as usize];
            for &other in seats.team(team).iter().filter(|&&other| other != partner) {
                let at = other as usize;
                let gain = joining + here[at] - there[at] - 2.0 * row[at];
                let score = gain + temperature * chances.next().unwrap_or(&0.0);
                if score > best {
                    (best, place) = (score, other);
                }
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
            self.fits(seats, team)[player as usize]
        }
    }

    fn moved(&mut self, seats: &Seats, exchange: &Exchange) {
        if exchange.from / 2 == exchange.to / 2 {
            self.refresh(seats, exchange.from / 2);
            return;
        }
        for (team, left, joined) in [
            (exchange.from, &exchange.out, &exchange.back),
            (exchange.to, &exchange.back, &exchange.out),
        ] {
            if team != seats.bench() {
                self.change(seats, team, left, joined);
            }
        }
    }

    fn value(&self, index: usize) -> f32 {
        let now = &self.matches[index];
        now.pairs + now.balances + now.links
    }

    fn price(&self, players: &[u32]) -> f32 {
        self.table.price(players)
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Table;
    use super::*;
    use crate::pool::LobbyPool;
    use crate::start::Plan;
    use crate::symmetric::symmetric;
    use crate::terms::{Balance, LobbyTerms};

    /// Terms of every kind, so small that no sum leaves [0, 1].
    fn terms(players: usize, bits: &mut SplitMix64) -> LobbyTerms {
        let mut table = |low, high| symmetric(players, low, high, bits);
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
                let gain = tally.gain_above(&seats, &exchange, f32::NEG_INFINITY).unwrap();
                // Bounds let nothing through that is too little, and stop nothing that is enough.
                assert!(tally.gain_above(&seats, &exchange, gain + 1e-5).is_none());
                assert!(tally.gain_above(&seats, &exchange, gain - 1e-5).is_some());
                let gain = f64::from(gain);
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
