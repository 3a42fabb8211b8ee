//! From rounds to Table 2, the tests and the gains.

use itertools::Itertools;

use super::report::{Comparison, Gain, Judgement, MethodResult, PoolResult};
use super::rounds::{Retained, Round};
use crate::eomm::Method;
use matchwright_sim::statistics::{Estimate, Summary, paired_test, welch_test};

/// Sums up the rounds of all pool sizes.
pub(crate) fn summarise(sizes: &[usize], rounds: &[Vec<Round>]) -> Vec<PoolResult> {
    let each = sizes.iter().zip(rounds);
    each.map(|(&size, rounds)| summarise_one(size, rounds)).collect()
}

fn summarise_one(size: usize, rounds: &[Round]) -> PoolResult {
    let fitted: Vec<Retained> = rounds.iter().map(|round| round.fitted).collect();
    let truth: Option<Vec<Retained>> = rounds.iter().map(|round| round.truth).collect();
    PoolResult {
        size,
        rounds: rounds.len(),
        fitted: judge(&fitted),
        truth: truth.as_deref().map(judge),
    }
}

fn judge(rounds: &[Retained]) -> Judgement {
    // One method's retained players, round by round.
    let series = |kind: fn(&Retained) -> &[f64; 4]| -> [Vec<f64>; 4] {
        std::array::from_fn(|k| rounds.iter().map(|round| kind(round)[k]).collect())
    };
    let (simulated, expected) = (series(|round| &round.simulated), series(|round| &round.expected));
    let result = |k: usize| MethodResult {
        method: Method::ALL[k],
        simulated: summary(&simulated[k]).estimate(),
        expected: summary(&expected[k]).estimate(),
        luck: summary(&differences(&simulated[k], &expected[k])).estimate(),
    };
    let compare = |[i, j]: [usize; 2]| Comparison {
        first: Method::ALL[i],
        second: Method::ALL[j],
        welch: welch_test(&summary(&simulated[i]), &summary(&simulated[j])),
        paired_simulated: paired_test(differences(&simulated[i], &simulated[j])),
        paired_expected: paired_test(differences(&expected[i], &expected[j])),
    };
    let gain = |[eomm, other]: [usize; 2]| Gain {
        over: Method::ALL[other],
        simulated: relative(&simulated[eomm], &simulated[other]),
        expected: relative(&expected[eomm], &expected[other]),
    };
    // The last first, so that EOMM comes before those it is compared with.
    let pairs = (0..Method::ALL.len()).rev().array_combinations();
    let of_eomm = pairs
        .clone()
        .filter(|[first, _]| Method::ALL[*first] == Method::Eomm);
    Judgement {
        methods: (0..Method::ALL.len()).map(result).collect(),
        gains: of_eomm.map(gain).collect(),
        comparisons: pairs.map(compare).collect(),
    }
}

fn summary(values: &[f64]) -> Summary {
    Summary::of(values.iter().copied())
}

fn differences(first: &[f64], second: &[f64]) -> Vec<f64> {
    first.iter().zip(second).map(|(a, b)| a - b).collect()
}

/// The mean difference as a share of `theirs`, with the error of the paired difference.
fn relative(ours: &[f64], theirs: &[f64]) -> Estimate {
    let base = summary(theirs).mean();
    let difference = summary(&differences(ours, theirs)).estimate();
    Estimate {
        mean: difference.mean / base,
        standard_error: difference.standard_error / base,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    fn round(base: f64) -> Round {
        let fitted = Retained {
            simulated: [base, base + 1.0, base + 2.0, base + 4.0],
            expected: [10.0, 11.0, 12.0, 14.0],
        };
        let truth = Retained {
            expected: [10.0, 11.5, 12.0, 13.0],
            ..fitted
        };
        Round {
            fitted,
            truth: Some(truth),
        }
    }

    #[test]
    fn means_gains_and_pairs_come_from_the_right_columns() {
        let result = summarise_one(20, &[round(9.0), round(11.0), round(10.0)]);
        let fitted = &result.fitted;
        assert_abs_diff_eq!(fitted.methods[3].simulated.mean, 14.0);
        assert_eq!(fitted.methods[3].method, Method::Eomm);
        assert_abs_diff_eq!(fitted.methods[1].luck.mean, 0.0);
        assert_abs_diff_eq!(fitted.methods[1].luck.standard_error, 1.0 / 3.0_f64.sqrt());
        let names = |c: &Comparison| (c.first.name(), c.second.name());
        let names: Vec<_> = fitted.comparisons.iter().map(names).collect();
        assert_eq!(
            names[..3],
            [("EOMM", "RandomMM"), ("EOMM", "SkillMM"), ("EOMM", "WorstMM")]
        );
        assert_eq!(names.len(), 6);
        assert_abs_diff_eq!(fitted.comparisons[1].paired_expected.difference, 3.0);
        assert_abs_diff_eq!(fitted.comparisons[1].paired_simulated.standard_error, 0.0);
        assert!(fitted.comparisons[1].welch.standard_error > 0.5);
        let over_skill = |judged: &Judgement| judged.gains.iter().find(|g| g.over == Method::Skill).copied();
        assert_abs_diff_eq!(
            over_skill(fitted).unwrap().expected.mean,
            3.0 / 11.0,
            epsilon = 1e-12
        );
        let truth = over_skill(result.truth.as_ref().unwrap()).unwrap();
        assert_abs_diff_eq!(truth.expected.mean, 1.5 / 11.5, epsilon = 1e-12);
    }

    #[test]
    fn without_a_generator_there_is_no_truth_to_judge_by() {
        let blind = Round {
            truth: None,
            ..round(9.0)
        };
        assert!(summarise_one(20, &[blind, blind]).truth.is_none());
    }
}
