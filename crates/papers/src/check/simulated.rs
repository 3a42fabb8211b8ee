//! Policies on the same simulated worlds, for checks of what happens over time.

use anyhow::{Context, Result, ensure};
use matchwright_sim::policy::{PolicyDocument, load};
use matchwright_sim::replay::{GroupWaits, Judge};
use matchwright_sim::simulate::{Figure, GroupMatches, Measured, ScenarioParams, World, Worlds};
use matchwright_sim::statistics::{MeanTest, paired_test};
use serde::Serialize;

use crate::settings::within;
use crate::workers::Workers;

/// Fewer worlds are not compared.
pub(crate) const ENOUGH_WORLDS: usize = 20;

/// How many worlds a page is made of, and how long each is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WorldSize {
    /// 2 or more. Default 20: of fewer, statements are inconclusive.
    pub worlds: u64,
    /// Hours of a world, where they are not the scenario's; the warm-up shrinks or grows with them.
    pub hours: Option<f64>,
}

impl Default for WorldSize {
    fn default() -> Self {
        Self {
            worlds: 20,
            hours: None,
        }
    }
}

/// What decides [`run_worlds`], apart from the seed.
#[derive(Clone, Debug)]
pub(crate) struct WorldsConfig {
    /// The world, as a scenario document has it.
    pub(crate) scenario: String,
    /// Policy documents.
    pub(crate) policies: Vec<String>,
    /// The place of the policy whose objective judges all.
    pub(crate) judge: usize,
    /// How many worlds.
    pub(crate) worlds: u64,
    /// Hours of a world and of its warm-up, where they are not the document's.
    pub(crate) hours: Option<(f64, f64)>,
}

/// What became of the worlds.
#[derive(Clone, Debug)]
pub(crate) struct WorldsReport {
    pub(crate) worlds: Vec<World>,
}

/// Simulates each world under each policy. The same for any number of threads.
pub(crate) fn run_worlds(config: &WorldsConfig, seed: u64, workers: &Workers<'_>) -> Result<WorldsReport> {
    config.with(seed, |worlds| {
        let worlds = worlds.run(0..config.worlds, workers.threads, workers.progress)?;
        Ok(WorldsReport { worlds })
    })
}

impl WorldsConfig {
    /// With as many worlds, and as long.
    pub(crate) fn sized(mut self, size: WorldSize) -> Result<Self> {
        within("worlds", size.worlds, &(2..=10_000))?;
        self.worlds = size.worlds;
        if let Some(hours) = size.hours {
            within("hours", hours, &(0.1..=10_000.0))?;
            let params: ScenarioParams = toml::from_str(&self.scenario)?;
            self.hours = Some((hours, params.warm_up_hours * hours / params.hours));
        }
        Ok(self)
    }

    /// Hands the worlds on, ready to be simulated.
    pub(crate) fn with<T>(&self, seed: u64, run: impl FnOnce(&Worlds<'_>) -> Result<T>) -> Result<T> {
        let mut params: ScenarioParams = toml::from_str(&self.scenario)?;
        if let Some((hours, warm_up)) = self.hours {
            (params.hours, params.warm_up_hours) = (hours, warm_up);
        }
        let policies: Vec<PolicyDocument> = self
            .policies
            .iter()
            .map(|text| toml::from_str(text))
            .collect::<Result<_, _>>()?;
        let by = load(policies.get(self.judge).context("no policy to judge by")?.clone())?;
        let judge = Judge::new(by.objective, by.scoring).context("nothing judges the matches")?;
        run(&Worlds {
            scenario: &params.build()?,
            policies: &policies,
            judge: &judge,
            seed,
            hindsight: false,
        })
    }
}

impl WorldsReport {
    /// A value of each world under the policy of this place.
    pub(crate) fn values(&self, policy: usize, of: impl Fn(&Measured) -> Option<f64>) -> Result<Vec<f64>> {
        let value = |world: &World| world.policies.get(policy).and_then(&of);
        let values = self.worlds.iter().map(value).collect::<Option<Vec<f64>>>();
        let values = values.context("a world in which nothing of the kind happened")?;
        ensure!(values.len() > 1, "one world alone tells no error");
        Ok(values)
    }

    /// Its mean over the worlds, with the interval of Student's t.
    pub(crate) fn mean(&self, policy: usize, of: impl Fn(&Measured) -> Option<f64>) -> Result<MeanTest> {
        Ok(paired_test(self.values(policy, of)?))
    }

    /// The first policy's less the second's, paired by worlds.
    pub(crate) fn difference(
        &self,
        (first, second): (usize, usize),
        of: impl Fn(&Measured) -> Option<f64>,
    ) -> Result<MeanTest> {
        let (first, second) = (self.values(first, &of)?, self.values(second, &of)?);
        Ok(paired_test(
            first.iter().zip(&second).map(|(one, other)| one - other),
        ))
    }

    /// Whether there are enough worlds for a statement.
    pub(crate) fn is_enough(&self) -> bool {
        self.worlds.len() >= ENOUGH_WORLDS
    }
}

/// The value of a figure, if it is a number.
pub(crate) fn figure(figure: Figure) -> impl Fn(&Measured) -> Option<f64> {
    move |found| figure.of(found).filter(|value| value.is_finite())
}

/// A group's waits, by name.
pub(crate) fn waits<'a>(found: &'a Measured, group: &str) -> Option<&'a GroupWaits> {
    found.waits.iter().find(|waits| waits.group == group)
}

/// A group's matches, by name.
pub(crate) fn matches<'a>(found: &'a Measured, group: &str) -> Option<&'a GroupMatches> {
    found.by_group.iter().find(|matches| matches.group == group)
}

/// Whether a group is a band of ratings from this many points on.
pub(crate) fn is_rated_from(group: &str, least: f64) -> bool {
    let low = group
        .strip_prefix("rating ")
        .and_then(|band| band.split(' ').next());
    low.and_then(|low| low.parse().ok())
        .is_some_and(|low: f64| low >= least)
}

/// The mean time that tickets rated so high waited, seconds.
pub(crate) fn wait_from(found: &Measured, least: f64) -> Option<f64> {
    let bands = found
        .waits
        .iter()
        .filter(|waits| is_rated_from(&waits.group, least));
    weighted(bands.map(|waits| (waits.mean, waits.tickets as f64)))
}

/// The mean mismatch of the matches of tickets rated so high.
pub(crate) fn mismatch_from(found: &Measured, least: f64) -> Option<f64> {
    let bands = found
        .by_group
        .iter()
        .filter(|matches| is_rated_from(&matches.group, least));
    weighted(bands.map(|matches| (matches.mismatch, matches.players as f64)))
}

fn weighted(values: impl Iterator<Item = (Option<f64>, f64)>) -> Option<f64> {
    let (mut sum, mut all) = (0.0, 0.0);
    for (value, weight) in values {
        (sum, all) = (sum + value? * weight, all + weight);
    }
    (all > 0.0).then(|| sum / all)
}
