//! What came out of the worlds of each setting, with paired differences.

use matchwright_sim::statistics::{Estimate, MeanTest, RatioOfMeans, Summary, paired_test, ratio_of_means};
use serde::Serialize;

use super::config::{CohortsConfig, Setting};
use super::run::{Found, Strategy};

/// Every setting.
#[derive(Clone, Debug, Serialize)]
pub struct CohortsReport {
    /// What decided it.
    pub config: CohortsConfig,
    /// The seed.
    pub seed: u64,
    /// In the order of [`CohortsConfig::settings`].
    pub settings: Vec<SettingReport>,
}

/// One setting.
#[derive(Clone, Debug, Serialize)]
pub struct SettingReport {
    /// Which.
    pub setting: Setting,
    /// In the order of [`Strategy::ALL`].
    pub strategies: Vec<StrategyReport>,
}

/// What one strategy came to. Tests are paired by worlds.
#[derive(Clone, Debug, Serialize)]
pub struct StrategyReport {
    /// Which.
    pub strategy: Strategy,
    /// Share of the first players who were kept 0, 1, 2, ... times in a row.
    pub kept: Vec<Estimate>,
    /// As a ratio to those of SkillMM.
    pub kept_ratio: Vec<RatioOfMeans>,
    /// Expected retention of the first round, as a ratio to that of SkillMM.
    pub first_gain: RatioOfMeans,
    /// Expected leavers of 100 who play a match, all rounds together: newcomers that a constant pool needs.
    pub leavers: Estimate,
    /// The same less SkillMM's.
    pub leavers_over_skill: MeanTest,
    /// The same less EOMM's.
    pub leavers_over_eomm: MeanTest,
    /// Expected leavers of 100 in the second half of the rounds, less SkillMM's.
    pub late_over_skill: MeanTest,
    /// Expected losses of 100 matches, by fourths of u, from the most loyal on.
    pub losses: [Estimate; 4],
    /// Those of the most loyal fourth less those of the least loyal.
    pub loyal_lose_more: MeanTest,
}

const LEVEL: f64 = 0.95;

impl CohortsReport {
    /// `found`: for each setting its worlds, each with all strategies.
    pub(super) fn of(config: &CohortsConfig, seed: u64, found: &[Vec<Found>]) -> Self {
        let worlds = found.chunks(config.worlds as usize);
        let of = |(setting, worlds): (Setting, &[Vec<Found>])| SettingReport {
            setting,
            strategies: (0..Strategy::ALL.len()).map(|at| strategy(worlds, at)).collect(),
        };
        Self {
            config: config.clone(),
            seed,
            settings: config.settings().into_iter().zip(worlds).map(of).collect(),
        }
    }

    /// The setting of this level without or with persistence.
    #[must_use]
    pub fn setting(&self, level: f64, persists: bool) -> Option<&SettingReport> {
        let wanted = Setting { level, persists };
        self.settings.iter().find(|report| report.setting == wanted)
    }
}

impl SettingReport {
    /// What a strategy came to.
    #[must_use]
    pub fn of(&self, strategy: Strategy) -> &StrategyReport {
        &self.strategies[strategy as usize]
    }
}

/// The place of SkillMM and of EOMM in [`Strategy::ALL`].
const SKILL: usize = Strategy::Skill as usize;
const EOMM: usize = Strategy::Eomm as usize;

fn strategy(worlds: &[Vec<Found>], at: usize) -> StrategyReport {
    let estimate = |figure: &dyn Fn(&Found) -> f64| {
        Summary::of(worlds.iter().map(|world| figure(&world[at]))).estimate()
    };
    let over = |other: usize, figure: &dyn Fn(&Found) -> f64| {
        paired_test(
            worlds
                .iter()
                .map(|world| figure(&world[at]) - figure(&world[other])),
        )
    };
    let ratio = |figure: &dyn Fn(&Found) -> f64| {
        let pairs: Vec<(f64, f64)> = worlds
            .iter()
            .map(|world| (figure(&world[at]), figure(&world[SKILL])))
            .collect();
        ratio_of_means(&pairs, LEVEL)
    };
    let rounds = worlds.first().map_or(0, |world| world[at].leaving.len());
    let leavers = |found: &Found| 100.0 * found.leaving.iter().sum::<f64>() / rounds as f64;
    let late = |found: &Found| {
        let half = &found.leaving[rounds / 2..];
        100.0 * half.iter().sum::<f64>() / half.len() as f64
    };
    let loss = |fourth: usize| {
        move |found: &Found| {
            let [losses, matches] = found.losses[fourth];
            100.0 * losses / matches.max(1.0)
        }
    };
    let loyal = |found: &Found| loss(0)(found) - loss(3)(found);
    StrategyReport {
        strategy: Strategy::ALL[at],
        kept: (0..=rounds)
            .map(|times| estimate(&|found| found.kept[times]))
            .collect(),
        kept_ratio: (0..=rounds)
            .map(|times| ratio(&|found| found.kept[times]))
            .collect(),
        first_gain: ratio(&|found| 1.0 - found.leaving[0]),
        leavers: estimate(&leavers),
        leavers_over_skill: over(SKILL, &leavers),
        leavers_over_eomm: over(EOMM, &leavers),
        late_over_skill: over(SKILL, &late),
        losses: [0, 1, 2, 3].map(|fourth| estimate(&loss(fourth))),
        loyal_lose_more: paired_test(worlds.iter().map(|world| loyal(&world[at]))),
    }
}
