//! The way of Awesomenauts: the best swap until none improves, from several starts.

mod anneal;
mod climb;
mod place;
mod rest;
mod splits;
mod table;
mod world;

use climb::{Climb, Stop, Teams};
use world::World;

use super::LobbySolver;
use super::error::LobbyError;
use super::lineup::Lineups;
use super::objective::LobbyObjective;
use super::pool::LobbyPool;
use super::progress::{Progress, SEARCH, Watch, is_over};
use crate::random::SplitMix64;

/// Lobbies as Awesomenauts makes them: sort, split, and swap for the best until no swap improves; then start anew.
///
/// 1. The players are put into matches in the order of the pool, which is by skill if it is
///    [`with_order`](LobbyPool::with_order) by skill, parties of each size among themselves, and every match is split
///    as well as it can be, by trying all splits.
/// 2. All swaps are tried of a party in one match, or on the bench of those left out, against parties of as many
///    players in another, each with all splits of both matches. The best one is carried out, until none improves: a
///    local optimum.
/// 3. From semi-random starts, the same again, while there is time; the best of the local optima is kept.
///
/// ("The Awesomenauts matchmaking algorithm", 16 September 2018, section "Finding the match-up with the best score".)
/// The best swap between two matches is remembered until one of them changes, splits are judged from tables of the
/// objective's [`terms`](LobbyObjective::terms) where it has any, and what tables cannot tell from no gain is asked
/// of the terms themselves. Without terms every split is a call of the objective.
///
/// ```text
/// swaps of M matches of s players who came alone:  M (M - 1) / 2 x s x s,  each with two times C(s, s / 2) / 2 splits
/// 96 players, 3 against 3:                         120 x 36 = 4,320 swaps, 86,400 splits
/// ```
///
/// Where a match has more than 2,000 splits, from eight against eight on, who comes sits down where others left, and
/// teams are improved by exchanges between them. Of the sets of parties in one place that have the size of a party,
/// 256 are considered.
///
/// It proves nothing. What was tried or proposed in place of more starts can be asked for:
/// [`with_forced_swaps`](Self::with_forced_swaps), which its author gave up, and
/// [`with_annealing`](Self::with_annealing), a reader's proposal. [`Annealing`](crate::Annealing) is ours, and
/// finds more with as many evaluations.
///
/// ```
/// use matchwright_lobby::{Awesomenauts, LobbyPool, LobbySolver};
///
/// // Everybody would play against others of his strength, in twos.
/// let skills = [5.0, 1.0, 9.0, 5.5, 8.0, 1.5, 4.5, 0.5, 8.5, 1.0, 5.0, 9.5];
/// let quality = |a: &[usize], b: &[usize]| {
///     let all = || a.iter().chain(b).map(|&player| skills[player]);
///     let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
///     Some(1.0 - (most - least) / 10.0)
/// };
/// let lineups = Awesomenauts::new(7).solve(&LobbyPool::new(12, (2, 2))?, &quality)?;
/// assert!((lineups.mean_quality() - (0.9 + 0.85 + 0.9) / 3.0).abs() < 1e-9);
/// # Ok::<(), matchwright_lobby::LobbyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Awesomenauts {
    seed: u64,
    starts: usize,
    splits: u64,
    forced: usize,
    fruitless: usize,
    annealed: u64,
}

/// What one start came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ascent {
    /// What the start was worth, its matches split as well as can be.
    pub start: f64,
    /// What the best local optimum from there is worth.
    pub end: f64,
    /// Swaps that were carried out, forced and random ones included.
    pub swaps: u64,
    /// Splits that were tried.
    pub splits: u64,
}

/// What one step of the steepest ascent looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwapCount {
    /// Swaps of two players of different matches.
    pub swaps: u64,
    /// Splits: those of both matches for each swap.
    pub splits: u64,
}

