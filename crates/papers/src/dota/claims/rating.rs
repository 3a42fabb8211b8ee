//! How the rating moves: DOTA-perf, anom, avg, unc.

use super::inputs::DotaInputs;
use crate::check::prelude::*;
use crate::climb::{Climb, climb};
use crate::dota::{PerformanceConfig, PerformanceReport, run_performance};
use itertools::Itertools;
use matchwright_rating::{
    DotaMmr, GameResult, GaussianRating, PerformanceError, RatingSystem, Score, Side, TeamGame,
    TeamRatingSystem,
};
use matchwright_sim::statistics::{Summary, paired_test};
use rand::RngExt;

pub(crate) const CHECKS: &[Check<DotaInputs>] = &[
    Check::new("DOTA-perf", Exact(performance)),
    Check::new("DOTA-anom", Exact(|inputs| Ok(anomalies(&performances(inputs)?)))),
    Check::new(
        "DOTA-avg",
        Exact(|inputs| averages(inputs, DotaMmr::update_with_performance)),
    ),
    Check::new("DOTA-unc", Exact(uncertainty)),
    Check::new("DOTA-newcomer", Exact(newcomers)),
];

/// Uncertainties from the floor to the most, ascending.
fn uncertainties(dota: &DotaMmr) -> impl Iterator<Item = f64> {
    let (floor, most) = (dota.params().floor, dota.params().max_uncertainty);
    (0..=20).map(move |k| floor + (most - floor) * f64::from(k) / 20.0)
}

fn performances(inputs: &DotaInputs) -> Result<PerformanceReport> {
    let config = PerformanceConfig {
        dota: inputs.system,
        ..inputs.performance.clone()
    };
    run_performance(&config, inputs.seed)
}

fn performance(inputs: &DotaInputs) -> Result<Finding> {
    let dota = inputs.system.build()?;
    let mut shares = Vec::new();
    for u in uncertainties(&dota) {
        let one = GaussianRating::new(2_250.0, u)?;
        let game = TeamGame::new(vec![Side::new(1, [one; 5]), Side::new(2, [one; 5])])?;
        // One of the winners played 600 points better than expected.
        let mut played = vec![vec![2_250.0; 5]; 2];
        played[0][0] += 600.0;
        let by_result = TeamRatingSystem::update(&dota, &game)[0][0].rating() - one.rating();
        let both = dota.update_with_performance(&game, &played)?[0][0].rating() - one.rating();
        shares.push(((both - by_result) / by_result, both - by_result));
    }
    let rises = |(a, b): (&(f64, f64), &(f64, f64))| a.0 < b.0 && a.1 < b.1;
    let grows = shares.iter().tuple_windows().all(rises);
    let largest = ends(&shares.iter().map(|(share, _)| *share).collect::<Vec<_>>()).1;
    let [least, middle, most] = performances(inputs)?.individual_share;
    let thirds = format!("{least:.2}, {middle:.2}, {most:.2}");
    let greatest = larger(least, larger(middle, most));
    Ok(Finding::new()
        .number("share of the result's points at the floor", shares[0].0, 2)
        .number("at full uncertainty", largest, 2)
        .text("in random games, by thirds of uncertainty", thirds)
        .require(grows, "performance adds more with more uncertainty")
        .require(largest < 1.0 && greatest < 1.0, "the result counts more")
        .require(least < middle && middle < most, "so in random games on average"))
}

pub(crate) fn anomalies(report: &PerformanceReport) -> Finding {
    let (down, up) = (report.winners_down, report.losers_up);
    Finding::new()
        .samples(report.config.games, "games")
        .count("games", report.config.games.into())
        .estimate("share of winners who lose points", down, 4)
        .estimate("of losers who gain", up, 4)
        .require_enough(
            down.mean > 4.0 * down.standard_error,
            "some lose by winning (4 standard errors)",
        )
        .require_enough(
            up.mean > 4.0 * up.standard_error,
            "some gain by losing (4 standard errors)",
        )
        .require(larger(down.mean, up.mean) < 0.5, "most do not")
}

