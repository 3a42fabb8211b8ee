//! What EOMM's gain is bounded by, and how it grows with the pool.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use crate::eomm::Method;
use crate::eomm::gain_law::{GainCell, GainLawReport};
use crate::eomm::study::{PoolResult, StudyReport};
use matchwright_rating::{DrawModel, FixedDraw};
use matchwright_scoring::{ChurnByOutcome, churn_edge};
use matchwright_sim::adapt::chances_of;
use matchwright_sim::statistics::{Estimate, Summary};
use rand::RngExt;

use super::table2::gain_over;

pub(crate) const CHECKS: &[Check<EommInputs>] = &[
    Check::new("EOMM-gain-law", Exact(law)),
    Check::new("EOMM-noclimb", Study(|inputs| growth(inputs, inputs.report()?))),
];

const SAMPLES: u32 = 2_000;

/// The largest difference between edges and `a_i + a_j + (1-d) (q - 1/2) (D_j - D_i)`.
fn off_the_closed_form(inputs: &EommInputs) -> Result<f64> {
    let mut rng = check_stream(inputs.seed, 30, 0);
    let mut off = 0.0_f64;
    for _ in 0..SAMPLES {
        let share: f64 = rng.random();
        let outcome = FixedDraw::EOMM.outcome_probabilities(share, 1.0 - share);
        let chances = chances_of(&outcome).context("no distribution")?;
        let mut churn = || ChurnByOutcome::new(rng.random(), rng.random(), rng.random());
        let (i, j) = (churn()?, churn()?);
        let (draw, decided) = (chances.draw(), 1.0 - chances.draw());
        let own = |c: &ChurnByOutcome| draw * c.draw() + decided * (c.win() + c.loss()) / 2.0;
        let minds = |c: &ChurnByOutcome| c.loss() - c.win();
        let closed = own(&i) + own(&j) + decided * (share - 0.5) * (minds(&j) - minds(&i));
        deviate(&mut off, churn_edge(&chances, &i, &j), closed);
    }
    Ok(off)
}

/// The largest distance of an estimate from 0 in standard errors.
fn largest_z<'a>(estimates: impl Iterator<Item = &'a Estimate>) -> f64 {
    let z = estimates.map(|estimate| (estimate.mean / estimate.standard_error).abs());
    z.fold(0.0, larger)
}

fn law(inputs: &EommInputs) -> Result<Finding> {
    let report = inputs.gain_law_report()?;
    let off = off_the_closed_form(inputs)?;
    let GainLawReport { cells, mirror, .. } = report;
    let bounds = |cell: &GainCell| 0.0..cell.bound.min(cell.saturated);
    let below = cells
        .iter()
        .all(|cell| cell.gain.mean > 0.0 && bounds(cell).contains(&cell.gain.mean));
    let shares = cells.iter().map(|cell| cell.skill.mean / cell.bound);
    let skill = shares.sum::<f64>() / cells.len() as f64;
    let skill_z = largest_z(cells.iter().map(|cell| &cell.skill));
    let in_bounds = report.pools > 0 && report.in_bounds == report.pools;
    Ok(Finding::new()
        .number("edges off the closed form by", off, 6)
        .count("pools", report.pools)
        .count("within their bounds", report.in_bounds)
        .number("gain as a share of the bound, from", report.bound_fit.least, 3)
        .number("to", report.bound_fit.most, 3)
        .number("SkillMM over RandomMM, as a share of it", skill, 4)
        .number("its largest z of a cell", skill_z, 1)
        .number("all pairings with equal D within", report.homogeneous, 6)
        .estimate("EOMM - RandomMM as a share of the bound", mirror.gain, 4)
        .estimate("RandomMM - WorstMM", mirror.loss, 4)
        .number("p of a difference", mirror.test.p, 3)
        .require(off <= 1e-12, "edges are as in the closed form")
        .require(in_bounds, "every pool keeps to its bounds")
        .require(below, "each cell's mean gain lies above 0 and below both bounds")
        .require(report.homogeneous <= 1e-12, "equal D: every pairing ties")
        .require(
            skill.abs() <= 0.02 && skill_z <= 4.0,
            "SkillMM is random matchmaking's like, to 2 % of the bound and 4 standard errors",
        )
        .require(mirror.test.p > 0.001, "EOMM - RandomMM is RandomMM - WorstMM")
        .ours())
}

