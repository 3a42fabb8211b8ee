//! What "The Awesomenauts matchmaking algorithm" says of its search, on generated players.
//!
//! - [`run_race`]: starting anew, forced swaps, a reader's annealing and ours, at equal evaluations.
//! - [`run_restarts`]: a few starts against many thousands.
//! - [`run_batches`]: players of thinly settled regions by the size of a batch.
//! - [`run_starts`]: the lineup sorted by skill, factor by factor, beside the end of the search.
//! - [`run_totals`]: other totals than the mean.
//! - [`run_repeats`]: how often players meet again, with the factor of opponent variation and without.
//! - [`run_port`]: whether the port of the search does what the article says, by counting.
//!
//! The world is ours ([`LobbyWorldParams`]), and so are the weights of [`awesomenauts_policy`]: the article prints
//! neither.

mod batches;
mod check;
mod contender;
mod port;
mod race;
mod repeats;
mod restarts;
mod starts;
mod totals;

pub use batches::{BATCH_GROUPS, BatchRow, BatchStep, BatchesConfig, BatchesReport, GroupRow, run_batches};
pub(crate) use batches::{EUROPE, FAR};
pub use check::best_swap;
pub use contender::Contender;
pub use port::{PortConfig, PortCount, PortReport, run_port};
pub use race::{ForcedReport, RaceConfig, RaceReport, RaceRow, run_race};
pub use repeats::{RepeatsConfig, RepeatsReport, run_repeats};
pub use restarts::{RestartPoint, RestartsConfig, RestartsReport, expected_best, run_restarts};
pub use starts::{FactorRow, StartsConfig, StartsReport, run_starts};
pub use totals::{TotalRow, TotalsConfig, TotalsReport, run_totals};

use anyhow::Result;
use matchwright_lobby::{Lineups, LobbyPool, LobbySolver};
use matchwright_scoring::{Pool, ScoringPolicy};

use crate::check::matches::policy;
use crate::random::Purpose;
use crate::settings::{SettingError, within};
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use matchwright_sim::population::{LobbyWorldParams, lobby_players};
use matchwright_sim::random::derived_seed;
use matchwright_solver::Limits;

/// Players of a team.
const TEAM: usize = 3;
/// Players of a match.
const MATCH: usize = 2 * TEAM;

/// The six factors of the article with their weights, which are ours: the example policy of Awesomenauts.
///
/// # Errors
/// None: a test reads it.
///
/// ```
/// let policy = matchwright_papers::awesomenauts::awesomenauts_policy()?;
/// assert_eq!(policy.factors().len(), 6);
/// # anyhow::Ok(())
/// ```
pub fn awesomenauts_policy() -> Result<ScoringPolicy> {
    policy(include_str!("../../../policies/awesomenauts.toml"))
}

/// One round of matchmaking: who waits, as the policy and as a solver see it.
struct Round {
    pool: Pool,
    policy: ScoringPolicy,
    /// In the order of skill, where the article's search starts.
    lobbies: LobbyPool,
}

impl Round {
    /// Round `number` of a trial. No player was unmatched before, so that the unmatched penalty is a perfect match for all.
    fn new(players: usize, seed: u64, number: usize) -> Result<Self> {
        let world = LobbyWorldParams {
            players,
            ..LobbyWorldParams::default()
        };
        let mut players = lobby_players(&world, round_seed(seed, number))?;
        for player in &mut players {
            player.wait_seconds = None;
        }
        let pool = Pool::new(players)?;
        let mut by_skill: Vec<usize> = (0..pool.len()).collect();
        by_skill.sort_by(|&a, &b| pool.skill(a).total_cmp(&pool.skill(b)));
        Ok(Self {
            policy: awesomenauts_policy()?,
            lobbies: lobby_pool(&pool, [TEAM, TEAM])?.with_order(&by_skill)?,
            pool,
        })
    }

    fn scoring(&self) -> LobbyScoring<'_> {
        LobbyScoring {
            pool: &self.pool,
            policy: &self.policy,
        }
    }

    /// A solver's lineups.
    fn solve(&self, solver: &dyn LobbySolver, limits: &Limits<'_>) -> Result<Lineups> {
        Ok(solver.solve_within(&self.lobbies, &self.scoring(), limits)?)
    }

    /// What they are worth a match: their mean quality, if as few players as possible are unmatched.
    fn total(&self, solver: &dyn LobbySolver, limits: &Limits<'_>) -> Result<f64> {
        Ok(self.solve(solver, limits)?.value / self.matches())
    }

    /// How many matches the players fill.
    fn matches(&self) -> f64 {
        (self.pool.len() / MATCH) as f64
    }
}

/// Limits of the search for a bound: some ten seconds, where the gap does not end it before.
const fn bound_limits() -> Limits<'static> {
    Limits::unlimited().with_work(100_000_000)
}

/// The seed of round `number`.
fn round_seed(seed: u64, number: usize) -> u64 {
    derived_seed(seed, Purpose::Rounds, number as u64, 0)
}

/// Refuses too few players for two matches, or more players or pools than a trial should take.
pub(super) fn check_pools(players: usize, pools: usize) -> Result<(), SettingError> {
    within("players", players, &(2 * MATCH..=2_000))?;
    within("pools", pools, &(2..=10_000))
}
