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

use std::sync::atomic::{AtomicU64, Ordering};

use anneal::Temperatures;
pub(crate) use anneal::{Anneal, Partners};
pub(crate) use budget::{Budget, is_over};
use evaluator::Calls;
pub(crate) use evaluator::Evaluator;
use matchwright_solver::{Limits, Meter, Progress, Status};
pub(crate) use noise::Noise;
use rebuild::{Problem, Source, anneal_length, rebuild};
pub(crate) use seats::{Exchange, Seats};
use table::Table;

use crate::error::LobbyError;
use crate::lineup::Lineups;
use crate::objective::LobbyObjective;
use crate::parallel::in_order;
use crate::parts;
use crate::pool::LobbyPool;
use crate::progress::SEARCH;
use crate::random::SplitMix64;
use crate::solver::LobbySolver;
use crate::start::Plan;
use crate::teams::{ExhaustiveSplit, Group, TeamSplitter, best_division};
use crate::terms::LobbyTerms;
use crate::unit_terms::UnitTerms;

/// Players above which a pool is cut into parts.
const PART: usize = 1000;

/// Proposals of a run, times the number of players to the third, after which it has found most of what it can.
const RUN: f64 = 0.3;

/// Proposals of an anneal of the whole pool, times the number of players to the third.
const START: f64 = 0.1;

/// The share of a run that one such anneal takes at most, and the share after which no other one begins.
const START_AT_MOST: f64 = 0.35;
const STARTS: f64 = 0.4;

/// Splits of a match into its teams, sides told apart, up to which all are tried in the end.
const MOST_SPLITS: u64 = 1000;

/// Lobbies by simulated annealing: random exchanges of parties between teams, worse ones accepted ever more rarely; then
/// a few related matches at a time taken apart and annealed anew.
///
/// An exchange takes a party out of one team and parties of as many players out of another, or from the unmatched
/// players; teams stay full and parties whole. It is accepted if it gains, or else
///
/// ```text
/// with probability  exp(gain / T),  T from 0.6 D down to 0.02 D, evenly in log T
/// ```
///
/// (Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing", Science 220, 1983). D is the difference
/// that an exchange typically makes: the lower quartile of those of some thousand exchanges, sampled where none gains,
/// so that the search does not depend on the scale of the objective. Most proposals go to a match in which one of the
/// player's twelve best partners plays, for the place where the sum of the pairs' terms, with noise of the same
/// temperature, is greatest; some are between the teams of one match; the others are uniform.
///
/// Anneals of the whole pool give a start. Then matches of 30 to 72 players at a time, mostly such as share good
/// partners, are annealed anew by themselves, and put back if they are no worse (ruin and recreate: Schrimpf and
/// others, "Record breaking optimization results using the ruin and recreate principle", J. Comput. Phys. 159, 2000).
/// Runs from different starts follow one another; the best is kept, and each match of it gets its best split if it has
/// no more than 1,000 splits.
///
/// A forbidden match counts as dissolved: minus its players' unmatched penalties, and a little less for each forbidden
/// pair.
///
/// One proposal is one unit of work. A watch is asked every few hundred proposals, and temperatures follow its share, so
/// that a search ends cold when the time ends.
///
/// With [`LobbyObjective::terms`] millions of exchanges are tried a second; without, and of more than two teams, two calls
/// of the objective each.
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
/// let lineups = Annealing::new(7).with_moves(20_000).solve(&LobbyPool::new(12, [2, 2])?, &quality)?;
/// assert_eq!(lineups.lobbies.len(), 3);
/// assert!((lineups.mean_quality() - (0.9 + 0.85 + 0.9) / 3.0).abs() < 1e-9);
/// # Ok::<(), matchwright_lobby::LobbyError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Annealing {
    seed: u64,
    moves: u64,
    pub(crate) threads: usize,
    part: usize,
}

/// One run's outcome.
#[derive(Debug)]
pub(crate) struct Found {
    /// The teams, match by match; the unmatched players last.
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

    /// How many exchanges a call proposes at most, over all runs; `u64::MAX` for as many as the limits allow.
    #[must_use]
    pub const fn with_moves(mut self, moves: u64) -> Self {
        self.moves = moves;
        self
    }

    /// Runs share out among this many threads; the result does not depend on it, unless a watch ends the call.
    #[must_use]
    pub const fn with_threads(mut self, threads: usize) -> Self {
        self.threads = if threads == 0 { 1 } else { threads };
        self
    }

