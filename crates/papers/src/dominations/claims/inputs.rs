//! What the checks of DomiNations look at: its policy, what it prints, and the library's systems and runs.

use crate::dominations::printed::SANDBAGGERS;
use crate::dominations::{InflationConfig, LeagueConfig, NewcomersConfig, WarsConfig};
use matchwright_rating::{BaseOddsParams, DomMmrParams, Glicko2Params, SeasonPullParams};

/// All that the checks look at.
pub(crate) struct DominationsInputs {
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
}

impl Default for DominationsInputs {
    /// The library as it is.
    fn default() -> Self {
        Self {
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
}
