//! Lobbies by simulated annealing over exchanges of parties.

mod asked;
mod divided;
mod divisions;
mod gains;
mod judge;
mod kinds;
mod neighbourhood;
mod noise;
mod run;
mod seats;
mod seen;
mod table;
mod tally;
mod ways;

use asked::Asked;
use judge::Judge;
use neighbourhood::Neighbourhoods;
use noise::Noise;
use run::{Anneal, Partners, Temperatures};
pub(super) use seats::Seats;
pub(super) use table::Table;
use tally::Tally;
use ways::Ways;

use super::LobbySolver;
use super::error::LobbyError;
use super::lineup::Lineups;
use super::objective::{LobbyObjective, terms_of};
use super::parts::{self, Budget};
use super::pool::LobbyPool;
use super::progress::{LobbyProgress, LobbyStage, LobbyWatch, is_over};
use super::start::Plan;
use super::terms::LobbyTerms;
use crate::random::SplitMix64;

/// Good partners remembered for each player.
const PARTNERS: usize = 12;

/// Players above which a pool is cut into parts.
const PART: usize = 1000;

/// Lobbies by simulated annealing of large neighbourhoods: random exchanges of parties between teams, worse ones
/// accepted ever more rarely; then some matches at a time annealed anew.
///
/// An exchange takes a party out of one match and parties of as many players out of another, or from the bench of
/// those left out; teams stay full and parties whole. It is accepted if it gains, or by chance,
///
/// ```text
/// with probability  exp(gain / T),  T from 0.04 down to 0.0012 of a match's quality, evenly in log T
/// ```
///
/// (Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing", Science 220, 1983). Nine proposals in ten
/// go to a match in which one of the player's twelve best partners plays, for the place where what the terms of pairs
/// sum to, with noise of the same temperature, is greatest. Matches that can be divided in few ways, up to 4 against 4,
/// count as what they are worth divided best: all divisions are looked at wherever they are likely to decide, and what was
/// found is remembered for a while. Players of larger ones change sides by exchanges like all others, and T begins at
/// 0.02.
///
/// Parties settle early in an anneal, since moving one costs more than moving a player, and who meets whom hangs on
/// them. So a few short anneals of the whole pool only give a start. Then five to twelve matches at a time,
/// mostly such as share good partners, are taken apart, annealed anew by themselves, and put back if they are
/// no worse (large neighbourhood search: Shaw, "Using constraint programming and local search methods to solve vehicle
/// routing problems", CP 1998). Runs from different starts follow one another; the best is kept, and each match is
/// split anew. Larger matches, and objectives without terms, get anneals of the whole pool alone.
///
/// With [`LobbyObjective::terms`] millions of exchanges are tried a second; without, two calls of the objective each.
/// It proves nothing by itself: that is `CertifiedLobbies`, behind the feature `bounds`.
///
/// ```
/// use matchwright_lobby::{Annealing, LobbyPool, LobbySolver};
///
/// // Everybody would play against others of his strength, in twos.
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
pub(super) struct Found {
    /// Teams 0 and 1 of match 0, and so on; the bench last.
    pub(super) teams: Vec<Vec<u32>>,
    /// As the search saw it.
    pub(super) value: f64,
    /// Exchanges tried.
    pub(super) tried: u64,
}

impl Found {
    fn of(seats: &Seats, judge: &impl Judge, tried: u64) -> Self {
        Self {
            teams: judge.teams(seats),
            value: judge.total(seats),
            tried,
        }
    }
}

impl Annealing {
    /// A million exchanges on one thread, with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self {
            seed,
            moves: 1_000_000,
            threads: 1,
            part: PART,
        }
    }

    /// How many exchanges [`solve`](LobbySolver::solve) tries, over all runs.
    #[must_use]
    pub const fn with_moves(mut self, moves: u64) -> Self {
        self.moves = moves;
        self
    }

    /// How many exchanges [`solve`](LobbySolver::solve) tries.
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
    /// [`order`](LobbyPool::order); who is left over in a part is searched again with the others who are.
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
    /// few hundred exchanges, and temperatures follow it, so that a search ends cold when the time ends.
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
        watch: LobbyWatch<'_>,
    ) -> Result<Lineups, LobbyError> {
        if pool.players() > self.part {
            return parts::solve(self, pool, objective, self.part, Budget::Watch(watch));
        }
        let search = Search::new(pool, objective)?;
        best_of(&search, search.within(self, 1.0, usize::MAX, watch))
    }
}

