//! What the checks of StarCraft II look at: the library's season, arithmetic and ladders, exchangeable for tests.

use std::sync::Arc;

use anyhow::Result;
use matchwright_sim::progress::{Progress, Quiet};

use crate::check::Once;
use crate::sc2::ladder::{LadderWorldParams, Levels};
use crate::sc2::{AveragesConfig, PointsConfig, TierShares, WorldReport, run_ladders, run_tiers};
use matchwright_mmr_forensics::{LadderSeasonParams, MovingAverage};
use matchwright_rating::BonusPoolParams;

/// All that the checks look at.
pub(crate) struct Sc2Inputs {
    pub(crate) seed: u64,
    pub(crate) season: LadderSeasonParams,
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
    /// The offsets of Diamond's tiers in the document's second table, "reposted for reference".
    pub(crate) second_table: Vec<f64>,
    /// Hours after posting at which the first and the last of a list are looked at.
    pub(crate) snapshot_hours: [f64; 2],
    /// Reports the progress of the longer runs.
    pub(crate) progress: Arc<dyn Progress>,
    pub(crate) runs: Sc2Runs,
}

/// The runs made so far, which several checks read.
#[derive(Clone, Default)]
pub(crate) struct Sc2Runs {
    pub(crate) ladders: Once<WorldReport>,
    pub(crate) spread_tiers: Once<TierShares>,
}

impl Default for Sc2Inputs {
    fn default() -> Self {
        Self::new(1, Arc::new(Quiet))
    }
}

impl Sc2Inputs {
    /// The library as it is.
    pub(crate) fn new(seed: u64, progress: Arc<dyn Progress>) -> Self {
        Self {
            seed,
            progress,
            runs: Sc2Runs::default(),
            season: LadderSeasonParams::default(),
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
            second_table: vec![252.0, 189.0, 126.0, 63.0, 0.0, -63.0],
            snapshot_hours: [9.0, 10.5],
        }
    }

    /// What is inferred from generated ladders.
    pub(crate) fn ladders(&self) -> Result<&WorldReport> {
        let run = || {
            let (ladders, progress) = (self.ladders, &*self.progress);
            progress.begin("ladders", u64::from(ladders));
            run_ladders(&self.world, ladders, self.seed, progress)
        };
        self.runs.ladders.get(run)
    }

    /// The tiers of ladders whose players stand elsewhere than below M.
    pub(crate) fn spread_tiers(&self) -> Result<TierShares> {
        let world = LadderWorldParams {
            levels: self.elsewhere,
            ..self.world.clone()
        };
        let run = || run_tiers(&world, self.ladders, self.seed);
        self.runs.spread_tiers.get(run).copied()
    }
}
