//! Section 5.3: churn is simulated from the model that EOMM optimises. How much of its gain remains where that is wrong.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use crate::check::verdict::Measured;
use crate::eomm::Method;
use crate::eomm::other_worlds::{Gains, OtherWorldsReport, WorldKind, WorldResult};
use matchwright_sim::statistics::{Estimate, RatioOfMeans};

pub(crate) const CHECKS: &[Check<EommInputs>] = &[Check::new(
    "EOMM-X7",
    Search(|inputs| survival(inputs.other_worlds()?)),
)];

/// A change of the gain by less than this part of it would not matter to a studio.
const SMALL: f64 = 0.2;
/// From which t on an effect is established.
const CLEAR: f64 = 4.0;

/// What of EOMM's gain survives in each world; the intervals are across populations.
pub(crate) fn survival(report: &OtherWorldsReport) -> Result<Finding> {
    let populations = report.config.populations;
    let mut found = Finding::new().samples(populations, "populations of each world");
    for result in &report.worlds {
        found = figures(found, result)?;
        found = required(found, result, populations)?;
        let random = over(result, Method::Random)?;
        found = found
            .require_above(
                over(result, Method::Skill)?.promised,
                CLEAR,
                "promised a gain in every world",
            )
            .require_above(random.truth, CLEAR, "a true gain over RandomMM in every world");
    }
    let mut falling = f64::INFINITY;
    for opponent in report.of_kind(WorldKind::Opponent) {
        let gain = over(opponent, Method::Skill)?.truth.difference;
        found = found.require(
            gain < falling,
            "the more one-sided matches repel, the less is left",
        );
        falling = gain;
    }
    let strongest = report.of_kind(WorldKind::Opponent).last();
    let loss = over(strongest.context("no world with opponents")?, Method::Skill)?.truth;
    let break_even = report.break_even.context("no world with opponents")?;
    found = found
        .estimate("gone at this share of what losing does", break_even, 3)
        .require_above(
            loss.reversed(),
            CLEAR,
            "a loss where one-sided matches repel the most",
        );
    let base = over(&report.worlds[0], Method::Skill)?;
    Ok(found.completes_page(
        base.excess.t > CLEAR && loss.t < -CLEAR,
        "the promise is no guide: too low where its assumptions hold, and a gain where the truth is a loss",
    ))
}

/// Promised, true, and what survives, of the gain over `SkillMM`.
fn figures(found: Finding, result: &WorldResult) -> Result<Finding> {
    let gains = over(result, Method::Skill)?;
    let percent = |test| Measured::from(test).percent();
    Ok(found
        .estimate(
            format!("{}: promised, %,", result.world.name),
            percent(gains.promised),
            3,
        )
        .estimate("truth", percent(gains.truth), 3)
        .estimate("of the base world", gains.of_base, 3))
}

/// What each kind of world must do to the gain over `SkillMM`.
fn required(found: Finding, result: &WorldResult, populations: u32) -> Result<Finding> {
    let gains = over(result, Method::Skill)?;
    Ok(match result.world.kind {
        WorldKind::Base => found
            .require_above(gains.truth, CLEAR, "a true gain as EOMM assumes")
            .require_above(gains.excess, CLEAR, "there it is more than was promised"),
        WorldKind::Opponent => found.require_above(
            gains.change.reversed(),
            CLEAR,
            "less where one-sided matches repel",
        ),
        WorldKind::Draws => found
            .require_above(gains.change.reversed(), CLEAR, "less where draws get rarer")
            .require_above(gains.truth, CLEAR, "and still a gain"),
        WorldKind::Outcomes | WorldKind::Drift => {
            let near = (estimate(gains.of_base), u64::from(populations));
            let inside = gains.of_base.low > 1.0 - SMALL && gains.of_base.high < 1.0 + SMALL;
            let what = "the same to a fifth where outcomes move players unequally or skills wander";
            found
                .require_near(near, (1.0, SMALL), what)
                .require_enough(inside, "its 95 % interval within that fifth")
        }
        WorldKind::Together => {
            found.require_above(gains.change.reversed(), CLEAR, "less with all four together")
        }
    })
}

fn over(result: &WorldResult, method: Method) -> Result<&Gains> {
    let gains = result.over(method);
    gains.with_context(|| format!("no gain over {} in \"{}\"", method.name(), result.world.name))
}

fn estimate(of: RatioOfMeans) -> Estimate {
    (of.ratio, of.standard_error).into()
}
