//! Section 5.4: "the benefit will accumulate over time in a constant population", followed for twenty rounds: X8, X10.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use crate::eomm::Method;
use crate::eomm::cohorts::{CohortsReport, SettingReport, Strategy, StrategyReport};
use matchwright_sim::statistics::{RatioOfMeans, Summary};

pub(crate) const CHECKS: &[Check<EommInputs>] = &[
    Check::new("EOMM-X8", Search(|inputs| compounds(inputs.cohorts()?))),
    Check::new(
        "EOMM-X10",
        Search(|inputs| kept_twenty_times(inputs, inputs.cohorts()?)),
    ),
];

/// Rounds of one evening.
pub(crate) const EVENING: i32 = 20;
const TIMES: usize = 20;
/// From which t on a difference is established.
const CLEAR: f64 = 4.0;

/// The settings of one level of churn: states drawn anew, and lasting.
struct Level<'a> {
    anew: &'a SettingReport,
    lasting: &'a SettingReport,
}

impl<'a> Level<'a> {
    /// The levels of the report, the paper's first.
    fn all(report: &'a CohortsReport) -> Result<[Self; 2]> {
        let level = |at: usize| {
            let level = report.config.levels.get(at).copied();
            let level = level.context("two levels of churn")?;
            let setting = |persists| report.setting(level, persists).context("no such setting");
            Ok::<_, anyhow::Error>(Self {
                anew: setting(false)?,
                lasting: setting(true)?,
            })
        };
        Ok([level(0)?, level(1)?])
    }
}

/// What the gain of the first round would come to after twenty: its power.
fn promised(of: &StrategyReport) -> f64 {
    of.first_gain.ratio.powi(EVENING)
}

/// How many times as many as under `SkillMM` were kept twenty times.
fn kept(of: &StrategyReport) -> Result<RatioOfMeans> {
    of.kept_ratio.get(TIMES).copied().context("twenty rounds")
}

fn compounds(report: &CohortsReport) -> Result<Finding> {
    let [paper, evening] = Level::all(report)?;
    let mut found = Finding::new().samples(
        format!("{} x {}", report.config.worlds, report.config.players),
        "players of each setting at the start",
    );
    for (level, name) in [(&paper, "at the paper's churn"), (&evening, "at 5 % a round")] {
        for (setting, how) in [
            (level.anew, "states drawn anew"),
            (level.lasting, "propensity lasts"),
        ] {
            let [eomm, life] = [Strategy::Eomm, Strategy::Lifetime].map(|strategy| setting.of(strategy));
            found = found
                .estimate(
                    format!("{name}, {how}: fewer leavers of 100"),
                    eomm.leavers_over_skill.reversed(),
                    3,
                )
                .estimate("in the second half", eomm.late_over_skill.reversed(), 3)
                .estimate("by lifetime value", life.leavers_over_skill.reversed(), 3);
            let fourths = eomm.losses.map(|losses| format!("{:.0}", losses.mean)).join(", ");
            found = found.text("losses of 100, the most loyal fourth first", fourths);
        }
    }
    let (anew, lasting) = (
        evening.anew.of(Strategy::Eomm),
        evening.lasting.of(Strategy::Eomm),
    );
    let (kept_anew, kept_lasting) = (kept(anew)?, kept(lasting)?);
    found = found
        .number(
            "5 %: the first round's gain to the power of 20",
            promised(anew),
            3,
        )
        .estimate("kept twenty times, as a ratio to SkillMM, anew", kept_anew, 3)
        .estimate("lasting", kept_lasting, 3);
    for level in [&paper, &evening] {
        let anew = level.anew.of(Strategy::Eomm);
        found = found
            .require_above(anew.leavers_over_skill.reversed(), CLEAR, "drawn anew: a gain")
            .require_above(anew.late_over_skill.reversed(), CLEAR, "which does not fade");
    }
    let life = paper.lasting.of(Strategy::Lifetime);
    let is_enough = kept_anew.high - kept_anew.low < 0.1;
    let ends = kept_anew.low..=kept_anew.high;
    Ok(found
        .require_enough(is_enough, "the 95 % interval of the ratio is narrower than .1")
        .require(
            ends.contains(&promised(anew)) && kept_anew.low > 1.0,
            "drawn anew: twenty rounds keep what the power of the first promises",
        )
        .require_above(
            life.leavers_over_eomm.reversed(),
            CLEAR,
            "at the paper's churn, where propensity lasts, lifetime value keeps more than EOMM",
        )
        .require_above(
            lasting.loyal_lose_more,
            CLEAR,
            "EOMM's losses go to the most loyal fourth",
        )
        .completes_page(
            kept_lasting.high < promised(lasting),
            "where propensity lasts the gain of a round does not compound: those who are saved leave soon after",
        ))
}

/// X10: of whom those 15 % are a share.
fn kept_twenty_times(inputs: &EommInputs, report: &CohortsReport) -> Result<Finding> {
    let table = &inputs.paper.table_2;
    let mut shares = Vec::new();
    for &size in &table.pools {
        let kept = table
            .retained(Method::Skill, size)
            .context("no such cell of Table 2")?;
        shares.push(kept / f64::from(size));
    }
    let once = Summary::of(shares).mean();
    let (skill, eomm) = (
        once.powi(EVENING),
        (once * (1.0 + inputs.paper.average_gain / 100.0)).powi(EVENING),
    );
    let [paper, _] = Level::all(report)?;
    let lasting = paper.lasting.of(Strategy::Eomm);
    let of_skill = paper.lasting.of(Strategy::Skill);
    let ratio = kept(lasting)?;
    let share = of_skill.kept.get(TIMES).context("twenty rounds")?.times(1_000.0);
    let mut found = Finding::new()
        .samples(
            format!("{} x {}", report.config.worlds, report.config.players),
            "players at the start",
        )
        .number("SkillMM retains after a round, share of the pool", once, 3)
        .number("after twenty, in a million", 1e6 * skill, 2)
        .number("EOMM, in a million", 1e6 * eomm, 2)
        .number("difference, in a million", 1e6 * (eomm - skill), 2);
    for strategy in [Strategy::Skill, Strategy::Eomm] {
        let kept = paper.anew.of(strategy).kept.get(TIMES).context("twenty rounds")?;
        found = found
            .number(
                format!("{} in the simulation, in a million", strategy.name()),
                1e6 * kept.mean,
                0,
            )
            .require(
                kept.mean < 0.001,
                "simulated with states drawn anew, fewer than one in a thousand",
            );
    }
    Ok(found
        .estimate("where propensity lasts, SkillMM, in a thousand", share, 1)
        .estimate("EOMM, as a ratio to that", ratio, 3)
        .require(
            (eomm / skill - 1.15).abs() < 0.005,
            "15 % more of those who are left",
        )
        .require(
            ratio.high < eomm / skill,
            "where propensity lasts more are kept twenty times, and not 15 % more of them under EOMM",
        )
        .completes_page(
            eomm < 1e-5,
            "of the players who start, fewer than ten in a million are left after twenty rounds",
        ))
}