/// In random games.
pub(crate) fn team_means(report: &PerformanceReport) -> Finding {
    let follow = report.winners_mean.mean > 0.0 && report.losers_mean.mean < 0.0 && report.teams_against == 0;
    let winners = report.winners_mean;
    Finding::new()
        .estimate("points for winners in games of near equals", winners, 1)
        .require(follow, "team means follow the result in random games")
}

/// What updates the ratings of a game by result and performances.
pub(crate) type Update = fn(
    &DotaMmr,
    &TeamGame<GaussianRating>,
    &[Vec<f64>],
) -> Result<Vec<Vec<GaussianRating>>, PerformanceError>;

pub(crate) fn averages(inputs: &DotaInputs, update: Update) -> Result<Finding> {
    let dota = inputs.system.build()?;
    let mut rng = check_stream(inputs.seed, 44, 0);
    let (mut least_rise, mut least_fall) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..2_000 {
        let mut side = || -> Result<(Vec<GaussianRating>, Vec<f64>)> {
            let size = rng.random_range(1..=5);
            let mut one = |_| -> Result<(GaussianRating, f64)> {
                let (mmr, uncertainty) = (rng.random_range(0.0..5_000.0), rng.random_range(0.0..900.0));
                let played = rng.random_range(-2_000.0..7_000.0);
                Ok((GaussianRating::new(mmr, uncertainty)?, played))
            };
            (0..size).map(&mut one).collect()
        };
        let (winners, losers) = (side()?, side()?);
        let sides = vec![Side::new(1, winners.0.clone()), Side::new(2, losers.0.clone())];
        let game = TeamGame::new(sides)?;
        let after = update(&dota, &game, &[winners.1, losers.1])?;
        let rise = |before: &[GaussianRating], after: &[GaussianRating]| {
            let moved = before.iter().zip(after).map(|(b, a)| a.rating() - b.rating());
            moved.sum::<f64>() / before.len() as f64
        };
        least_rise = smaller(least_rise, rise(&winners.0, &after[0]));
        least_fall = smaller(least_fall, -rise(&losers.0, &after[1]));
    }
    // A favourite's win may move less than rounding of the ratings.
    Ok(Finding::new()
        .number(
            "least rise of a winning team's mean in 2,000 games",
            least_rise,
            2,
        )
        .number("least fall of a losing team's", least_fall, 2)
        .require(
            smaller(least_rise, least_fall) >= -1e-9,
            "the winners' mean never falls, nor does the losers' rise",
        )
        .and(team_means(&performances(inputs)?)))
}

