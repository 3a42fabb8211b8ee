//! What a study found, as numbers that any page or file can show.

use matchwright_churn::{Evaluation, LabelCounts};
use serde::{Deserialize, Serialize};

use super::churn_fit::ChurnReport;
use super::config::StudyConfig;
use crate::eomm::Method;
use matchwright_sim::statistics::{Estimate, MeanTest};

/// The whole study.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StudyReport {
    /// What it was told.
    pub config: StudyConfig,
    /// What the history holds.
    pub data: DataSummary,
    /// How well the skill model predicted.
    pub ratings: RatingReport,
    /// How many player-matches churned, returned, or ended too late to tell.
    pub labels: LabelCounts,
    /// Churn by the last three outcomes (Table 1), for each horizon that the history is long enough for.
    pub patterns: Vec<PatternTable>,
    /// The churn model.
    pub churn: ChurnReport,
    /// Player states in the collection.
    pub states: usize,
    /// Table 2 and the tests, by pool size.
    pub pools: Vec<PoolResult>,
    /// Whether a generator's truth was there to judge by.
    pub truth_known: bool,
}

/// A history in figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataSummary {
    /// Matches.
    pub matches: usize,
    /// Players.
    pub players: usize,
    /// First match, Unix seconds.
    pub first: i64,
    /// Last match, Unix seconds.
    pub last: i64,
    /// Share of draws.
    pub draw_rate: f64,
    /// Correlation of a draw with the size of the rating gap just before the match.
    pub draw_gap_correlation: f64,
    /// Share of draws by that gap: a tenth of the matches each, the smallest gaps first.
    pub draws_by_gap: Vec<f64>,
}

/// How well Glicko predicted each match before learning from it (Fig. 2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingReport {
    /// Draw rate in the simulation's outcome model.
    pub draw_rate: f64,
    /// Mean of the final ratings.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
    /// Win probability by the simulation's outcome model, draws among the matches, over the last fifth of the history.
    pub wins: Evaluation,
}

/// Churn by the last three outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternTable {
    /// Hours without a match that count as churn.
    pub horizon_hours: u32,
    /// Patterns, lowest churn first.
    pub rows: Vec<PatternChurn>,
}

/// One row of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternChurn {
    /// Outcomes, oldest first, such as `LLW`.
    pub pattern: String,
    /// Labelled player-matches that end with it.
    pub n: u64,
    /// Share of them that churned.
    pub churn: f64,
    /// Its standard error.
    pub standard_error: f64,
}

/// All figures of one pool size.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PoolResult {
    /// P.
    pub size: usize,
    /// Rounds.
    pub rounds: usize,
    /// Judged by the fitted models of skill and churn: the ones that the methods use.
    pub fitted: Judgement,
    /// The same pairs judged by the generator's true skills and churn (X7).
    pub truth: Option<Judgement>,
}

/// The methods under one model of skill and churn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// Table 2's column.
    pub methods: Vec<MethodResult>,
    /// Every two methods.
    pub comparisons: Vec<Comparison>,
    /// What EOMM gains over the others.
    pub gains: Vec<Gain>,
}

/// Retained players per round under one method.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct MethodResult {
    /// Which.
    pub method: Method,
    /// Simulated, the paper's way.
    pub simulated: Estimate,
    /// Expected, given who was paired with whom.
    pub expected: Estimate,
    /// Simulated less expected, round by round: the luck of outcomes and churn, without that of the pools.
    pub luck: Estimate,
}

/// Two methods compared: first minus second.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// First method.
    pub first: Method,
    /// Second method.
    pub second: Method,
    /// Welch's test of the simulated counts, the paper's.
    pub welch: MeanTest,
    /// Paired test of the simulated counts.
    pub paired_simulated: MeanTest,
    /// Paired test of the expectations.
    pub paired_expected: MeanTest,
}

/// What EOMM retains beyond another method, as a share of what that method retains.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Gain {
    /// Over which method.
    pub over: Method,
    /// From the simulated counts.
    pub simulated: Estimate,
    /// From the expectations.
    pub expected: Estimate,
}

impl StudyReport {
    /// The pools of this size.
    #[must_use]
    pub fn pool(&self, size: usize) -> Option<&PoolResult> {
        self.pools.iter().find(|pool| pool.size == size)
    }
}

impl PatternTable {
    /// The row of these outcomes, oldest first, such as `LLW`.
    #[must_use]
    pub fn row(&self, pattern: &str) -> Option<&PatternChurn> {
        self.rows.iter().find(|row| row.pattern == pattern)
    }
}

impl PatternChurn {
    /// The share that churned, with its standard error.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        Estimate {
            mean: self.churn,
            standard_error: self.standard_error,
        }
    }
}

impl Judgement {
    /// What EOMM retains beyond this method.
    #[must_use]
    pub fn gain_over(&self, method: Method) -> Option<&Gain> {
        self.gains.iter().find(|gain| gain.over == method)
    }

    /// The comparison of these two, in this order.
    #[must_use]
    pub fn comparison(&self, first: Method, second: Method) -> Option<&Comparison> {
        let pairs = &mut self.comparisons.iter();
        pairs.find(|pair| (pair.first, pair.second) == (first, second))
    }
}
