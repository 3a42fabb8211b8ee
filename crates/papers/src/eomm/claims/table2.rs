//! Table 2: retained players, their order, the gain, and the same under the truth.

use crate::claims::prelude::*;
use crate::eomm::Method::{self, Eomm, Random, Skill, Worst};
use crate::eomm::printed::{AVERAGE_GAIN, Table2};
use crate::eomm::study::{Comparison, Gain, Judgement, PoolResult, StudyReport};
use matchwright_sim::statistics::{Summary, t_test};

pub(crate) const CHECKS: &[Check] = &[
    Check("EOMM-T2-Worst", Study(|given, study| row(given, study, Worst))),
    Check("EOMM-T2-Skill", Study(|given, study| row(given, study, Skill))),
    Check("EOMM-T2-Random", Study(|given, study| row(given, study, Random))),
    Check("EOMM-T2-EOMM", Study(|given, study| row(given, study, Eomm))),
    Check(
        "EOMM-T2-order",
        Study(|given, all| order(&given.paper.table_2, all)),
    ),
    Check("EOMM-gain-avg", Study(average_gain)),
    Check("EOMM-X7", Study(truth)),
];

/// How far a share of the pool may be from the printed one.
const TOLERANCE: f64 = 0.005;

/// The cell that EOMM-X3 shows to be no sampling noise: it contradicts EOMM's being the best under its own model.
const ODD_CELL: (Method, u32) = (Method::Skill, 100);

fn row(inputs: &Inputs, report: &StudyReport, method: Method) -> Result<Finding> {
    level(&inputs.paper.table_2, report, method)
}

/// One method's row, in expectation given the pairs, which has the counts' mean and a smaller error.
pub(crate) fn level(table: &Table2, report: &StudyReport, method: Method) -> Result<Finding> {
    let mut found = Finding::new().samples(report.config.rounds, "rounds");
    for &size in &table.pools {
        let pool = report.pool(size as usize);
        let pool = pool.with_context(|| format!("the study has no pool of {size}"))?;
        let ours = pool.fitted.methods.iter().find(|result| result.method == method);
        let ours = ours.with_context(|| format!("the study has no {}", method.name()))?;
        let printed = table.retained(method, size).context("no such cell of Table 2")?;
        let off = (ours.expected.mean - printed) / f64::from(size);
        found = found.estimate(format!("P = {size}:"), ours.expected, 2);
        let points = 100.0 * off;
        found = if (method, size) == ODD_CELL {
            found.note(format!("P = {size} is off by {points:.2} points, not counted"))
        } else {
            let words = format!("P = {size} within 0.5 points, off by {points:.2}");
            let ours = ours.expected.times(1.0 / f64::from(size));
            found.require_near(
                (ours, report.config.rounds.into()),
                (printed / f64::from(size), TOLERANCE),
                words,
            )
        };
    }
    Ok(found)
}

fn compared(judgement: &Judgement, first: Method, second: Method) -> Result<&Comparison> {
    let found = judgement.comparison(first, second);
    found.with_context(|| format!("{} and {} are not compared", first.name(), second.name()))
}

/// Two methods under the fitted models; the better one of Table 2 first.
pub(crate) fn comparison(pool: &PoolResult, first: Method, second: Method) -> Result<&Comparison> {
    compared(&pool.fitted, first, second)
}

