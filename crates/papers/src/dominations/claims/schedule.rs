//! K: DOM-Kmax, Knew, Kstreak, Khigh, shark.

use crate::dominations::{NewcomersConfig, run_newcomers};
use anyhow::Result;
use matchwright_rating::{DomMmr, DomRating, GameResult, RatingSystem, Score};

use crate::claims::inputs::Inputs;
use crate::claims::numbers::larger;
use crate::claims::{Check, Found};

pub(crate) const CHECKS: &[Check] = &[
    Check::exact("DOM-Kmax", most),
    Check::exact("DOM-Knew", newcomers),
    Check::exact("DOM-Kstreak", streaks),
    Check::exact("DOM-Khigh", high),
    Check::exact("DOM-shark", sharks),
];

/// Ratings of all kinds: low and high, new and old, with and without a streak.
fn all_kinds() -> Result<Vec<DomRating>> {
    let mut kinds = Vec::new();
    for glory in [8_000.0, 11_500.0, 12_000.0, 14_900.0, 15_100.0, 20_000.0] {
        for games in [0, 3, 12, 300] {
            for streak in [-20, -3, 0, 2, 5] {
                if i32::try_from(games)? >= i32::abs(streak) {
                    kinds.push(DomRating::new(glory, games, streak)?);
                }
            }
        }
    }
    Ok(kinds)
}

fn most(inputs: &Inputs) -> Result<Found> {
    let dom = inputs.ratings.dom.check()?;
    let kinds = all_kinds()?;
    let (mut excess, mut nearest, mut games) = (f64::NEG_INFINITY, 0.0_f64, 0);
    for player in &kinds {
        for opponent in &kinds {
            for score in [Score::WIN, Score::LOSS] {
                let after = dom.update(player, 0.0, &[GameResult::new(*opponent, score)]);
                let moved = (after.glory() - player.glory()).abs();
                let k = (inputs.ratings.dom_k)(&dom, player);
                excess = larger(excess, moved - k);
                nearest = larger(nearest, moved / k);
                games += 1;
            }
        }
    }
    Ok(Found::new()
        .count("games tried", games)
        .number("most points as a share of K", nearest, 4)
        .require(excess <= 1e-9, "no war moves more than K")
        .require(nearest > 0.99, "a surprise moves nearly all of it"))
}

fn k_of(inputs: &Inputs, dom: &DomMmr, glory: f64, games: u32, streak: i32) -> Result<f64> {
    Ok((inputs.ratings.dom_k)(
        dom,
        &DomRating::new(glory, games, streak)?,
    ))
}

fn newcomers(inputs: &Inputs) -> Result<Found> {
    let dom = inputs.ratings.dom.check()?;
    let settled = k_of(inputs, &dom, 12_000.0, 300, 0)?;
    let mut several = 0;
    while several < 300 && k_of(inputs, &dom, 12_000.0, several, 0)? > settled {
        several += 1;
    }
    let mut never_less = true;
    for games in 0..400 {
        never_less &= k_of(inputs, &dom, 12_000.0, games, 0)? >= settled;
    }
    Ok(Found::new()
        .number("K of a new alliance", k_of(inputs, &dom, 12_000.0, 0, 0)?, 0)
        .number("settled", settled, 0)
        .count("for so many wars", several.into())
        .require(
            (2..=50).contains(&several),
            "a larger K for the first several wars, and no longer",
        )
        .require(never_less, "never a smaller one for being new"))
}

fn streaks(inputs: &Inputs) -> Result<Found> {
    let dom = inputs.ratings.dom.check()?;
    let k = |streak| k_of(inputs, &dom, 12_000.0, 300, streak);
    let (none, won, lost, long) = (k(0)?, k(4)?, k(-4)?, k(30)?);
    // Through games, not only through a rating that was made.
    let mut alliance = DomRating::new(12_000.0, 300, 0)?;
    for _ in 0..4 {
        let opponent = DomRating::new(alliance.glory(), 300, 0)?;
        alliance = dom.update(&alliance, 0.0, &[GameResult::new(opponent, Score::WIN)]);
    }
    let played = k_of(inputs, &dom, 12_000.0, 304, alliance.streak())?;
    Ok(Found::new()
        .number("K without a streak", none, 0)
        .number("after four wins", won, 0)
        .number("after four losses", lost, 0)
        .number("after thirty wins", long, 0)
        .require(won != none && lost != none, "several wins or losses change K")
        .require(k(1)? == none && k(-1)? == none, "one does not")
        .require(
            alliance.streak() == 4 && played == won,
            "four wars won are such a streak",
        ))
}

fn high(inputs: &Inputs) -> Result<Found> {
    let dom = inputs.ratings.dom.check()?;
    let from = inputs.ratings.dom.high_from;
    let settled = k_of(inputs, &dom, 12_000.0, 300, 0)?;
    let top = k_of(inputs, &dom, from, 300, 0)?;
    let mut off = true;
    for streak in -50..=50 {
        off &= k_of(inputs, &dom, from + 500.0, 300, streak)? == top;
    }
    Ok(Found::new()
        .number("high from, points", from, 0)
        .number("K there", top, 0)
        .number("K below", settled, 0)
        .require(off, "streaks do not count")
        .require(top != settled, "K is another")
        .require(from > 12_000.0 && from < 1e6, "high, but within reach"))
}

fn sharks(inputs: &Inputs) -> Result<Found> {
    let config = NewcomersConfig {
        dom: inputs.ratings.dom,
        ..inputs.ratings.newcomers.clone()
    };
    let report = run_newcomers(&config, inputs.seed)?;
    let start = config.dom.initial;
    let mut found = Found::new().number("constant K", report.constant_k, 0);
    for row in &report.rows {
        let (half, win) = (&row.half_difference, &row.win_difference);
        if row.strength > start {
            found = found
                .estimate(
                    format!("strength {}: wars to half way sooner by", row.strength),
                    -half.difference,
                    half.standard_error,
                    2,
                )
                .require(half.t < -4.0, "strong newcomers leave the low pool sooner");
        }
        if row.strength < start {
            found = found
                .estimate(
                    format!("strength {}: first win sooner by", row.strength),
                    -win.difference,
                    win.standard_error,
                    2,
                )
                .require(win.t < -4.0, "weak newcomers find their first win sooner");
        }
    }
    let (strong, weak) = (
        report.rows.iter().any(|row| row.strength > start),
        report.rows.iter().any(|row| row.strength < start),
    );
    Ok(found.require(strong && weak, "both kinds were followed"))
}
