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
/// round; at the defaults some seventy seconds on two cores.
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
    /// Which part it is.
    pub(crate) fn shard(&self) -> Shard {
        self.shard
    }

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
        ensure!(
            of_one_run,
            "the parts hold other worlds than those of one run; make all parts with the same command"
        );
        config.check()?;
        let worlds = u32::try_from(config.worlds.len())?;
        let expected = u64::from(config.populations) * u64::from(worlds);
        for part in &parts {
            let share = part.shard.share(0..u32::try_from(expected)?);
            let numbers = share.map(|task| task / worlds);
            ensure!(
                part.results.iter().map(|result| result.number).eq(numbers),
                "part {} holds other populations than those of its share; make it again",
                part.shard
            );
        }
        let all: Vec<PopulationResult> = parts.into_iter().flat_map(|part| part.results).collect();
        for (task, result) in all.into_iter().enumerate() {
            results[task % config.worlds.len()].push(result);
        }
        Ok(OtherWorldsReport::of(config, seed, results))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eomm::Method;
    use crate::eomm::other_worlds::WorldKind;
    use matchwright_sim::progress::Quiet;

    /// Few players, a base world and one where one-sided matches repel strongly.
    fn small() -> OtherWorldsConfig {
        let mut config = OtherWorldsConfig {
            populations: 3,
            ..OtherWorldsConfig::default()
        };
        (config.population.players, config.population.days) = (300, 12.0);
        (config.study.pools, config.study.rounds) = (vec![40], 8);
        (config.study.fit_rows, config.study.state_matches) = (2_000, 1_000);
        config.worlds.truncate(2);
        config.worlds[1].departures.one_sided_effect = 2.0;
        config
    }

    fn run(config: &OtherWorldsConfig, seed: u64, threads: usize) -> OtherWorldsReport {
        run_other_worlds(config, seed, &Workers::new(threads, &Quiet)).unwrap()
    }

    #[test]
    fn any_number_of_threads_and_any_parts_give_the_same_bytes() {
        let config = OtherWorldsConfig {
            populations: 2,
            ..small()
        };
        let json = |report: &OtherWorldsReport| serde_json::to_string(report).unwrap();
        let one = json(&run(&config, 1, 1));
        assert_eq!(one, json(&run(&config, 1, 3)));
        assert_ne!(one, json(&run(&config, 2, 3)));
        let part = |index| {
            let shard = Shard::new(index, 3).unwrap();
            run_other_worlds_part(&config, 1, shard, &Workers::new(1, &Quiet)).unwrap()
        };
        assert_eq!(
            one,
            json(&OtherWorldsPart::join(vec![part(3), part(1), part(2)]).unwrap())
        );
        let missing = OtherWorldsPart::join(vec![part(1), part(2)]).unwrap_err();
        assert!(missing.to_string().contains("missing"), "{missing}");
        let mut other = part(3);
        other.seed = 2;
        assert!(OtherWorldsPart::join(vec![part(1), part(2), other]).is_err());
    }

    #[test]
    fn the_truth_sees_what_the_models_do_not_and_nobody_gains_more_than_is_attainable() {
        let report = run(&small(), 1, 2);
        let over = |world: usize| report.worlds[world].over(Method::Skill).unwrap();
        let (base, opponent) = (over(0), over(1));
        assert!(base.truth.difference > 0.0 && base.promised.difference > 0.0);
        assert_eq!((base.change.difference, base.of_base.ratio), (0.0, 1.0));
        // The models promise a gain still, where unequal pairs drive players away.
        assert!(
            opponent.promised.difference > 0.0 && opponent.truth.difference < 0.0,
            "{opponent:?}"
        );
        for result in &report.worlds {
            for population in &result.populations {
                let (fitted, truth) = (&population.fitted, &population.truth);
                for other in [truth.skill, truth.random, truth.eomm] {
                    assert!(truth.informed >= other - 1e-6, "{population:?}");
                }
                for other in [fitted.skill, fitted.random, fitted.informed] {
                    assert!(fitted.eomm >= other - 1e-6, "{population:?}");
                }
            }
        }
        assert_eq!(report.of_kind(WorldKind::Opponent).count(), 1);
    }
}
