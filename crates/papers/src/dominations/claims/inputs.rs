//! What the checks of DomiNations look at: its policy, what it prints, and the library's systems and runs.

use crate::dominations::printed::SANDBAGGERS;
use crate::dominations::{InflationConfig, LeagueConfig, NewcomersConfig, WarsConfig};
use matchwright_rating::{
    BaseOdds, BaseOddsParams, BaseRating, DomMmr, DomMmrParams, DomRating, Glicko2Params, SeasonPull,
    SeasonPullParams,
};
use matchwright_scoring::{WINS_BY_RATIO, win_probability_by_ratio};

/// All that the checks look at.
pub(crate) struct DominationsInputs {
    /// `examples/policies/dominations.toml`.
    pub(crate) policy: String,
    /// `examples/policies/dominations-old.toml`.
    pub(crate) old_policy: String,
    pub(crate) sandbaggers: (usize, usize),
    /// The first alliance's chance to win between two of these strengths.
    pub(crate) war: fn(f64, f64) -> f64,
    pub(crate) bases: BaseOddsParams,
    pub(crate) base_odds: fn(&BaseOdds, &BaseRating, &BaseRating) -> f64,
    pub(crate) system: DomMmrParams,
    pub(crate) glicko2: Glicko2Params,
    pub(crate) k: fn(&DomMmr, &DomRating) -> f64,
    pub(crate) pull: SeasonPullParams,
    pub(crate) pull_to: fn(&SeasonPull, f64) -> f64,
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
            war: |a, b| win_probability_by_ratio(a, b, WINS_BY_RATIO),
            bases: BaseOddsParams::default(),
            base_odds: BaseOdds::win_probability,
            system: DomMmrParams::default(),
            glicko2: Glicko2Params::default(),
            k: DomMmr::k,
            pull: SeasonPullParams::default(),
            pull_to: SeasonPull::pull,
            newcomers: NewcomersConfig::default(),
            inflation: InflationConfig::default(),
            wars: WarsConfig::default(),
            league: LeagueConfig::default(),
        }
    }
}
