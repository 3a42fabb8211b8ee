//! What the checks of Awesomenauts look at: its policy, what it prints, and searches small enough for seconds.

use std::ops::RangeInclusive;

use crate::awesomenauts::printed::{FAVOUR, PREMADES, PrintedPremades, PrintedSwap, READER};
use crate::awesomenauts::{
    BatchesConfig, Contender, PortConfig, RaceConfig, RepeatsConfig, RestartsConfig, StartsConfig,
    TotalsConfig,
};
use crate::claims::simulated::WorldsConfig;

/// Evaluations of a start and two more: a local optimum of 96 players takes some 300,000.
pub(crate) const COUPLE_OF_RETRIES: u64 = 900_000;

/// All that the checks look at.
#[derive(Clone, Debug)]
pub(crate) struct AwesomenautsInputs {
    /// `examples/policies/awesomenauts.toml`.
    pub(crate) policy: String,
    pub(crate) premades: Vec<PrintedPremades>,
    pub(crate) favour: PrintedSwap,
    pub(crate) reader: [(f64, f64); 2],
    /// Powers for each pair that should explain the reader's figures.
    pub(crate) reader_powers: Vec<f64>,
    /// Swaps a second: "a few hundred", 200 to 500, on a machine up to ten times as slow or as fast.
    pub(crate) a_few_hundred: RangeInclusive<f64>,
    /// The penalty of a player who was unmatched in the round before.
    pub(crate) carried_penalty: f64,
    /// Starting anew against forced swaps.
    pub(crate) forced: RaceConfig,
    /// Starting anew against a reader's annealing.
    pub(crate) annealing: RaceConfig,
    pub(crate) restarts: RestartsConfig,
    pub(crate) batches: BatchesConfig,
    pub(crate) starts: StartsConfig,
    pub(crate) totals: TotalsConfig,
    pub(crate) port: PortConfig,
    pub(crate) repeats: RepeatsConfig,
    /// Rounds, and matches at once.
    pub(crate) evenings: WorldsConfig,
    /// Whole days of the same game.
    pub(crate) days: WorldsConfig,
}

impl Default for AwesomenautsInputs {
    fn default() -> Self {
        let race = |pools, evaluations: &[u64], contenders: &[Contender]| RaceConfig {
            pools,
            evaluations: evaluations.to_vec(),
            contenders: contenders.to_vec(),
            // No bound is asked for.
            gap: 1.0,
            ..RaceConfig::default()
        };
        let anew = Contender::StartingAnew;
        let forced = [anew, Contender::ForcedSwaps];
        let policy = include_str!("../../../policies/awesomenauts.toml").to_owned();
        let scenario = include_str!("../../../scenarios/awesomenauts.toml").to_owned();
        Self {
            premades: PREMADES.to_vec(),
            favour: FAVOUR,
            reader: READER,
            reader_powers: vec![1.5, 2.0],
            a_few_hundred: 20.0..=5_000.0,
            carried_penalty: 2.0,
            forced: race(40, &[COUPLE_OF_RETRIES, 4_800_000], &forced),
            annealing: race(20, &[1_200_000], &[anew, Contender::ReadersAnnealing]),
            restarts: RestartsConfig {
                pools: 2,
                starts: 400,
                ..RestartsConfig::default()
            },
            batches: BatchesConfig {
                streams: 4,
                sizes: vec![50, 100, 200, 300, 400],
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
            repeats: RepeatsConfig::default(),
            evenings: WorldsConfig {
                scenario: scenario.clone(),
                policies: vec![
                    policy.clone(),
                    include_str!("../../../policies/awesomenauts-at-once.toml").to_owned(),
                ],
                worlds: 20,
                hours: None,
            },
            days: WorldsConfig {
                scenario,
                policies: vec![policy.clone()],
                worlds: 20,
                hours: Some((24.0, 0.0)),
            },
            policy,
        }
    }
}
