//! What EOMM prints, typed in once: its tables and the figures of its text.
//!
//! Chen et al., "EOMM: An Engagement Optimized Matchmaking Framework", WWW 2017, doi 10.1145/3038912.3052559.
//!
//! ```
//! use matchwright_papers::eomm::printed::TABLE_2;
//! use matchwright_papers::eomm::Method;
//!
//! let gain = TABLE_2.gain(Method::Eomm, Method::Skill, 500).unwrap();
//! assert_eq!((gain * 1e4).round(), 75.0);
//! ```

use matchwright_sim::statistics::Summary;
use serde::Serialize;

use crate::eomm::Method;

/// A group of rows of Table 1, whose churn is printed as one range.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PrintedChurn {
    /// Last three outcomes, oldest first, such as `LLW`.
    pub patterns: &'static [&'static str],
    /// Lower end of the range, percent.
    pub low: f64,
    /// Upper end, percent; equal to `low` where one figure is printed.
    pub high: f64,
}

impl PrintedChurn {
    /// The middle of the range, percent.
    #[must_use]
    pub fn middle(&self) -> f64 {
        f64::midpoint(self.low, self.high)
    }
}

const fn printed(patterns: &'static [&'static str], low: f64, high: f64) -> PrintedChurn {
    PrintedChurn { patterns, low, high }
}

/// Table 1: share of players who stop for seven days after a match, by their last three outcomes. Ten of 27 patterns
/// are printed, to a tenth of a percent.
pub const TABLE_1: [PrintedChurn; 5] = [
    printed(&["DLW", "LLW", "LDW", "DDD"], 2.6, 2.7),
    printed(&["WWW"], 3.7, 3.7),
    printed(&["DLL", "LWL", "LDL"], 4.6, 4.7),
    printed(&["WWL"], 4.9, 4.9),
    printed(&["LLL"], 5.1, 5.1),
];

/// Half of the last printed digit of Table 1, percent.
pub const TABLE_1_ROUNDING: f64 = 0.05;

/// Retained players per round, as Table 2 prints them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table2 {
    /// P, one a column.
    pub pools: [u32; 5],
    /// Retained players, by method in the order of [`Method::ALL`].
    pub retained: [[f64; 5]; 4],
}

/// Table 2: average number of retained players per round of simulation, over [`ROUNDS`] rounds each.
pub const TABLE_2: Table2 = Table2 {
    pools: [100, 200, 300, 400, 500],
    retained: [
        [51.50, 103.39, 154.57, 206.65, 258.21],
        [52.52, 103.96, 156.05, 207.43, 259.24],
        [51.81, 103.97, 156.09, 207.09, 259.65],
        [51.90, 104.24, 157.50, 209.37, 261.19],
    ],
};

impl Table2 {
    /// Retained players of a method at this pool size; none for a size that is not in the table.
    #[must_use]
    pub fn retained(&self, method: Method, pool: u32) -> Option<f64> {
        let column = self.pools.iter().position(|&p| p == pool)?;
        let row = Method::ALL.iter().position(|&m| m == method)?;
        Some(self.retained[row][column])
    }

    /// What it retains in all [`ROUNDS`], if each of the players stays independently: the counts' standard deviation is
    /// that of the binomial distribution.
    pub(crate) fn sample(&self, method: Method, pool: u32) -> Option<Summary> {
        let mean = self.retained(method, pool)?;
        let deviation = (mean * (1.0 - mean / f64::from(pool))).sqrt();
        Some(Summary::from_moments(ROUNDS, mean, deviation))
    }

    /// What a method retains beyond another, as a share of what that retains.
    #[must_use]
    pub fn gain(&self, method: Method, over: Method, pool: u32) -> Option<f64> {
        Some(self.retained(method, pool)? / self.retained(over, pool)? - 1.0)
    }
}

/// Section 5.4: gains of EOMM for P = 200 to 500, percent, said to be over `SkillMM`.
pub const GAINS: [(u32, f64); 4] = [(200, 0.3), (300, 0.9), (400, 1.1), (500, 0.6)];

/// Section 5.4: their average, percent.
pub const AVERAGE_GAIN: f64 = 0.7;

/// Section 5.4: differences said not to be significant at [`SIGNIFICANT`]; all others are.
pub const NOT_SIGNIFICANT: [(Method, Method, u32); 2] = [
    (Method::Eomm, Method::Random, 100),
    (Method::Skill, Method::Random, 400),
];

/// Section 5.4: the level of p below which a difference is called significant.
pub const SIGNIFICANT: f64 = 0.01;

/// How much was played in the data of a paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintedData {
    /// Matches.
    pub matches: u32,
    /// Players.
    pub players: u32,
}

/// Section 5.1: one-against-one matches of the first half of 2016, and their players.
pub const DATA: PrintedData = PrintedData {
    matches: 36_900_000,
    players: 1_680_000,
};

/// Section 5.3: rounds of simulation for each P.
pub const ROUNDS: u64 = 10_000;

/// Eq. 10: probability of a draw.
pub const DRAW_RATE: f64 = 0.2;

/// Section 5.2: correlation of draws with the difference of mean skills.
pub const DRAW_GAP_CORRELATION: f64 = -0.05;

/// Section 5.2, Fig. 3: predicted churn is best aligned below this risk.
pub const ALIGNED_BELOW: f64 = 0.8;

/// Table 1: days without a match that count as churn.
pub const TABLE_1_DAYS: u32 = 7;

/// Section 5.2: hours without a match that count as churn in the model.
pub const CHURN_HOURS: u32 = 8;

/// Section 5.2: folds of the cross-validation.
pub const FOLDS: usize = 5;

/// Section 5.2: recent matches among the model's inputs.
pub const RECENT_MATCHES: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eomm_is_ahead_of_every_method_but_skill_at_a_hundred() {
        for &pool in &TABLE_2.pools {
            for over in [Method::Worst, Method::Skill, Method::Random] {
                let gain = TABLE_2.gain(Method::Eomm, over, pool).unwrap();
                assert_eq!(
                    gain > 0.0,
                    (over, pool) != (Method::Skill, 100),
                    "{over:?} {pool}"
                );
            }
        }
        assert_eq!(TABLE_2.retained(Method::Eomm, 150), None);
    }

    #[test]
    fn table_one_prints_ten_patterns_once() {
        let mut patterns: Vec<&str> = TABLE_1.iter().flat_map(|row| row.patterns).copied().collect();
        patterns.sort_unstable();
        patterns.dedup();
        assert_eq!(patterns.len(), 10);
        assert!(
            patterns
                .iter()
                .all(|p| p.len() == 3 && p.chars().all(|c| "WDL".contains(c)))
        );
    }
}
