//! The search of the Awesomenauts article: the best swap until none improves, from several starts.

mod anneal;
mod climb;
mod evaluator;
mod rest;
#[cfg(test)]
mod tests;

use climb::{Climb, NO_GAIN};
use evaluator::Evaluator;
use matchwright_lobby::{Lineups, LobbyError, LobbyObjective, LobbyPool, LobbySolver};
use matchwright_sim::random::derived_seed;
use matchwright_solver::{Limits, Status};

use crate::random::Purpose;

/// The two teams of each match.
type Teams = Vec<Vec<Vec<usize>>>;

/// How far a semi-random start is from the pool's order, as a share of the players.
const SEMI: f64 = 0.2;

/// Lobbies as Awesomenauts makes them: sort, split, and swap for the best until no swap improves; then start anew.
///
/// 1. The players are put into matches in the order of the pool, which is by skill if it is
///    [`with_order`](LobbyPool::with_order) by skill, parties of each size among themselves, and every match gets its
///    best split, all splits being tried.
/// 2. All swaps are tried of a party in one match, or of an unmatched one, against parties of as many players in
///    another match, each with all splits of both matches. The best one is carried out, until none improves: a local
///    optimum.
/// 3. From semi-random starts, the same again; the best of the local optima is kept.
///
/// ("The Awesomenauts matchmaking algorithm", 16 September 2018, section "Finding the match-up with the best score".)
/// The best swap between two matches is remembered until one of them changes. Splits are sums of the objective's
/// [`terms`](LobbyObjective::terms) where it has any; without terms every split is a call of the objective.
///
/// ```text
/// swaps of M matches of s players who came alone:  M (M - 1) / 2 x s x s,  each with two times C(s, s / 2) / 2 splits
/// 96 players, 3 against 3:                         120 x 36 = 4,320 swaps, 86,400 splits
/// ```
///
/// A split is one unit of work; limits are looked at before the swaps between two matches. Matches of two teams and up to 14
/// players;
/// sets of several parties are formed of the first 14 parties of a place.
///
/// ```
/// use matchwright_lobby::{LobbyPool, LobbySolver};
/// use matchwright_papers::awesomenauts::Awesomenauts;
///
/// // All would play against others of their strength, in twos.
/// let skills = [5.0, 1.0, 9.0, 5.5, 8.0, 1.5, 4.5, 0.5, 8.5, 1.0, 5.0, 9.5];
/// let quality = |a: &[usize], b: &[usize]| {
///     let all = || a.iter().chain(b).map(|&player| skills[player]);
///     let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
///     Some(1.0 - (most - least) / 10.0)
/// };
/// let lineups = Awesomenauts::new(7).solve(&LobbyPool::new(12, [2, 2])?, &quality)?;
/// assert!((lineups.mean_quality() - (0.9 + 0.85 + 0.9) / 3.0).abs() < 1e-9);
/// # Ok::<(), matchwright_lobby::LobbyError>(())
/// ```
#[doc(alias("local search", "forced swaps"))]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Awesomenauts {
    /// The seed of all starts but the first, which is not random.
    pub seed: u64,
    /// How many starts, 1 or more; 4 by default.
    pub starts: usize,
    /// At every local optimum, forces this many of the worst matches into a swap, the least bad of each, and swaps on
    /// from there for as long as that ends higher. A dozen is what the author of the algorithm tried, and gave up for
    /// more starts; 0, the default, forces none.
    pub forced_swaps: usize,
    /// After how many forced rounds in a row that end no higher the search starts anew: 1 by default, at once;
    /// `usize::MAX` for never.
    pub fruitless_rounds: usize,
    /// Begins every start by simulated annealing, until this many splits are tried: random swaps, each with the best
    /// splits of both matches, accepted with probability exp(gain / T), T from 0.02 down to 0.002 of a match's
    /// quality, evenly in log T. A reader proposed it in a comment below the article, without temperatures. 0, the
    /// default, for none.
    pub annealing: u64,
}

/// The result of one start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ascent {
    /// The value of the start, each match with its best split.
    pub start: f64,
    /// The value of the best local optimum from there.
    pub end: f64,
    /// Swaps that were carried out, forced and random ones included.
    pub swaps: u64,
    /// Splits that were tried.
    pub splits: u64,
}

