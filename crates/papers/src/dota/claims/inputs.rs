//! What the checks of Dota 2 look at: its policy, what it prints, and the library's system, rules and runs.

use std::sync::Arc;

use anyhow::{Context, Result};
use matchwright_sim::progress::{Progress, Quiet};
use toml::{Table, Value};

use crate::check::Once;
use crate::check::queues::{altered, table};
use crate::check::simulated::{WorldsConfig, WorldsReport, run_worlds};
use crate::climb::ClimbConfig;
use crate::dota::printed::{EXPERIENCE_STEPS, MATCH, PARTY_MEAN, PERCENTILES, PrintedPlayer, TOTALS};
use crate::dota::{PartiesConfig, PerformanceConfig, WinRatesConfig};
use crate::workers::Workers;
use matchwright_rating::{CalibrationParams, DotaMmrParams, PartyBonusParams, RankedRules};

/// All that the checks look at.
pub(crate) struct DotaInputs {
    pub(crate) seed: u64,
    /// `examples/policies/dota.toml`.
    pub(crate) policy: String,
    pub(crate) experience: [u64; 3],
    pub(crate) party_mean: f64,
    pub(crate) percentiles: Vec<(f64, f64)>,
    pub(crate) printed_match: [[PrintedPlayer; 5]; 2],
    pub(crate) totals: [f64; 2],
    pub(crate) rules: RankedRules,
    pub(crate) calibration: CalibrationParams,
    pub(crate) system: DotaMmrParams,
    pub(crate) bonus: PartyBonusParams,
    pub(crate) performance: PerformanceConfig,
    /// How skilled newcomers are followed.
    pub(crate) climb: ClimbConfig,
    pub(crate) parties: PartiesConfig,
    pub(crate) win_rates: WinRatesConfig,
    /// The policy, and matches at random.
    pub(crate) worlds: WorldsConfig,
    /// Thresholds of quality that are tried in the same worlds, rising.
    pub(crate) thresholds: Vec<f64>,
    /// Reports the progress of the longer runs.
    pub(crate) progress: Arc<dyn Progress>,
    pub(crate) runs: DotaRuns,
}

/// The runs made so far, which several checks read.
#[derive(Clone, Default)]
pub(crate) struct DotaRuns {
    pub(crate) worlds: Once<WorldsReport>,
    pub(crate) thresholds: Once<WorldsReport>,
}

impl Default for DotaInputs {
    fn default() -> Self {
        Self::new(1, Arc::new(Quiet))
    }
}

impl DotaInputs {
    /// The library as it is.
    pub(crate) fn new(seed: u64, progress: Arc<dyn Progress>) -> Self {
        let policy = include_str!("../../../policies/dota.toml").to_owned();
        Self {
            seed,
            progress,
            runs: DotaRuns::default(),
            experience: EXPERIENCE_STEPS,
            party_mean: PARTY_MEAN,
            percentiles: PERCENTILES.to_vec(),
            printed_match: MATCH,
            totals: TOTALS,
            rules: RankedRules::default(),
            calibration: CalibrationParams::default(),
            system: DotaMmrParams::default(),
            bonus: PartyBonusParams::default(),
            performance: PerformanceConfig::default(),
            climb: ClimbConfig {
                games: 300,
                ..ClimbConfig::default()
            },
            parties: PartiesConfig::default(),
            win_rates: WinRatesConfig::default(),
            worlds: WorldsConfig {
                scenario: include_str!("../../../scenarios/dota.toml").to_owned(),
                policies: vec![
                    policy.clone(),
                    include_str!("../../../policies/random-teams.toml").to_owned(),
                ],
                judge: 0,
                worlds: 20,
                hours: None,
            },
            thresholds: vec![0.3, 0.5, 0.8],
            policy,
        }
    }

    /// With no more reports of progress.
    pub(crate) fn quiet(mut self) -> Self {
        self.progress = Arc::new(Quiet);
        self
    }

    /// One thread for each core.
    fn workers(&self) -> Workers<'_> {
        Workers::new(0, &*self.progress)
    }

    /// Dota's policy, matches at random, and the policy without a longest wait.
    pub(crate) fn worlds_run(&self) -> Result<&WorldsReport> {
        self.runs
            .worlds
            .get(|| run_worlds(&self.worlds_config()?, self.seed, &self.workers()))
    }

    /// What decides it.
    pub(crate) fn worlds_config(&self) -> Result<WorldsConfig> {
        let mut document = altered(&table(&self.policy)?, |queue| {
            queue.remove("longest_wait");
        })?;
        document.insert("name".to_owned(), "dota, no longest wait".into());
        let mut worlds = self.worlds.clone();
        worlds.policies.push(toml::to_string(&document)?);
        Ok(worlds)
    }

    /// Dota's policy with other thresholds, in the same worlds.
    pub(crate) fn thresholds_run(&self) -> Result<&WorldsReport> {
        let document = |quality: &f64| Ok(toml::to_string(&with_threshold(&self.policy, *quality)?)?);
        self.runs.thresholds.get(|| {
            let worlds = WorldsConfig {
                policies: self.thresholds.iter().map(document).collect::<Result<_>>()?,
                ..self.worlds.clone()
            };
            run_worlds(&worlds, self.seed, &self.workers())
        })
    }
}

/// The policy with another threshold, which falls as far and as fast; what no match may be below falls with it.
pub(crate) fn with_threshold(policy: &str, quality: f64) -> Result<Table> {
    let mut document = table(policy)?;
    let queue = document
        .get_mut("queue")
        .and_then(|queue| queue.get_mut("threshold"));
    let threshold = queue
        .and_then(Value::as_table_mut)
        .context("a policy without a threshold")?;
    let number = |threshold: &Table, key: &str| threshold.get(key).and_then(Value::as_float);
    let falls = number(threshold, "quality").zip(number(threshold, "least"));
    let least = quality
        - falls
            .map(|(quality, least)| quality - least)
            .context("a threshold without its ends")?;
    threshold.insert("quality".to_owned(), quality.into());
    threshold.insert("least".to_owned(), least.into());
    let scoring = document.get_mut("scoring").and_then(Value::as_table_mut);
    scoring
        .context("a policy without scoring")?
        .insert("threshold".to_owned(), least.into());
    Ok(document)
}
