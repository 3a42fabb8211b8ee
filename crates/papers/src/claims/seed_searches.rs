//! The inputs of the checks of Awesomenauts' search: trials on generated players, small enough for seconds.

use crate::awesomenauts::{
    BatchesConfig, Contender, PortConfig, RaceConfig, RestartsConfig, StartsConfig, TotalsConfig,
};

/// All that checks of the search look at.
#[derive(Clone, Debug)]
pub(crate) struct SeedSearches {
    /// Starting anew against forced swaps.
    pub(crate) forced: RaceConfig,
    /// Starting anew against a reader's annealing.
    pub(crate) annealing: RaceConfig,
    pub(crate) restarts: RestartsConfig,
    pub(crate) batches: BatchesConfig,
    pub(crate) starts: StartsConfig,
    pub(crate) totals: TotalsConfig,
    pub(crate) port: PortConfig,
}

impl Default for SeedSearches {
    fn default() -> Self {
        let race = |pools, evaluations, contenders: &[Contender]| RaceConfig {
            pools,
            evaluations: vec![evaluations],
            contenders: contenders.to_vec(),
            // No bound is asked for.
            gap: 1.0,
            ..RaceConfig::default()
        };
        let anew = Contender::StartingAnew;
        Self {
            forced: race(
                30,
                4_800_000,
                &[anew, Contender::ForcedSwaps, Contender::ForcedThenAnew],
            ),
            annealing: race(20, 1_200_000, &[anew, Contender::ReadersAnnealing]),
            restarts: RestartsConfig {
                pools: 2,
                starts: 400,
                ..RestartsConfig::default()
            },
            batches: BatchesConfig {
                streams: 4,
                sizes: vec![50, 100, 200, 300],
                moves_per_player: 2_000,
                ..BatchesConfig::default()
            },
            starts: StartsConfig {
                moves: 200_000,
                ..StartsConfig::default()
            },
            totals: TotalsConfig {
                pools: 16,
                moves: 200_000,
                ..TotalsConfig::default()
            },
            port: PortConfig {
                pools: 5,
                ..PortConfig::default()
            },
        }
    }
}