impl Awesomenauts {
    /// Four starts, the first without chance, the others with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self {
            seed,
            starts: 4,
            splits: u64::MAX,
            forced: 0,
            fruitless: 1,
            annealed: 0,
        }
    }

    /// How many starts [`solve`](LobbySolver::solve) makes, 1 or more.
    #[must_use]
    pub const fn with_starts(mut self, starts: usize) -> Self {
        self.starts = if starts == 0 { 1 } else { starts };
        self
    }

    /// How many splits [`solve`](LobbySolver::solve) tries at most, over all starts: it ends within the swaps between
    /// two matches of it, wherever it is. No limit by default.
    #[must_use]
    pub const fn with_evaluations(mut self, splits: u64) -> Self {
        self.splits = splits;
        self
    }

    /// At every local optimum, forces the worst matches into so many swaps, the least bad of each match, and swaps on
    /// from there for as long as that ends higher. A dozen is what the author of the algorithm tried, and gave up for
    /// more starts; 0, the default, forces none.
    #[must_use]
    pub const fn with_forced_swaps(mut self, swaps: usize) -> Self {
        self.forced = swaps;
        self
    }

    /// After how many forced rounds in a row that end no higher the search starts anew: 1 by default, at once.
    /// `usize::MAX` for never, so that all effort goes into forced swaps.
    #[must_use]
    pub const fn with_fruitless_rounds(mut self, rounds: usize) -> Self {
        self.fruitless = if rounds == 0 { 1 } else { rounds };
        self
    }

    /// Begins every start by simulated annealing, until so many splits are tried: random swaps, each with the best
    /// splits of both matches, accepted with probability exp(gain / T), T from 0.02 down to 0.002 of a match's
    /// quality, evenly in log T. The ascent goes on from there. 0, the default, for none.
    ///
    /// A reader proposed it in a comment below the article, without temperatures: those are
    /// [`Annealing`](crate::Annealing)'s.
    #[must_use]
    pub const fn with_annealing(mut self, splits: u64) -> Self {
        self.annealed = splits;
        self
    }

    /// How many swaps and splits one step looks at, if all players came alone and nothing is remembered.
    ///
    /// ```
    /// # use matchwright_lobby::Awesomenauts;
    /// let count = Awesomenauts::count_of_step(96, (3, 3));
    /// assert_eq!((count.swaps, count.splits), (4_320, 86_400));
    /// ```
    #[must_use]
    pub fn count_of_step(players: usize, sizes: (usize, usize)) -> SwapCount {
        let size = sizes.0.saturating_add(sizes.1).max(1) as u64;
        let matches = players as u64 / size;
        let swaps = (matches * matches.saturating_sub(1) / 2).saturating_mul(size.saturating_mul(size));
        SwapCount {
            swaps,
            splits: swaps.saturating_mul(2).saturating_mul(splits::count(sizes)),
        }
    }

    /// The same from as many starts as there is time for: while `watch` says less than 1, the share of the time that
    /// is used up.
    ///
    /// What is found depends on the time, therefore; give [`with_starts`](Self::with_starts) or
    /// [`with_evaluations`](Self::with_evaluations) where it must be repeatable.
    ///
    /// # Errors
    /// As [`solve`](LobbySolver::solve).
    pub fn solve_while(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        watch: Watch<'_>,
    ) -> Result<Lineups, LobbyError> {
        let mut stop = |_: u64, value: Option<f64>| {
            let begun = Progress::new(SEARCH);
            is_over(watch(&value.map_or(begun, |value| begun.with_value(value))))
        };
        self.run(pool, objective, usize::MAX, &mut stop, &mut |_| {})
    }

    /// As [`solve`](LobbySolver::solve), and tells what each start came to, one after another.
    ///
    /// ```
    /// # use matchwright_lobby::{Ascent, Awesomenauts, LobbyPool, LobbySolver};
    /// let skills = [5.0, 1.0, 9.0, 5.5, 8.0, 1.5, 4.5, 0.5, 8.5, 1.0, 5.0, 9.5];
    /// let sum = |team: &[usize]| team.iter().map(|&player| skills[player]).sum::<f64>();
    /// let quality = |a: &[usize], b: &[usize]| Some(1.0 - (sum(a) - sum(b)).abs() / 20.0);
    /// let mut ascents: Vec<Ascent> = Vec::new();
    /// let pool = LobbyPool::new(12, (2, 2))?;
    /// let lineups = Awesomenauts::new(7).with_starts(3).solve_told(&pool, &quality, &mut |ascent| ascents.push(*ascent))?;
    /// assert_eq!(ascents.len(), 3);
    /// assert!(ascents.iter().all(|ascent| ascent.start <= ascent.end && ascent.end <= lineups.value + 1e-9));
    /// # Ok::<(), matchwright_lobby::LobbyError>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](LobbySolver::solve).
    pub fn solve_told(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        told: &mut dyn FnMut(&Ascent),
    ) -> Result<Lineups, LobbyError> {
        let mut stop = |tried, _| tried >= self.splits;
        self.run(pool, objective, self.starts, &mut stop, told)
    }

    /// The best of so many starts, or of those until `stop` says so, which is asked with the splits tried and the
    /// best value.
    fn run(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        starts: usize,
        stop: &mut dyn FnMut(u64, Option<f64>) -> bool,
        told: &mut dyn FnMut(&Ascent),
    ) -> Result<Lineups, LobbyError> {
        let world = World::new(pool, objective)?;
        let mut bits = SplitMix64(self.seed);
        let mut tried = 0;
        let mut best: Option<(f64, Teams)> = None;
        let mut stopped = false;
        for start in 0..starts {
            let known = best.as_ref().map(|best| best.0);
            if start > 0 && (stopped || stop(tried, known)) {
                break;
            }
            let teams = if start == 0 {
                world.plan.deal(pool, 0.0, &mut SplitMix64(0))
            } else {
                world.plan.deal(pool, SEMI * pool.players() as f64, &mut bits)
            };
            let mut climb = Climb::new(&world, &teams);
            let from = climb.value();
            let mut stop = |splits: u64, value: f64| {
                stopped |= stop(
                    tried + splits,
                    Some(known.map_or(value, |known| known.max(value))),
                );
                stopped
            };
            if self.annealed > 0 {
                let mut luck = SplitMix64(self.seed ^ (start as u64 + 1).wrapping_mul(0xd1b5_4a32_d192_ed03));
                climb.anneal(self.annealed, &mut luck, &mut stop);
            }
            let top = self.ascend(&mut climb, &mut stop);
            tried += climb.tried();
            told(&Ascent {
                start: from,
                end: top.0,
                swaps: climb.swaps(),
                splits: climb.tried(),
            });
            if known.is_none_or(|known| top.0 > known) {
                best = Some(top);
            }
        }
        let mut lineups = Lineups::of_teams(pool, objective, best.map(|best| best.1).unwrap_or_default())?;
        lineups.tried = tried;
        Ok(lineups)
    }

    /// Swaps up to a local optimum, and on by forced swaps; the best that was seen.
    fn ascend(&self, climb: &mut Climb<'_>, stop: Stop<'_>) -> (f64, Teams) {
        climb.climb(stop);
        let mut top = (climb.value(), climb.teams());
        let mut fruitless = 0;
        while self.forced > 0 && fruitless < self.fruitless && !stop(climb.tried(), top.0) {
            climb.force(self.forced, stop);
            climb.climb(stop);
            if climb.value() <= top.0 + 1e-9 {
                fruitless += 1;
            } else {
                fruitless = 0;
                top = (climb.value(), climb.teams());
            }
        }
        top
    }
}

/// How far a semi-random start is from the pool's order, as a share of the players.
const SEMI: f64 = 0.2;

impl LobbySolver for Awesomenauts {
    fn solve(&self, pool: &LobbyPool, objective: &dyn LobbyObjective) -> Result<Lineups, LobbyError> {
        self.solve_told(pool, objective, &mut |_| {})
    }
}
