//! Lobbies by simulated annealing over exchanges of parties, with ruin and recreate.

mod anneal;
mod budget;
mod by_terms;
mod evaluator;
mod noise;
mod rebuild;
mod seats;
mod table;
#[cfg(test)]
mod tests;

use anneal::Temperatures;
pub(crate) use anneal::{Anneal, Partners};
pub(crate) use budget::Budget;
use evaluator::Asked;
pub(crate) use evaluator::Evaluator;
pub(crate) use noise::Noise;
use rebuild::{Problem, Source, anneal_length, rebuild};
pub(crate) use seats::{Exchange, Seats};
use table::Table;

use crate::error::LobbyError;
use crate::lineup::Lineups;
use crate::objective::{LobbyObjective, terms_of};
use crate::parallel::in_order;
use crate::parts::{self, Allowance};
use crate::pool::LobbyPool;
use crate::progress::{Progress, SEARCH, Watch, is_over};
use crate::random::SplitMix64;
use crate::solver::LobbySolver;
use crate::start::Plan;
use crate::teams::{ExhaustiveSplit, Group, TeamSplitter, best_division};
use crate::terms::LobbyTerms;

/// Players above which a pool is cut into parts.
const PART: usize = 1000;

/// Proposals of a run, times the number of players to the third, after which it has found most of what it can.
const RUN: f64 = 0.3;

/// Proposals of an anneal of the whole pool, times the number of players to the third.
const START: f64 = 0.1;

/// The share of a run that one such anneal takes at most, and the share after which no other one begins.
const START_AT_MOST: f64 = 0.35;
const STARTS: f64 = 0.4;

/// Ways to divide a match between its teams, sides told apart, up to which all are tried in the end.
const MOST_WAYS: u64 = 1000;

/// Lobbies by simulated annealing: random exchanges of parties between teams, worse ones accepted ever more rarely; then
/// a few related matches at a time taken apart and annealed anew.
///
/// An exchange takes a party out of one team and parties of as many players out of another, or from the bench of
/// those left out; teams stay full and parties whole. It is accepted if it gains, or by chance,
///
/// ```text
/// with probability  exp(gain / T),  T from 0.6 D down to 0.02 D, evenly in log T
/// ```
///
/// (Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing", Science 220, 1983). D is the difference
/// that an exchange typically makes: the lower quartile of those of some thousand exchanges, sampled where none gains,
/// so that the search does not depend on the scale of the objective. Most proposals go to a match in which one of the
/// player's twelve best partners plays, for the place where what the terms of pairs sum to, with noise of the same
/// temperature, is greatest; some are between the teams of one match; the others are uniform.
///
/// Anneals of the whole pool give a start. Then matches of 30 to 72 players at a time, mostly such as share good
/// partners, are annealed anew by themselves, and put back if they are no worse (ruin and recreate: Schrimpf and
/// others, "Record breaking optimization results using the ruin and recreate principle", J. Comput. Phys. 159, 2000).
/// Runs from different starts follow one another; the best is kept, and each match of it is divided best if it has no
/// more than 1,000 divisions.
///
/// A forbidden match counts as dissolved: minus the prices of its players, and a little less for each forbidden pair.
///
/// With [`LobbyObjective::terms`] millions of exchanges are tried a second; without, two calls of the objective each.
/// It proves nothing by itself: that is `CertifiedLobbies`, behind the feature `bounds`.
///
/// ```
/// use matchwright_lobby::{Annealing, LobbyPool, LobbySolver};
///
/// // All would play against others of their strength, in twos.
/// let skills = [5.0, 1.0, 9.0, 5.5, 8.0, 1.5, 4.5, 0.5, 8.5, 1.0, 5.0, 9.5];
/// let quality = |a: &[usize], b: &[usize]| {
///     let all = || a.iter().chain(b).map(|&player| skills[player]);
///     let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
///     Some(1.0 - (most - least) / 10.0)
/// };
/// let lineups = Annealing::new(7).with_moves(20_000).solve(&LobbyPool::new(12, (2, 2))?, &quality)?;
/// assert_eq!(lineups.lobbies.len(), 3);
/// assert!((lineups.mean_quality() - (0.9 + 0.85 + 0.9) / 3.0).abs() < 1e-9);
/// # Ok::<(), matchwright_lobby::LobbyError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Annealing {
    seed: u64,
    moves: u64,
    threads: usize,
    part: usize,
}

