//! Large neighbourhoods: a few matches of a lineup are taken apart and annealed anew, and kept if they are no worse.

use super::divided::Divided;
use super::judge::Judge;
use super::noise::Noise;
use super::run::{Anneal, Partners, Temperatures};
use super::seats::Seats;
use super::table::Table;
use super::ways::Ways;
use super::{Found, PARTNERS};
use crate::pool::LobbyPool;
use crate::progress::is_over;
use crate::random::SplitMix64;
use crate::start::Plan;

/// Exchanges of the anneal of a whole lineup, times the number of players to the third.
const START: f64 = 0.02;

/// The share of a run that one such anneal takes at most, and the share after which no other one begins.
const START_AT_MOST: f64 = 0.35;
const STARTS: f64 = 0.4;

/// Matches of a neighbourhood, at least and at most.
pub(super) const FEWEST: usize = 5;
const MOST: usize = 12;

/// Exchanges of the anneal of a neighbourhood, times the number of its players to the third.
const RENEWAL: f64 = 0.02;

/// How hot every anneal begins, in qualities of a match. Hotter than where matches are divided by exchanges too: those
/// of whole parties cost so much that they freeze early.
const HOT: f64 = 0.04;

/// A pool whose matches are divided best, ready for any number of runs.
pub(super) struct Neighbourhoods<'a> {
    pub(super) pool: &'a LobbyPool,
    pub(super) table: &'a Table,
    pub(super) ways: &'a Ways,
    pub(super) plan: &'a Plan,
    pub(super) partners: &'a Partners,
    pub(super) noise: &'a Noise,
    /// How cold every anneal ends.
    pub(super) cold: f64,
}

/// The players of each match, the bench last, and in which of them each player is.
struct Lineup {
    matches: Vec<Vec<u32>>,
    home: Vec<usize>,
}

impl Lineup {
    fn new(matches: Vec<Vec<u32>>, players: usize) -> Self {
        let mut lineup = Self {
            home: vec![0; players],
            matches,
        };
        for index in 0..lineup.matches.len() {
            lineup.settle(index);
        }
        lineup
    }

    /// Tells the players of a match where they are.
    fn settle(&mut self, index: usize) {
        for &player in &self.matches[index] {
            self.home[player as usize] = index;
        }
    }

    const fn bench(&self) -> usize {
        self.matches.len() - 1
    }
}

