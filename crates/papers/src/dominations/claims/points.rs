//! The sum of all points, and the season's pull: DOM-inflate, pull.

use super::inputs::DominationsInputs;
use crate::check::prelude::*;
use crate::dominations::printed::{CENTRE, TOP, TOP_AFTER};
use crate::dominations::{InflationConfig, run_inflation};
use matchwright_rating::{DomRating, GameResult, RatingSystem, Score, SeasonPull};

pub(crate) const CHECKS: &[Check<DominationsInputs>] = &[
    Check::new("DOM-inflate", Exact(inflation)),
    Check::new("DOM-pull", Exact(pull)),
];

fn inflation(inputs: &DominationsInputs) -> Result<Finding> {
    let dom = inputs.system.build()?;
    let mut off = 0.0;
    let player = |glory, games| DomRating::new(glory, games, 0);
    for (a, b) in [
        (player(12_000.0, 0)?, player(12_000.0, 300)?),
        (player(12_800.0, 4)?, player(11_000.0, 50)?),
        (player(15_500.0, 300)?, player(14_500.0, 300)?),
    ] {
        for score in [Score::WIN, Score::LOSS] {
            let surplus = score.value() - dom.expected_score(&a, &b);
            let k = dom.k(&a) - dom.k(&b);
            let after = |one, other, score| dom.update(&one, 0.0, &[GameResult::new(other, score)]).glory();
            let sum = after(a, b, score) + after(b, a, score.reversed());
            let change = sum - a.glory() - b.glory();
            deviate(&mut off, change, k * surplus);
            deviate(&mut off, change, dom.drift(&a, &b, score));
        }
    }
    let config = InflationConfig {
        dom: inputs.system,
        ..inputs.inflation.clone()
    };
    let rows = run_inflation(&config, inputs.seed)?;
    let mut found = Finding::new().number("(K_A-K_B)(S-E) off the ratings' change by", off, 3);
    let (mut ledger_off, mut equal_off) = (0.0, 0.0);
    for row in &rows {
        deviate(&mut ledger_off, row.made - row.destroyed, row.change);
        if row.system == "K of each" {
            let name = format!("points a war, newcomers stronger by {}", row.newcomer_lead);
            found = found
                .number(name, row.net_per_game, 3)
                .require(row.made > 1.0 && row.destroyed > 1.0, "unequal K does both");
        } else {
            equal_off = larger(equal_off, row.made + row.destroyed);
        }
    }
    Ok(found
        .number("points that one K for both sides makes or destroys", equal_off, 3)
        .require(off < 1e-9, "the drift is (K_A - K_B)(S - E)")
        .require(ledger_off < 1e-3, "the ledger agrees with the ratings")
        .require(equal_off < 1e-3, "one K for both sides only moves points")
        .ours())
}

pub(crate) fn pull(inputs: &DominationsInputs) -> Result<Finding> {
    let pull = inputs.pull.build()?;
    let to = |glory: f64| pull.pull(glory);
    let glories: Vec<f64> = (0..=6_000).map(|k| 5.0 * f64::from(k)).collect();
    let order = glories.windows(2).all(|pair| to(pair[0]) < to(pair[1]));
    // Distances from the centre, growing.
    let pulled = |glory: f64| (glory - CENTRE).abs() - (to(glory) - CENTRE).abs();
    let share = |glory: f64| pulled(glory) / (glory - CENTRE).abs();
    let above: Vec<f64> = (1..=180).map(|k| CENTRE + 100.0 * f64::from(k)).collect();
    let below: Vec<f64> = (1..=120).map(|k| CENTRE - 100.0 * f64::from(k)).collect();
    let harder = [&above, &below].into_iter().all(|side| {
        side.windows(2)
            .all(|pair| pulled(pair[0]) < pulled(pair[1]) && share(pair[0]) < share(pair[1]))
    });
    let (low, high) = TOP_AFTER;
    let lands = |from: f64, until: f64| to(from) >= low && to(until) <= high;
    // A top hundred that reaches as high as 22,000.
    let top: Vec<f64> = (0..TOP)
        .map(|k| 16_000.0 + 6_000.0 * k as f64 / (TOP - 1) as f64)
        .collect();
    let within = top.iter().filter(|glory| lands(**glory, **glory));
    let within = within.count() as u64;
    let mut found = Finding::new();
    for glory in [8_000.0, 14_000.0, 16_000.0, 22_000.0] {
        found = found.number(format!("{glory} becomes"), to(glory), 0);
    }
    for (from, until) in [(16_000.0, 20_000.0), (18_000.0, 23_000.0)] {
        let fitted = SeasonPull::calibrated(CENTRE, from..=until, low..=high)?;
        let off = larger((fitted.pull(from) - low).abs(), (fitted.pull(until) - high).abs());
        let params = fitted.params();
        let words = format!("keep {:.3}, hardening {:.2e}", params.keep, params.hardening);
        found = found
            .text(format!("for {from} to {until}"), words)
            .require(off < 1e-6, "a top of another range is taken there too");
    }
    Ok(found
        .count("of a top hundred at 16,000 to 22,000 land in range", within)
        .require(to(CENTRE) == CENTRE, "the centre stays")
        .require(order, "order is kept")
        .require(harder, "the further the harder, in points and as a share")
        .require(within == TOP as u64, "the top hundred in 15,000 to 17,500")
        .note("the document does not print what the top hundred had before")
        .ours())
}
