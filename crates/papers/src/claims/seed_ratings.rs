//! The inputs of the checks of ratings: what the other seed documents print, and the library's systems, settings and
//! trials.

use crate::dominations::{InflationConfig, NewcomersConfig};
use crate::dota::printed::{self as dota, PrintedPlayer};
use crate::dota::{PartiesConfig, PartiesReport, PerformanceConfig, run_parties};
use crate::sc2::PointsConfig;
use matchwright_rating::{
    BaseOdds, BaseOddsParams, BaseRating, BonusPoolParams, BradleyTerry, BradleyTerryError, BradleyTerryFit,
    BradleyTerryParams, CalibrationParams, Comparison, DomMmr, DomMmrParams, DomRating, DotaAccount, DotaMmr,
    DotaMmrParams, DotaRating, MmrTrack, MovingAverage, PartyBonusParams, PercentileError, PercentileTable,
    PerformanceError, RankedRules, SeasonPull, SeasonPullParams, Shown, TeamGame, Viewer,
};

/// [`DotaMmr::update_with_performance`], or a stand-in.
pub(crate) type Perform =
    fn(&DotaMmr, &TeamGame<DotaRating>, &[Vec<f64>]) -> Result<Vec<Vec<DotaRating>>, PerformanceError>;
/// [`BradleyTerry::fit`], or a stand-in.
pub(crate) type FitBradleyTerry =
    fn(&BradleyTerry, usize, &[Comparison]) -> Result<BradleyTerryFit, BradleyTerryError>;

/// [`PercentileTable::new`], or a stand-in.
pub(crate) type NewTable = fn(&[(f64, f64)]) -> Result<PercentileTable, PercentileError>;

/// All that checks of ratings look at.
pub(crate) struct SeedRatings {
    pub(crate) percentiles: Vec<(f64, f64)>,
    pub(crate) table: NewTable,
    pub(crate) printed_match: [[PrintedPlayer; 5]; 2],
    pub(crate) totals: [f64; 2],
    pub(crate) rules: RankedRules,
    pub(crate) calibration: CalibrationParams,
    pub(crate) after_game: fn(DotaAccount, MmrTrack, DotaRating) -> DotaAccount,
    pub(crate) shown: fn(&DotaAccount, MmrTrack, Viewer) -> Shown,
    pub(crate) dota: DotaMmrParams,
    pub(crate) perform: Perform,
    pub(crate) bonus: PartyBonusParams,
    pub(crate) performance: PerformanceConfig,
    pub(crate) parties: PartiesConfig,
    pub(crate) run_parties: fn(&PartiesConfig, u64) -> Result<PartiesReport, anyhow::Error>,
    pub(crate) bases: BaseOddsParams,
    pub(crate) base_odds: fn(&BaseOdds, &BaseRating, &BaseRating) -> f64,
    pub(crate) dom: DomMmrParams,
    pub(crate) dom_k: fn(&DomMmr, &DomRating) -> f64,
    pub(crate) pull: SeasonPullParams,
    pub(crate) pull_to: fn(&SeasonPull, f64) -> f64,
    pub(crate) newcomers: NewcomersConfig,
    pub(crate) inflation: InflationConfig,
    pub(crate) pool: BonusPoolParams,
    pub(crate) points: PointsConfig,
    pub(crate) average: MovingAverage,
    pub(crate) bradley_terry: BradleyTerryParams,
    pub(crate) fit_bradley_terry: FitBradleyTerry,
}

impl Default for SeedRatings {
    /// The library as it is.
    fn default() -> Self {
        Self {
            percentiles: dota::PERCENTILES.to_vec(),
            table: PercentileTable::new,
            printed_match: dota::MATCH,
            totals: dota::TOTALS,
            rules: RankedRules::default(),
            calibration: CalibrationParams::default(),
            after_game: DotaAccount::after_game,
            shown: DotaAccount::shown,
            dota: DotaMmrParams::default(),
            perform: DotaMmr::update_with_performance,
            bonus: PartyBonusParams::default(),
            performance: PerformanceConfig::default(),
            parties: PartiesConfig::default(),
            run_parties,
            bases: BaseOddsParams::default(),
            base_odds: BaseOdds::win_probability,
            dom: DomMmrParams::default(),
            dom_k: DomMmr::k,
            pull: SeasonPullParams::default(),
            pull_to: SeasonPull::pull,
            newcomers: NewcomersConfig::default(),
            inflation: InflationConfig::default(),
            pool: BonusPoolParams::default(),
            points: PointsConfig::default(),
            average: MovingAverage::Simple { games: 10 },
            bradley_terry: BradleyTerryParams::default(),
            fit_bradley_terry: BradleyTerry::fit,
        }
    }
}