impl Neighbourhoods<'_> {
    /// One run: a few lineups annealed from starts of their own, then neighbourhood after neighbourhood of the best of
    /// them, until `used` says 1, which it is asked with the number of exchanges tried so far.
    pub(super) fn run(&self, bits: &mut SplitMix64, mut used: impl FnMut(u64) -> f64) -> Found {
        let (mut lineup, mut tried) = self.start(bits, &mut used);
        // Without a match there is nothing to renew.
        while !is_over(used(tried)) && lineup.bench() > 0 {
            tried += self.renew(&mut lineup, bits);
        }
        let seats = Seats::of_matches(self.pool, &lineup.matches);
        let judge = Divided::new(self.table, self.ways, self.pool.sizes(), &seats);
        Found::of(&seats, &judge, tried)
    }

    /// The best of a few anneals of the whole pool, and how many exchanges they tried.
    fn start(&self, bits: &mut SplitMix64, used: &mut impl FnMut(u64) -> f64) -> (Lineup, u64) {
        let players = self.pool.players();
        let length = START * cube(players);
        let anneal = Anneal {
            partners: self.partners,
            noise: self.noise,
            temperatures: Temperatures {
                hot: HOT,
                cold: self.cold,
            },
        };
        let mut best: Option<(f64, Seats)> = None;
        let mut tried = 0;
        loop {
            let teams = self.plan.deal(self.pool, 0.2 * players as f64, bits);
            let matches: Vec<Vec<u32>> = teams.chunks(2).map(<[_]>::concat).collect();
            let mut seats = Seats::of_matches(self.pool, &matches);
            let mut judge = Divided::new(self.table, self.ways, self.pool.sizes(), &seats);
            let (before, start) = (tried, used(tried));
            tried += anneal.run(&mut seats, &mut judge, bits, |tried| {
                let now = used(before + tried);
                let of_run = if is_over(now) {
                    1.0
                } else {
                    (now - start) / START_AT_MOST
                };
                of_run.max(tried as f64 / length)
            });
            let value = judge.total(&seats);
            if best.as_ref().is_none_or(|best| value > best.0) {
                best = Some((value, seats));
            }
            let now = used(tried);
            if is_over(now) || now > STARTS {
                break;
            }
        }
        let matches = best.map_or_else(Vec::new, |(_, seats)| {
            (0..=seats.bench())
                .map(|index| seats.team(index).to_vec())
                .collect()
        });
        (Lineup::new(matches, players), tried)
    }

    /// Anneals some matches and the bench anew, and keeps what is no worse. How many exchanges that tried.
    fn renew(&self, lineup: &mut Lineup, bits: &mut SplitMix64) -> u64 {
        let chosen = self.choose(lineup, bits);
        let bench = lineup.bench();
        let (spare, others) = self.of_bench(&lineup.matches[bench], bits);
        let mut names: Vec<u32> = Vec::new();
        let mut ends = vec![0];
        let matches = chosen.iter().map(|&index| &lineup.matches[index]);
        for players in matches.chain([&spare]) {
            names.extend(players);
            ends.push(names.len());
        }
        let Some(pool) = self.part(&names) else { return 1 };
        let table = self.table.part(&names);
        let partners = Partners::new(names.len(), PARTNERS, |i, j| table.affinity(i, j));
        #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
        let numbers: Vec<Vec<u32>> = ends
            .windows(2)
            .map(|ends| (ends[0] as u32..ends[1] as u32).collect())
            .collect();
        let mut seats = Seats::of_matches(&pool, &numbers);
        let mut judge = Divided::new(&table, self.ways, pool.sizes(), &seats);
        let before = judge.total(&seats);
        let anneal = Anneal {
            partners: &partners,
            noise: self.noise,
            temperatures: Temperatures {
                hot: HOT,
                cold: self.cold,
            },
        };
        let length = RENEWAL * cube(names.len());
        let tried = anneal.run(&mut seats, &mut judge, bits, |tried| tried as f64 / length);
        if judge.total(&seats) >= before {
            let named = |team: usize| seats.team(team).iter().map(|&number| names[number as usize]);
            for (team, &index) in chosen.iter().enumerate() {
                lineup.matches[index] = named(team).collect();
                lineup.settle(index);
            }
            lineup.matches[bench] = named(seats.bench()).chain(others).collect();
            lineup.settle(bench);
        }
        tried
    }

    /// Some matches: one at random, and mostly those in which good partners of their players play.
    fn choose(&self, lineup: &Lineup, bits: &mut SplitMix64) -> Vec<usize> {
        let all = lineup.bench();
        let (fewest, most) = (FEWEST.min(all), MOST.min(all));
        let wanted = fewest + bits.quick_below(most - fewest + 1);
        let mut chosen = vec![bits.quick_below(all)];
        while chosen.len() < wanted {
            let players = &lineup.matches[chosen[bits.quick_below(chosen.len())]];
            let player = players[bits.quick_below(players.len())];
            let related = self
                .partners
                .draw(player, bits)
                .map(|partner| lineup.home[partner as usize]);
            let next = related
                .filter(|next| *next != all && !chosen.contains(next))
                .filter(|_| !bits.next().is_multiple_of(4))
                .unwrap_or_else(|| bits.quick_below(all));
            if !chosen.contains(&next) {
                chosen.push(next);
            }
        }
        chosen
    }

    /// Parties of the bench who may play, two matches of them at most; and the others.
    fn of_bench(&self, bench: &[u32], bits: &mut SplitMix64) -> (Vec<u32>, Vec<u32>) {
        let most = 2 * self.pool.match_size();
        if bench.len() <= most {
            return (bench.to_vec(), Vec::new());
        }
        let mut parties: Vec<&[usize]> = bench
            .iter()
            .map(|&player| self.pool.party_of(player as usize))
            .zip(bench)
            .filter(|(party, player)| party[0] == **player as usize)
            .map(|(party, _)| party)
            .collect();
        bits.shuffle(&mut parties);
        let (mut spare, mut others) = (Vec::new(), Vec::new());
        for party in parties {
            let list = if spare.len() + party.len() <= most {
                &mut spare
            } else {
                &mut others
            };
            #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
            list.extend(party.iter().map(|&player| player as u32));
        }
        (spare, others)
    }

    /// The pool of these players, who are numbered in this order; parties are whole.
    fn part(&self, names: &[u32]) -> Option<LobbyPool> {
        let mut numbers = vec![usize::MAX; self.pool.players()];
        for (number, &name) in names.iter().enumerate() {
            numbers[name as usize] = number;
        }
        let parties: Vec<Vec<usize>> = names
            .iter()
            .map(|&name| (name, self.pool.party_of(name as usize)))
            .filter(|(name, party)| party[0] == *name as usize)
            .map(|(_, party)| party.iter().map(|&player| numbers[player]).collect())
            .collect();
        let prices: Vec<f64> = names
            .iter()
            .map(|&name| self.pool.prices()[name as usize])
            .collect();
        let pool = LobbyPool::new(names.len(), self.pool.sizes()).ok()?;
        pool.with_parties(&parties).ok()?.with_prices(&prices).ok()
    }
}