/// The order of the methods at every size of Table 2.
pub(crate) fn order(table: &Table2, report: &StudyReport) -> Result<Finding> {
    let in_table = |pool: &&PoolResult| table.pools.iter().any(|size| *size as usize == pool.size);
    let pools: Vec<&PoolResult> = report.pools.iter().filter(in_table).collect();
    let steps = [(Eomm, Skill), (Eomm, Random), (Skill, Worst), (Random, Worst)];
    let mut found = Finding::new()
        .samples(report.config.rounds, "rounds")
        .require(!pools.is_empty(), "the study has a size of Table 2");
    for (first, second) in steps {
        let step = format!("{} - {}", first.name(), second.name());
        let mut least = f64::INFINITY;
        for pool in &pools {
            let test = comparison(pool, first, second)?.paired_expected;
            least = smaller(least, test.t);
            found = found.require_above(test, 4.0, format!("{step} above 0"));
        }
        found = found.number(format!("{step}: z at least"), least, 1);
    }
    let mut widest = 0.0_f64;
    for pool in &pools {
        let apart = comparison(pool, Random, Skill)?.paired_expected;
        let lead = comparison(pool, Eomm, Skill)?.paired_expected;
        let (distance, quarter) = (apart.difference.abs(), 0.25 * lead.difference.abs());
        let error = apart.standard_error.hypot(0.25 * lead.standard_error);
        let beyond = t_test(distance - quarter, error, apart.degrees);
        found = found.require_below(beyond, 0.0, "SkillMM and RandomMM are close");
        widest = larger(widest, distance / (4.0 * quarter));
    }
    let name = "RandomMM from SkillMM, as a share of EOMM's lead, at most";
    Ok(found.number(name, widest, 3))
}

pub(crate) fn gain_over(judgement: &Judgement, method: Method) -> Result<&Gain> {
    let gain = judgement.gain_over(method);
    gain.with_context(|| format!("no gain over {}", method.name()))
}

fn average_gain(inputs: &Inputs, report: &StudyReport) -> Result<Finding> {
    let table = &inputs.paper.table_2;
    let printed = |over| -> Result<f64> {
        let sizes = inputs.paper.gains.iter().map(|(size, _)| *size);
        let gain = |size| table.gain(Eomm, over, size).context("no such cell of Table 2");
        let gains = sizes.map(gain);
        Ok(100.0 * Summary::of(gains.collect::<Result<Vec<f64>>>()?).mean())
    };
    let (over_skill, over_random) = (printed(Method::Skill)?, printed(Method::Random)?);
    let stated: f64 =
        inputs.paper.gains.iter().map(|(_, gain)| gain).sum::<f64>() / inputs.paper.gains.len() as f64;
    let (mut gains, mut variance) = (Vec::new(), 0.0);
    for pool in report.pools.iter().filter(|pool| pool.size >= 200) {
        let gain = gain_over(&pool.fitted, Method::Skill)?.expected;
        gains.push(100.0 * gain.mean);
        variance += (100.0 * gain.standard_error).powi(2);
    }
    let ours = Summary::of(gains.iter().copied()).mean();
    let error = variance.sqrt() / gains.len() as f64;
    let rounds_to = |gain: f64| (10.0 * gain).round() == (10.0 * AVERAGE_GAIN).round();
    let as_stated = rounds_to(over_skill) && rounds_to(over_random);
    Ok(Finding::new()
        .number("Table 2 over SkillMM, %,", over_skill, 3)
        .number("over RandomMM", over_random, 3)
        .number("mean of the stated gains", stated, 3)
        .estimate("ours over SkillMM", (ours, error), 3)
        .require(as_stated, "Table 2 rounds to 0.7 %")
        .require((ours - AVERAGE_GAIN).abs() <= 0.1, "ours within 0.1 points"))
}

fn truth(_: &Inputs, report: &StudyReport) -> Result<Finding> {
    let mut found = Finding::new().samples(report.config.rounds, "rounds");
    for pool in &report.pools {
        let truth = pool.truth.as_ref();
        let truth = truth.context("the study had no true model to judge by")?;
        let fitted = gain_over(&pool.fitted, Method::Skill)?.expected;
        let true_gain = gain_over(truth, Method::Skill)?.expected;
        let test = compared(truth, Method::Eomm, Method::Skill)?.paired_expected;
        let leads = format!("EOMM leads under the true model at P = {}", pool.size);
        found = found
            .estimate(format!("P = {}: fitted, %,", pool.size), fitted.times(100.0), 3)
            .estimate("truth", true_gain.times(100.0), 3)
            .require_above(test, 4.0, leads);
    }
    Ok(found)
}
