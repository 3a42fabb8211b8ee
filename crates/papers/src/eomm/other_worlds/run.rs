//! All populations of all worlds, on any number of threads or in parts on several machines.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use super::config::OtherWorldsConfig;
use super::population::{self, PopulationResult};
use super::report::OtherWorldsReport;
use crate::eomm::study::{Shard, in_order};
use crate::workers::Workers;

/// What one part of a run found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OtherWorldsPart {
    shard: Shard,
    config: OtherWorldsConfig,
    seed: u64,
    /// Population by population, each with all worlds in turn: this part's share of them.
    results: Vec<PopulationResult>,
}

/// Studies several populations of every world; the numbers are the same for any number of threads.
///
/// Cost: generating and studying `populations` times as many histories as there are worlds, and two exact pairings a
/// round; at the defaults some two minutes on two cores.
///
/// # Errors
/// For a setting out of range, or a population that cannot be studied.
pub fn run_other_worlds(
    config: &OtherWorldsConfig,
    seed: u64,
    workers: &Workers<'_>,
) -> Result<OtherWorldsReport> {
    OtherWorldsPart::join(vec![run_other_worlds_part(config, seed, Shard::WHOLE, workers)?])
}

/// A part of it, to be joined with the others by [`OtherWorldsPart::join`].
///
/// # Errors
/// As [`run_other_worlds`].
pub fn run_other_worlds_part(
    config: &OtherWorldsConfig,
    seed: u64,
    shard: Shard,
    workers: &Workers<'_>,
) -> Result<OtherWorldsPart> {
    config.check()?;
    let worlds = config.worlds.len();
    let tasks: Vec<(u32, usize)> = (0..config.populations)
        .flat_map(|number| (0..worlds).map(move |world| (number, world)))
        .collect();
    let share = shard.share(0..u32::try_from(tasks.len())?);
    let tasks = &tasks[share.start as usize..share.end as usize];
    let stage = "worlds that are not as EOMM assumes";
    let results = workers.in_order(stage, tasks.len(), |task| {
        let (number, world) = tasks[task];
        population::study(config, seed, number, &config.worlds[world])
    })?;
    Ok(OtherWorldsPart {
        shard,
        config: config.clone(),
        seed,
        results,
    })
}

impl OtherWorldsPart {
    /// The report that these parts make together: the same numbers, to the bit, as of one run.
    ///
    /// # Errors
    /// Says which part is missing, there twice, or of another run.
    pub fn join(parts: Vec<Self>) -> Result<OtherWorldsReport> {
        let parts = in_order(parts, |part| part.shard)?;
        let (config, seed) = (parts[0].config.clone(), parts[0].seed);
        let mut results: Vec<Vec<PopulationResult>> = vec![Vec::new(); config.worlds.len()];
        let of_one_run = parts
            .iter()
            .all(|part| part.config == config && part.seed == seed);
        let all: Vec<PopulationResult> = parts.into_iter().flat_map(|part| part.results).collect();
        let expected = config.populations as usize * config.worlds.len();
        ensure!(
            of_one_run && all.len() == expected,
            "the parts hold other worlds than those of one run; make all parts with the same command"
        );
        for (task, result) in all.into_iter().enumerate() {
            results[task % config.worlds.len()].push(result);
        }
        Ok(OtherWorldsReport::of(config, seed, results))
    }
}
