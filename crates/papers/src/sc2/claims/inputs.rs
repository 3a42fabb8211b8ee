//! What the checks of StarCraft II look at: the library's season, arithmetic and ladders, exchangeable for tests.

use crate::sc2::ladder::{LadderWorldParams, Levels};
use crate::sc2::{AveragesConfig, PointsConfig};
use matchwright_mmr_forensics::{
    AfterGame, Division, ForensicsError, GameValue, GamesToPromotion, LadderSeason, LadderSeasonParams,
    LadderState, ListedPlayer, MovingAverage, PoolKnowledge, ShownGame, Standing, TopRow, WinRate,
    games_to_promotion, play_backward, top_list,
};
use matchwright_rating::BonusPoolParams;

/// [`play_backward`], or a stand-in.
pub(crate) type Backward = fn(
    LadderState,
    &[ShownGame],
    PoolKnowledge,
    f64,
    &LadderSeason,
) -> Result<Vec<AfterGame>, ForensicsError>;

/// All that the checks look at.
pub(crate) struct Sc2Inputs {
    pub(crate) season: LadderSeasonParams,
    pub(crate) differential: fn(&Standing) -> f64,
    pub(crate) spent: fn(&Standing, GameValue) -> Option<f64>,
    pub(crate) games: fn(f64, WinRate, GameValue, f64) -> Result<GamesToPromotion, ForensicsError>,
    pub(crate) share: fn(f64) -> Result<WinRate, ForensicsError>,
    pub(crate) backward: Backward,
    pub(crate) top: fn(&[ListedPlayer], usize, &Division<'_>) -> Vec<TopRow>,
    pub(crate) average: MovingAverage,
    /// The average that a ladder shows, of the rating crate.
    pub(crate) shown_average: matchwright_rating::MovingAverage,
    pub(crate) pool: BonusPoolParams,
    pub(crate) points: PointsConfig,
    pub(crate) world: LadderWorldParams,
    pub(crate) ladders: u32,
    /// Where players stand on the ladders whose clusters must not be taken for those at M.
    pub(crate) elsewhere: Levels,
    /// Rules of promotion that must be told apart from the document's.
    pub(crate) other_rules: Vec<MovingAverage>,
    pub(crate) averages: AveragesConfig,
    /// Ladders that show what absence costs, and the divisions of each.
    pub(crate) debt_ladders: (u32, u32),
    /// The fewest and the most games a week of players who spend their pools.
    pub(crate) busy_games: [u32; 2],
    /// Late lists of each kind.
    pub(crate) lists: u32,
    /// Hours after posting at which the first and the last of a list are looked at.
    pub(crate) snapshot_hours: [f64; 2],
}

impl Default for Sc2Inputs {
    /// The library as it is.
    fn default() -> Self {
        Self {
            season: LadderSeasonParams::default(),
            differential: Standing::differential,
            spent: Standing::differential_spent,
            games: games_to_promotion,
            share: WinRate::new,
            backward: play_backward,
            top: top_list,
            average: MovingAverage::Simple { games: 10 },
            shown_average: matchwright_rating::MovingAverage::Simple { games: 10 },
            pool: BonusPoolParams::default(),
            points: PointsConfig::default(),
            world: LadderWorldParams::default(),
            ladders: 6,
            elsewhere: Levels::Spread,
            other_rules: [1, 5].map(|games| MovingAverage::Simple { games }).to_vec(),
            averages: AveragesConfig::default(),
            debt_ladders: (2, 24),
            busy_games: [30, 60],
            lists: 1_000,
            snapshot_hours: [9.0, 10.5],
        }
    }
}
