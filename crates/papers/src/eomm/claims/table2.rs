//! Table 2: retained players, their order, the gain.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use crate::eomm::Method::{self, Eomm, Random, Skill, Worst};
use crate::eomm::printed::{self, AVERAGE_GAIN, Table2};
use crate::eomm::study::{Comparison, Gain, Judgement, PoolResult, StudyReport};
use matchwright_sim::statistics::{Estimate, Summary, t_test};
use statrs::distribution::{ChiSquared, ContinuousCDF};

pub(crate) const CHECKS: &[Check<EommInputs>] = &[
    Check::new(
        "EOMM-T2-Worst",
        Study(|inputs| row(inputs, inputs.report()?, Worst)),
    ),
    Check::new(
        "EOMM-T2-Skill",
        Study(|inputs| row(inputs, inputs.report()?, Skill)),
    ),
    Check::new(
        "EOMM-T2-Random",
        Study(|inputs| row(inputs, inputs.report()?, Random)),
    ),
    Check::new(
        "EOMM-T2-EOMM",
        Study(|inputs| row(inputs, inputs.report()?, Eomm)),
    ),
    Check::new(
        "EOMM-T2-order",
        Study(|inputs| order(&inputs.paper.table_2, inputs.report()?)),
    ),
    Check::new(
        "EOMM-X9",
        Study(|inputs| spread_of_the_print(inputs, inputs.report()?)),
    ),
    Check::new(
        "EOMM-skillrandom",
        Study(|inputs| skill_and_random(inputs, inputs.report()?)),
    ),
    Check::new(
        "EOMM-gain-avg",
        Study(|inputs| average_gain(inputs, inputs.report()?)),
    ),
];

/// From this z on, a cell of the print is no accident among five: p = 0.0003 for a normal error.
const CLEAR: f64 = 4.0;

/// A method's expected lead over `RandomMM` under the fitted models; `RandomMM`'s own is its number of the retained, by
/// the share of all sizes together, since states are sampled alike.
fn lead(report: &StudyReport, pool: &PoolResult, method: Method) -> Result<Estimate> {
    if method == Random {
        let (mut share, mut weights) = (0.0, 0.0);
        for each in &report.pools {
            let mut methods = each.fitted.methods.iter();
            let own = methods.find(|result| result.method == Random);
            let own = own
                .context("the study has no RandomMM")?
                .expected
                .times(1.0 / each.size as f64);
            let weight = own.standard_error.powi(-2);
            (share, weights) = (share + weight * own.mean, weights + weight);
        }
        return Ok(Estimate::from((share / weights, weights.powf(-0.5))).times(pool.size as f64));
    }
    let (ahead, sign) = match compared(&pool.fitted, method, Random) {
        Ok(ahead) => (ahead, 1.0),
        Err(_) => (compared(&pool.fitted, Random, method)?, -1.0),
    };
    Ok(Estimate::from(ahead.paired_expected).times(sign))
}

/// The same of Table 2, with the error of 10,000 rounds of binomial counts.
fn printed_lead(table: &Table2, method: Method, size: u32) -> Result<Estimate> {
    let of = |method| -> Result<Estimate> {
        let sample = table.sample(method, size).context("no such cell of Table 2")?;
        Ok(sample.estimate())
    };
    let (own, random) = (of(method)?, of(Random)?);
    Ok(if method == Random {
        own
    } else {
        Estimate {
            mean: own.mean - random.mean,
            standard_error: own.standard_error.hypot(random.standard_error),
        }
    })
}

/// One method's row of Table 2, as leads over `RandomMM`, in expectation given the pairs.
fn row(inputs: &EommInputs, report: &StudyReport, method: Method) -> Result<Finding> {
    level(&inputs.paper.table_2, report, method)
}

/// A method's leads against those of the print, each with the error of the print.
pub(crate) fn level(table: &Table2, report: &StudyReport, method: Method) -> Result<Finding> {
    let what = if method == Random {
        "retained"
    } else {
        "over RandomMM"
    };
    let mut found = Finding::new().samples(report.config.rounds, "rounds");
    let (mut ours_mean, mut printed_mean, mut sizes) = (0.0, 0.0, 0.0);
    for &size in &table.pools {
        let pool = report.pool(size as usize);
        let pool = pool.with_context(|| format!("the study has no pool of {size}"))?;
        let (ours, printed) = (lead(report, pool, method)?, printed_lead(table, method, size)?);
        let z = (printed.mean - ours.mean) / printed.standard_error.hypot(ours.standard_error);
        let share = 100.0 / f64::from(size);
        (ours_mean, printed_mean) = (ours_mean + share * ours.mean, printed_mean + share * printed.mean);
        sizes += 1.0;
        found = found
            .estimate(format!("P = {size}: {what}"), ours, 2)
            .number("printed", printed.mean, 2)
            .number("z", z, 1)
            .require(
                z.abs() <= CLEAR,
                format!("P = {size}: the print within {CLEAR} standard errors"),
            );
    }
    Ok(found
        .number("mean over the sizes, % of the pool, ours", ours_mean / sizes, 3)
        .number("printed", printed_mean / sizes, 3))
}

