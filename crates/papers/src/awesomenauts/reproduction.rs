//! The search of "The Awesomenauts matchmaking algorithm" beside others, on generated players.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use matchwright_sim::progress::Progress;
use matchwright_sim::statistics::{Estimate, Summary};
use serde::Serialize;

use super::claims::inputs::AwesomenautsInputs;
use super::search::{
    BatchesConfig, BatchesReport, Contender, PortConfig, PortReport, RaceConfig, RaceReport, RestartsConfig,
    RestartsReport, StartsConfig, StartsReport, TotalsConfig, TotalsReport, check_pools, run_batches,
    run_port, run_race, run_restarts, run_starts, run_totals,
};
use crate::check::simulated::WorldSize;
use crate::scene::Scene;
use crate::settings::{SettingError, within};

/// Everything that was reproduced, but for what a clock decides.
#[derive(Serialize)]
pub struct AwesomenautsReproduction {
    pub(crate) race: RaceReport,
    pub(crate) restarts: RestartsReport,
    pub(crate) batches: BatchesReport,
    pub(crate) starts: StartsReport,
    pub(crate) port: PortReport,
    pub(crate) totals: TotalsReport,
    pub(crate) scene: Scene,
    /// What the statements of the page look at, with the runs made so far.
    #[serde(skip)]
    pub(crate) inputs: AwesomenautsInputs,
}

/// Searches at equal time: another machine finds other totals.
#[derive(Serialize)]
pub struct EqualTime {
    /// What each search was given on each pool, seconds.
    pub seconds: f64,
    pub(crate) players: usize,
    pub(crate) pools: usize,
    pub(crate) rows: Vec<EqualTimeRow>,
}

/// One search.
#[derive(Serialize)]
pub(crate) struct EqualTimeRow {
    pub(crate) contender: Contender,
    pub(crate) total: Estimate,
    /// Pools on which no other total is better.
    pub(crate) best: usize,
}

impl EqualTime {
    /// The search with the best mean quality.
    pub(crate) fn best(&self) -> Option<&EqualTimeRow> {
        self.rows
            .iter()
            .max_by(|one, other| one.total.mean.total_cmp(&other.total.mean))
    }
}

/// What decides [`reproduce`], apart from the seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AwesomenautsSettings {
    /// Searches at equal evaluations.
    pub race: RaceConfig,
    /// Few starts against many.
    pub restarts: RestartsConfig,
    /// Batches of different sizes.
    pub batches: BatchesConfig,
    /// The sorted start.
    pub starts: StartsConfig,
    /// The port, by counting.
    pub port: PortConfig,
    /// Other totals than the mean.
    pub totals: TotalsConfig,
    /// Evenings and days of the queue.
    pub worlds: WorldSize,
}

impl AwesomenautsSettings {
    /// Pools of this many `players`, with this many `pools` for each comparison, `starts` in a pool and `streams` of
    /// players; all else by default.
    #[must_use]
    pub fn of_size(players: usize, pools: usize, starts: usize, streams: usize) -> Self {
        let mut settings = Self::default();
        (settings.race.players, settings.race.pools) = (players, pools);
        (settings.restarts.players, settings.restarts.starts) = (players, starts);
        settings.restarts.few = settings.restarts.few.min(starts);
        settings.batches.streams = streams;
        (settings.starts.players, settings.starts.pools) = (players, pools);
        (settings.port.players, settings.port.pools) = (players, pools);
        (settings.totals.players, settings.totals.pools) = (players, pools);
        settings
    }

    /// All searches with this share of their evaluations and exchanges, at least one.
    ///
    /// # Errors
    /// [`SettingError`](crate::SettingError) for a share that is not from 1e-6 to 1000.
    pub fn with_effort(mut self, share: f64) -> Result<Self, SettingError> {
        within("effort", share, &(1e-6..=1e3))?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a positive count, far below 2^53"
        )]
        let scale = |count: &mut u64| *count = (*count as f64 * share).ceil() as u64;
        self.race.evaluations.iter_mut().for_each(scale);
        let others = [
            &mut self.batches.moves_per_player,
            &mut self.starts.moves,
            &mut self.totals.moves,
        ];
        others.into_iter().for_each(scale);
        Ok(self)
    }
}

/// Reproduces the document on that many threads, which never change the result; 0 for one on each core.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range, before anything runs.
pub fn reproduce(
    settings: &AwesomenautsSettings,
    seed: u64,
    threads: usize,
    progress: Arc<dyn Progress>,
) -> Result<AwesomenautsReproduction> {
    check_pools(settings.port.players, settings.port.pools)?;
    settings.starts.check()?;
    settings.totals.check()?;
    settings.race.check()?;
    settings.restarts.check()?;
    settings.batches.check()?;
    let mut inputs = AwesomenautsInputs::new(seed, progress);
    inputs.threads = threads;
    if settings.worlds.worlds < WorldSize::default().worlds {
        inputs.told = 100;
    }
    inputs.evenings = inputs.evenings.sized(settings.worlds)?;
    inputs.days.worlds = settings.worlds.worlds;
    if let Some(hours) = settings.worlds.hours {
        inputs.days.hours = Some((hours, 0.0));
    }
    let workers = &inputs.workers();
    Ok(AwesomenautsReproduction {
        port: run_port(&settings.port, seed, workers)?,
        starts: run_starts(&settings.starts, seed, workers)?,
        totals: run_totals(&settings.totals, seed, workers)?,
        race: run_race(&settings.race, seed, workers)?,
        restarts: run_restarts(&settings.restarts, seed, workers)?,
        batches: run_batches(&settings.batches, seed, workers)?,
        scene: Scene::of(&inputs.evenings, inputs.schools()?)?,
        inputs: {
            inputs.days()?;
            inputs.quiet()
        },
    })
}

/// All contenders on each pool in turn, on one thread, so that none is slowed by another.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn equal_time(
    config: &RaceConfig,
    seed: u64,
    time: Duration,
    progress: &dyn Progress,
) -> Result<EqualTime> {
    progress.begin("searches at equal time", config.pools as u64);
    let mut pools: Vec<Vec<f64>> = Vec::new();
    for number in 0..config.pools {
        let mut clock = || -> Box<dyn Fn() -> f64 + Sync> {
            let begin = Instant::now();
            // No time at all is used up at once.
            Box::new(move || begin.elapsed().as_secs_f64() / time.as_secs_f64())
        };
        pools.push(config.totals_while((seed, number), &mut clock)?);
        progress.advance(1);
    }
    let contenders = config.contenders.iter().copied().enumerate();
    let rows = contenders.map(|(place, contender)| {
        let best = |pool: &&Vec<f64>| pool.iter().all(|total| *total <= pool[place] + 1e-9);
        EqualTimeRow {
            contender,
            total: Summary::of(pools.iter().map(|pool| pool[place])).estimate(),
            best: pools.iter().filter(best).count(),
        }
    });
    Ok(EqualTime {
        seconds: time.as_secs_f64(),
        players: config.players,
        pools: config.pools,
        rows: rows.collect(),
    })
}
