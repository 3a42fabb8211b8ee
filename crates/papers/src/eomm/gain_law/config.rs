//! What decides the experiment.

use anyhow::{Result, bail};
use serde::Serialize;

/// Normal draws beyond so many standard deviations are drawn again, exponential ones beyond twice as many; so that
/// churn stays a probability.
pub(crate) const CUT: f64 = 4.0;

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
    /// Mean churn probability. Default 0.48, as 52 % of EOMM's pools play on.
    pub base_churn: f64,
    /// Standard deviation of the players' own churn, which no pairing can change. Default 0.03.
    pub base_spread: f64,
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
            base_churn: 0.48,
            base_spread: 0.03,
            sizes: vec![4, 6, 10, 20, 50, 100, 200],
        }
    }
}

impl GainLawConfig {
    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// Says which setting and what it may be.
    pub fn check(&self) -> Result<()> {
        let refuse = |setting: &str, value: String, range: &str| -> Result<()> {
            bail!("{setting} is {value}; it must be {range}")
        };
        for &size in self.sizes.iter().chain([&self.players]) {
            if size < 4 || size % 2 == 1 || size > 10_000 {
                return refuse("pool size", size.to_string(), "even, from 4 to 10000");
            }
        }
        if self.rounds < 2 {
            return refuse(
                "rounds",
                self.rounds.to_string(),
                "2 or more, so that errors can be estimated",
            );
        }
        let points = |spread: &f64| *spread > 0.0 && *spread <= 2000.0;
        if self.skill_spreads.is_empty() || !self.skill_spreads.iter().all(points) {
            let range = "at least one spread above 0, up to 2000 rating points";
            return refuse("skill spreads", format!("{:?}", self.skill_spreads), range);
        }
        let positive = |spread: &f64| *spread > 0.0 && spread.is_finite();
        if self.sensitivity_spreads.is_empty() || !self.sensitivity_spreads.iter().all(positive) {
            let range = "at least one spread above 0";
            return refuse(
                "sensitivity spreads",
                format!("{:?}", self.sensitivity_spreads),
                range,
            );
        }
        if !(0.0..1.0).contains(&self.draw_rate) {
            return refuse("draw rate", self.draw_rate.to_string(), "from 0 up to but not 1");
        }
        if !(0.0..=1.0).contains(&self.base_spread) {
            return refuse("base spread", self.base_spread.to_string(), "from 0 to 1");
        }
        // Half of D is added after a loss; the skewed shapes reach twice as far as normals.
        let widest = self.sensitivity_spreads.iter().copied().fold(0.0, f64::max);
        let reach = CUT * (self.base_spread + widest);
        if !(self.base_churn - reach >= 0.0 && self.base_churn + reach <= 1.0) {
            return refuse(
                "base churn",
                self.base_churn.to_string(),
                "at least 4 (base spread + largest sensitivity spread) away from 0 and 1",
            );
        }
        Ok(())
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
        refused(&|c| c.base_spread = -0.1, "base spread");
        refused(&|c| c.base_churn = 0.3, "base churn");
        refused(&|c| c.base_churn = f64::NAN, "base churn");
    }
}
