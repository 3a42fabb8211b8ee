//! Offence and defence of a base: DOM-OD, 10-60, notgood.

use super::inputs::DominationsInputs;
use crate::check::prelude::*;
use crate::dominations::printed::{DEFENCE_LEAD, DEFENCE_WIN};
use matchwright_rating::{BaseOdds, BaseOddsParams, BaseRating};

pub(crate) const CHECKS: &[Check<DominationsInputs>] = &[
    Check::new("DOM-OD", Exact(two_ratings)),
    Check::new("DOM-10-60", Exact(ten_percent)),
    Check::new("DOM-notgood", Exact(not_good)),
];

fn chance(odds: &BaseOdds, a: (f64, f64), b: (f64, f64)) -> Result<f64> {
    let (a, b) = (BaseRating::new(a.0, a.1)?, BaseRating::new(b.0, b.1)?);
    Ok(odds.win_probability(&a, &b))
}

fn two_ratings(inputs: &DominationsInputs) -> Result<Finding> {
    let odds = inputs.bases.build()?;
    let base = BaseRating::new(300.0, 700.0)?;
    let even = (1_000.0, 1_000.0);
    let attack = chance(&odds, (1_100.0, 1_000.0), even)?;
    let defence = chance(&odds, (1_000.0, 1_100.0), even)?;
    let trade = chance(&odds, (1_100.0, 1_000.0), (1_000.0, 1_100.0))?;
    let numbers = (base.offence(), base.defence());
    Ok(Finding::new()
        .number("win with 10 % more offence", attack, 4)
        .number("with 10 % more defence", defence, 4)
        .number("one against the other", trade, 4)
        .require(numbers == (300.0, 700.0), "two numbers that do not mix")
        .require(attack > 0.5 && defence > 0.5, "either raises the chance alone")
        .note("what offence is worth beside defence is not printed: as much, since both sides attack"))
}

pub(crate) fn ten_percent(inputs: &DominationsInputs) -> Result<Finding> {
    let odds = inputs.bases.build()?;
    let calibrated = BaseOddsParams::default().calibrated(DEFENCE_LEAD, DEFENCE_WIN);
    let (ours, exponent) = (inputs.bases.exponent, calibrated.exponent);
    let even = (1_000.0, 1_000.0);
    let win = chance(&odds, (1_000.0, 1_000.0 * (1.0 + DEFENCE_LEAD)), even)?;
    let mut off = 0.0;
    for k in -40..=40 {
        let defence = 1_000.0 * (0.05 * f64::from(k)).exp();
        let ours = chance(&odds, (1_000.0, defence), even)?;
        let theirs = chance(&odds, even, (1_000.0, defence))?;
        deviate(&mut off, ours + theirs, 1.0);
    }
    // What (A - B)/B would give, calibrated at the same point.
    let slope = (DEFENCE_WIN / (1.0 - DEFENCE_WIN)).ln() / DEFENCE_LEAD;
    let percent = |a: f64, b: f64| 1.0 / (1.0 + (-slope * (a - b) / b).exp());
    let sum = percent(1.1, 1.0) + percent(1.0, 1.1);
    Ok(Finding::new()
        .number("exponent", ours, 4)
        .number("win with a defence 10 % higher", win, 4)
        .number("both sides' chances miss 1 by", off, 3)
        .number("with (A-B)/B they sum to", sum, 4)
        .require((win - DEFENCE_WIN).abs() < 1e-9, "10 % higher wins 60 %")
        .require((ours - exponent).abs() < 1e-9, "the exponent is ln 1.5 / ln 1.1")
        .require(off < 1e-12, "the two sides' chances sum to 1")
        .completes_page(
            (sum - 1.0).abs() > 0.005,
            "those by (A-B)/B, a plain reading, do not",
        ))
}

pub(crate) fn not_good(inputs: &DominationsInputs) -> Result<Finding> {
    let odds = inputs.bases.build()?;
    let even = BaseRating::new(1_000.0, 1_000.0)?;
    let good = |factor: (f64, f64)| -> Result<bool> {
        let other = BaseRating::new(1_000.0 * factor.0, 1_000.0 * factor.1)?;
        Ok(odds.is_good_match(&even, &other) && odds.is_good_match(&other, &even))
    };
    let most = 1.0 + DEFENCE_LEAD;
    let mut refused = !good((most, most))?;
    for lead in [most, 1.0 / most] {
        refused &= !good((lead, 1.0))? && !good((1.0, lead))?;
    }
    let limit = odds.params().good_delta;
    let (ahead, alike) = ((1_000.0, 1_000.0 * (1.0 + limit)), (1_000.0, 1_000.0));
    let win = chance(&odds, ahead, alike)?;
    Ok(Finding::new()
        .number("good up to a difference of, %", 100.0 * limit, 1)
        .number("win at that limit of one rating", win, 4)
        .require(refused, "10 % in either rating is no good match")
        .require(good((1.0, 1.0))?, "equals are one"))
}
