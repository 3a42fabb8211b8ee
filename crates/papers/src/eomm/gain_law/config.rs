//! What decides the experiment.

use serde::Serialize;

use crate::settings::{SettingError, require, within};

/// Normal draws beyond this many standard deviations are drawn again, exponential ones beyond twice as many, so that
/// churn stays a probability.
pub(crate) const CUT: f64 = 4.0;

/// Mean churn probability: 52 % of EOMM's pools play on.
pub(crate) const BASE_CHURN: f64 = 0.48;
/// Standard deviation of the players' own churn, which no pairing can change.
pub(crate) const BASE_SPREAD: f64 = 0.03;

/// Everything that decides the numbers of [`run_gain_law`](super::run_gain_law), apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GainLawConfig {
    /// Players in a pool, even. Default 200.
    pub players: usize,
    /// Pools for each cell of the grid. Default 20.
    pub rounds: u32,
    /// Standard deviations of skill, rating points. Default 50, 100, 200, 300, 400.
    pub skill_spreads: Vec<f64>,
    /// Standard deviations of D = c(L) - c(W). Default 0.01, 0.02, 0.04, 0.06, 0.08.
    pub sensitivity_spreads: Vec<f64>,
    /// d, the probability of a draw at any gap. Default 0.2 (EOMM Eq. 10).
    pub draw_rate: f64,
    /// Pool sizes of the table by size, at the middle cell of the grid. Default 4, 6, 10, 20, 50, 100, 200.
    pub sizes: Vec<usize>,
}

impl Default for GainLawConfig {
    fn default() -> Self {
        Self {
            players: 200,
            rounds: 20,
            skill_spreads: vec![50.0, 100.0, 200.0, 300.0, 400.0],
            sensitivity_spreads: vec![0.01, 0.02, 0.04, 0.06, 0.08],
            draw_rate: 0.2,
            sizes: vec![4, 6, 10, 20, 50, 100, 200],
        }
    }
}

impl GainLawConfig {
    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// Says which setting and what it may be.
    pub fn check(&self) -> Result<(), SettingError> {
        for &size in self.sizes.iter().chain([&self.players]) {
            let even = size % 2 == 0 && (4..=10_000).contains(&size);
            require(even, "pool size", size, "even, from 4 to 10000")?;
        }
        within("rounds", self.rounds, &(2..))?;
        for (setting, spreads) in [
            ("skill spreads", &self.skill_spreads),
            ("sensitivity spreads", &self.sensitivity_spreads),
        ] {
            let positive = spreads.iter().all(|spread| (1e-6..=2_000.0).contains(spread));
            let (holds, value) = (positive && !spreads.is_empty(), format!("{spreads:?}"));
            require(holds, setting, value, "at least one, each above 0, up to 2000")?;
        }
        within("draw rate", self.draw_rate, &(0.0..1.0))?;
        // Half of D is added after a loss; the skewed shapes reach twice as far as normals.
        let widest = self.sensitivity_spreads.iter().copied().fold(0.0, f64::max);
        let most = (BASE_CHURN / CUT) - BASE_SPREAD;
        within("sensitivity spreads", widest, &(0.0..=most))
    }

    /// The middle of the grid: spreads of skill and sensitivity.
    pub(crate) fn middle(&self) -> (f64, f64) {
        let middle = |spreads: &[f64]| spreads.get(spreads.len() / 2).copied().unwrap_or(f64::NAN);
        (middle(&self.skill_spreads), middle(&self.sensitivity_spreads))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setting_out_of_range_is_refused_by_name() {
        let good = GainLawConfig::default();
        assert!(good.check().is_ok());
        assert_eq!(good.middle(), (200.0, 0.04));
        let refused = |change: &dyn Fn(&mut GainLawConfig), name: &str| {
            let mut config = good.clone();
            change(&mut config);
            let message = config.check().unwrap_err().to_string();
            assert!(message.starts_with(name), "{message}");
        };
        refused(&|c| c.players = 5, "pool size");
        refused(&|c| c.sizes = vec![2], "pool size");
        refused(&|c| c.rounds = 1, "rounds");
        refused(&|c| c.skill_spreads.clear(), "skill spreads");
        refused(&|c| c.skill_spreads = vec![0.0], "skill spreads");
        refused(
            &|c| c.sensitivity_spreads = vec![0.01, f64::NAN],
            "sensitivity spreads",
        );
        refused(&|c| c.draw_rate = 1.0, "draw rate");
        refused(&|c| c.sensitivity_spreads = vec![0.1], "sensitivity spreads");
    }
}