    /// Pools of more players than this, 1,000 by default, are cut into parts of this many, neighbours in the pool's
    /// [`order`](LobbyPool::order); the unmatched players of all parts are searched again together.
    #[must_use]
    pub const fn with_parts_of(mut self, players: usize) -> Self {
        self.part = if players == 0 { 1 } else { players };
        self
    }

    #[cfg(feature = "bounds")]
    pub(crate) const fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether a pool of this many players is cut into parts.
    pub(crate) const fn cuts(&self, players: usize) -> bool {
        players > self.part
    }

    /// The proposals of a call within these limits.
    pub(crate) fn moves_within(&self, limits: &Limits<'_>) -> u64 {
        self.moves.min(limits.work().unwrap_or(u64::MAX))
    }

    /// The lineups of a pool that is not cut into parts.
    pub(crate) fn solve_whole(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        limits: &Limits<'_>,
    ) -> Result<Lineups, LobbyError> {
        let search = Search::new(pool, objective)?;
        search.best_of(search.runs(self, limits, u64::MAX, |_| 1.0))
    }
}

impl LobbySolver for Annealing {
    fn solve_within(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        limits: &Limits<'_>,
    ) -> Result<Lineups, LobbyError> {
        let lineups = if self.cuts(pool.players()) {
            let moves = self.moves_within(limits) as f64;
            // Threads are spent on parts.
            let own = self.clone().with_threads(1);
            let search =
                |pool: &LobbyPool, objective: &dyn LobbyObjective, share: f64, limits: &Limits<'_>| {
                    #[allow(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "a share of the moves is at most as many"
                    )]
                    let moves = (moves * share) as u64;
                    own.clone().with_moves(moves).solve_whole(pool, objective, limits)
                };
            parts::solve((&search, self.threads), pool, objective, self.part, limits)?
        } else {
            self.solve_whole(pool, objective, limits)?
        };
        Ok(Lineups {
            status: status_at_end(limits, self.moves),
            ..lineups
        })
    }
}

/// How a search with this much work ended.
pub(crate) fn status_at_end(limits: &Limits<'_>, work: u64) -> Status {
    let is_stopped = limits
        .watch()
        .is_some_and(|watch| is_over(watch(&Progress::new(SEARCH))));
    if is_stopped {
        Status::Stopped
    } else if limits.work().is_some_and(|limit| limit < work) {
        Status::WorkLimit
    } else {
        Status::Finished
    }
}

/// A pool and its objective, made ready for any number of runs.
pub(crate) struct Search<'a> {
    pub(crate) pool: &'a LobbyPool,
    pub(crate) objective: &'a dyn LobbyObjective,
    pub(crate) terms: Option<LobbyTerms>,
    problem: Problem<'a>,
    plan: Plan,
    noise: Noise,
}

impl<'a> Search<'a> {
    pub(crate) fn new(pool: &'a LobbyPool, objective: &'a dyn LobbyObjective) -> Result<Self, LobbyError> {
        let terms = objective.terms_of_pool(pool)?;
        let source = match &terms {
            Some(terms) => Source::Terms(Box::new(Table::new(pool, terms))),
            None => Source::Quality(Calls::new(pool, objective)),
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

    /// Runs from different starts, `most_runs` at most, and last the lineup on which temperatures were measured. The
    /// same for any number of threads, unless a watch ends them.
    ///
    /// `share` is asked which share of the limits the runs may take, given how many would fit, one after another.
    pub(crate) fn runs(
        &self,
        settings: &Annealing,
        limits: &Limits<'_>,
        most_runs: u64,
        share: impl Fn(f64) -> f64,
    ) -> Vec<Found> {
        if let Some(only) = self.only_match(settings.seed) {
            return vec![only];
        }
        let best = AtomicU64::new(f64::NEG_INFINITY.to_bits());
        let time = || {
            let value = f64::from_bits(best.load(Ordering::Relaxed));
            let progress = Progress::new(SEARCH);
            limits.watch().map_or(0.0, |watch| {
                watch(&if value.is_finite() {
                    progress.with_value(value)
                } else {
                    progress
                })
            })
        };
        let (length, begun) = (anneal_length(RUN, self.pool.players()), time());
        let mut budget = Budget::new(settings.moves_within(limits), &time);
        let (temperatures, first) = self.measure(settings.seed, &mut budget);
        let now = time();
        // Infinite without a watch, as no time passes.
        let by_time = first.tried as f64 * (1.0 - now) / (now - begun);
        let share = share((budget.left() as f64).min(by_time) / length as f64);
        let end = begun + share * (1.0 - begun);
        let time = || time() / end;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of the moves is at most as many"
        )]
        let left = match limits.work() {
            Some(_) => (budget.left() as f64 * share) as u64,
            None => budget.left(),
        };
        let runs = left.div_ceil(length).max(1);
        let mut found = in_order(settings.threads, runs.min(most_runs), |run| {
            let start = time();
            if is_over(start) {
                return None;
            }
            // The last run has less time than the others, and cools faster.
            let share = || (time() - start) / (1.0 - start);
            let each = left / runs + u64::from(run < left % runs);
            let found = self.run(settings.seed, run, temperatures, &mut Budget::new(each, &share));
            let better = |bits| (found.value > f64::from_bits(bits)).then_some(found.value.to_bits());
            let _ = best.fetch_update(Ordering::Relaxed, Ordering::Relaxed, better);
            Some(found)
        });
        found.push(first);
        found
    }

