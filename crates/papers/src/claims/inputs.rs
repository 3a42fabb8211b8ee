//! What the checks are functions of: the printed figures, and the parts of the library that they hold against them.
//!
//! All of it can be exchanged, so that tests can see each check fail. [`runs`](super::runs) has what takes longer.

use crate::eomm::cohorts::CohortsConfig;
use crate::eomm::gain_law::GainLawConfig;
use crate::eomm::other_worlds::OtherWorldsConfig;
use crate::eomm::printed::{self, PrintedChurn, PrintedData, Table2};
use crate::eomm::study::StudyConfig;
use crate::eomm::theory::TheoryConfig;
use matchwright_churn::{FeatureSpec, eomm_feature_specs};
use matchwright_rating::{BradleyTerryParams, EloParams, GlickoParams};
use matchwright_sim::population::GeneratorParams;
use matchwright_sim::progress::{Progress, Quiet};

use super::runs::Runs;
use crate::awesomenauts::claims::inputs::AwesomenautsInputs;
use crate::dominations::claims::inputs::DominationsInputs;
use crate::dota::claims::inputs::DotaInputs;
use crate::sc2::claims::inputs::Sc2Inputs;

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

/// All that checks look at.
pub(crate) struct Inputs {
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
    pub(crate) awesomenauts: AwesomenautsInputs,
    pub(crate) dota: DotaInputs,
    pub(crate) dominations: DominationsInputs,
    pub(crate) sc2: Sc2Inputs,
    /// Reports the progress of the longer runs.
    pub(crate) progress: Box<dyn Progress>,
    pub(crate) runs: Runs,
}

impl Default for Inputs {
    fn default() -> Self {
        Self::new(1_000, 1)
    }
}

impl Inputs {
    /// The library as it is.
    pub(crate) fn new(rounds: u32, seed: u64) -> Self {
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
            awesomenauts: AwesomenautsInputs::default(),
            dota: DotaInputs::default(),
            dominations: DominationsInputs::default(),
            sc2: Sc2Inputs::default(),
            progress: Box::new(Quiet),
            runs: Runs::default(),
        }
    }
}

impl Inputs {
    /// Searches as long as the documents have them.
    pub(crate) fn deepen(&mut self) {
        self.awesomenauts.restarts.pools = 1;
        self.awesomenauts.restarts.starts = 20_000;
    }
}

/// The paper's players, or as small a part of them as rounds are of its rounds; at least some regions.
fn data_players(rounds: u32) -> u32 {
    let all = printed::DATA.players;
    let part = u64::from(all) * u64::from(rounds) / printed::ROUNDS;
    u32::try_from(part).unwrap_or(all).clamp(8_000, all)
}
