//! What the checks of EOMM look at: the printed figures, and the library's settings and longer runs.

use std::sync::Arc;

use anyhow::Result;
use matchwright_churn::{FeatureSpec, eomm_feature_specs};
use matchwright_rating::{BradleyTerryParams, EloParams, GlickoParams};
use matchwright_sim::population::{GeneratorParams, generate};
use matchwright_sim::progress::Progress;

use crate::check::Once;
use crate::eomm::cohorts::{CohortsConfig, CohortsReport, run_cohorts};
use crate::eomm::gain_law::{GainLawConfig, GainLawReport, run_gain_law};
use crate::eomm::other_worlds::{OtherWorldsConfig, OtherWorldsReport, run_other_worlds};
use crate::eomm::printed::{self, PrintedChurn, PrintedData, Table2};
use crate::eomm::study::{RegionPatterns, StudyConfig, StudyReport, run_study, stream_patterns};
use crate::eomm::theory::{TheoryConfig, TheoryReport, run_theory};
use crate::workers::Workers;

/// EOMM's printed figures.
#[derive(Clone, Debug)]
pub(crate) struct Paper {
    pub(crate) table_1: Vec<PrintedChurn>,
    pub(crate) table_2: Table2,
    pub(crate) gains: Vec<(u32, f64)>,
    /// Percent.
    pub(crate) average_gain: f64,
    pub(crate) data: PrintedData,
    /// Five outcomes, oldest first, as section 3.2 writes them.
    pub(crate) five_outcomes: &'static str,
}

impl Default for Paper {
    fn default() -> Self {
        Self {
            table_1: printed::TABLE_1.to_vec(),
            table_2: printed::TABLE_2,
            gains: printed::GAINS.to_vec(),
            average_gain: printed::AVERAGE_GAIN,
            data: printed::DATA,
            five_outcomes: "LWLDL",
        }
    }
}

/// All that the checks look at.
pub(crate) struct EommInputs {
    pub(crate) paper: Paper,
    pub(crate) seed: u64,
    pub(crate) elo: EloParams,
    pub(crate) glicko: GlickoParams,
    pub(crate) columns: &'static [FeatureSpec],
    pub(crate) generator: GeneratorParams,
    pub(crate) study: StudyConfig,
    /// How many of the generator's regions Table 1 is counted in.
    pub(crate) regions: u32,
    /// How many players EOMM-data rates: the paper's at its number of rounds.
    pub(crate) data_players: u32,
    pub(crate) theory: TheoryConfig,
    pub(crate) gain_law: GainLawConfig,
    pub(crate) other_worlds: OtherWorldsConfig,
    pub(crate) cohorts: CohortsConfig,
    pub(crate) bradley_terry: BradleyTerryParams,
    /// Reports the progress of the longer runs.
    pub(crate) progress: Arc<dyn Progress>,
    pub(crate) runs: EommRuns,
}

/// The runs made so far, which several checks read.
#[derive(Clone, Default)]
pub(crate) struct EommRuns {
    pub(crate) study: Once<StudyReport>,
    pub(crate) small_pools: Once<StudyReport>,
    pub(crate) regions: Once<Vec<RegionPatterns>>,
    pub(crate) theory: Once<TheoryReport>,
    pub(crate) gain_law: Once<GainLawReport>,
    pub(crate) other_worlds: Once<OtherWorldsReport>,
    pub(crate) cohorts: Once<CohortsReport>,
}

/// Pool sizes below those of the paper, for EOMM-noclimb.
pub(crate) const SMALL_POOLS: [usize; 5] = [4, 6, 10, 20, 50];
/// How many rounds small pools get for one of the study's: they are quick to pair, and noisy.
const MORE_ROUNDS: u32 = 10;

impl EommInputs {
    /// The library as it is, with this many rounds of the study.
    pub(crate) fn new(rounds: u32, seed: u64, progress: Arc<dyn Progress>) -> Self {
        Self {
            paper: Paper::default(),
            seed,
            elo: EloParams::default(),
            glicko: GlickoParams::default(),
            columns: eomm_feature_specs(),
            generator: GeneratorParams::default(),
            study: StudyConfig {
                rounds,
                seed,
                ..StudyConfig::with_large_samples()
            },
            regions: 32,
            data_players: data_players(rounds),
            theory: TheoryConfig::default(),
            gain_law: GainLawConfig::default(),
            other_worlds: OtherWorldsConfig::default(),
            cohorts: CohortsConfig::default(),
            bradley_terry: BradleyTerryParams::default(),
            progress,
            runs: EommRuns::default(),
        }
    }

    /// One thread for each core.
    pub(crate) fn workers(&self) -> Workers<'_> {
        Workers::new(0, &*self.progress)
    }

    /// The study on the generated population.
    pub(crate) fn report(&self) -> Result<&StudyReport> {
        self.runs.study.get(|| self.run(&self.study, &self.generator))
    }

    /// The same study with small pools: the same population, models and states.
    pub(crate) fn small_pools(&self) -> Result<&StudyReport> {
        let study = StudyConfig {
            pools: SMALL_POOLS.to_vec(),
            rounds: self.study.rounds.saturating_mul(MORE_ROUNDS),
            ..self.study.clone()
        };
        self.runs.small_pools.get(|| self.run(&study, &self.generator))
    }

    /// Churn by the last three outcomes in regions of the generated population, one after another.
    pub(crate) fn regions(&self) -> Result<&[RegionPatterns]> {
        let run = || stream_patterns(&self.generator, self.seed, 0..self.regions, &self.workers());
        Ok(self.runs.regions.get(run)?)
    }

    /// The statements of the paper's section 4 against all pairings of small pools.
    pub(crate) fn theory_report(&self) -> Result<&TheoryReport> {
        self.runs.theory.get(|| run_theory(&self.theory, self.seed))
    }

    /// Predicted gains and those of the exact pairings.
    pub(crate) fn gain_law_report(&self) -> Result<&GainLawReport> {
        self.runs
            .gain_law
            .run(run_gain_law, &self.gain_law, self.seed, &self.workers())
    }

    /// EOMM's gain in worlds that are not as it assumes.
    pub(crate) fn other_worlds(&self) -> Result<&OtherWorldsReport> {
        self.runs
            .other_worlds
            .run(run_other_worlds, &self.other_worlds, self.seed, &self.workers())
    }

    /// EOMM over many rounds.
    pub(crate) fn cohorts(&self) -> Result<&CohortsReport> {
        self.runs
            .cohorts
            .run(run_cohorts, &self.cohorts, self.seed, &self.workers())
    }

    /// Another study, on another population.
    pub(crate) fn run(&self, study: &StudyConfig, generator: &GeneratorParams) -> Result<StudyReport> {
        let world = generate(generator, self.seed)?;
        run_study(study, &world.history, Some(&world.truth), &self.workers())
    }
}

/// The paper's players, or as small a part of them as rounds are of its rounds; at least some regions.
fn data_players(rounds: u32) -> u32 {
    let all = printed::DATA.players;
    let part = u64::from(all) * u64::from(rounds) / printed::ROUNDS;
    u32::try_from(part).unwrap_or(all).clamp(8_000, all)
}
