//! Lobbies with a proof of how good they are: annealing, then column generation, then an exact cover.

use super::LobbySolver;
use super::bound::{Bounding, Settled, State};
use super::error::LobbyError;
use super::lineup::{Lineups, LobbyCertificate};
use super::objective::LobbyObjective;
use super::pool::LobbyPool;
use super::progress::{PROOF, Watch, is_over};
use super::search::{Annealing, Found, Search};

/// The share of the time that annealing gets.
const SEARCH_SHARE: f64 = 0.25;

/// Runs after which annealing has found what it can, as a rule, so that time is better spent on the proof; one in
/// pools so small that the proof finds at once what annealing missed.
const FEW_RUNS: usize = 16;
const SMALL: usize = 36;

/// Players above which no bound is worked out unless somebody watches the time: a round may take seconds.
const MOST_BOUNDED: usize = 400;

/// How far an attempt at a proof goes.
struct Patience {
    /// Whether cuts come first, with prices for all matches.
    with_cuts: bool,
    /// Whether branches are bounded by linear programs, or by the duals at hand.
    by_programs: bool,
    /// Matches above which it is not tried.
    matches: usize,
    /// Branches after which it is given up.
    branches: u64,
}

/// Attempts at a proof, the cheap one first.
const PATIENCE: [Patience; 4] = [
    Patience {
        with_cuts: false,
        by_programs: false,
        matches: 3000,
        branches: 5000,
    },
    Patience {
        with_cuts: false,
        by_programs: true,
        matches: 300_000,
        branches: u64::MAX,
    },
    LAST,
    LAST,
];

/// With cuts in the certificate, which leave fewer matches to look at.
const LAST: Patience = Patience {
    with_cuts: true,
    by_programs: true,
    matches: 1_000_000,
    branches: u64::MAX,
};

/// Lobbies by [`Annealing`], and how good they are proven to be.
///
/// Three stages, each of which can be the last:
///
/// 1. Annealing finds lineups, good ones as a rule.
/// 2. Column generation bounds what any lineup can be worth: a linear program over the matches found so far gives
///    each party a dual; pricing finds the matches that are worth more than their parties' duals, by branch and bound
///    over teams, and adds them; in between, every round gives a bound (Lagrange), and the least of them counts.
/// 3. If the gap is small, all matches are listed that a better lineup could have, and the best of their combinations
///    is found: by an exact cover if they are few, else by branching on who meets whom, each branch bounded by a
///    linear program with cuts (Ryan and Foster, 1981; Jepsen and others, 2008). That is the optimum, or the proof
///    that annealing had it.
///
/// (Desaulniers, Desrosiers and Solomon, "Column generation", 2005, for the second stage; duals are smoothed as by
/// Neame, 1999.)
///
/// Without a clock, pools of more than 400 players get no bound but the one that holds for all qualities, and so do
/// pools that annealing cuts into parts. An objective without [`terms`](LobbyObjective::terms) gets no further than
/// the first stage, and lineups without a certificate.
#[derive(Debug, Clone, PartialEq)]
pub struct CertifiedLobbies {
    annealing: Annealing,
    threads: usize,
    gap: f64,
    limits: Limits,
}

/// What ends a search that no clock ends.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Limits {
    /// Rounds of column generation.
    rounds: usize,
    /// Branches of the proof.
    nodes: u64,
    /// All work after the search: nodes of pricing, covers and branches.
    work: u64,
}

impl Limits {
    const NONE: Self = Self {
        rounds: usize::MAX,
        nodes: u64::MAX,
        work: u64::MAX,
    };
}

