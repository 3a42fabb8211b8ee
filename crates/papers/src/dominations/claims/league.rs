//! A strong alliance that starts anew: DOM-reboot, and the part of DOM-shark that needs opponents.

use super::inputs::DominationsInputs;
use crate::check::prelude::*;
use crate::dominations::{LeagueReport, NewcomerWorld, run_league};

pub(crate) const CHECKS: &[Check<DominationsInputs>] = &[Check::new("DOM-reboot", Exact(reboot))];

/// From which t on a difference is established.
const CLEAR: f64 = 4.0;

/// The league under the schedule of the inputs.
pub(crate) fn league(inputs: &DominationsInputs) -> Result<LeagueReport> {
    let mut config = inputs.league.clone();
    config.dom = inputs.system;
    run_league(&config, inputs.seed, &inputs.workers())
}

fn cost(world: &NewcomerWorld) -> f64 {
    world.taken - world.taken_if_known
}

fn reboot(inputs: &DominationsInputs) -> Result<Finding> {
    let report = league(inputs)?;
    let first = report.by_k.first().context("no K for newcomers")?;
    let regained = report.config.strength - report.config.dom.initial;
    let mut found = Finding::new()
        .samples(
            report.config.worlds,
            "leagues, the same for each way to rate newcomers",
        )
        .number("it starts so many points below its place:", regained, 0);
    for row in report.by_k.iter().chain(&report.by_deviation) {
        found = found
            .estimate(format!("{}: its opponents lose", row.system), row.mean(cost), 0)
            .require_above(row.test(cost), CLEAR, "its opponents lose by it");
    }
    for two in report.by_k.windows(2).chain(report.by_deviation.windows(2)) {
        let less = two[0].less(&two[1], cost);
        found = found.require_above(less, CLEAR, "the faster newcomers move, the less");
    }
    let (most, least) = (
        first.mean(cost).mean,
        report.by_k.last().map_or(f64::NAN, |row| row.mean(cost).mean),
    );
    Ok(found.completes_page(
        (0.75..1.1).contains(&(most / regained)) && least < 0.5 * most,
        "with one K they lose most of what it regains; with four times the K for newcomers less than half of that",
    ))
}

/// Strong newcomers among opponents: sooner out of the low pool, and fewer wars won there.
pub(crate) fn sharks(report: &LeagueReport) -> Finding {
    let found = Finding::new();
    let [one, other, ..] = &report.by_k[..] else {
        return found.require(false, "a constant K and a larger one for newcomers");
    };
    let half = one.less(other, |world| world.wars_to_half);
    let prey = one.less(other, |world| world.preyed);
    found
        .estimate(
            "among opponents: a strong newcomer's wars to half way sooner by",
            half,
            2,
        )
        .estimate("fewer wars won against far weaker ones", prey, 2)
        .require_above(half, CLEAR, "among opponents too: out of the low pool sooner")
        .require_above(prey, CLEAR, "the weak are beaten by it less often")
}
