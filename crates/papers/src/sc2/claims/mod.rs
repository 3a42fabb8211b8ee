//! StarCraft II: "Understanding The Matchmaking System in Starcraft II", 2011. The layers of the ladder: SC2-rate,
//! points, sma10; [`forensics`], [`ladders`] and [`lists`] have the others.

pub(crate) mod forensics;
pub(crate) mod inputs;
pub(crate) mod ladders;
pub(crate) mod lists;

use self::inputs::Sc2Inputs;
use crate::check::prelude::*;
use crate::sc2::{PointsConfig, run_points};
use matchwright_rating::{AveragedParams, EloParams, GameResult, MovingAverage, RatingSystem, Score};

/// The checks, theme by theme.
pub(crate) const CHECKS: &[&[Check<Sc2Inputs>]] =
    &[LAYERS, forensics::CHECKS, ladders::CHECKS, lists::CHECKS];

const LAYERS: &[Check<Sc2Inputs>] = &[
    Check::new("SC2-rate", Exact(rate)),
    Check::new("SC2-points", Exact(points)),
    Check::new("SC2-sma10", Exact(average)),
];

pub(crate) fn rate(inputs: &Sc2Inputs) -> Result<Finding> {
    let pool = inputs.pool.build()?;
    let week = pool.points_in(7.0 * 24.0 * 60.0);
    let (one, two) = (pool.minutes_for(1.0), pool.minutes_for(2_671.0 - 2_669.0));
    // A week of rating periods, whatever their length.
    let periods = 7.0 * 1_440.0 / pool.params().minutes_per_period;
    let accrued = pool.accrued(0.0, periods);
    let all = [one, week, two];
    Ok(Finding::new()
        .number("minutes a point", one, 0)
        .number("points a week", week, 1)
        .number("minutes from 2669 to 2671", two, 0)
        .require(all == [112.0, 90.0, 224.0], "112 minutes, 90 points, 224 minutes")
        .require((accrued - week).abs() < 1e-9, "a week of periods adds that"))
}

fn points(inputs: &Sc2Inputs) -> Result<Finding> {
    let config = PointsConfig {
        pool: inputs.pool,
        ..inputs.points.clone()
    };
    let rows = run_points(&config, inputs.seed)?;
    let mut found = Finding::new().samples(config.players, "players of each kind");
    for row in &rows {
        let kind = if row.with_pool { "with" } else { "without" };
        let (r, error) = (row.correlation.mean, row.correlation.standard_error);
        found = found
            .estimate(format!("{:.3} won, {kind} the pool", row.won), (r, error), 3)
            .require(row.won <= 0.5, "at most half of the games won");
        found = if row.with_pool {
            let clear = r - 4.0 * error > 0.9 && row.gained > 0.95;
            found.require(
                clear,
                "points follow games with the pool, r above 0.9, and nearly all gain",
            )
        } else {
            found.require(
                r + 4.0 * error < 0.45,
                "without it they do not, r below half of that",
            )
        };
    }
    let busy = PointsConfig {
        games_per_week: inputs.busy_games,
        win_shares: vec![0.5],
        ..config
    };
    let busy = run_points(&busy, inputs.seed)?;
    let busy = busy
        .iter()
        .find(|row| row.with_pool)
        .context("a season with the pool")?;
    let (r, error) = (busy.correlation.mean, busy.correlation.standard_error);
    Ok(found
        .estimate("of players who run out of it", (r, error), 3)
        .require(
            rows.iter().any(|row| row.with_pool) && rows.iter().any(|row| !row.with_pool),
            "seasons with and without the pool",
        )
        .completes_page(
            r + 4.0 * error < 0.45,
            "as long as it lasts: nor do they where the pool is spent",
        ))
}

fn average(inputs: &Sc2Inputs) -> Result<Finding> {
    let average = inputs.shown_average;
    let elo = EloParams::default().build()?;
    let ladder = AveragedParams {
        average,
        ..AveragedParams::default()
    }
    .wrap(elo)?;
    let mut rating = ladder.initial();
    let (mut after, mut off) = (Vec::new(), 0.0);
    for game in 0..40 {
        let score = if game % 3 == 0 { Score::LOSS } else { Score::WIN };
        rating = ladder.update(&rating, 0.0, &[GameResult::new(ladder.initial(), score)]);
        after.push(rating.inner().value());
        if after.len() >= 10 {
            let last = &after[after.len() - 10..];
            let mean = last.iter().sum::<f64>() / 10.0;
            let of_window = average.value(rating.window()).unwrap_or(f64::NAN);
            let of_list = average.of(&after).unwrap_or(f64::NAN);
            deviate(&mut off, of_window, mean);
            deviate(&mut off, of_list, mean);
        }
    }
    let simple = matches!(average, MovingAverage::Simple { games: 10 });
    Ok(Finding::new()
        .number("after 40 games off the mean of the last ten by", off, 3)
        .number("its lag, games", average.lag_games(), 1)
        .require(off < 1e-9, "the mean of the ratings after the last ten games")
        .require(simple, "the simple average over ten games"))
}
