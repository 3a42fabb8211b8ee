//! Lobbies with a proof of how good they are: annealing, then column generation, then branch and bound.

use matchwright_solver::{Limits, Meter, Status};

use super::LobbySolver;
use super::bound::Bounding;
use super::duels;
use super::error::LobbyError;
use super::lineup::{Lineups, LobbyCertificate};
use super::objective::LobbyObjective;
use super::pool::LobbyPool;
use super::search::{Annealing, Search};
use super::terms::LobbyTerms;

/// Runs after which annealing has found what it can, as a rule. Under a watch each thread makes no more of them, as time is
/// better spent on the proof; one in pools so small that the proof finds at once what annealing missed.
const FEW_RUNS: u64 = 16;
const SMALL: usize = 36;

/// The share of the limits that annealing gets where they suffice for that many runs. Where they do not it gets all of
/// them: column generation takes as long as several runs before its bound is better than the first, and lineups are
/// worth more with these.
const SEARCH_SHARE: f64 = 2.0 / 3.0;

/// Players above which no bound is computed without a watch: a round may take seconds.
const MOST_BOUNDED: usize = 400;

/// Lobbies by [`Annealing`], with a proof of how good they are.
///
/// Three stages, each of which can be the last:
///
/// 1. Annealing finds lineups, good ones as a rule.
/// 2. Column generation bounds the value of all lineups: a linear program over the matches found so far gives each
///    party a dual; pricing finds the matches that are worth more than their parties' duals, by branch and bound over
///    teams, and adds them; in between, every round gives a bound (Lagrange), and the least of them counts.
/// 3. If the gap is small, all matches are listed that a better lineup could have, and the best of their combinations
///    is found: by an exact cover if they are few, else by branching on which parties meet, each branch bounded by a
///    linear program with cuts (Ryan and Foster, 1981; Jepsen and others, 2008). That is the optimum.
///
/// (Desaulniers, Desrosiers and Solomon, "Column generation", 2005, for the second stage; duals are smoothed as by
/// Neame, 1999.)
///
/// Units of work are proposals of annealing and nodes of the searches for matches and for their combinations; a linear
/// program of n rows counts as n^3 / 8. 10 million take about a second. Annealing gets two thirds of a limit of
/// work or time, and all of it where that leaves it few runs: then the bound is what each party is worth with its best
/// partners. Without limits the proof ends when it is complete, which may take hours for a hundred players.
///
/// Pools of one against one are paired by [`ExactPairing`](matchwright_solver::ExactPairing): the optimum in milliseconds,
/// with or without terms, and odd sets in the certificate; a row of qualities counts as many units of work as it has.
///
/// Pools that annealing cuts into parts, and without a watch all of more than 400 players, get only the trivial bound.
/// An objective without [`terms`](LobbyObjective::terms), and matches of more than two teams, get no further than the first
/// stage, and lineups without a certificate.
#[derive(Debug, Clone, PartialEq)]
pub struct CertifiedLobbies {
    annealing: Annealing,
    gap: f64,
}

impl CertifiedLobbies {
    /// Annealing of a million exchanges with this seed, then column generation, then a proof.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self {
            annealing: Annealing::new(seed),
            gap: 0.0,
        }
    }

    /// How many exchanges annealing proposes at most; `u64::MAX` for as many as the limits allow.
    #[must_use]
    pub fn with_moves(mut self, moves: u64) -> Self {
        self.annealing = self.annealing.with_moves(moves);
        self
    }

    /// How many threads work at once; the result does not depend on it, unless a watch ends the call.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.annealing = self.annealing.with_threads(threads);
        self
    }

    /// Ends as soon as the gap is this small, as a share of the value; 0, the default, asks for the optimum.
    #[must_use]
    pub const fn with_gap(mut self, gap: f64) -> Self {
        self.gap = gap;
        self
    }

    /// Searches within a share of the limits, then bounds the best lineups, and replaces them if the proof finds better
    /// ones.
    fn certify(
        &self,
        search: &Search<'_>,
        terms: &LobbyTerms,
        limits: &Limits<'_>,
    ) -> Result<Lineups, LobbyError> {
        let runs = if search.pool.players() <= SMALL {
            1
        } else {
            FEW_RUNS
        };
        let most_runs = match limits.watch() {
            Some(_) => runs * self.annealing.threads as u64,
            None => u64::MAX,
        };
        let share = |fitting: f64| {
            if fitting < FEW_RUNS as f64 {
                1.0
            } else {
                SEARCH_SHARE
            }
        };
        let mut found = search.runs(&self.annealing, limits, most_runs, share);
        found.push(search.sorted(self.annealing.seed()));
        let all = found.iter().map(|found| search.lineups(found));
        let all = all.collect::<Result<Vec<Lineups>, _>>()?;
        let nobody = Lineups::of_teams(search.pool, search.objective, [])?;
        let better = |best: Lineups, next: &Lineups| {
            if next.value > best.value {
                next.clone()
            } else {
                best
            }
        };
        let best = all.iter().fold(nobody, better);

        let meter = Meter::new(*limits);
        let tried = meter.spend(found.iter().map(|found| found.tried).sum());
        let threads = self.annealing.threads;
        let mut bounding = Bounding::new(search.pool, terms, best.value, threads, &meter);
        for lineups in &all {
            bounding.add(lineups);
        }
        let ended = tried.and_then(|()| bounding.prove(self.gap));
        let (certificate, found) = bounding.into_results();
        let best = match found {
            Some(teams) => better(best, &Lineups::of_teams(search.pool, search.objective, teams)?),
            None => best,
        };
        Ok(Lineups {
            status: match ended {
                Ok(true) => Status::Optimal,
                Ok(false) => Status::Finished,
                Err(status) => status,
            },
            certificate: Some(certificate),
            work: meter.work(),
            ..best
        })
    }
}

impl LobbySolver for CertifiedLobbies {
    fn solve_within(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        limits: &Limits<'_>,
    ) -> Result<Lineups, LobbyError> {
        if *pool.sizes() == [1, 1] {
            return duels::solve(pool, objective, limits);
        }
        let is_large = pool.players() > MOST_BOUNDED && limits.watch().is_none();
        if self.annealing.cuts(pool.players()) || is_large {
            let lineups = self.annealing.solve_within(pool, objective, limits)?;
            return Ok(Lineups {
                certificate: Some(LobbyCertificate::trivial(pool)),
                ..lineups
            });
        }
        let search = Search::new(pool, objective)?;
        match &search.terms {
            Some(terms) => self.certify(&search, terms, limits),
            None => self.annealing.solve_within(pool, objective, limits),
        }
    }
}
