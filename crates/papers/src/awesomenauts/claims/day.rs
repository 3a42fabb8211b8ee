//! How long rounds take to gather their players over a day: AWN-wait, and the day of AWN-batch100.

use super::inputs::AwesomenautsInputs;
use crate::awesomenauts::days::{DaysReport, HeldRound};
use crate::check::prelude::*;
use crate::check::simulated::ENOUGH_WORLDS;
use crate::check::verdict::Measured;
use matchwright_sim::statistics::{MeanTest, paired_test};

pub(crate) const CHECKS: &[Check<AwesomenautsInputs>] = &[Check::new("AWN-wait", Search(gathering))];

/// Players of a full round.
const FULL: f64 = 100.0;
/// Five minutes, in seconds.
const FIVE: f64 = 300.0;
/// Hours that are called busy, or quiet.
const SOME: usize = 3;

/// The busiest hours of all days together, or the quietest in which anyone came.
fn hours(report: &DaysReport, busy: bool) -> Vec<usize> {
    let came = |hour: usize| report.days.iter().map(|day| day.came[hour]).sum::<f64>();
    let mut hours: Vec<usize> = (0..24).filter(|&hour| came(hour) > 0.0).collect();
    hours.sort_by(|&a, &b| came(a).total_cmp(&came(b)));
    if busy {
        hours.reverse();
    }
    hours.truncate(SOME);
    hours
}

fn mean(report: &DaysReport, hours: &[usize], of: impl Fn(&HeldRound) -> f64) -> Result<MeanTest> {
    let values = report.values(|day| day.mean(hours, &of));
    Ok(paired_test(values.context("a day without rounds in some hours")?))
}

/// Rounds held when a hundred have come, without a clock and a longest wait.
fn gathering(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let report = inputs.gathering()?;
    let all: Vec<usize> = (0..24).collect();
    let busy = mean(report, &hours(report, true), |round| round.gathered)?;
    let quiet = mean(report, &hours(report, false), |round| round.gathered)?;
    let over = mean(report, &all, |round| f64::from(u8::from(round.gathered >= FIVE)))?;
    let players = mean(report, &all, |round| round.players as f64)?;
    let off = (players.difference - FULL).abs();
    Ok(Finding::new()
        .samples(report.days.len(), "days")
        .estimate(
            "seconds until a round is full, in the three busiest hours",
            busy,
            0,
        )
        .estimate("in the three quietest hours", quiet, 0)
        .estimate(
            "rounds that took five minutes or more, %",
            Measured::from(over).percent(),
            1,
        )
        .estimate("players of a round", players, 1)
        .require_enough(
            report.days.len() >= ENOUGH_WORLDS,
            format!("{ENOUGH_WORLDS} days or more"),
        )
        .require(
            off < 3.0,
            "a round has a hundred players, or one or two more for the sake of a party",
        )
        .require_below(
            busy,
            240.0,
            "when most play, a round is full in a couple of minutes",
        )
        .require_above(over, 4.0, "some rounds take five minutes or more")
        .require_below(
            quiet.reversed(),
            -FIVE,
            "in the quietest hours they take more on the mean",
        ))
}

/// The rounds of the policy as it is, over a day.
pub(crate) fn day(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let report = inputs.days()?;
    let (busy, quiet) = (hours(report, true), hours(report, false));
    let players = |round: &HeldRound| round.players as f64;
    let (most, fewest) = (mean(report, &busy, players)?, mean(report, &quiet, players)?);
    let period = mean(report, &busy, |round| round.gathered)?;
    let rounds = || report.days.iter().flat_map(|day| &day.rounds);
    let full = rounds().filter(|round| round.players as f64 >= FULL).count();
    Ok(Finding::new()
        .estimate("over a day: players of a round in the three busiest hours", most, 1)
        .estimate("seconds from round to round there", period, 0)
        .estimate("players of a round in the three quietest hours", fewest, 1)
        .number("full rounds, %", 100.0 * full as f64 / rounds().count().max(1) as f64, 1)
        .require_enough(report.days.len() >= ENOUGH_WORLDS, format!("{ENOUGH_WORLDS} days or more"))
        .require_below(period, 240.0, "a round every couple of minutes when most play")
        .completes_page(
            full > 0 && fewest.difference < 0.5 * FULL,
            "the hundred within the clock's time are there in busy hours alone: rounds of quiet ones have less than half",
        ))
}
