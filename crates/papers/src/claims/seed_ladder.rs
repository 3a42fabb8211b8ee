//! The inputs of the checks of a ladder's hidden rating: the library's season, arithmetic and ladders, exchangeable
//! for tests.

use crate::sc2::ladder::LadderWorldParams;
use matchwright_mmr_forensics::{
    AfterGame, Division, ForensicsError, GameValue, GamesToPromotion, LadderSeason, LadderSeasonParams,
    LadderState, ListedPlayer, MovingAverage, PoolKnowledge, ShownGame, Standing, TopRow, WinShare,
    games_to_promotion, play_backward, top_list,
};

/// [`play_backward`], or a stand-in.
pub(crate) type Backward = fn(
    LadderState,
    &[ShownGame],
    PoolKnowledge,
    f64,
    &LadderSeason,
) -> Result<Vec<AfterGame>, ForensicsError>;

/// All that checks of the ladder look at.
pub(crate) struct SeedLadder {
    pub(crate) season: LadderSeasonParams,
    pub(crate) differential: fn(&Standing) -> f64,
    pub(crate) spent: fn(&Standing, GameValue) -> Option<f64>,
    pub(crate) games: fn(f64, WinShare, GameValue, f64) -> GamesToPromotion,
    pub(crate) share: fn(f64) -> Result<WinShare, ForensicsError>,
    pub(crate) backward: Backward,
    pub(crate) top: fn(&[ListedPlayer], usize, &Division<'_>) -> Vec<TopRow>,
    pub(crate) average: MovingAverage,
    pub(crate) world: LadderWorldParams,
    pub(crate) ladders: u32,
}

impl Default for SeedLadder {
    /// The library as it is.
    fn default() -> Self {
        Self {
            season: LadderSeasonParams::default(),
            differential: Standing::differential,
            spent: Standing::differential_spent,
            games: games_to_promotion,
            share: WinShare::new,
            backward: play_backward,
            top: top_list,
            average: MovingAverage::Simple { games: 10 },
            world: LadderWorldParams::default(),
            ladders: 6,
        }
    }
}