/// One run's outcome.
#[derive(Debug)]
pub(crate) struct Found {
    /// Teams 0 and 1 of match 0, and so on; the bench last.
    teams: Vec<Vec<u32>>,
    /// As the search saw it.
    value: f64,
    /// Proposals tried.
    pub(crate) tried: u64,
}

impl Annealing {
    /// A million proposals on one thread, with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self {
            seed,
            moves: 1_000_000,
            threads: 1,
            part: PART,
        }
    }

    /// How many exchanges [`solve`](LobbySolver::solve) proposes at most, over all runs.
    #[must_use]
    pub const fn with_moves(mut self, moves: u64) -> Self {
        self.moves = moves;
        self
    }

    /// How many exchanges [`solve`](LobbySolver::solve) proposes at most.
    #[must_use]
    pub const fn moves(&self) -> u64 {
        self.moves
    }

    /// Runs share out among this many threads; what is found does not depend on it, if it is
    /// [`solve`](LobbySolver::solve)d.
    #[must_use]
    pub const fn with_threads(mut self, threads: usize) -> Self {
        self.threads = if threads == 0 { 1 } else { threads };
        self
    }

    /// Pools of more players than this, 1,000 by default, are cut into parts of so many, neighbours of the pool's
    /// [`order`](LobbyPool::order); players left out of a part are searched again with the others who are.
    #[must_use]
    pub const fn with_parts_of(mut self, players: usize) -> Self {
        self.part = if players == 0 { 1 } else { players };
        self
    }

    /// How many threads work at once.
    #[must_use]
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// Whether a pool of so many players is cut into parts.
    #[must_use]
    pub const fn cuts(&self, players: usize) -> bool {
        players > self.part
    }

    /// The same, for as long as `watch` says less than 1: the share of the time that is used up. It is asked every
    /// few hundred proposals, and temperatures follow it, so that a search ends cold when the time ends.
    ///
    /// What is found depends on the time, therefore; give [`with_moves`](Self::with_moves) where it must be
    /// repeatable.
    ///
    /// # Errors
    /// As [`solve`](LobbySolver::solve).
    pub fn solve_while(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        watch: Watch<'_>,
    ) -> Result<Lineups, LobbyError> {
        if self.cuts(pool.players()) {
            return parts::solve(self, pool, objective, self.part, Allowance::Watch(watch));
        }
        let search = Search::new(pool, objective)?;
        search.best_of(search.within(self, 1.0, usize::MAX, watch))
    }
}

impl LobbySolver for Annealing {
    fn solve(&self, pool: &LobbyPool, objective: &dyn LobbyObjective) -> Result<Lineups, LobbyError> {
        if self.cuts(pool.players()) {
            return parts::solve(self, pool, objective, self.part, Allowance::Moves(self.moves));
        }
        let search = Search::new(pool, objective)?;
        search.best_of(search.of_moves(self, self.moves))
    }
}

/// A pool and its objective, made ready for any number of runs.
pub(crate) struct Search<'a> {
    pool: &'a LobbyPool,
    objective: &'a dyn LobbyObjective,
    terms: Option<LobbyTerms>,
    problem: Problem<'a>,
    plan: Plan,
    noise: Noise,
}

impl<'a> Search<'a> {
    pub(crate) fn new(pool: &'a LobbyPool, objective: &'a dyn LobbyObjective) -> Result<Self, LobbyError> {
        let terms = terms_of(pool, objective)?;
        let source = match &terms {
            Some(terms) => Source::Terms(Box::new(Table::new(pool, terms))),
            None => Source::Quality(Asked::new(pool, objective)),
        };
        Ok(Self {
            pool,
            objective,
            plan: Plan::of(pool),
            problem: Problem::new(pool.clone(), source),
            terms,
            noise: Noise::new(),
        })
    }

    /// The terms, if there are any.
    #[cfg(feature = "bounds")]
    pub(crate) fn terms(&self) -> Option<&LobbyTerms> {
        self.terms.as_ref()
    }