impl LobbySolver for Annealing {
    fn solve(&self, pool: &LobbyPool, objective: &dyn LobbyObjective) -> Result<Lineups, LobbyError> {
        if pool.players() > self.part {
            return parts::solve(self, pool, objective, self.part, Budget::Moves(self.moves));
        }
        let search = Search::new(pool, objective)?;
        best_of(&search, search.of_moves(self, self.moves))
    }
}

/// The best of the runs, the earliest if there are several.
pub(super) fn best_of(search: &Search<'_>, found: Vec<Found>) -> Result<Lineups, LobbyError> {
    let tried = found.iter().map(|found| found.tried).sum();
    let best = found
        .into_iter()
        .reduce(|best, next| if next.value > best.value { next } else { best });
    let mut lineups = search.lineups(best.map(|best| best.teams).unwrap_or_default())?;
    lineups.tried = tried;
    Ok(lineups)
}

/// A pool and its objective, made ready for any number of runs.
pub(super) struct Search<'a> {
    pool: &'a LobbyPool,
    objective: &'a dyn LobbyObjective,
    names: Vec<usize>,
    terms: Option<(LobbyTerms, Table)>,
    /// The ways to divide a match, if they are few and what they are worth is told by terms.
    ways: Option<Ways>,
    plan: Plan,
    partners: Partners,
    noise: Noise,
    temperatures: Temperatures,
}

impl<'a> Search<'a> {
    pub(super) fn new(pool: &'a LobbyPool, objective: &'a dyn LobbyObjective) -> Result<Self, LobbyError> {
        let names: Vec<usize> = (0..pool.players()).collect();
        let terms = terms_of(pool, objective)?.map(|terms| {
            let table = Table::new(pool, &terms);
            (terms, table)
        });
        let partners = terms.as_ref().map_or_else(Partners::default, |(_, table)| {
            Partners::new(pool.players(), PARTNERS, |i, j| table.affinity(i, j))
        });
        let large = pool.players() > 1000;
        Ok(Self {
            pool,
            objective,
            plan: Plan::of(pool),
            ways: terms.as_ref().and_then(|_| Ways::of(pool.sizes())),
            names,
            terms,
            partners,
            noise: Noise::new(),
            temperatures: Temperatures {
                hot: if large { 0.015 } else { 0.02 },
                cold: if large { 0.001 } else { 0.0012 },
            },
        })
    }

    /// The terms, if there are any.
    #[cfg(feature = "bounds")]
    pub(super) fn terms(&self) -> Option<&LobbyTerms> {
        self.terms.as_ref().map(|(terms, _)| terms)
    }

    /// Exchanges after which a run has found most of what it can.
    fn run_length(&self) -> f64 {
        let players = self.pool.players() as f64;
        let matches = self.pool.players() / self.pool.match_size();
        // A pool that is smaller than a neighbourhood gains by further starts alone.
        let is_small = self.ways.is_some() && matches < neighbourhood::FEWEST;
        let each = if is_small { 0.1 } else { 0.3 };
        each * players * players * players
    }

