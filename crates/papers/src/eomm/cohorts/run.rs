//! Rounds of a pool of constant size under each strategy.

use anyhow::{Context, Result, anyhow};
use matchwright_churn::Outcome;
use matchwright_scoring::{ChurnByOutcome, EommScorer, churn_edge};
use matchwright_sim::random::{derived_seed, stream};
use matchwright_solver::{DenseCosts, Pairing, Workspace};
use serde::{Deserialize, Serialize};

use super::config::{CohortsConfig, Setting};
use super::report::CohortsReport;
use super::service::Service;
use super::world::{Turn, World};
use crate::eomm::Method;
use crate::random::Purpose;
use crate::workers::Workers;

/// Who plays whom, round after round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Strategy {
    /// SkillMM.
    Skill,
    /// RandomMM.
    Random,
    /// EOMM: the fewest expected leavers of this round.
    Eomm,
    /// The least loss of expected further matches.
    Lifetime,
}

impl Strategy {
    /// All, SkillMM first.
    pub const ALL: [Self; 4] = [Self::Skill, Self::Random, Self::Eomm, Self::Lifetime];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lifetime => "lifetime value",
            Self::Skill | Self::Random | Self::Eomm => self.method().name(),
        }
    }

    const fn method(self) -> Method {
        match self {
            Self::Skill => Method::Skill,
            Self::Random => Method::Random,
            Self::Eomm | Self::Lifetime => Method::Eomm,
        }
    }
}

/// Buffers of one world.
#[derive(Default)]
pub(super) struct Bench {
    workspace: Workspace,
    costs: DenseCosts,
}

/// What one strategy made of one world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Found {
    /// Share of the first players who were kept 0, 1, 2, ... times in a row.
    pub(super) kept: Vec<f64>,
    /// Expected leavers a player of each round, given who was paired with whom.
    pub(super) leaving: Vec<f64>,
    /// By fourth of u, from the most loyal on: expected losses, and matches.
    pub(super) losses: [[f64; 2]; 4],
}

/// Plays all worlds of all settings; the numbers are the same for any number of threads.
///
/// Cost: two exact pairings of the pool a round and world.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn run_cohorts(config: &CohortsConfig, seed: u64, workers: &Workers<'_>) -> Result<CohortsReport> {
    config.check()?;
    let settings = config.settings();
    let intercepts: Vec<f64> = settings.iter().map(|one| config.intercept(one.level)).collect();
    let worlds = config.worlds as usize;
    let found = workers.in_order("rounds of cohorts", settings.len() * worlds, |task| {
        let (setting, world) = (task / worlds, task % worlds);
        // Settings share their players and their luck.
        let seed = derived_seed(seed, Purpose::Cohorts, world as u64, 0);
        play_world(config, settings[setting], intercepts[setting], seed)
    })?;
    Ok(CohortsReport::of(config, seed, &found))
}

fn play_world(config: &CohortsConfig, setting: Setting, intercept: f64, seed: u64) -> Result<Vec<Found>> {
    let service = Service::learn(config, setting, intercept, seed)?;
    let play = |strategy| {
        play(
            config,
            World::new(config, setting, intercept, seed),
            strategy,
            &service,
            seed,
        )
    };
    Strategy::ALL.into_iter().map(play).collect()
}

fn play(
    config: &CohortsConfig,
    mut world: World<'_>,
    strategy: Strategy,
    service: &Service,
    seed: u64,
) -> Result<Found> {
    let mut bench = Bench::default();
    let size = config.players as f64;
    let mut found = Found {
        kept: vec![1.0],
        leaving: Vec::new(),
        losses: [[0.0; 2]; 4],
    };
    for round in 0..config.rounds {
        let turns = world.turns();
        let pairing = pair(&world, strategy, &turns, Some(service), round, seed, &mut bench)?;
        found
            .leaving
            .push(judge(&world, &pairing, &turns, &mut found.losses)? / size);
        settle(&mut world, &pairing, &turns)?;
        let of_cohort = (0..config.players).filter(|&place| world.is_of_cohort(place));
        found.kept.push(of_cohort.count() as f64 / size);
    }
    Ok(found)
}

