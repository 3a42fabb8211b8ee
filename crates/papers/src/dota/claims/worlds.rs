//! What the policy does in simulated worlds: DOTA-winrate, C7, tune.

use super::inputs::DotaInputs;
use crate::check::prelude::*;
use crate::check::queues::{queue_params, table};
use crate::check::simulated::{ENOUGH_WORLDS, figure, waits};
use crate::dota::run_win_rates;
use matchwright_sim::simulate::{Figure, Measured, OVERDUE};

pub(crate) const CHECKS: &[Check<DotaInputs>] = &[
    Check::new("DOTA-winrate", Search(win_rate)),
    Check::new("DOTA-C7", Search(overdue)),
    Check::new("DOTA-tune", Search(tune)),
];

/// The places of the policies in the worlds of [`DotaInputs::worlds_run`].
pub(crate) const DOTA: usize = 0;
pub(crate) const RANDOM: usize = 1;
const NO_LONGEST_WAIT: usize = 2;
/// "Nothing", as it was said before the first run: percentage points of win rate, no surer than a player's own is after
/// 2,500 matches.
const NOTHING: f64 = 2.0;
/// Seconds beyond the longest wait: four proposals of 45 s that time out, which one ticket in a thousand meets.
const GRACE: f64 = 180.0;

/// The win rate of the best fourth of the players less that of the weakest, percentage points.
fn best_over_weakest(found: &Measured) -> Option<f64> {
    let share = |place: usize| found.games.get(place)?.win_share();
    Some(100.0 * (share(3)? - share(0)?))
}

pub(crate) fn win_rate(inputs: &DotaInputs) -> Result<Finding> {
    let report = inputs.worlds_run()?;
    let balanced = report.mean(DOTA, best_over_weakest)?;
    let random = report.mean(RANDOM, best_over_weakest)?;
    let mut found = Finding::new()
        .samples(report.worlds.len(), "worlds")
        .estimate(
            "win rate of the best fourth of the players above that of the weakest, percentage points",
            balanced,
            2,
        )
        .estimate("the same in random matches", random, 2);
    for (games, r) in run_win_rates(&inputs.win_rates, inputs.seed)? {
        found = found.estimate(
            format!("where ratings move: correlation of win rate and skill after {games} games"),
            r,
            2,
        );
    }
    Ok(found
        .require_enough(report.is_enough(), format!("{ENOUGH_WORLDS} worlds or more"))
        .require_above(random, 4.0, "in random matches the win rate tells skill")
        .require(
            balanced.difference <= NOTHING,
            "under the policy the best fourth win at most two percentage points more than the weakest",
        ))
}

pub(crate) fn overdue(inputs: &DotaInputs) -> Result<Finding> {
    let report = inputs.worlds_run()?;
    let cap = queue_params(&table(&inputs.policy)?)?.longest_wait;
    let cap = cap.context("a policy without a longest wait")?;
    let longest = |found: &Measured| Some(waits(found, "all")?.longest);
    let longer = report.difference((NO_LONGEST_WAIT, DOTA), longest)?;
    let most = report.values(DOTA, longest)?.into_iter().fold(0.0, f64::max);
    Ok(Finding::new()
        .samples(report.worlds.len(), "worlds")
        .estimate("mean wait, s", report.mean(DOTA, figure(Figure::WaitMean))?, 1)
        .estimate(
            format!("without a match within {OVERDUE} s, %"),
            report.mean(DOTA, figure(Figure::Overdue))?,
            2,
        )
        .estimate(
            "wait within which 90 % had a match, s",
            report.mean(DOTA, figure(Figure::Wait90))?,
            0,
        )
        .number("longest wait of all worlds, s", most, 0)
        .estimate(
            "longest wait without the policy's own, s",
            report.mean(NO_LONGEST_WAIT, longest)?,
            0,
        )
        .require_enough(report.is_enough(), format!("{ENOUGH_WORLDS} worlds or more"))
        .require(
            most <= cap + GRACE,
            format!("nobody plays later than {GRACE} s after the policy's longest wait"),
        )
        .completes_page(
            longer.t > 3.0,
            "it is a longest wait that does so: by the falling threshold alone some wait longer",
        ))
}

pub(crate) fn tune(inputs: &DotaInputs) -> Result<Finding> {
    let (report, thresholds) = (inputs.thresholds_run()?, &inputs.thresholds);
    let mut found = Finding::new()
        .samples(report.worlds.len(), "worlds")
        .require_enough(report.is_enough(), format!("{ENOUGH_WORLDS} worlds or more"));
    for (place, quality) in thresholds.iter().enumerate() {
        for (name, of, decimals) in [
            ("mean area, gold min", Figure::Balance, 0),
            ("area that 90 % do not exceed", Figure::Balance90, 0),
            ("mean wait, s", Figure::WaitMean, 1),
        ] {
            let name = format!("threshold {quality}: {name}");
            found = found.estimate(name, report.mean(place, figure(of))?, decimals);
        }
    }
    let last = thresholds.len() - 1;
    for (of, what) in [
        (Figure::Balance, "the lowest threshold has the larger mean area"),
        (
            Figure::Balance90,
            "and the larger area of the most lopsided tenth",
        ),
    ] {
        let more = report.difference((0, last), figure(of))?;
        found = found
            .estimate(format!("{what}, by"), more, 0)
            .require_above(more, 3.0, what);
    }
    let longer = report.difference((last, 0), figure(Figure::WaitMean))?;
    Ok(found.require_above(longer, 3.0, "the highest has the longer waits"))
}