fn cube(players: usize) -> f64 {
    let players = players as f64;
    players * players * players
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::LobbyTerms;

    /// Players 0, 1, 2, ... who would meet their neighbours in number, in these parties.
    fn world(players: usize, parties: &[Vec<usize>]) -> (LobbyPool, Table) {
        let terms = LobbyTerms::new(players)
            .with_pairs(
                |i, j| Some(0.02 / (1.0 + i.abs_diff(j) as f64)),
                |i, j| Some(0.1 / (1.0 + i.abs_diff(j) as f64)),
            )
            .unwrap();
        let pool = LobbyPool::new(players, (3, 3)).unwrap();
        let pool = pool.with_parties(parties).unwrap();
        let table = Table::new(&pool, &terms);
        (pool, table)
    }

    /// Ninety players, all of whom can play: in fifteen parties of two or three, or alone.
    fn everybody_plays() -> (LobbyPool, Table) {
        let parties: Vec<Vec<usize>> = (0..15).map(|k| (6 * k..6 * k + 2 + k % 2).collect()).collect();
        world(90, &parties)
    }

    /// Twenty parties of two and six players who came alone: no more than three matches, and a long bench.
    fn many_are_left_out() -> (LobbyPool, Table) {
        let parties: Vec<Vec<usize>> = (0..20).map(|k| vec![2 * k, 2 * k + 1]).collect();
        world(46, &parties)
    }

    /// What a run of these parts has.
    struct Parts {
        pool: LobbyPool,
        table: Table,
        ways: Ways,
        plan: Plan,
        partners: Partners,
        noise: Noise,
    }

    impl Parts {
        fn new((pool, table): (LobbyPool, Table)) -> Self {
            Self {
                ways: Ways::of(pool.sizes()).unwrap(),
                plan: Plan::of(&pool),
                partners: Partners::new(pool.players(), PARTNERS, |i, j| table.affinity(i, j)),
                noise: Noise::new(),
                pool,
                table,
            }
        }

        fn neighbourhoods(&self) -> Neighbourhoods<'_> {
            Neighbourhoods {
                pool: &self.pool,
                table: &self.table,
                ways: &self.ways,
                plan: &self.plan,
                partners: &self.partners,
                noise: &self.noise,
                cold: 0.0012,
            }
        }

        fn lineup(&self, noise: f64, bits: &mut SplitMix64) -> Lineup {
            let teams = self.plan.deal(&self.pool, noise, bits);
            Lineup::new(teams.chunks(2).map(<[_]>::concat).collect(), self.pool.players())
        }

        fn total(&self, lineup: &Lineup) -> f64 {
            let seats = Seats::of_matches(&self.pool, &lineup.matches);
            Divided::new(&self.table, &self.ways, self.pool.sizes(), &seats).total(&seats)
        }
    }

    #[test]
    fn a_renewal_keeps_everybody_and_loses_nothing() {
        for (world, gains) in [(everybody_plays(), 0.5), (many_are_left_out(), 0.1)] {
            let parts = Parts::new(world);
            let mut bits = SplitMix64(5);
            let mut lineup = parts.lineup(90.0, &mut bits);
            let first = parts.total(&lineup);
            let mut before = first;
            for _ in 0..60 {
                assert!(parts.neighbourhoods().renew(&mut lineup, &mut bits) > 0);
                let now = parts.total(&lineup);
                assert!(now > before - 1e-5, "{now} after {before}");
                before = now;
                let mut everybody = lineup.matches.concat();
                everybody.sort_unstable();
                assert!(
                    everybody
                        .into_iter()
                        .map(|p| p as usize)
                        .eq(0..parts.pool.players())
                );
                for (index, players) in lineup.matches.iter().enumerate() {
                    assert!(
                        players
                            .iter()
                            .all(|&player| lineup.home[player as usize] == index)
                    );
                }
            }
            assert!(before > first + gains, "{first} {before}");
        }
    }

    #[test]
    fn a_run_ends_when_it_should_and_is_worth_what_it_says() {
        for world in [everybody_plays(), many_are_left_out()] {
            let parts = Parts::new(world);
            let (mut bits, wanted) = (SplitMix64(8), 60_000);
            let found = parts
                .neighbourhoods()
                .run(&mut bits, |tried| tried as f64 / f64::from(wanted));
            assert!((60_000..80_000).contains(&found.tried), "{}", found.tried);
            let matches = found.teams.chunks(2).map(<[_]>::concat).collect();
            let total = parts.total(&Lineup::new(matches, parts.pool.players()));
            assert!((total - found.value).abs() < 1e-4, "{total} {}", found.value);
            for teams in found.teams.chunks_exact(2) {
                for team in teams {
                    let whole = |&player: &u32| {
                        let mut party = parts.pool.party_of(player as usize).iter();
                        party.all(|mate| team.iter().any(|player| *player as usize == *mate))
                    };
                    assert!(team.len() == 3 && team.iter().all(whole), "{team:?}");
                }
            }
        }
    }

    #[test]
    fn neighbourhoods_differ_and_have_as_many_matches_as_they_should() {
        let parts = Parts::new(everybody_plays());
        let mut bits = SplitMix64(6);
        let lineup = parts.lineup(0.0, &mut bits);
        let (mut sizes, mut times) = ([0; 16], [0; 16]);
        for _ in 0..2000 {
            let mut chosen = parts.neighbourhoods().choose(&lineup, &mut bits);
            sizes[chosen.len()] += 1;
            chosen.sort_unstable();
            assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]) && chosen[chosen.len() - 1] < 15);
            for index in chosen {
                times[index] += 1;
            }
        }
        assert!(sizes[FEWEST..=MOST].iter().all(|&count| count > 150), "{sizes:?}");
        let sum = |counts: &[i32]| counts.iter().sum::<i32>();
        assert_eq!(sum(&sizes), sum(&sizes[FEWEST..=MOST]));
        assert!(times[..15].iter().all(|&count| count > 500), "{times:?}");
    }
}