impl Awesomenauts {
    /// Four starts with this seed, nothing forced or annealed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self {
            seed,
            starts: 4,
            forced_swaps: 0,
            fruitless_rounds: 1,
            annealing: 0,
        }
    }

    /// How many swaps and splits one step looks at, if all players came alone and nothing is remembered.
    ///
    /// ```
    /// # use matchwright_papers::awesomenauts::Awesomenauts;
    /// assert_eq!(Awesomenauts::count_of_step(96, (3, 3)), (4_320, 86_400));
    /// ```
    #[must_use]
    pub fn count_of_step(players: usize, sizes: (usize, usize)) -> (u64, u64) {
        let (a, b) = (sizes.0 as u64, sizes.1 as u64);
        let matches = players as u64 / (a + b).max(1);
        let swaps = matches * matches.saturating_sub(1) / 2 * (a + b).pow(2);
        let splits = (1..=a).fold(1, |splits, k| splits * (b + k) / k) / if a == b { 2 } else { 1 };
        (swaps, 2 * swaps * splits)
    }

    /// As [`solve_within`](LobbySolver::solve_within), with the result of each start.
    ///
    /// # Errors
    /// [`LobbyError`] if a team has more than 7 players, or the objective breaks its contract.
    pub fn ascents(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        limits: &Limits<'_>,
    ) -> Result<(Lineups, Vec<Ascent>), LobbyError> {
        let evaluator = Evaluator::new(pool, objective)?;
        let mut ascents: Vec<Ascent> = Vec::new();
        let mut best: Option<(f64, Teams)> = None;
        let (mut work, mut status) = (0, Status::Finished);
        for number in 0..self.starts.max(1) as u64 {
            let teams = if number == 0 {
                pool.starting_teams(0.0, 0)
            } else {
                let seed = derived_seed(self.seed, Purpose::LocalSearch, number, 0);
                pool.starting_teams(SEMI * pool.players() as f64, seed)
            };
            let known = best.as_ref().map_or(f64::NEG_INFINITY, |best| best.0);
            let mut climb = Climb::new(&evaluator, &teams, (*limits, work, known));
            let start = climb.value();
            let (top, ended) = self.ascend(&mut climb, number);
            work += climb.splits;
            ascents.push(Ascent {
                start,
                end: top.0,
                swaps: climb.swaps,
                splits: climb.splits,
            });
            if top.0 > known {
                best = Some(top);
            }
            if let Err(limit) = ended.and_then(|()| climb.check()) {
                status = limit;
                break;
            }
        }
        let teams = best.map(|best| best.1).unwrap_or_default();
        let lineups = Lineups::of_teams(pool, objective, teams)?;
        Ok((
            Lineups {
                status,
                work,
                ..lineups
            },
            ascents,
        ))
    }

    /// Swaps up to a local optimum, and on by forced swaps; the best that was met, and the limit that ended it.
    fn ascend(&self, climb: &mut Climb<'_>, number: u64) -> ((f64, Teams), Result<(), Status>) {
        let seed = derived_seed(self.seed, Purpose::LocalSearch, number, 1);
        let mut ended = climb.anneal(self.annealing, seed).and_then(|()| climb.climb());
        let mut top = (climb.value(), climb.teams());
        let mut fruitless = 0;
        while ended.is_ok() && self.forced_swaps > 0 && fruitless < self.fruitless_rounds.max(1) {
            ended = climb.force(self.forced_swaps).and_then(|()| climb.climb());
            fruitless += 1;
            if climb.value() > top.0 + NO_GAIN {
                fruitless = 0;
                top = (climb.value(), climb.teams());
            }
        }
        (top, ended)
    }
}

impl LobbySolver for Awesomenauts {
    fn solve_within(
        &self,
        pool: &LobbyPool,
        objective: &dyn LobbyObjective,
        limits: &Limits<'_>,
    ) -> Result<Lineups, LobbyError> {
        Ok(self.ascents(pool, objective, limits)?.0)
    }
}
