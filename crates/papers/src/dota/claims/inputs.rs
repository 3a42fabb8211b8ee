//! What the checks of Dota 2 look at: its policy, what it prints, and the library's system, rules and runs.

use crate::claims::simulated::WorldsConfig;
use crate::climb::ClimbConfig;
use crate::dota::printed::{EXPERIENCE_STEPS, MATCH, PARTY_MEAN, PERCENTILES, PrintedPlayer, TOTALS};
use crate::dota::{PartiesConfig, PerformanceConfig};
use matchwright_rating::{CalibrationParams, DotaMmrParams, PartyBonusParams, RankedRules};

/// All that the checks look at.
pub(crate) struct DotaInputs {
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
    /// The policy, and matches at random.
    pub(crate) worlds: WorldsConfig,
    /// Thresholds of quality that are tried in the same worlds, rising.
    pub(crate) thresholds: Vec<f64>,
}

impl Default for DotaInputs {
    /// The library as it is.
    fn default() -> Self {
        let policy = include_str!("../../../policies/dota.toml").to_owned();
        Self {
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
            worlds: WorldsConfig {
                scenario: include_str!("../../../scenarios/dota.toml").to_owned(),
                policies: vec![
                    policy.clone(),
                    include_str!("../../../policies/random-teams.toml").to_owned(),
                ],
                worlds: 20,
                hours: None,
            },
            thresholds: vec![0.3, 0.5, 0.8],
            policy,
        }
    }
}
