//! What decides the checks of section 4.

use anyhow::{Result, bail};
use serde::Serialize;

use super::pairings::{MAX_PLAYERS, too_many};

/// Everything that decides the numbers of [`run_theory`](super::run_theory), apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TheoryConfig {
    /// Pools for each size, draw law and spread. Default 100.
    pub pools: u32,
    /// Pool sizes: even, from 4 to 12. Default 4, 6, 8, 10. A pool of ten has 945 pairings.
    pub sizes: Vec<usize>,
    /// Standard deviations of normal skills, rating points. Default 100, 200, 400.
    pub skill_spreads: Vec<f64>,
    /// Draw probability between equals, above 0 and below 1. Default 0.2, EOMM's.
    pub draw_rate: f64,
    /// Width in points of the laws that have one: Gaussian, parabola, exponential. Default 200.
    pub draw_width: f64,
}

impl Default for TheoryConfig {
    fn default() -> Self {
        Self {
            pools: 100,
            sizes: vec![4, 6, 8, 10],
            skill_spreads: vec![100.0, 200.0, 400.0],
            draw_rate: 0.2,
            draw_width: 200.0,
        }
    }
}

impl TheoryConfig {
    /// Refuses what cannot be run.
    ///
    /// # Errors
    /// Says which setting and what it may be.
    pub fn check(&self) -> Result<()> {
        let refuse = |setting: &str, value: String, range: &str| -> Result<()> {
            bail!("{setting} is {value}; it must be {range}")
        };
        if self.pools == 0 {
            return refuse("pools", "0".to_owned(), "1 or more");
        }
        if self.sizes.is_empty() {
            return refuse("sizes", "empty".to_owned(), "at least one even number, such as 8");
        }
        if let Some(&players) = self
            .sizes
            .iter()
            .find(|size| **size < 4 || **size % 2 == 1 || **size > MAX_PLAYERS)
        {
            return Err(too_many(players));
        }
        if self.skill_spreads.is_empty() {
            return refuse("skill spreads", "empty".to_owned(), "at least one, such as 200");
        }
        let points = 1e-3..=1e4;
        if let Some(bad) = self.skill_spreads.iter().find(|spread| !points.contains(*spread)) {
            return refuse(
                "skill spreads",
                bad.to_string(),
                "from 0.001 to 10000 rating points",
            );
        }
        if !(self.draw_rate > 0.0 && self.draw_rate < 0.999) {
            return refuse("draw rate", self.draw_rate.to_string(), "above 0 and below 0.999");
        }
        if !points.contains(&self.draw_width) {
            return refuse(
                "draw width",
                self.draw_width.to_string(),
                "from 0.001 to 10000 rating points",
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setting_out_of_range_is_refused_by_name() {
        let good = TheoryConfig::default();
        assert!(good.check().is_ok());
        let refused = |change: &dyn Fn(&mut TheoryConfig), name: &str| {
            let mut config = good.clone();
            change(&mut config);
            let message = config.check().unwrap_err().to_string();
            assert!(message.contains(name), "{message}");
        };
        refused(&|c| c.pools = 0, "pools");
        refused(&|c| c.sizes.clear(), "sizes");
        refused(&|c| c.sizes = vec![4, 2], "2 players");
        refused(&|c| c.sizes = vec![5], "5 players");
        refused(&|c| c.sizes = vec![14], "14 players");
        refused(&|c| c.skill_spreads.clear(), "skill spreads");
        refused(&|c| c.skill_spreads = vec![f64::NAN], "skill spreads");
        refused(&|c| c.draw_rate = 0.0, "draw rate");
        refused(&|c| c.draw_rate = f64::NAN, "draw rate");
        refused(&|c| c.draw_width = -1.0, "draw width");
    }
}
