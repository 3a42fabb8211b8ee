//! Levels of churn, persistence, and how many worlds.

use matchwright_sim::population::GeneratorParams;
use matchwright_sim::statistics::normal_quantile;
use serde::{Deserialize, Serialize};

use crate::settings::{SettingError, require, within};
use matchwright_sim::statistics::logistic;

/// What decides [`run_cohorts`](super::run_cohorts), apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CohortsConfig {
    /// Worlds of each setting. Default 120.
    pub worlds: u32,
    /// Players of the pool, even. Default 100, the paper's smallest.
    pub players: usize,
    /// Rounds. Default 20, the paper's evening.
    pub rounds: u32,
    /// Pools of as many players and rounds, paired at random, from which the service learns. Default 20.
    pub record_pools: u32,
    /// Mean true churn of a first round. Default .481, that of Table 2, and .05, at which a third of all
    /// players are there after 20 rounds.
    pub levels: Vec<f64>,
    /// Whether u persists. Default: not, and so.
    pub persists: Vec<bool>,
    /// Skills, draws, effects of outcomes and the deviation of u are the generator's; departures are not used.
    pub population: GeneratorParams,
    /// Standard deviation of rating less skill, points. Default 60.
    pub rating_deviation: f64,
    /// Standard deviation of the signal less u. Default .6, half of that of u.
    pub signal_deviation: f64,
}

impl Default for CohortsConfig {
    fn default() -> Self {
        Self {
            worlds: 120,
            players: 100,
            rounds: 20,
            record_pools: 20,
            levels: vec![0.481, 0.05],
            persists: vec![false, true],
            population: GeneratorParams::default(),
            rating_deviation: 60.0,
            signal_deviation: 0.6,
        }
    }
}

/// One world's rules.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// Mean true churn of a first round.
    pub level: f64,
    /// Whether u persists.
    pub persists: bool,
}

impl CohortsConfig {
    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// [`SettingError`] says which setting and what it may be.
    pub fn check(&self) -> Result<(), SettingError> {
        within("worlds", self.worlds, &(2..=100_000))?;
        within("players", self.players, &(4..=2_000))?;
        require(self.players.is_multiple_of(2), "players", self.players, "even")?;
        within("rounds", self.rounds, &(2..=1_000))?;
        within("record pools", self.record_pools, &(1..=10_000))?;
        for &level in &self.levels {
            within("level of churn", level, &(0.001..=0.999))?;
        }
        within("rating deviation", self.rating_deviation, &(0.0..=1e6))?;
        within("signal deviation", self.signal_deviation, &(0.0..=1e6))
    }

    /// All settings: for each level those without and with persistence.
    #[must_use]
    pub fn settings(&self) -> Vec<Setting> {
        let of = |&level: &f64| {
            self.persists
                .iter()
                .map(move |&persists| Setting { level, persists })
        };
        self.levels.iter().flat_map(of).collect()
    }

    /// Churn logits after a win, a draw and a loss, without the intercept.
    pub(super) const fn effects(&self) -> [f64; 3] {
        let effects = &self.population.outcome_effects;
        [effects.win, effects.draw, effects.loss]
    }

    /// The intercept at which mean churn among equals is this: by bisection.
    pub(super) fn intercept(&self, level: f64) -> f64 {
        const POINTS: u32 = 200;
        let draw = self.population.draw_rate;
        let shares = [(1.0 - draw) / 2.0, draw, (1.0 - draw) / 2.0];
        let churn = |intercept: f64| {
            let own = |point: u32| {
                let share = (f64::from(point) + 0.5) / f64::from(POINTS);
                let u = normal_quantile(0.0, self.population.habit_deviation, share);
                let both = shares.iter().zip(self.effects());
                both.map(|(share, effect)| share * logistic(intercept + u + effect))
                    .sum::<f64>()
            };
            (0..POINTS).map(own).sum::<f64>() / f64::from(POINTS)
        };
        let (mut low, mut high) = (-50.0, 50.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if churn(middle) < level {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high)
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_intercept_brings_the_level_and_settings_out_of_range_are_named() {
        let config = CohortsConfig::default();
        assert!(config.check().is_ok());
        let alike = CohortsConfig {
            population: GeneratorParams {
                habit_deviation: 1e-9,
                draw_rate: 0.0,
                ..GeneratorParams::default()
            },
            ..CohortsConfig::default()
        };
        let intercept = alike.intercept(0.2);
        let [win, _, loss] = alike.effects();
        let mean = f64::midpoint(logistic(intercept + win), logistic(intercept + loss));
        assert!((mean - 0.2).abs() < 1e-9, "{mean}");
        let odd = CohortsConfig {
            players: 21,
            ..config
        };
        assert!(odd.check().unwrap_err().to_string().starts_with("players"));
    }
}
