//! K: DOM-Kmax, Knew, Kstreak, Khigh, shark.

use super::inputs::DominationsInputs;
use super::league::{league, sharks};
use crate::check::prelude::*;
use crate::dominations::{NewcomerReport, NewcomerRow, NewcomersConfig, run_newcomers};
use matchwright_rating::{
    DomMmr, DomMmrParams, DomRating, GameResult, Glicko2Rating, RatingEstimate, RatingSystem, Score,
};
use matchwright_sim::statistics::MeanTest;

pub(crate) const CHECKS: &[Check<DominationsInputs>] = &[
    Check::new("DOM-Kmax", Exact(|inputs| most(inputs, DomMmr::k))),
    Check::new("DOM-Knew", Exact(newcomers)),
    Check::new("DOM-Kstreak", Exact(streaks)),
    Check::new("DOM-Khigh", Exact(high)),
    Check::new("DOM-glicko2", Exact(twenty_wins)),
    Check::new(
        "DOM-shark",
        Exact(|inputs| {
            // Without streaks, which would make up for a newcomer's K.
            let dom = DomMmrParams {
                streak_step: 0.0,
                ..inputs.system
            };
            let config = NewcomersConfig {
                dom,
                ..inputs.newcomers.clone()
            };
            let report = run_newcomers(&config, inputs.seed)?;
            let found = Finding::new().number("constant K", report.constant_k, 0);
            let found = found.and(weak_newcomers(&report)).and(strong_newcomers(&report));
            Ok(found.and(sharks(&league(inputs)?)))
        }),
    ),
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

pub(crate) fn most(inputs: &DominationsInputs, k_of: fn(&DomMmr, &DomRating) -> f64) -> Result<Finding> {
    let dom = inputs.system.build()?;
    let kinds = all_kinds()?;
    let (mut excess, mut nearest, mut games) = (f64::NEG_INFINITY, 0.0_f64, 0);
    for player in &kinds {
        for opponent in &kinds {
            for score in [Score::WIN, Score::LOSS] {
                let after = dom.update(player, 0.0, &[GameResult::new(*opponent, score)]);
                let moved = (after.glory() - player.glory()).abs();
                let k = k_of(&dom, player);
                excess = larger(excess, moved - k);
                nearest = larger(nearest, moved / k);
                games += 1;
            }
        }
    }
    Ok(Finding::new()
        .count("games tried", games)
        .number("most points as a share of K", nearest, 4)
        .require(excess <= 1e-9, "no war moves more than K")
        .require(nearest > 0.99, "a surprise moves nearly all of it"))
}

fn k_of(dom: &DomMmr, glory: f64, games: u32, streak: i32) -> Result<f64> {
    let rating = DomRating::new(glory, games, streak)?;
    Ok(dom.k(&rating))
}

fn newcomers(inputs: &DominationsInputs) -> Result<Finding> {
    let dom = inputs.system.build()?;
    let settled = k_of(&dom, 12_000.0, 300, 0)?;
    let mut several = 0;
    while several < 300 && k_of(&dom, 12_000.0, several, 0)? > settled {
        several += 1;
    }
    let mut never_less = true;
    for games in 0..400 {
        never_less &= k_of(&dom, 12_000.0, games, 0)? >= settled;
    }
    let few = (2..=50).contains(&several);
    Ok(Finding::new()
        .number("K of a new alliance", k_of(&dom, 12_000.0, 0, 0)?, 0)
        .number("settled", settled, 0)
        .count("for so many wars", several.into())
        .require(few, "a larger K for the first several wars, and no longer")
        .require(never_less, "never a smaller one for being new"))
}

fn streaks(inputs: &DominationsInputs) -> Result<Finding> {
    let dom = inputs.system.build()?;
    let k = |streak| k_of(&dom, 12_000.0, 300, streak);
    let (none, won, lost, long) = (k(0)?, k(4)?, k(-4)?, k(30)?);
    // Through games, not only through a rating that was made.
    let mut alliance = DomRating::new(12_000.0, 300, 0)?;
    for _ in 0..4 {
        let opponent = DomRating::new(alliance.glory(), 300, 0)?;
        alliance = dom.update(&alliance, 0.0, &[GameResult::new(opponent, Score::WIN)]);
    }
    let played = k_of(&dom, 12_000.0, 304, alliance.streak())?;
    Ok(Finding::new()
        .number("K without a streak", none, 0)
        .number("after four wins", won, 0)
        .number("after four losses", lost, 0)
        .number("after thirty wins", long, 0)
        .require(won != none && lost != none, "several wins or losses change K")
        .require(k(1)? == none && k(-1)? == none, "one does not")
        .require(alliance.streak() == 4 && played == won, "four wins are a streak"))
}

fn high(inputs: &DominationsInputs) -> Result<Finding> {
    let dom = inputs.system.build()?;
    let from = inputs.system.high_from;
    let settled = k_of(&dom, 12_000.0, 300, 0)?;
    let top = k_of(&dom, from, 300, 0)?;
    let mut off = true;
    for streak in -50..=50 {
        off &= k_of(&dom, from + 500.0, 300, streak)? == top;
    }
    Ok(Finding::new()
        .number("high from, points", from, 0)
        .number("K there", top, 0)
        .number("K below", settled, 0)
        .require(off, "streaks do not count")
        .require(top != settled, "K is another")
        .require(from > 12_000.0 && from < 1e6, "high, but within reach"))
}

/// Strong newcomers leave the low pool sooner under the schedule.
pub(crate) fn strong_newcomers(report: &NewcomerReport) -> Finding {
    sooner(report, 1.0, |row| row.half_difference, "wars to half way sooner")
}

/// Weak newcomers find their first win sooner under the schedule.
pub(crate) fn weak_newcomers(report: &NewcomerReport) -> Finding {
    sooner(report, -1.0, |row| row.win_difference, "first win sooner")
}

/// Newcomers above the start (`side` 1) or below it (`side` -1) get there sooner.
fn sooner(
    report: &NewcomerReport,
    side: f64,
    difference: fn(&NewcomerRow) -> MeanTest,
    what: &str,
) -> Finding {
    let start = report.config.dom.initial;
    let rows = report
        .rows
        .iter()
        .filter(|row| side * (row.strength - start) > 0.0);
    let found = Finding::new()
        .samples(report.config.climb.newcomers, "newcomers of each strength")
        .require(rows.clone().count() > 0, "there are such newcomers");
    rows.fold(found, |found, row| {
        let sooner = difference(row).reversed();
        let name = format!("strength {}: {what}", row.strength);
        let found = found.estimate(format!("{name} by"), sooner, 2);
        found.require_above(sooner, 4.0, name)
    })
}

/// Wars won in a row; a rating period of several has as many as Glickman advises.
const STREAK: usize = 20;
const PERIOD: usize = 10;

/// What a rating gains by one rating period of wins after another, [`STREAK`] wars and one period more, against
/// opponents of its own rating.
fn gains<S>(
    system: &S,
    start: &S::Rating,
    wars: usize,
    opponent: impl Fn(f64) -> Result<S::Rating>,
) -> Result<Vec<f64>>
where
    S: RatingSystem,
    S::Rating: RatingEstimate,
{
    let mut rating = start.clone();
    let mut gains = Vec::new();
    for _ in 0..=STREAK / wars {
        let won = GameResult::new(opponent(rating.rating())?, Score::WIN);
        let next = system.update(&rating, 1.0, &vec![won; wars]);
        gains.push(next.rating() - rating.rating());
        rating = next;
    }
    Ok(gains)
}

/// Glicko-2 beside one K: new alliances, and settled ones by the length of the rating period.
fn twenty_wins(inputs: &DominationsInputs) -> Result<Finding> {
    let glicko2 = inputs.glicko2.build()?;
    let mut found = Finding::new();
    let mut faster = Vec::new();
    for wars in [1, PERIOD] {
        let mut settled = glicko2.initial();
        for period in 0..100 {
            let score = |war: usize| {
                if (war + period).is_multiple_of(2) {
                    Score::WIN
                } else {
                    Score::LOSS
                }
            };
            let games: Vec<_> = (0..wars)
                .map(|war| GameResult::new(settled, score(war)))
                .collect();
            settled = glicko2.update(&settled, 1.0, &games);
        }
        let opponent = |rating| {
            Ok(Glicko2Rating::new(
                rating,
                settled.deviation(),
                settled.volatility(),
            )?)
        };
        let of_settled = gains(&glicko2, &settled, wars, opponent)?;
        let of_new = gains(&glicko2, &glicko2.initial(), wars, opponent)?;
        // The K that moves a settled alliance as far by its first wins.
        let k = 2.0 * of_settled[0] / wars as f64;
        let constant = DomMmrParams::constant_k(k).build()?;
        let of_constant = gains(&constant, &DomRating::new(12_000.0, 300, 0)?, 1, |rating| {
            Ok(DomRating::new(rating, 300, 0)?)
        })?;
        let (last, per_war) = (STREAK / wars, 1.0 / wars as f64);
        let after = |gains: &[f64]| gains[last] * per_war;
        found = found
            .number(
                format!("periods of {wars}: points of a win after 20-0, settled"),
                after(&of_settled),
                2,
            )
            .number("new", after(&of_new), 2)
            .number("with one K", of_constant[STREAK], 2)
            .require(
                of_constant.iter().all(|gain| (gain - 0.5 * k).abs() < 1e-9),
                "one K moves as far by each win",
            )
            .require(
                of_new.iter().all(|gain| gain * per_war > 1.1 * 0.5 * k),
                "Glicko-2 moves a new alliance further throughout, by a tenth at least",
            );
        faster.push(of_settled[last] > 1.1 * of_settled[0]);
    }
    Ok(found.completes_page(
        faster == [false; 2],
        "a settled alliance moves as with one K, to a tenth: its volatility hardly rises",
    ))
}
