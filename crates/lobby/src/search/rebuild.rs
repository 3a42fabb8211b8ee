//! Ruin and recreate: a few related matches are taken apart and annealed anew, and kept if they are no worse.

use super::anneal::{Anneal, Partners, Temperatures};
use super::budget::Budget;
use super::by_terms::ByTerms;
use super::evaluator::{ByQuality, Calls, Evaluator};
use super::noise::Noise;
use super::seats::{Exchange, Seats};
use super::table::Table;
use crate::pool::LobbyPool;
use crate::random::SplitMix64;

/// Good partners remembered for each player.
const PARTNERS: usize = 12;

/// Players of the matches that are rebuilt together, at least and at most; three matches in any case.
const FEWEST: usize = 30;
const MOST: usize = 72;

/// Proposals of the anneal of some matches, times the number of their players to the third.
const LENGTH: f64 = 0.02;

/// How matches are evaluated.
pub(super) enum Source<'a> {
    Terms(Box<Table>),
    Quality(Calls<'a>),
}

/// Players, and what their matches are worth.
pub(super) struct Problem<'a> {
    pub(super) pool: LobbyPool,
    pub(super) source: Source<'a>,
    partners: Partners,
}

impl<'a> Problem<'a> {
    pub(super) fn new(pool: LobbyPool, source: Source<'a>) -> Self {
        let partners = match &source {
            Source::Terms(table) => Partners::new(pool.players(), PARTNERS, |i, j| table.affinity(i, j)),
            Source::Quality(_) => Partners::default(),
        };
        Self {
            pool,
            source,
            partners,
        }
    }

    /// The problem of some of the players, numbered in the order of `numbers`; parties are whole.
    fn part(&self, numbers: &[usize]) -> Option<Self> {
        let source = match &self.source {
            Source::Terms(table) => Source::Terms(Box::new(table.part(numbers))),
            Source::Quality(calls) => Source::Quality(calls.part(numbers)),
        };
        // Dropped: too few players make no problem of their own.
        Some(Self::new(self.pool.part(numbers).ok()?, source))
    }

    /// Anneals these teams; the value before and after.
    pub(super) fn anneal(
        &self,
        seats: &mut Seats,
        (temperatures, length, until): (Temperatures, u64, f64),
        budget: &mut Budget<'_>,
        (bits, noise): (&mut SplitMix64, &Noise),
    ) -> (f64, f64) {
        match &self.source {
            Source::Terms(table) => {
                let evaluator = ByTerms::new(table, seats);
                self.begin(seats, evaluator, bits, noise)
                    .run(temperatures, length, until, budget)
            }
            Source::Quality(calls) => {
                let evaluator = ByQuality::new(calls, seats);
                self.begin(seats, evaluator, bits, noise)
                    .run(temperatures, length, until, budget)
            }
        }
    }

    /// What these teams are worth.
    pub(super) fn value(&self, seats: &Seats) -> f64 {
        match &self.source {
            Source::Terms(table) => ByTerms::new(table, seats).total(seats),
            Source::Quality(calls) => ByQuality::new(calls, seats).total(seats),
        }
    }

    /// The temperatures of anneals, measured on these teams.
    pub(super) fn measure(
        &self,
        seats: &mut Seats,
        budget: &mut Budget<'_>,
        (bits, noise): (&mut SplitMix64, &Noise),
    ) -> Temperatures {
        match &self.source {
            Source::Terms(table) => {
                let evaluator = ByTerms::new(table, seats);
                self.begin(seats, evaluator, bits, noise).measure(budget)
            }
            Source::Quality(calls) => {
                let evaluator = ByQuality::new(calls, seats);
                self.begin(seats, evaluator, bits, noise).measure(budget)
            }
        }
    }

    fn begin<'b, E>(
        &'b self,
        seats: &'b mut Seats,
        evaluator: E,
        bits: &'b mut SplitMix64,
        noise: &'b Noise,
    ) -> Anneal<'b, E> {
        Anneal {
            seats,
            evaluator,
            partners: &self.partners,
            noise,
            bits,
            exchange: Exchange::default(),
        }
    }
}