/// Ours, computed apart from this program: the gain over `SkillMM` as a share of that at P = 500, percent.
const SHARES: [(usize, f64); 6] = [
    (4, 40.0),
    (6, 56.0),
    (10, 70.0),
    (20, 80.0),
    (50, 93.0),
    (100, 97.0),
];
/// How far a share may be from that, in percentage points.
const SHARE_TOLERANCE: f64 = 5.0;
/// From this size on the gain has next to nothing left to climb.
const SATURATED: usize = 200;

/// The gain over `SkillMM`, as a share of what that retains, percent.
fn percent(pool: &PoolResult) -> Result<Estimate> {
    Ok(gain_over(&pool.fitted, Method::Skill)?.expected.times(100.0))
}

/// The standard error, in points of gain, that 10,000 rounds of counts leave at this size.
fn theirs(inputs: &EommInputs, pool: &PoolResult) -> Result<f64> {
    let size = u32::try_from(pool.size)?;
    let sample = |method| inputs.paper.table_2.sample(method, size);
    let samples = sample(Method::Eomm).zip(sample(Method::Skill));
    let (eomm, skill) = samples.with_context(|| format!("Table 2 has no P = {size}"))?;
    let error = |sample: Summary| sample.estimate().standard_error;
    Ok(100.0 * error(eomm).hypot(error(skill)) / skill.mean())
}

fn growth(inputs: &EommInputs, report: &StudyReport) -> Result<Finding> {
    let small = inputs.small_pools()?;
    let last = report.pools.iter().find(|pool| pool.size == 500);
    let full = percent(last.context("the study has no P = 500")?)?;
    let mut found = Finding::new().estimate("P = 500: gain over SkillMM, %,", full, 3);
    for (size, expected) in SHARES {
        let mut pools = small.pools.iter().chain(&report.pools);
        let pool = pools.find(|pool| pool.size == size);
        let gain = percent(pool.with_context(|| format!("no study has P = {size}"))?)?;
        let share = 100.0 * gain.mean / full.mean;
        let error = share * (gain.standard_error / gain.mean).hypot(full.standard_error / full.mean);
        found = found
            .estimate(format!("share of it at P = {size}, %,"), (share, error), 1)
            .require(
                (share - expected).abs() <= SHARE_TOLERANCE,
                format!("within 5 points of {expected} % at P = {size}"),
            );
    }
    let (mut least, mut most) = (f64::MAX, f64::MIN);
    let (mut noise, mut most_noise) = (f64::MAX, 0.0_f64);
    for pool in report.pools.iter().filter(|pool| pool.size >= SATURATED) {
        let gain = percent(pool)?.mean;
        (least, most) = (smaller(least, gain), larger(most, gain));
        let error = theirs(inputs, pool)?;
        (noise, most_noise) = (smaller(noise, error), larger(most_noise, error));
    }
    let printed = |size| {
        let gain = inputs.paper.table_2.gain(Method::Eomm, Method::Skill, size);
        Ok::<f64, anyhow::Error>(100.0 * gain.with_context(|| format!("Table 2 has no P = {size}"))?)
    };
    let step = printed(300)? - printed(200)?;
    Ok(found
        .number("printed step from P = 200 to 300, points", step, 2)
        .number(
            "its z, at least",
            step / (std::f64::consts::SQRT_2 * most_noise),
            1,
        )
        .number("P = 200 to 500: gains from, %,", least, 3)
        .number("to", most, 3)
        .number("standard error of the paper's counts, at least", noise, 3)
        .require(
            most - least < noise,
            "from P = 200 on the gain moves by less than the paper's counts could show",
        )
        .require(least >= 0.95 * most, "and by less than a twentieth of itself"))
}