    /// As many runs as make sense of this many proposals: the same for any number of threads.
    pub(crate) fn of_moves(&self, settings: &Annealing, moves: u64) -> Vec<Found> {
        if let Some(only) = self.only_division(settings.seed) {
            return vec![only];
        }
        let no_clock = || 0.0;
        let mut budget = Budget::new(moves, &no_clock);
        let (temperatures, first) = self.measure(settings.seed, &mut budget);
        let left = moves - budget.tried();
        let runs = left.div_ceil(anneal_length(RUN, self.pool.players())).max(1);
        let mut found = in_order(settings.threads, runs, |run| {
            let each = left / runs + u64::from(run < left % runs);
            self.run(
                settings.seed,
                run,
                temperatures,
                &mut Budget::new(each, &no_clock),
            )
        });
        found.push(first);
        found
    }

    /// Runs on every thread for as long as `watch` says less than `until`, at most `most_runs` on each.
    pub(crate) fn within(
        &self,
        settings: &Annealing,
        until: f64,
        most_runs: usize,
        watch: Watch<'_>,
    ) -> Vec<Found> {
        if let Some(only) = self.only_division(settings.seed) {
            return vec![only];
        }
        let threads = settings.threads as u64;
        let length = anneal_length(RUN, self.pool.players());
        let progress = |value: Option<f64>| match value {
            Some(value) => Progress::new(SEARCH).with_value(value),
            None => Progress::new(SEARCH),
        };
        let time = || watch(&progress(None)) / until;
        let (temperatures, first) = self.measure(settings.seed, &mut Budget::new(length, &time));
        let lists = in_order(settings.threads, threads, |thread| {
            let mut found: Vec<Found> = Vec::new();
            loop {
                let best = found.iter().map(|found| found.value).reduce(f64::max);
                let start = watch(&progress(best)) / until;
                if (is_over(start) && !found.is_empty()) || found.len() >= most_runs {
                    return found;
                }
                // The last run is shorter, and cools faster.
                let time = || {
                    let now = watch(&progress(best)) / until;
                    if start < 1.0 {
                        (now - start) / (1.0 - start)
                    } else {
                        1.0
                    }
                };
                let number = thread + threads * found.len() as u64;
                found.push(self.run(
                    settings.seed,
                    number,
                    temperatures,
                    &mut Budget::new(length, &time),
                ));
            }
        });
        lists.into_iter().flatten().chain([first]).collect()
    }

    /// The temperatures of all runs, and the lineup on which they were measured.
    fn measure(&self, seed: u64, budget: &mut Budget<'_>) -> (Temperatures, Found) {
        let mut bits = SplitMix64(seed ^ 0x6d65_6173_7572_6521);
        let mut seats = Seats::new(self.pool, &self.deal(&mut bits));
        let temperatures = self.problem.measure(&mut seats, budget, (&mut bits, &self.noise));
        let found = Found {
            value: self.problem.value(&seats),
            teams: seats.teams(),
            tried: budget.tried(),
        };
        (temperatures, found)
    }

    /// Full teams in the order of the pool, with noise.
    fn deal(&self, bits: &mut SplitMix64) -> Vec<Vec<u32>> {
        self.plan.deal(self.pool, 0.2 * self.pool.players() as f64, bits)
    }

