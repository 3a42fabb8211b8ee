//! Table 1: churn by the last three outcomes.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use crate::eomm::printed::{PrintedChurn, TABLE_1_ROUNDING};
use crate::eomm::study::{PatternTable, RegionPatterns, pattern_table_of_regions};

pub(crate) const CHECKS: &[Check<EommInputs>] = &[
    Check::new(
        "EOMM-T1-safe",
        Stream(|inputs| level(inputs, inputs.regions()?, SAFE)),
    ),
    Check::new(
        "EOMM-T1-WWW",
        Stream(|inputs| level(inputs, inputs.regions()?, &["WWW"])),
    ),
    Check::new(
        "EOMM-T1-mid",
        Stream(|inputs| level(inputs, inputs.regions()?, MIDDLE)),
    ),
    Check::new(
        "EOMM-T1-high",
        Stream(|inputs| level(inputs, inputs.regions()?, HIGH)),
    ),
    Check::new("EOMM-T1-ratio", Exact(ratio)),
    Check::new("EOMM-T1-order", Exact(order)),
    Check::new("EOMM-T1-nonadd", Exact(interaction)),
];

/// Patterns that the paper calls safe, in the middle and high.
const SAFE: &[&str] = &["DLW", "LLW", "LDW", "DDD"];
const MIDDLE: &[&str] = &["DLL", "LWL", "LDL"];
const HIGH: &[&str] = &["WWL", "LLL"];

fn printed<'a>(paper: &'a [PrintedChurn], pattern: &str) -> Result<&'a PrintedChurn> {
    let row = paper.iter().find(|row| row.patterns.contains(&pattern));
    row.with_context(|| format!("Table 1 has no pattern {pattern}"))
}

/// How far churn may be from the printed one, in percentage points: less than half of the 0.25 between the middle
/// patterns and the high ones.
const TOLERANCE: f64 = 0.12;

/// Churn after these patterns in the generated population, beside the middle of the printed range.
fn level(inputs: &EommInputs, regions: &[RegionPatterns], patterns: &[&str]) -> Result<Finding> {
    let player_matches = regions.iter().map(|region| region.player_matches).sum();
    let found = Finding::new()
        .samples(player_matches, "player-matches")
        .count("player-matches", player_matches)
        .count("regions", regions.len() as u64);
    let table = pattern_table_of_regions(regions);
    Ok(found.and(near(&inputs.paper.table_1, &table, patterns)?))
}

/// Churn after these patterns is near the printed one.
pub(crate) fn near(paper: &[PrintedChurn], table: &PatternTable, patterns: &[&str]) -> Result<Finding> {
    let mut found = Finding::new();
    for &pattern in patterns {
        let Some(row) = table.row(pattern) else {
            let words = format!("{pattern} was never seen: give more players, days or regions");
            found = found.require_enough(false, words);
            continue;
        };
        let (churn, middle) = (row.estimate().times(100.0), printed(paper, pattern)?.middle());
        let off = churn.mean - middle;
        let criterion = format!("{pattern} within 0.12 points of the printed middle, off by {off:.2}");
        found = found.estimate(format!("{pattern}, %:"), churn, 2).require_near(
            (churn, row.n),
            (middle, TOLERANCE),
            criterion,
        );
    }
    Ok(found)
}

fn ratio(inputs: &EommInputs) -> Result<Finding> {
    let high = printed(&inputs.paper.table_1, "LLL")?.middle();
    let safe = printed(&inputs.paper.table_1, "DLW")?;
    let ratios = [high / safe.high, high / safe.middle(), high / safe.low];
    let below_twice = ratios.iter().all(|ratio| (1.85..2.0).contains(ratio));
    Ok(Finding::new()
        .number("lowest", ratios[0], 3)
        .number("middle", ratios[1], 3)
        .number("highest", ratios[2], 3)
        .require(below_twice, "near twice, and below it"))
}

/// Highest churn of the patterns with a win at `place`, and lowest of those with a loss there.
fn most_and_least(rows: &[(String, f64)], place: usize) -> (f64, f64) {
    let with = |letter: u8| {
        let of = rows
            .iter()
            .filter(|(pattern, _)| pattern.as_bytes().get(place) == Some(&letter));
        ends(&of.map(|(_, churn)| *churn).collect::<Vec<_>>())
    };
    (with(b'W').1, with(b'L').0)
}

fn order(inputs: &EommInputs) -> Result<Finding> {
    let mut rows = Vec::new();
    for row in &inputs.paper.table_1 {
        rows.extend(
            row.patterns
                .iter()
                .map(|pattern| (pattern.to_string(), row.middle())),
        );
    }
    let (last_win, last_loss) = most_and_least(&rows, 2);
    let (first_win, first_loss) = most_and_least(&rows, 0);
    let (true_win, true_loss) = most_and_least(&inputs.generator.seven_day.patterns, 2);
    Ok(Finding::new()
        .number("by the last letter, %: wins up to", last_win, 2)
        .number("losses from", last_loss, 2)
        .number("by the first letter: wins up to", first_win, 2)
        .number("losses from", first_loss, 2)
        .number("generator's effects: wins up to", true_win, 3)
        .number("losses from", true_loss, 3)
        .require(last_win < last_loss, "wins below losses if the last is latest")
        .completes_page(first_win > first_loss, "they are not in the other reading")
        .require(true_win < true_loss, "the generator reads patterns the same way"))
}

fn logit(percent: f64) -> f64 {
    (percent / (100.0 - percent)).ln()
}

fn percent(logit: f64) -> f64 {
    100.0 / (1.0 + (-logit).exp())
}

/// Additive logits give WWW - WWL = LLW - LLL, whatever the three effects.
fn interaction(inputs: &EommInputs) -> Result<Finding> {
    let paper = &inputs.paper.table_1;
    let logits = |pattern: &str| -> Result<(f64, f64)> {
        let row = printed(paper, pattern)?;
        let (low, high) = (row.low - TABLE_1_ROUNDING, row.high + TABLE_1_ROUNDING);
        Ok((logit(low), logit(high)))
    };
    let (wwl, llw, lll) = (logits("WWL")?, logits("LLW")?, logits("LLL")?);
    let lowest = percent(wwl.0 + llw.0 - lll.1);
    let highest = percent(wwl.1 + llw.1 - lll.0);
    let www = printed(paper, "WWW")?.middle();
    let truth = |name: &str| {
        let patterns = &inputs.generator.seven_day.patterns;
        let effect = patterns.iter().find(|(pattern, _)| pattern == name);
        let (_, effect) = effect.with_context(|| format!("the generator has no {name}"))?;
        Ok::<f64, anyhow::Error>(*effect)
    };
    let excess = truth("WWW")? - truth("WWL")? - (truth("LLW")? - truth("LLL")?);
    Ok(Finding::new()
        .number("additive logits allow, %, from", lowest, 2)
        .number("to", highest, 2)
        .number("printed", www, 2)
        .number("interaction in the generator", excess, 3)
        .require(
            www - TABLE_1_ROUNDING > highest,
            "the printed churn after three wins is above all that an additive logit allows",
        )
        .require(excess > 0.1, "the generator's effects interact as well")
        .ours())
}
