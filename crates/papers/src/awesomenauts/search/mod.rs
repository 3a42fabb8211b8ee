//! What "The Awesomenauts matchmaking algorithm" says of its search, on generated players.
//!
//! - [`run_race`]: starting anew, forced swaps, a reader's annealing and ours, at equal evaluations.
//! - [`run_restarts`]: a few starts against many thousands.
//! - [`run_batches`]: players of thinly settled regions by the size of a batch.
//! - [`run_starts`]: the lineup sorted by skill, factor by factor, beside the end of the search.
//! - [`run_totals`]: other totals than the mean.
//! - [`run_port`]: whether the port of the search does what the article says, by counting.
//!
//! The world is ours ([`LobbyWorldParams`]), and so are the weights of [`awesomenauts_policy`]: the article prints
//! neither.

mod batches;
mod check;
mod contender;
mod port;
mod race;
mod restarts;
mod starts;
mod totals;

pub use batches::{BATCH_GROUPS, BatchRow, BatchStep, BatchesConfig, BatchesReport, GroupRow, run_batches};
pub use check::best_swap;
pub use contender::Contender;
pub use port::{PortConfig, PortCount, PortReport, run_port};
pub use race::{ForcedReport, RaceConfig, RaceReport, RaceRow, run_race};
pub use restarts::{RestartPoint, RestartsConfig, RestartsReport, expected_best, run_restarts};
pub use starts::{FactorRow, StartsConfig, StartsReport, run_starts};
pub use totals::{Total, TotalRow, TotalsConfig, TotalsReport, run_totals};

use anyhow::Context as _;
use matchwright_lobby::{LobbyPool, LobbySolver};
use matchwright_scoring::{PolicyDocument, Pool, ScoringPolicy};
use matchwright_solver::Limits;

use crate::error::{SettingError, inside};
use crate::random::Purpose;
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use matchwright_sim::population::{LobbyWorldParams, lobby_players};
use matchwright_sim::progress::Progress;
use matchwright_sim::random::derived_seed;
use matchwright_sim::threads::in_order;

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
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn awesomenauts_policy() -> anyhow::Result<ScoringPolicy> {
    let document: PolicyDocument = toml::from_str(include_str!("../../../policies/awesomenauts.toml"))?;
    let scoring = document
        .scoring
        .context("a policy without the section `scoring`")?;
    Ok(scoring.build()?)
}

/// One round of matchmaking: who waits, as the policy and as a solver see it.
struct Round {
    pool: Pool,
    /// In the order of skill, where the article's search starts.
    lobbies: LobbyPool,
}

impl Round {
    /// Round `number` of a trial. No player was unmatched before, so that the unmatched penalty is a perfect match for all.
    fn new(world: &LobbyWorldParams, players: usize, seed: u64, number: usize) -> anyhow::Result<Self> {
        let world = LobbyWorldParams {
            players,
            ..world.clone()
        };
        let mut players = lobby_players(&world, round_seed(seed, number))?;
        for player in &mut players {
            player.wait_seconds = None;
        }
        let pool = Pool::new(players)?;
        let lobbies = lobby_pool(&pool, (TEAM, TEAM))?.with_order(&by_skill(&pool))?;
        Ok(Self { pool, lobbies })
    }

    fn scoring<'a>(&'a self, policy: &'a ScoringPolicy) -> LobbyScoring<'a> {
        LobbyScoring {
            pool: &self.pool,
            policy,
        }
    }

    /// How many matches the players fill.
    fn matches(&self) -> f64 {
        (self.pool.len() / MATCH) as f64
    }

    /// What a solver's lineups are worth, a match: their mean quality, if as few as possible are unmatched.
    fn total(
        &self,
        policy: &ScoringPolicy,
        solver: &dyn LobbySolver,
        limits: &Limits<'_>,
    ) -> anyhow::Result<f64> {
        let lineups = solver.solve_within(&self.lobbies, &self.scoring(policy), limits)?;
        Ok(lineups.value / self.matches())
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

fn by_skill(pool: &Pool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pool.len()).collect();
    order.sort_by(|&a, &b| pool.skill(a).total_cmp(&pool.skill(b)));
    order
}

/// The results of tasks 0, 1, 2, ... in that order, computed by so many threads.
fn in_parallel<T: Send>(
    (threads, tasks): (usize, usize),
    progress: &dyn Progress,
    work: impl Fn(usize) -> anyhow::Result<T> + Sync + Send,
) -> anyhow::Result<Vec<T>> {
    in_order(threads, tasks, |task| {
        let done = work(task);
        progress.advance(1);
        done
    })
}

/// Refuses a number that is not in its range.
fn count(setting: &'static str, value: usize, most: u32, range: &'static str) -> Result<(), SettingError> {
    inside(setting, value as f64, &(1.0..=f64::from(most)), range)
}

/// Refuses a world of too few players for a match, or of more than a trial should take.
fn check_players(players: usize) -> Result<(), SettingError> {
    let range = 2.0 * MATCH as f64..=2_000.0;
    inside("players", players as f64, &range, "from 12, two matches, to 2000")
}