/// X9: at one size all methods pair the same states, so that whose states were collected moves leads within a size far less
/// than the shares themselves, if each size had a collection of its own.
fn spread_of_the_print(inputs: &EommInputs, report: &StudyReport) -> Result<Finding> {
    let table = &inputs.paper.table_2;
    let bins = &report.churn.holdout.reliability;
    let risks = Weighted::of(bins.iter().map(|bin| (bin.mean_predicted, bin.count as f64)));
    let collection = 100.0 * (risks.squares / risks.weights / report.states as f64).sqrt();
    let mut found = Finding::new().samples(printed::ROUNDS, "rounds a cell").number(
        "another collection of states moves a share by, points",
        collection,
        2,
    );
    let percent = |of: Estimate, size: u32| of.times(100.0 / f64::from(size));
    let law = ChiSquared::new(table.pools.len() as f64 - 1.0)?;
    let scatter = |found: Finding, name: &str, method, more: f64| -> Result<(Finding, f64)> {
        let cells = table.pools.iter().map(|&size| {
            let cell = percent(printed_lead(table, method, size)?, size);
            Ok((cell.mean, (cell.standard_error.powi(2) + more.powi(2)).recip()))
        });
        let cells: Vec<(f64, f64)> = cells.collect::<Result<_>>()?;
        let squares = Weighted::of(cells).squares;
        let name = format!(
            "{name}: chi-squared on {} degrees of freedom",
            table.pools.len() - 1
        );
        Ok((found.number(name, squares, 0), law.sf(squares)))
    };
    let shares;
    (found, shares) = scatter(
        found,
        "RandomMM's shares, each of its own collection",
        Random,
        collection,
    )?;
    let (mut skill, mut worst) = (0.0, 0.0);
    for (method, p) in [(Skill, &mut skill), (Worst, &mut worst)] {
        let name = format!("{}'s leads over RandomMM", method.name());
        (found, *p) = scatter(found, &name, method, 0.0)?;
    }
    let first = *table.pools.first().context("a table without sizes")?;
    let lead = printed_lead(table, Skill, first)?;
    Ok(found
        .number(
            format!("SkillMM less RandomMM at P = {first}, printed, z"),
            lead.mean / lead.standard_error,
            1,
        )
        .require(
            shares > 0.01,
            "RandomMM's shares are as they may be if each size has a collection of its own (p > 0.01)",
        )
        .completes_page(
            skill < 1e-6 && worst < 1e-6,
            "leads within a size change with P by more than 10,000 rounds of counts explain (p < 1e-6 for SkillMM and WorstMM)",
        ))
}

/// A weighted mean's scatter.
#[derive(Clone, Copy)]
struct Weighted {
    weights: f64,
    /// Sum of the weighted squares of the distances from the mean.
    squares: f64,
}

impl Weighted {
    /// Of values, each with its weight.
    fn of(cells: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let cells: Vec<(f64, f64)> = cells.into_iter().collect();
        let weights: f64 = cells.iter().map(|(_, weight)| weight).sum();
        let mean = cells.iter().map(|(value, weight)| value * weight).sum::<f64>() / weights;
        let squares = cells
            .iter()
            .map(|(value, weight)| weight * (value - mean).powi(2))
            .sum();
        Self { weights, squares }
    }
}

/// "`SkillMM` does not consistently outperform `RandomMM`".
fn skill_and_random(_: &EommInputs, report: &StudyReport) -> Result<Finding> {
    let mut found = Finding::new().samples(report.config.rounds, "rounds");
    let mut ahead_at = 0;
    for pool in &report.pools {
        let ahead = Estimate::from(compared(&pool.fitted, Random, Skill)?.paired_expected).times(-1.0);
        let matters = compared(&pool.fitted, Eomm, Random)?.paired_expected.difference / 4.0;
        let test = t_test(
            ahead.mean - matters,
            ahead.standard_error,
            f64::from(report.config.rounds) - 1.0,
        );
        ahead_at += usize::from(ahead.mean > 0.0);
        found = found
            .estimate(format!("P = {}: SkillMM - RandomMM", pool.size), ahead, 3)
            .number("what would matter", matters, 3)
            .require_below(
                test,
                0.0,
                "SkillMM ahead by less than a quarter of EOMM's lead, at each size",
            )
            .require_below(
                t_test(
                    -ahead.mean - matters,
                    ahead.standard_error,
                    f64::from(report.config.rounds) - 1.0,
                ),
                0.0,
                "and behind by less than that",
            );
    }
    Ok(found.completes_page(
        ahead_at == report.pools.len(),
        "ahead at every size, by an amount that does not matter",
    ))
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

fn average_gain(inputs: &EommInputs, report: &StudyReport) -> Result<Finding> {
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