    /// One run, from a start of its own: anneals of the whole pool, then of some matches of the best at a time.
    fn run(&self, seed: u64, number: u64, temperatures: Temperatures, budget: &mut Budget<'_>) -> Found {
        let mut bits = SplitMix64(seed ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03));
        bits.next();
        let length = anneal_length(START, self.pool.players());
        let mut best: Option<(f64, Vec<Vec<u32>>)> = None;
        while best.is_none() || budget.used() < STARTS {
            let mut seats = Seats::new(self.pool, &self.deal(&mut bits));
            let until = (budget.used() + START_AT_MOST).min(1.0);
            let schedule = (temperatures, length, until);
            let (_, value) = self
                .problem
                .anneal(&mut seats, schedule, budget, (&mut bits, &self.noise));
            if best.as_ref().is_none_or(|best| value > best.0) {
                best = Some((value, seats.teams()));
            }
        }
        let mut teams = best.map_or_else(Vec::new, |best| best.1);
        let mut home = vec![0; self.pool.players()];
        for (team, players) in teams.iter().enumerate() {
            for &player in players {
                home[player as usize] = team / 2;
            }
        }
        // Without a match there is nothing to rebuild.
        while teams.len() > 1 && budget.used() < 1.0 {
            rebuild(
                &self.problem,
                &mut teams,
                &mut home,
                temperatures,
                budget,
                (&mut bits, &self.noise),
            );
        }
        Found {
            value: self.problem.value(&Seats::new(self.pool, &teams)),
            teams,
            tried: budget.tried(),
        }
    }

    /// A lineup that needs no search: one match of all players, which is divided best in the end.
    fn only_division(&self, seed: u64) -> Option<Found> {
        let teams = self.deal(&mut SplitMix64(seed));
        let is_whole = teams.len() == 3 && teams[2].is_empty();
        let pair = |team: &Vec<u32>| team.iter().map(|&player| player as usize).collect::<Vec<_>>();
        let group = is_whole
            .then(|| self.group(&pair(&teams[0]), &pair(&teams[1])).0)
            .flatten()?;
        (group.splits() <= MOST_WAYS).then_some(Found {
            teams,
            value: 0.0,
            tried: 0,
        })
    }

    /// The best of the runs, the earliest if there are several.
    pub(crate) fn best_of(&self, found: Vec<Found>) -> Result<Lineups, LobbyError> {
        let tried = found.iter().map(|found| found.tried).sum();
        let best = found
            .into_iter()
            .reduce(|best, next| if next.value > best.value { next } else { best });
        let mut lineups = best.map_or_else(
            || Lineups::of_teams(self.pool, self.objective, []),
            |best| self.lineups(best),
        )?;
        lineups.tried = tried;
        Ok(lineups)
    }

    /// The pool.
    #[cfg(feature = "bounds")]
    pub(crate) const fn pool(&self) -> &'a LobbyPool {
        self.pool
    }

    /// The objective.
    #[cfg(feature = "bounds")]
    pub(crate) const fn objective(&self) -> &'a dyn LobbyObjective {
        self.objective
    }

    /// The lineups of a run, each match divided best.
    pub(crate) fn lineups(&self, found: Found) -> Result<Lineups, LobbyError> {
        let names = |team: &Vec<u32>| team.iter().map(|&player| player as usize).collect::<Vec<_>>();
        let mut teams = found.teams;
        teams.pop();
        let matches = teams
            .chunks_exact(2)
            .map(|pair| self.divided(names(&pair[0]), names(&pair[1])));
        Lineups::of_teams(self.pool, self.objective, matches.collect::<Vec<_>>())
    }

    /// The best division of the players of a match, or the given one if there are too many to try or none is allowed.
    fn divided(&self, team_a: Vec<usize>, team_b: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
        let (group, parties) = self.group(&team_a, &team_b);
        let Some(group) = group.filter(|group| group.splits() <= MOST_WAYS) else {
            return (team_a, team_b);
        };
        let teams = match &self.terms {
            Some(terms) => best_division(terms, &parties, self.pool.sizes()).map(|team_of| {
                let team = |wanted: usize| {
                    let own = parties.iter().zip(&team_of).filter(|(_, team)| **team == wanted);
                    own.flat_map(|(party, _)| party.iter().copied())
                        .collect::<Vec<usize>>()
                };
                (team(0), team(1))
            }),
            None => ExhaustiveSplit.split(&group, self.objective).ok().map(|split| {
                let [team_a, team_b] = [0, 1].map(|team| split.teams[team].clone());
                (team_a, team_b)
            }),
        };
        teams.unwrap_or((team_a, team_b))
    }

    /// The players of a match as a group, and their parties.
    fn group(&self, team_a: &[usize], team_b: &[usize]) -> (Option<Group>, Vec<Vec<usize>>) {
        let players = [team_a, team_b].concat();
        let party = |&player: &usize| self.pool.party_of(player).to_vec();
        let mut parties: Vec<Vec<usize>> = players.iter().map(party).collect();
        parties.sort_unstable();
        parties.dedup();
        let group = Group::new(players, [team_a.len(), team_b.len()]);
        (group.and_then(|group| group.with_parties(&parties)).ok(), parties)
    }
}
