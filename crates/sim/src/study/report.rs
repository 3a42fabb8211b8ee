//! What a study found, as numbers that any page or file can show.

use matchwright_churn::{Evaluation, LabelCounts};
use serde::Serialize;

use super::churn_fit::ChurnReport;
use super::config::StudyConfig;
use super::rounds::Round;
use crate::policy::Method;
use crate::statistics::{Estimate, MeanTest, Summary, paired_test, welch_test};

/// The whole study.
#[derive(Clone, Debug, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
}

/// How well Glicko predicted each match before learning from it (Fig. 2).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingReport {
    /// Draw rate in the simulation's outcome model.
    pub draw_rate: f64,
    /// Mean of the final ratings.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
    /// Win probability of decided matches, over the last fifth of the history.
    pub decided: Evaluation,
}

/// Churn by the last three outcomes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PatternTable {
    /// Hours without a match that count as churn.
    pub horizon_hours: u32,
    /// Patterns, lowest churn first.
    pub rows: Vec<PatternChurn>,
}

/// One row of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
#[derive(Clone, Debug, Serialize)]
pub struct PoolResult {
    /// P.
    pub size: usize,
    /// Rounds.
    pub rounds: usize,
    /// Table 2's column.
    pub methods: Vec<MethodResult>,
    /// Every two methods.
    pub comparisons: Vec<Comparison>,
    /// What EOMM gains over the others.
    pub gains: Vec<Gain>,
}

/// Retained players per round under one method.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MethodResult {
    /// Which.
    pub method: Method,
    /// Simulated, the paper's way.
    pub simulated: Estimate,
    /// Expected, given who was paired with whom.
    pub expected: Estimate,
    /// Expected under the generator's truth.
    pub under_truth: Option<Estimate>,
}

/// Two methods compared: first minus second.
#[derive(Clone, Copy, Debug, Serialize)]
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
    /// Paired test of the expectations under the truth.
    pub paired_truth: Option<MeanTest>,
}

/// What EOMM retains beyond another method, as a share of what that method retains.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Gain {
    /// Over which method.
    pub over: Method,
    /// From the simulated counts.
    pub simulated: Estimate,
    /// From the expectations.
    pub expected: Estimate,
    /// From the expectations under the truth.
    pub under_truth: Option<Estimate>,
}

/// Sums up the rounds of one pool size.
pub(super) fn summarise(size: usize, rounds: &[Round]) -> PoolResult {
    let truth_known = rounds.iter().all(|round| round.under_truth.is_some());
    let column = |read: fn(&Round) -> [f64; 4], method: usize| -> Vec<f64> {
        rounds.iter().map(|round| read(round)[method]).collect()
    };
    let series: Vec<Series> = (0..4)
        .map(|k| Series {
            simulated: column(|round| round.simulated, k),
            expected: column(|round| round.expected, k),
            under_truth: truth_known.then(|| column(|round| round.under_truth.unwrap_or([f64::NAN; 4]), k)),
        })
        .collect();
    let methods = Method::ALL
        .into_iter()
        .zip(&series)
        .map(|(method, series)| series.result(method))
        .collect();
    let mut comparisons = Vec::new();
    for first in (0..4).rev() {
        for second in (0..first).rev() {
            comparisons.push(compare((first, &series[first]), (second, &series[second])));
        }
    }
    let gains = (0..3)
        .rev()
        .map(|k| gain(&series[3], Method::ALL[k], &series[k]))
        .collect();
    PoolResult {
        size,
        rounds: rounds.len(),
        methods,
        comparisons,
        gains,
    }
}

/// One method's retained players, round by round.
struct Series {
    simulated: Vec<f64>,
    expected: Vec<f64>,
    under_truth: Option<Vec<f64>>,
}

impl Series {
    fn result(&self, method: Method) -> MethodResult {
        let estimate = |values: &Vec<f64>| Summary::of(values.iter().copied()).estimate();
        MethodResult {
            method,
            simulated: estimate(&self.simulated),
            expected: estimate(&self.expected),
            under_truth: self.under_truth.as_ref().map(estimate),
        }
    }
}

fn differences(first: &[f64], second: &[f64]) -> Vec<f64> {
    first.iter().zip(second).map(|(a, b)| a - b).collect()
}

fn compare((first, a): (usize, &Series), (second, b): (usize, &Series)) -> Comparison {
    let summary = |values: &[f64]| Summary::of(values.iter().copied());
    Comparison {
        first: Method::ALL[first],
        second: Method::ALL[second],
        welch: welch_test(&summary(&a.simulated), &summary(&b.simulated)),
        paired_simulated: paired_test(differences(&a.simulated, &b.simulated)),
        paired_expected: paired_test(differences(&a.expected, &b.expected)),
        paired_truth: a
            .under_truth
            .as_ref()
            .zip(b.under_truth.as_ref())
            .map(|(a, b)| paired_test(differences(a, b))),
    }
}

fn gain(eomm: &Series, over: Method, other: &Series) -> Gain {
    let share = |ours: &[f64], theirs: &[f64]| {
        let base = Summary::of(theirs.iter().copied()).mean();
        let difference = Summary::of(differences(ours, theirs)).estimate();
        Estimate {
            mean: difference.mean / base,
            standard_error: difference.standard_error / base,
        }
    };
    Gain {
        over,
        simulated: share(&eomm.simulated, &other.simulated),
        expected: share(&eomm.expected, &other.expected),
        under_truth: eomm
            .under_truth
            .as_ref()
            .zip(other.under_truth.as_ref())
            .map(|(a, b)| share(a, b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    #[test]
    fn means_gains_and_pairs_come_from_the_right_columns() {
        let round = |base: f64| Round {
            simulated: [base, base + 1.0, base + 2.0, base + 4.0],
            expected: [10.0, 11.0, 12.0, 14.0],
            under_truth: None,
        };
        let result = summarise(20, &[round(9.0), round(11.0), round(10.0)]);
        assert_abs_diff_eq!(result.methods[3].simulated.mean, 14.0);
        assert_eq!(result.methods[3].method, Method::Eomm);
        let names: Vec<_> = result
            .comparisons
            .iter()
            .map(|c| (c.first.name(), c.second.name()))
            .collect();
        assert_eq!(
            names[..3],
            [("EOMM", "RandomMM"), ("EOMM", "SkillMM"), ("EOMM", "WorstMM")]
        );
        assert_eq!(names.len(), 6);
        assert_abs_diff_eq!(result.comparisons[1].paired_expected.difference, 3.0);
        assert_abs_diff_eq!(result.comparisons[1].paired_simulated.standard_error, 0.0);
        assert!(result.comparisons[1].welch.standard_error > 0.5);
        let over_skill = result
            .gains
            .iter()
            .find(|gain| gain.over == Method::Skill)
            .unwrap();
        assert_abs_diff_eq!(over_skill.expected.mean, 3.0 / 11.0, epsilon = 1e-12);
    }
}