/// Rebuilds some of the matches of `teams`, whose last is the bench.
pub(super) fn rebuild(
    problem: &Problem<'_>,
    teams: &mut [Vec<u32>],
    home: &mut [usize],
    temperatures: Temperatures,
    budget: &mut Budget<'_>,
    (bits, noise): (&mut SplitMix64, &Noise),
) {
    let bench = teams.len() - 1;
    let chosen = choose(problem, teams, home, bits);
    let spare = spare(problem, &teams[bench], bits);
    let mut numbers: Vec<usize> = Vec::new();
    let each = problem.pool.sizes().len();
    let of_match = |index: usize| each * index..each * (index + 1);
    let mut parts = Vec::with_capacity(each * chosen.len() + 1);
    for players in chosen
        .iter()
        .flat_map(|&index| &teams[of_match(index)])
        .chain([&spare])
    {
        #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
        parts.push((numbers.len() as u32..(numbers.len() + players.len()) as u32).collect::<Vec<u32>>());
        numbers.extend(players.iter().map(|&player| player as usize));
    }
    let Some(part) = problem.part(&numbers) else {
        budget.spend(1);
        return;
    };
    let mut seats = Seats::new(&part.pool, &parts);
    let schedule = (temperatures, anneal_length(LENGTH, numbers.len()), f64::INFINITY);
    let (before, after) = part.anneal(&mut seats, schedule, budget, (bits, noise));
    if after < before {
        return;
    }
    #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
    let named = |team: usize| {
        seats
            .team(team)
            .iter()
            .map(|&number| numbers[number as usize] as u32)
            .collect::<Vec<u32>>()
    };
    for (at, &index) in chosen.iter().enumerate() {
        for side in 0..each {
            teams[each * index + side] = named(each * at + side);
        }
        for &player in &teams[of_match(index)].concat() {
            home[player as usize] = index;
        }
    }
    teams[bench].retain(|player| !spare.contains(player));
    teams[bench].extend(named(seats.bench()));
    for &player in &teams[bench] {
        home[player as usize] = bench / each;
    }
}

/// Proposals of an anneal of this many players.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "1 or more, and far below 2^64"
)]
pub(super) fn anneal_length(factor: f64, players: usize) -> u64 {
    (factor * (players as f64).powi(3)).clamp(1.0, 1e18) as u64
}

/// Some matches: one at random, and mostly those in which good partners of their players play.
fn choose(problem: &Problem<'_>, teams: &[Vec<u32>], home: &[usize], bits: &mut SplitMix64) -> Vec<usize> {
    let (each, size) = (problem.pool.sizes().len(), problem.pool.match_size());
    let all = teams.len() / each;
    let fewest = (FEWEST / size).max(3).min(all);
    let most = (MOST / size).clamp(fewest, all);
    let wanted = fewest + bits.quick_below(most - fewest + 1);
    let mut chosen = vec![bits.quick_below(all)];
    while chosen.len() < wanted {
        let team = &teams[each * chosen[bits.quick_below(chosen.len())] + bits.quick_below(each)];
        let player = team[bits.quick_below(team.len())];
        let related = problem
            .partners
            .draw(player, bits)
            .map(|partner| home[partner as usize]);
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

/// Parties of the bench who may play, two matches of them at most.
fn spare(problem: &Problem<'_>, bench: &[u32], bits: &mut SplitMix64) -> Vec<u32> {
    let most = 2 * problem.pool.match_size();
    if bench.len() <= most {
        return bench.to_vec();
    }
    let party = |player: u32| problem.pool.party_of(player as usize);
    let mut firsts: Vec<u32> = bench
        .iter()
        .copied()
        .filter(|&player| party(player)[0] == player as usize)
        .collect();
    bits.shuffle(&mut firsts);
    let mut spare = Vec::new();
    for first in firsts {
        if spare.len() + party(first).len() <= most {
            #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
            spare.extend(party(first).iter().map(|&player| player as u32));
        }
    }
    spare
}