impl CertifiedLobbies {
    /// Annealing of a million exchanges with this seed, then column generation, then a proof.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self {
            annealing: Annealing::new(seed),
            threads: 1,
            gap: 0.0,
            limits: Limits {
                rounds: 100,
                nodes: 200_000,
                work: 400_000_000,
            },
        }
    }

    /// How many exchanges [`solve`](LobbySolver::solve) tries before it looks for a bound.
    #[must_use]
    pub fn with_moves(mut self, moves: u64) -> Self {
        self.annealing = self.annealing.with_moves(moves);
        self
    }

    /// How many threads work at once; answers do not depend on it.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.annealing = self.annealing.with_threads(threads);
        self.threads = threads.max(1);
        self
    }

    /// Ends as soon as the gap is this small, as a share of the bound; 0, the default, asks for the optimum.
    #[must_use]
    pub const fn with_gap(mut self, gap: f64) -> Self {
        self.gap = gap;
        self
    }

    /// After how many rounds of column generation, and branches of the proof, [`solve`](LobbySolver::solve) makes do
    /// with what it has: 100 and 200,000 by default, some seconds.
    #[must_use]
    pub const fn with_limits(mut self, rounds: usize, branches: u64) -> Self {
        self.limits.rounds = rounds;
        self.limits.nodes = branches;
        self
    }

    /// How much work [`solve`](LobbySolver::solve) spends on bound and proof at most: nodes of the searches for
    /// matches and for their combinations, and as many for each linear program as it has entries. 400 million by
    /// default, some ten seconds.
    #[must_use]
    pub const fn with_work(mut self, work: u64) -> Self {
        self.limits.work = work;
        self
    }

    /// The same, for as long as `watch` says less than 1: the share of the time that is used up. Annealing takes the
    /// first part.
    ///
    /// # Errors
    /// As [`solve`](LobbySolver::solve).
    pub fn solve_while(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        watch: Watch<'_>,
    ) -> Result<Lineups, LobbyError> {
        if self.annealing.cuts(pool.players()) {
            return Ok(unbounded(
                pool,
                self.annealing.solve_while(pool, objective, watch)?,
            ));
        }
        let search = Search::new(pool, objective)?;
        let until = if search.terms().is_some() {
            SEARCH_SHARE
        } else {
            1.0
        };
        let most_runs = match search.terms() {
            Some(_) if pool.players() <= SMALL => 1,
            Some(_) => FEW_RUNS,
            None => usize::MAX,
        };
        let found = search.within(&self.annealing, until, most_runs, watch);
        self.certify(&search, found, Limits::NONE, watch)
    }

    /// Bounds what was found, and improves it where the proof finds better.
    fn certify(
        &self,
        search: &Search<'_>,
        found: Vec<Found>,
        limits: Limits,
        watch: Watch<'_>,
    ) -> Result<Lineups, LobbyError> {
        let tried = found.iter().map(|found| found.tried).sum();
        let mut best = Lineups::of_teams(search.pool(), search.objective(), [])?;
        let mut all = Vec::with_capacity(found.len());
        for found in found {
            let lineups = search.lineups(found)?;
            keep_better(&mut best, &lineups);
            all.push(lineups);
        }
        if let Some(terms) = search.terms() {
            let mut bounding = Bounding::new(search.pool(), terms, self.threads, limits.work);
            for lineups in &all {
                bounding.add(lineups);
            }
            best.optimal = self.prove(search, &mut bounding, &mut best, limits, watch)?;
            best.certificate = Some(bounding.certificate());
        }
        best.tried = tried;
        Ok(best)
    }

    /// Bounds and searches in turn, each time with more patience: cheap proofs come cheap. Whether the optimum was
    /// proven.
    fn prove(
        &self,
        search: &Search<'_>,
        bounding: &mut Bounding<'_>,
        best: &mut Lineups,
        limits: Limits,
        watch: Watch<'_>,
    ) -> Result<bool, LobbyError> {
        let enough = self.gap * best.value.abs();
        let mut rounds = limits.rounds;
        let mut state = bounding.improve(best.value, enough, false, &mut rounds, watch);
        for patience in PATIENCE {
            if patience.with_cuts {
                state = bounding.improve(best.value, enough, true, &mut rounds, watch);
            }
            if state == State::Closed && bounding.proves(best.value) {
                return Ok(true);
            }
            if state == State::Closed && bounding.nearly_proves(best.value) {
                // Only the rounding of a linear program is left, which a search of next to nothing sees through.
                let attempt = &PATIENCE[0];
                let settled = bounding.settle(best.value, attempt.matches, attempt.branches, watch);
                return Ok(matches!(settled, Settled::Proven));
            }
            if state != State::Solved && state != State::MoreCuts {
                return Ok(false);
            }
            if let Some(teams) = bounding.recombine(best.value, watch) {
                keep_better(
                    best,
                    &Lineups::of_teams(search.pool(), search.objective(), teams)?,
                );
            }
            let settled = if patience.by_programs {
                bounding.branch(best.value, patience.matches, limits.nodes, watch)
            } else {
                bounding.settle(
                    best.value,
                    patience.matches,
                    patience.branches.min(limits.nodes),
                    watch,
                )
            };
            match settled {
                Settled::Proven => return Ok(true),
                Settled::Better(teams) => {
                    keep_better(
                        best,
                        &Lineups::of_teams(search.pool(), search.objective(), teams)?,
                    );
                    return Ok(true);
                }
                Settled::Unknown(Some(teams)) => keep_better(
                    best,
                    &Lineups::of_teams(search.pool(), search.objective(), teams)?,
                ),
                Settled::Unknown(None) => {}
            }
            if is_over(watch(&bounding.progress(PROOF, best.value))) {
                return Ok(false);
            }
        }
        Ok(false)
    }
}

/// What pools that are too large for a bound of their own get: the one that holds for all.
fn unbounded(pool: &LobbyPool, mut lineups: Lineups) -> Lineups {
    lineups.certificate = Some(LobbyCertificate::trivial(pool));
    lineups
}

/// Replaces the lineups by others that are worth more.
fn keep_better(best: &mut Lineups, next: &Lineups) {
    if next.value > best.value {
        *best = next.clone();
    }
}

impl LobbySolver for CertifiedLobbies {
    fn solve(&self, pool: &LobbyPool, objective: &dyn LobbyObjective) -> Result<Lineups, LobbyError> {
        if self.annealing.cuts(pool.players()) {
            return Ok(unbounded(pool, self.annealing.solve(pool, objective)?));
        }
        let search = Search::new(pool, objective)?;
        let found = search.of_moves(&self.annealing, self.annealing.moves());
        if pool.players() > MOST_BOUNDED && search.terms().is_some() {
            return Ok(unbounded(pool, search.best_of(found)?));
        }
        self.certify(&search, found, self.limits, &|_| 0.0)
    }
}