/// The chance that N(lead, u^2 + v^2) is above 0, by the trapezoid rule.
fn above(lead: f64, u: f64, v: f64) -> f64 {
    const STEPS: i32 = 20_000;
    let deviation = u.hypot(v);
    let step = 10.0 / f64::from(STEPS);
    let density = |z: f64| (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
    let end = lead / deviation;
    let area: f64 = (0..=STEPS)
        .map(|k| {
            let weight = if k == 0 || k == STEPS { 0.5 } else { 1.0 };
            weight * density(end - f64::from(k) * step)
        })
        .sum();
    area * step
}

fn uncertainty(inputs: &DotaInputs) -> Result<Finding> {
    let dota = inputs.system.build()?;
    let opponent = GaussianRating::new(2_250.0, dota.params().floor)?;
    let after = |player: &GaussianRating, opponent: GaussianRating, score| {
        RatingSystem::update(&dota, player, 0.0, &[GameResult::new(opponent, score)])
    };
    let mut steps = Vec::new();
    for u in uncertainties(&dota) {
        let player = GaussianRating::new(2_250.0, u)?;
        steps.push(after(&player, opponent, Score::WIN).rating() - 2_250.0);
    }
    let bigger = steps.windows(2).all(|pair| pair[0] < pair[1]);
    // Wins at nine to one, as expected, from a newcomer's uncertainty on.
    let mut expected = RatingSystem::initial(&dota);
    let (mut falls, mut games) = (true, 0);
    while expected.deviation() > dota.params().floor && games < 1_000 {
        let weaker = GaussianRating::new(expected.rating() - 800.0, dota.params().floor)?;
        let next = after(&expected, weaker, Score::WIN);
        falls &= next.deviation() < expected.deviation();
        expected = GaussianRating::new(2_250.0, next.deviation())?;
        games += 1;
    }
    let least = dota.params().floor;
    let (known, weaker) = (
        GaussianRating::new(2_250.0, least)?,
        GaussianRating::new(1_450.0, least)?,
    );
    let floor = after(&known, weaker, Score::WIN);
    let surprised = after(&known, weaker, Score::LOSS);
    let mut off = 0.0;
    for (lead, u, v) in [(0.0, 200.0, 200.0), (150.0, 542.0, 200.0), (-700.0, 300.0, 450.0)] {
        let player = GaussianRating::new(2_250.0 + lead, u)?;
        let other = GaussianRating::new(2_250.0, v)?;
        deviate(&mut off, dota.expected_score(&player, &other), above(lead, u, v));
    }
    let after = surprised.deviation();
    Ok(Finding::new()
        .number("points for an even win at the floor", steps[0], 1)
        .number("at full uncertainty", steps[steps.len() - 1], 1)
        .count("expected wins from newcomer to floor", games)
        .number("uncertainty at the floor after a surprise", after, 0)
        .number("expected score off the two normal performances by", off, 6)
        .require(bigger, "bigger uncertainty takes bigger steps")
        .require(falls && games < 1_000, "expected results lower it to the floor")
        .require(floor.deviation() == least, "it stays there")
        .require(surprised.deviation() > least, "surprise raises it")
        .require(off < 1e-6, "the next performance is N(MMR, uncertainty^2)"))
}

/// Skilled newcomers beside players whose rating is as wrong but who count as known.
fn newcomers(inputs: &DotaInputs) -> Result<Finding> {
    const NEAR: f64 = 0.1;
    let dota = inputs.system.build()?;
    let (_, strength) = *inputs.percentiles.last().context("no percentile is printed")?;
    let start = RatingSystem::initial(&dota);
    let floor = dota.params().floor;
    let settled = |rating| GaussianRating::new(rating, floor);
    let follow = |start: &GaussianRating| climb(&dota, start, strength, settled, &inputs.climb, inputs.seed);
    let (new, known) = (follow(&start)?, follow(&settled(start.rating())?)?);
    let games = |climb: &Climb| {
        climb
            .games_to_half
            .iter()
            .map(|games| f64::from(*games))
            .collect::<Vec<_>>()
    };
    let sooner = paired_test(
        games(&known)
            .iter()
            .zip(games(&new))
            .map(|(known, new)| known - new),
    );
    let distance = strength - start.rating();
    let near = |climb: &Climb| {
        let arrived = climb
            .ratings
            .iter()
            .position(|rating| strength - rating <= NEAR * distance);
        arrived.map_or(f64::NAN, |games| games as f64)
    };
    let mean_half = Summary::of(games(&new)).estimate();
    Ok(Finding::new()
        .samples(inputs.climb.newcomers, "newcomers")
        .number("true MMR, of the printed 99th percentile", strength, 0)
        .number("at first", start.rating(), 0)
        .estimate("games to half way", mean_half, 1)
        .number("games until the mean is within a tenth of the way", near(&new), 0)
        .number("with the uncertainty of a known player", near(&known), 0)
        .estimate("half way sooner, games,", sooner, 1)
        .require_above(sooner, 4.0, "uncertainty brings them up sooner")
        .require(
            sooner.difference > NEAR * mean_half.mean,
            "by more than a tenth of the games, the least that would matter",
        ))
}
