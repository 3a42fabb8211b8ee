//! Lineups for a total that is no sum over matches: power means by their powers, quantiles by a limit that rises.

use matchwright_lobby::{Annealing, Lineups, LobbyError, LobbyObjective, LobbyPool, LobbySolver, LobbyTerms};
use matchwright_scoring::Total;
use matchwright_solver::{Limits, Progress, Status};

/// Lineups that are good by a policy's [`Total`].
///
/// ```text
/// as many matches as can be, then the greatest    matches x total - unmatched penalties
/// ```
///
/// For the average that is the sum that every [`LobbySolver`] maximises, and the first solver's lineups are the
/// answer. For any other total they are the start, and annealing goes on from other starts:
///
/// - A power mean rises with the sum of its powers: one long search for that sum.
/// - A quantile is no sum. A search asks for as many matches as possible above a limit, a little above the quantile so
///   far (with a smooth step, so that it sees which matches are nearly there). The limit rises while the quantile does,
///   then by smaller steps. A power mean beyond the exponents -20 and 20 is searched for as the least or the greatest
///   quality.
///
/// The best lineups by the total are the answer: never worse than the first solver's. [`Lineups::value`] and the certificate
/// stay those of the sum of qualities, of which the certificate's bound holds. No power mean with an exponent below
/// 1 exceeds the average, so that the bound holds for it too; for a quantile none is known.
/// [`Status::Optimal`] only where the total is the average, or there is at most one match.
///
/// A search that is not for the sum of qualities cannot be guided by their terms and needs more exchanges: a quantile takes
/// eight searches of `moves`, a power mean one of eight times as many. Each eighth, and the first solver, has an equal
/// share of the limits.
///
/// ```
/// use matchwright_lobby::{Annealing, LobbyPool, LobbySolver};
/// use matchwright_scoring::Total;
/// use matchwright_sim::adapt::TotalSearch;
///
/// // Duels: 1.0 and 0.4, or 0.65 and 0.65, or 0.9 and 0.3.
/// let qualities = [[0.0, 1.0, 0.65, 0.9], [1.0, 0.0, 0.3, 0.65], [0.65, 0.3, 0.0, 0.4], [0.9, 0.65, 0.4, 0.0]];
/// let duel = |a: &[usize], b: &[usize]| Some(qualities[a[0]][b[0]]);
/// let by_sum = Annealing::new(1).with_moves(2_000);
/// let pool = LobbyPool::new(4, [1, 1])?;
/// let worst = |total| -> Result<f64, Box<dyn std::error::Error>> {
///     let search = TotalSearch { total, by_sum: &by_sum, seed: 1, moves: 2_000, threads: 1 };
///     let lineups = search.solve(&pool, &duel)?;
///     Ok(lineups.lobbies.iter().map(|lobby| lobby.quality).fold(1.0, f64::min))
/// };
/// assert_eq!(worst(Total::AVERAGE)?, 0.4);
/// assert_eq!(worst(Total::quantile(0.0)?)?, 0.65);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TotalSearch<'a> {
    /// What the matches make together.
    pub total: Total,
    /// Finds lineups for the sum of the qualities, and proves what it can of them.
    pub by_sum: &'a dyn LobbySolver,
    /// The seed of the searches for another total.
    pub seed: u64,
    /// Exchanges of each of them; `u64::MAX` for as many as the limits allow.
    pub moves: u64,
    /// Threads, which change nothing but the time, unless a watch ends the call.
    pub threads: usize,
}

/// How far a limit is raised at first; half as far after each search that does not reach it.
const RAISE: f64 = 0.04;
/// Searches for another total, or as many searches in one.
const SEARCHES: usize = 8;
/// Above this exponent, and below minus it, only the greatest or the least quality counts.
const STEEP: f64 = 20.0;
/// Players above which no terms are made: their tables grow with the square.
const MOST_TERMS: usize = 1000;

impl LobbySolver for TotalSearch<'_> {
    fn solve_within(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        limits: &Limits<'_>,
    ) -> Result<Lineups, LobbyError> {
        if self.total.is_average() || pool.players() < 2 * pool.match_size() {
            return self.by_sum.solve_within(pool, objective, limits);
        }
        let mut run = Run {
            search: self,
            pool,
            objective,
            terms: if pool.players() <= MOST_TERMS {
                objective.terms_of_pool(pool)?
            } else {
                None
            },
            limits,
            work: 0,
            status: Status::Finished,
        };
        let first = run.stage(1 + SEARCHES, &mut |limits| {
            self.by_sum.solve_within(pool, objective, limits)
        })?;
        let certificate = first.certificate.clone();
        let best = match self.total {
            Total::PowerMean(mean) if mean.exponent().abs() <= STEEP => {
                run.by_powers(first, mean.exponent())?
            }
            _ => run.by_limits(first)?,
        };
        Ok(Lineups {
            certificate,
            work: run.work,
            status: run.status,
            ..best
        })
    }
}

/// What a quality is worth to one search.
struct WorthOf<'a> {
    /// Quicker than the objective, if there are any.
    terms: Option<&'a LobbyTerms>,
    objective: &'a dyn LobbyObjective,
    worth: &'a (dyn Fn(f64) -> f64 + Sync),
}

impl LobbyObjective for WorthOf<'_> {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        let quality = match self.terms {
            Some(terms) => terms.quality(team_a, team_b),
            None => self.objective.quality(team_a, team_b),
        };
        quality.map(self.worth)
    }

    fn quality_of(&self, teams: &[Vec<usize>]) -> Option<f64> {
        match teams {
            [team_a, team_b] => self.quality(team_a, team_b),
            _ => self.objective.quality_of(teams).map(self.worth),
        }
    }
}

