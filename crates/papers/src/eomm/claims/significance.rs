//! Section 5.4: the gains that are stated, and what is significant.

use super::cohorts::EVENING;
use super::inputs::EommInputs;
use crate::check::prelude::*;
use crate::eomm::Method;
use crate::eomm::printed::{NOT_SIGNIFICANT, SIGNIFICANT};
use itertools::Itertools;
use matchwright_sim::statistics::{MeanTest, Summary, welch_test};

pub(crate) const CHECKS: &[Check<EommInputs>] = &[
    Check::new("EOMM-Welch", Exact(|_| welch(welch_test))),
    Check::new("EOMM-X2", Exact(stated_gains)),
    Check::new("EOMM-X3", Exact(stated_significance)),
    Check::new("EOMM-compound", Exact(compound)),
];

/// Samples of unequal sizes and variances with their printed results: the third example in the article "Welch's t-test"
/// of Wikipedia, as of 2023. The paper gives no numbers of its own to check the test by.
const FEW: [f64; 10] = [17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8];
const MANY: [f64; 20] = [
    21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8, 20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5,
    23.5, 21.5, 21.8,
];
const PRINTED: (f64, f64, f64) = (-1.57, 9.9, 0.149);

pub(crate) fn welch(test_of: fn(&Summary, &Summary) -> MeanTest) -> Result<Finding> {
    let test = test_of(&Summary::of(FEW), &Summary::of(MANY));
    let pairs = Method::ALL.iter().array_combinations::<2>().count();
    let (t, degrees, p) = PRINTED;
    Ok(Finding::new()
        .number("t", test.t, 3)
        .number("degrees of freedom", test.degrees, 2)
        .number("p", test.p, 4)
        .count("comparisons of four methods", pairs as u64)
        .require((test.t - t).abs() <= 0.005 + 1e-9, "t = -1.57")
        .require((test.degrees - degrees).abs() <= 0.05, "9.9 degrees of freedom")
        .require((test.p - p).abs() <= 0.0005 + 1e-9, "p = 0.149")
        .require(pairs == 6, "every two methods"))
}

fn stated_gains(inputs: &EommInputs) -> Result<Finding> {
    let table = &inputs.paper.table_2;
    let percent = |over, size| -> Result<f64> {
        let gain = table.gain(Method::Eomm, over, size);
        Ok(100.0 * gain.with_context(|| format!("Table 2 has no P = {size}"))?)
    };
    let as_printed = |gain: f64, stated: f64| (10.0 * gain).round() == (10.0 * stated).round();
    let mut found = Finding::new();
    let (mut of_random, mut of_skill) = (true, true);
    for &(size, stated) in &inputs.paper.gains {
        let (skill, random) = (percent(Method::Skill, size)?, percent(Method::Random, size)?);
        found = found
            .number(format!("P = {size}: over SkillMM, %,"), skill, 2)
            .number("over RandomMM", random, 2);
        of_random &= as_printed(random, stated);
        of_skill &= as_printed(skill, stated);
    }
    let at_hundred = percent(Method::Skill, 100)?;
    Ok(found
        .number("P = 100: over SkillMM", at_hundred, 2)
        .require(of_random, "the stated gains are those over RandomMM")
        .refutes_page(!of_skill, "and not those over SkillMM")
        .require((at_hundred + 1.18).abs() <= 0.005, "-1.18 % at P = 100"))
}

/// Welch's test of two cells of Table 2, with the variance of binomial counts.
fn binomial_test(inputs: &EommInputs, first: Method, second: Method, size: u32) -> Result<MeanTest> {
    let sample = |method| inputs.paper.table_2.sample(method, size);
    let samples = sample(first).zip(sample(second));
    let (first, second) = samples.with_context(|| format!("Table 2 has no P = {size}"))?;
    Ok(welch_test(&first, &second))
}

fn stated_significance(inputs: &EommInputs) -> Result<Finding> {
    use Method::{Eomm, Random, Skill};
    let stated_equal = |a: Method, b: Method, size: u32| {
        NOT_SIGNIFICANT
            .iter()
            .any(|&(x, y, p)| p == size && [(x, y), (y, x)].contains(&(a, b)))
    };
    let mut found = Finding::new();
    let mut contradictions = Vec::new();
    for &size in &inputs.paper.table_2.pools {
        let error = binomial_test(inputs, Random, Skill, size)?.standard_error;
        found = found.number(format!("P = {size}: standard error of a difference"), error, 3);
        for [&a, &b] in Method::ALL.iter().array_combinations() {
            let p = binomial_test(inputs, a, b, size)?.p;
            if (p < SIGNIFICANT) == stated_equal(a, b, size) {
                contradictions.push((a, b, size));
            }
        }
    }
    for size in [200, 300] {
        let z = binomial_test(inputs, Random, Skill, size)?.t;
        found = found.number(format!("RandomMM - SkillMM at {size}: z"), z, 2);
    }
    let behind = binomial_test(inputs, Eomm, Skill, 100)?.t;
    let named: Vec<String> = contradictions
        .iter()
        .map(|(a, b, size)| format!("{} and {} at {size}", a.name(), b.name()))
        .collect();
    Ok(found
        .number("EOMM - SkillMM at 100: z", behind, 2)
        .text("stated otherwise than Table 2 allows:", named.join(", "))
        .refutes_page(
            contradictions == [(Skill, Random, 200), (Skill, Random, 300)],
            "RandomMM and SkillMM at 200 and 300 cannot be significant, all else can be as stated",
        )
        .require(behind < -4.0, "EOMM's place behind SkillMM at 100 is no noise"))
}

fn compound(inputs: &EommInputs) -> Result<Finding> {
    let more = (1.0 + inputs.paper.average_gain / 100.0).powi(EVENING);
    Ok(Finding::new()
        .number("1.007^20", more, 4)
        .require((more - 1.15).abs() < 0.005, "1.15, as printed"))
}
