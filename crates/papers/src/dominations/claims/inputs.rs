//! What the checks of DomiNations look at: its policy, what it prints, and the library's systems and runs.

use crate::check::Once;
use crate::dominations::printed::SANDBAGGERS;
use crate::dominations::{InflationConfig, LeagueConfig, NewcomersConfig, WarsConfig, WarsReport, run_wars};
use crate::workers::Workers;
use anyhow::Result;
use matchwright_rating::{BaseOddsParams, DomMmrParams, Glicko2Params, SeasonPullParams};
use matchwright_sim::progress::{Progress, Quiet};
use std::sync::Arc;

/// All that the checks look at.
pub(crate) struct DominationsInputs {
    pub(crate) seed: u64,
    /// `examples/policies/dominations.toml`.
    pub(crate) policy: String,
    /// `examples/policies/dominations-old.toml`.
    pub(crate) old_policy: String,
    pub(crate) sandbaggers: (usize, usize),
    pub(crate) bases: BaseOddsParams,
    pub(crate) system: DomMmrParams,
    pub(crate) glicko2: Glicko2Params,
    pub(crate) pull: SeasonPullParams,
    pub(crate) newcomers: NewcomersConfig,
    pub(crate) inflation: InflationConfig,
    pub(crate) wars: WarsConfig,
    pub(crate) league: LeagueConfig,
    /// Reports the progress of the longer runs.
    pub(crate) progress: Arc<dyn Progress>,
    pub(crate) runs: DominationsRuns,
}

/// The runs made so far, which several checks read.
#[derive(Clone, Default)]
pub(crate) struct DominationsRuns {
    pub(crate) wars: Once<WarsReport>,
}

impl Default for DominationsInputs {
    fn default() -> Self {
        Self::new(1, Arc::new(Quiet))
    }
}

impl DominationsInputs {
    /// The library as it is.
    pub(crate) fn new(seed: u64, progress: Arc<dyn Progress>) -> Self {
        Self {
            seed,
            progress,
            runs: DominationsRuns::default(),
            policy: include_str!("../../../policies/dominations.toml").to_owned(),
            old_policy: include_str!("../../../policies/dominations-old.toml").to_owned(),
            sandbaggers: SANDBAGGERS,
            bases: BaseOddsParams::default(),
            system: DomMmrParams::default(),
            glicko2: Glicko2Params::default(),
            pull: SeasonPullParams::default(),
            newcomers: NewcomersConfig::default(),
            inflation: InflationConfig::default(),
            wars: WarsConfig::default(),
            league: LeagueConfig::default(),
        }
    }

    /// With no more reports of progress.
    pub(crate) fn quiet(mut self) -> Self {
        self.progress = Arc::new(Quiet);
        self
    }

    /// One thread for each core.
    pub(crate) fn workers(&self) -> Workers<'_> {
        Workers::new(0, &*self.progress)
    }

    /// Alliances under the queues of `DomiNations`.
    pub(crate) fn wars(&self) -> Result<&WarsReport> {
        self.runs
            .wars
            .run(run_wars, &self.wars, self.seed, &self.workers())
    }
}