/// One round: each place's outcome, and whether its player stayed.
pub(super) fn play_round(
    world: &mut World<'_>,
    strategy: Strategy,
    turns: &[Turn],
    service: Option<&Service>,
    round: u32,
    seed: u64,
    bench: &mut Bench,
) -> Result<Vec<(Outcome, bool)>> {
    let pairing = pair(world, strategy, turns, service, round, seed, bench)?;
    settle(world, &pairing, turns)
}

/// Who meets whom, by what the service knows.
fn pair(
    world: &World<'_>,
    strategy: Strategy,
    turns: &[Turn],
    service: Option<&Service>,
    round: u32,
    seed: u64,
    bench: &mut Bench,
) -> Result<Pairing> {
    let size = turns.len();
    let ratings: Vec<f64> = world.players.iter().map(|player| player.rating).collect();
    let mut churn = Vec::new();
    if matches!(strategy, Strategy::Eomm | Strategy::Lifetime) {
        let service = service.context("this strategy needs predictions")?;
        for turn in turns {
            let value = match strategy {
                Strategy::Lifetime => service.value(turn)? / f64::from(world.rounds()),
                _ => 1.0,
            };
            let of = service.churn(turn)?;
            churn.push(ChurnByOutcome::new(
                value * of.win(),
                value * of.draw(),
                value * of.loss(),
            )?);
        }
    }
    let eomm = EommScorer::new(
        |&i: &usize, &j: &usize| world.rated_chances(i, j),
        |&i: &usize| churn[i],
    );
    bench.costs.refill(size, |i, j| match &churn[..] {
        [] => 0.0,
        _ => eomm.cost(&i, &j).unwrap_or(f64::NAN),
    })?;
    let mut rng = stream(seed, Purpose::CohortsPairing, round.into(), 0);
    let method = strategy.method();
    Ok(method.pair(&ratings, &bench.costs, &mut rng, &mut bench.workspace)?)
}

fn broken() -> anyhow::Error {
    anyhow!("the chances of a pair are no distribution; please report this as a bug")
}

/// Expected leavers of a pairing in truth; adds up who is expected to lose.
fn judge(world: &World<'_>, pairing: &Pairing, turns: &[Turn], losses: &mut [[f64; 2]; 4]) -> Result<f64> {
    let mut leaving = 0.0;
    for (i, j) in pairing.pairs() {
        let chances = world.chances(i, j).ok_or_else(broken)?;
        let churn = |place: usize| world.churn(&turns[place]).ok_or_else(broken);
        leaving += churn_edge(&chances, &churn(i)?, &churn(j)?);
        for (place, loss) in [(i, chances.loss()), (j, chances.win())] {
            let of_fourth = &mut losses[world.fourth(&turns[place])];
            of_fourth[0] += loss;
            of_fourth[1] += 1.0;
        }
    }
    Ok(leaving)
}

/// Plays the matches; players who leave are replaced.
fn settle(world: &mut World<'_>, pairing: &Pairing, turns: &[Turn]) -> Result<Vec<(Outcome, bool)>> {
    let mut outcomes = vec![Outcome::Draw; turns.len()];
    for (i, j) in pairing.pairs() {
        let chances = world.chances(i, j).ok_or_else(broken)?;
        outcomes[i] = World::outcome(&chances, &turns[i]);
        outcomes[j] = outcomes[i].reversed();
    }
    let mut played = Vec::with_capacity(turns.len());
    for (place, (turn, outcome)) in turns.iter().zip(outcomes).enumerate() {
        let churn = world.churn(turn).ok_or_else(broken)?;
        played.push((outcome, world.stays(place, turn, &churn, outcome)));
    }
    Ok(played)
}
