//! The figures that a study's page begins with: what EOMM gains in the largest pool.

use crate::eomm::Method;
use crate::eomm::printed::TABLE_2;
use crate::eomm::study::{Gain, PoolResult, StudyReport};
use crate::reproduction::signed;
use matchwright_report::Headline;

/// What EOMM gains over SkillMM, by the fitted models and by the true model where it is known.
pub(crate) fn headlines(report: &StudyReport) -> Vec<Headline> {
    let pool = report.pools.iter().max_by_key(|pool| pool.size);
    pool.map_or(Vec::new(), |pool| {
        [fitted(pool), truth(pool)].into_iter().flatten().collect()
    })
}

fn fitted(pool: &PoolResult) -> Option<Headline> {
    let gain = pool.fitted.gain_over(Method::Skill)?;
    let players = pool
        .fitted
        .comparison(Method::Eomm, Method::Skill)?
        .paired_expected
        .difference;
    let line = format!(
        "players kept by EOMM beyond matching by skill: {} of {} in each round (expected, ± {:.3} %)",
        signed(players, 1),
        pool.size,
        100.0 * gain.expected.standard_error
    );
    Some(percent(gain, line))
}

fn truth(pool: &PoolResult) -> Option<Headline> {
    let gain = pool.truth.as_ref()?.gain_over(Method::Skill)?;
    let line = "the same pairs judged by the true (generating) model, which no method has seen";
    Some(percent(gain, line))
}

/// What the paper's own table gives, at its largest pool.
pub(crate) fn published() -> Option<Headline> {
    let size = TABLE_2.pools.into_iter().max()?;
    let gain = TABLE_2.gain(Method::Eomm, Method::Skill, size)?;
    let line = format!("by the paper's own Table 2, in pools of {size}");
    Some(Headline::new(signed(100.0 * gain, 2), "%", line))
}

fn percent(gain: &Gain, line: impl Into<String>) -> Headline {
    Headline::new(signed(100.0 * gain.expected.mean, 2), "%", line)
}