    /// As many runs as make sense of this many exchanges: the same for any number of threads.
    pub(super) fn of_moves(&self, settings: &Annealing, moves: u64) -> Vec<Found> {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rounded number of runs, 1 or more"
        )]
        let runs = (moves as f64 / self.run_length()).round().clamp(1.0, 1e9) as u64;
        let each = moves / runs;
        in_order(settings.threads, runs, |run| {
            self.run(settings.seed, run, |tried| {
                if each == 0 {
                    1.0
                } else {
                    tried as f64 / each as f64
                }
            })
        })
    }

    /// Runs on every thread for as long as `watch` says less than `until`, at most `most_runs` on each.
    pub(super) fn within(
        &self,
        settings: &Annealing,
        until: f64,
        most_runs: usize,
        watch: LobbyWatch<'_>,
    ) -> Vec<Found> {
        let threads = settings.threads as u64;
        let lists = in_order(settings.threads, threads, |thread| {
            let mut found: Vec<Found> = Vec::new();
            let mut progress = LobbyProgress {
                stage: LobbyStage::Search,
                value: None,
                bound: None,
            };
            loop {
                let start = watch(&progress) / until;
                if (is_over(start) && !found.is_empty()) || found.len() >= most_runs {
                    return found;
                }
                let length = self.run_length();
                let number = thread + threads * found.len() as u64;
                // A run ends when it has tried enough, or the time ends: the last one is shorter, and cools faster.
                let next = self.run(settings.seed, number, |tried| {
                    let now = watch(&progress) / until;
                    let of_time = if start < 1.0 {
                        (now - start) / (1.0 - start)
                    } else {
                        1.0
                    };
                    if of_time.is_nan() {
                        1.0
                    } else {
                        of_time.max(tried as f64 / length)
                    }
                });
                progress.value = Some(progress.value.map_or(next.value, |value| value.max(next.value)));
                found.push(next);
            }
        });
        lists.into_iter().flatten().collect()
    }

    /// One run, from a start of its own.
    fn run(&self, seed: u64, number: u64, used: impl FnMut(u64) -> f64) -> Found {
        let mut bits = SplitMix64(seed ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03));
        bits.next();
        if let (Some((_, table)), Some(ways)) = (&self.terms, &self.ways) {
            let neighbourhoods = Neighbourhoods {
                pool: self.pool,
                table,
                ways,
                plan: &self.plan,
                partners: &self.partners,
                noise: &self.noise,
                cold: self.temperatures.cold,
            };
            return neighbourhoods.run(&mut bits, used);
        }
        let noise = 0.2 * self.pool.players() as f64;
        let teams = self.plan.deal(self.pool, noise, &mut bits);
        let mut seats = Seats::new(self.pool, &teams);
        let anneal = Anneal {
            partners: &self.partners,
            noise: &self.noise,
            temperatures: self.temperatures,
        };
        if let Some((_, table)) = &self.terms {
            let mut judge = Tally::new(table, &seats);
            let tried = anneal.run(&mut seats, &mut judge, &mut bits, used);
            Found::of(&seats, &judge, tried)
        } else {
            let mut judge = Asked::new(self.pool, self.objective, &self.names, &seats);
            let tried = anneal.run(&mut seats, &mut judge, &mut bits, used);
            Found::of(&seats, &judge, tried)
        }
    }

    /// The pool.
    #[cfg(feature = "bounds")]
    pub(super) const fn pool(&self) -> &'a LobbyPool {
        self.pool
    }

    /// The objective.
    #[cfg(feature = "bounds")]
    pub(super) const fn objective(&self) -> &'a dyn LobbyObjective {
        self.objective
    }

    /// The lineups of these matches.
    #[cfg(feature = "bounds")]
    pub(super) fn of_teams(&self, teams: Vec<(Vec<usize>, Vec<usize>)>) -> Result<Lineups, LobbyError> {
        Lineups::of_teams(self.pool, self.objective, teams)
    }

    /// The lineups of these teams, whose last is the bench.
    pub(super) fn lineups(&self, mut teams: Vec<Vec<u32>>) -> Result<Lineups, LobbyError> {
        teams.pop();
        let names = |team: &Vec<u32>| team.iter().map(|&player| player as usize).collect::<Vec<_>>();
        let pairs = teams
            .chunks_exact(2)
            .map(|pair| (names(&pair[0]), names(&pair[1])));
        Lineups::of_teams(self.pool, self.objective, pairs)
    }
}

/// The results of jobs 0, 1, 2, ... in that order, worked out on several threads.
pub(super) fn in_order<T: Send>(threads: usize, jobs: u64, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    if threads <= 1 || jobs <= 1 {
        return (0..jobs).map(work).collect();
    }
    let next = std::sync::atomic::AtomicU64::new(0);
    let mut done: Vec<(u64, T)> = std::thread::scope(|scope| {
        let worker = || {
            let mut mine = Vec::new();
            loop {
                let job = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                if job >= jobs {
                    return mine;
                }
                mine.push((job, work(job)));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let mut done = Vec::new();
        for worker in workers {
            match worker.join() {
                Ok(mine) => done.extend(mine),
                // An objective of the caller's panicked in another thread; it goes on in this one.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|&(job, _)| job);
    done.into_iter().map(|(_, result)| result).collect()
}
