//! Rounds against matches at once, in simulated evenings: AWN-hots, spread.

use super::inputs::AwesomenautsInputs;
use crate::check::prelude::*;
use crate::check::queues::{queue_params, table};
use crate::check::simulated::{ENOUGH_WORLDS, figure, matches, mismatch_from, wait_from, waits};
use matchwright_sim::simulate::{Figure, Measured};
use matchwright_sim::statistics::MeanTest;

pub(crate) const CHECKS: &[Check<AwesomenautsInputs>] = &[
    Check::new("AWN-hots", Search(schools)),
    Check::new("AWN-spread", Search(spread)),
];

/// The places of the policies.
const ROUNDS: usize = 0;
const AT_ONCE: usize = 1;
/// Professionals: two standard deviations above the mean, points.
const PROFESSIONAL: f64 = 16_000.0;
/// Regions with less than a twentieth of the players.
const FAR: [&str; 3] = ["region oce", "region sa", "region sea"];

/// How much longer those far away wait than Europeans, seconds.
fn far_longer(found: &Measured) -> Option<f64> {
    let europe = waits(found, "region eu")?.mean?;
    let far = FAR.iter().filter_map(|region| waits(found, region));
    let longer = far.filter_map(|waits| Some((waits.mean? - europe, waits.tickets as f64)));
    let (sum, all) = longer.fold((0.0, 0.0), |(sum, all), (longer, tickets)| {
        (sum + longer * tickets, all + tickets)
    });
    (all > 0.0).then(|| sum / all)
}

pub(crate) fn schools(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let report = inputs.schools()?;
    let sooner = report.difference((ROUNDS, AT_ONCE), figure(Figure::WaitMean))?;
    let worse = report.difference((AT_ONCE, ROUNDS), figure(Figure::Mismatch))?;
    let far = report.mean(AT_ONCE, far_longer)?;
    let far_in_rounds = report.mean(ROUNDS, far_longer)?;
    let cap = queue_params(&table(&inputs.evenings.policies[AT_ONCE])?)?.longest_wait;
    let cap = cap.context("a policy without a longest wait")?;
    let longest = report.values(AT_ONCE, |found| Some(waits(found, "all")?.longest))?;
    let most = longest.into_iter().fold(0.0, f64::max);
    Ok(Finding::new()
        .samples(report.worlds.len(), "worlds")
        .estimate(
            "rounds: mean wait, s",
            report.mean(ROUNDS, figure(Figure::WaitMean))?,
            1,
        )
        .estimate(
            "at once: mean wait, s",
            report.mean(AT_ONCE, figure(Figure::WaitMean))?,
            1,
        )
        .estimate(
            "rounds: quality",
            quality(report.mean(ROUNDS, figure(Figure::Mismatch))?),
            4,
        )
        .estimate(
            "at once: quality",
            quality(report.mean(AT_ONCE, figure(Figure::Mismatch))?),
            4,
        )
        .estimate("quality that rounds gain", worse, 4)
        .estimate("at once: far away wait longer than Europe, s", far, 1)
        .estimate("in rounds, s", far_in_rounds, 1)
        .number("at once: longest wait, s", most, 0)
        .require_enough(report.is_enough(), format!("{ENOUGH_WORLDS} worlds or more"))
        .require_above(sooner, 3.0, "matches at once start sooner")
        .require_above(worse, 3.0, "rounds make better matches")
        .require_above(far, 3.0, "at once, who lives where few do waits longer")
        .require_tested(
            far_in_rounds.difference.abs() < far.difference / 3.0,
            far_in_rounds,
            "in rounds by less than a third of that",
        )
        .require(
            most <= cap + 60.0,
            "who waited too long gets a match: nobody plays later than a minute after the longest wait",
        ))
}

/// Of a mismatch, which is what quality lacks of 1.
fn quality(mismatch: MeanTest) -> MeanTest {
    MeanTest {
        difference: 1.0 - mismatch.difference,
        ..mismatch
    }
}

pub(crate) fn spread(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let report = inputs.schools()?;
    let apart = |found: &Measured| {
        let ping = |group| matches(found, group)?.ping;
        Some(ping("party from two regions")? - ping("party from one region")?)
    };
    let longer = |found: &Measured| Some(wait_from(found, PROFESSIONAL)? - waits(found, "all")?.mean?);
    let worse =
        |found: &Measured| Some(mismatch_from(found, PROFESSIONAL)? - matches(found, "all")?.mismatch?);
    let mut found = Finding::new().samples(report.worlds.len(), "worlds");
    for (name, policy) in [("rounds", ROUNDS), ("at once", AT_ONCE)] {
        let (apart, worse) = (report.mean(policy, apart)?, report.mean(policy, worse)?);
        found = found
            .estimate(
                format!("{name}: ping of parties from two regions more, ms"),
                apart,
                0,
            )
            .estimate(
                format!("{name}: professionals wait longer, s"),
                report.mean(policy, longer)?,
                1,
            )
            .estimate(format!("{name}: their matches lose quality"), worse, 4)
            .require_above(apart, 4.0, "parties from two regions have the higher ping")
            .require_above(worse, 3.0, "professionals play worse matches");
    }
    let gained = report.difference((AT_ONCE, ROUNDS), longer)?;
    let found = found.completes_page(
        gained.t > 3.0,
        "it is at once that they wait longer as well: in rounds all wait alike",
    );
    Ok(found.require_enough(report.is_enough(), format!("{ENOUGH_WORLDS} worlds or more")))
}