/// The searches of one call.
struct Run<'a> {
    search: &'a TotalSearch<'a>,
    pool: &'a LobbyPool,
    objective: &'a dyn LobbyObjective,
    terms: Option<LobbyTerms>,
    limits: &'a Limits<'a>,
    work: u64,
    status: Status,
}

impl Run<'_> {
    fn by_powers(&mut self, first: Lineups, exponent: f64) -> Result<Lineups, LobbyError> {
        let moves = self.search.moves.saturating_mul(SEARCHES as u64);
        let next = self.anneal(1, moves, &|quality| power_element(exponent, quality))?;
        Ok(self.better(first, next).0)
    }

    fn by_limits(&mut self, first: Lineups) -> Result<Lineups, LobbyError> {
        let mut best = first;
        let mut raise = RAISE;
        for left in (1..=SEARCHES).rev() {
            let limit = self.total_of(&best) + raise;
            // Some of the quality itself keeps the others from becoming worse for nothing.
            let step = |quality: f64| 0.8 / (1.0 + (4.0 * (limit - quality) / raise).exp()) + 0.2 * quality;
            let next = self.anneal(left, self.search.moves, &step)?;
            let (kept, is_better) = self.better(best, next);
            best = kept;
            if !is_better {
                raise *= 0.5;
            }
        }
        Ok(best)
    }

    /// Lineups made for the sum of `worth` of the qualities, which rises and stays in \[0, 1\].
    fn anneal(
        &mut self,
        stages: usize,
        moves: u64,
        worth: &(dyn Fn(f64) -> f64 + Sync),
    ) -> Result<Lineups, LobbyError> {
        let (pool, objective) = (self.pool, self.objective);
        let annealing = Annealing::new(self.search.seed)
            .with_moves(moves)
            .with_threads(self.search.threads);
        let terms = self.terms.take();
        let sum = WorthOf {
            terms: terms.as_ref(),
            objective,
            worth,
        };
        let found = self.stage(stages, &mut |limits| annealing.solve_within(pool, &sum, limits));
        self.terms = terms;
        let matches = found?.lobbies.into_iter().map(|lobby| lobby.teams);
        Lineups::of_teams(pool, objective, matches)
    }

    /// One of `stages` remaining searches, within its share of the remaining limits.
    fn stage(
        &mut self,
        stages: usize,
        solve: &mut dyn FnMut(&Limits<'_>) -> Result<Lineups, LobbyError>,
    ) -> Result<Lineups, LobbyError> {
        let share = 1.0 / stages as f64;
        let start = self
            .limits
            .watch()
            .map_or(0.0, |watch| watch(&Progress::new("search")));
        let watch = |progress: &Progress| {
            let used = self.limits.watch().map_or(0.0, |watch| watch(progress));
            (used - start) / (share * (1.0 - start))
        };
        let mut within = Limits::unlimited();
        if self.limits.watch().is_some() {
            within = within.with_watch(&watch);
        }
        if let Some(work) = self.limits.work() {
            within = within.with_work(work.saturating_sub(self.work) / stages as u64);
        }
        let found = solve(&within)?;
        self.work += found.work;
        // How the last search ended; that of a sum is no proof for another total.
        self.status = match found.status {
            Status::Optimal => Status::Finished,
            status => status,
        };
        Ok(found)
    }

    fn total_of(&self, lineups: &Lineups) -> f64 {
        let qualities: Vec<f64> = lineups.lobbies.iter().map(|lobby| lobby.quality).collect();
        self.search.total.of(&qualities)
    }

    /// The better of two lineups, and whether that is the second one.
    fn better(&self, one: Lineups, other: Lineups) -> (Lineups, bool) {
        let rank = |lineups: &Lineups| {
            let matches = lineups.lobbies.len();
            let penalty = self.pool.penalty(&lineups.unmatched);
            (matches, matches as f64 * self.total_of(lineups) - penalty)
        };
        if rank(&other) > rank(&one) {
            (other, true)
        } else {
            (one, false)
        }
    }
}

/// The quality at which elements change as fast as qualities do.
const TYPICAL: f64 = 0.9;
/// What the worst qualities are left with.
const LEAST: f64 = 0.1;

/// The power of a quality, moved and stretched into \[0, 1\] so that around 0.9 it changes as qualities do, and
/// penalties and temperatures mean the same. What would be below 0.1 falls in a line to 0 instead.
///
/// ```text
/// 1 - (1 - q^e) / (e 0.9^(e-1))       e = 0: 1 + 0.9 ln q
/// ```
fn power_element(exponent: f64, quality: f64) -> f64 {
    let slope = exponent * TYPICAL.powf(exponent - 1.0);
    // Near 0 the powers are nearly 1, and their logarithms tell them apart.
    let logarithmic = exponent.abs() < 1e-6;
    let value = if logarithmic {
        1.0 + TYPICAL * quality.ln()
    } else {
        1.0 - (1.0 - quality.powf(exponent)) / slope
    };
    if value >= LEAST {
        return value;
    }
    let turn = if logarithmic {
        ((LEAST - 1.0) / TYPICAL).exp()
    } else {
        (1.0 - (1.0 - LEAST) * slope).powf(exponent.recip())
    };
    LEAST * quality / turn
}

#[cfg(test)]
#[cfg(feature = "simulate")]
mod tests;