    /// Neighbours in the pool's order, below which a short search may end.
    #[cfg(feature = "bounds")]
    pub(crate) fn sorted(&self, seed: u64) -> Found {
        let teams = self.plan.deal(self.pool, 0.0, &mut SplitMix64(seed));
        Found {
            value: self.problem.value(&Seats::new(self.pool, &teams)),
            teams,
            tried: 0,
        }
    }

    /// The temperatures of all runs, and the lineup on which they are measured.
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
        let each = self.pool.sizes().len();
        let mut home = vec![0; self.pool.players()];
        for (team, players) in teams.iter().enumerate() {
            for &player in players {
                home[player as usize] = team / each;
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

    /// A lineup that needs no search: one match of all players, which gets its best split in the end.
    fn only_match(&self, seed: u64) -> Option<Found> {
        let teams = self.deal(&mut SplitMix64(seed));
        let each = self.pool.sizes().len();
        let is_whole = teams.len() == each + 1 && teams[each].is_empty();
        let group = is_whole.then(|| self.group(&teams[..each])).flatten()?;
        (group.splits() <= MOST_SPLITS).then_some(Found {
            teams,
            value: 0.0,
            tried: 0,
        })
    }

    /// The lineups of the best run, the earliest if there are several.
    fn best_of(&self, found: Vec<Found>) -> Result<Lineups, LobbyError> {
        let work = found.iter().map(|found| found.tried).sum();
        let best = found
            .into_iter()
            .reduce(|best, next| if next.value > best.value { next } else { best });
        let lineups = match best {
            Some(best) => self.lineups(&best)?,
            None => Lineups::of_teams(self.pool, self.objective, [])?,
        };
        Ok(Lineups { work, ..lineups })
    }

    /// The lineups of a run, each match with its best split.
    pub(crate) fn lineups(&self, found: &Found) -> Result<Lineups, LobbyError> {
        let each = self.pool.sizes().len();
        let matches = found.teams.chunks_exact(each).map(|teams| self.best_split(teams));
        Lineups::of_teams(self.pool, self.objective, matches)
    }

    /// The best split of the players of a match, or the given one if there are too many or none is allowed.
    fn best_split(&self, teams: &[Vec<u32>]) -> Vec<Vec<usize>> {
        let best = self
            .group(teams)
            .filter(|group| group.splits() <= MOST_SPLITS)
            .and_then(|group| match self.terms.as_ref().zip(self.pool.two_teams()) {
                Some((terms, sizes)) => {
                    let parties: Vec<Vec<usize>> = group.parties().collect();
                    let units = UnitTerms::new(terms, &parties);
                    let best = best_division(&units, sizes, &Meter::default()).0;
                    best.map(|team_of| group.teams(&team_of))
                }
                None => ExhaustiveSplit
                    .split(&group, self.objective)
                    // Dropped: where no split is allowed, the given one stays.
                    .ok()
                    .map(|split| split.teams),
            });
        best.unwrap_or_else(|| teams.iter().map(|team| as_usize(team)).collect())
    }

    /// The players of all teams of a match as a group.
    fn group(&self, teams: &[Vec<u32>]) -> Option<Group> {
        let mut players = as_usize(&teams.concat());
        players.sort_unstable();
        let first = |player: &&usize| self.pool.party_of(**player)[0] == **player;
        let parties = players.iter().filter(first);
        let parties: Vec<Vec<usize>> = parties
            .map(|&player| self.pool.party_of(player).to_vec())
            .collect();
        let group = Group::new(players, self.pool.sizes());
        // Dropped: the teams are those of a pool, which checked the parties.
        group.and_then(|group| group.with_parties(&parties)).ok()
    }
}

fn as_usize(players: &[u32]) -> Vec<usize> {
    players.iter().map(|&player| player as usize).collect()
}
