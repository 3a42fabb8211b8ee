//! Alliances against alliances: DOM-pct, sandbag, var. The figures of the policy are those of
//! `examples/policies/dominations.toml`.

use super::inputs::DominationsInputs;
use crate::check::prelude::*;
use crate::dominations::printed::HONEST;
use matchwright_churn::auc;
use matchwright_scoring::{
    MatchScorer, Player, Pool, TeamMatch, WINS_BY_RATIO, log_spread, win_probability_by_ratio,
};
use matchwright_sim::statistics::paired_test;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::check::matches::{Factor, mean, mean_and_error, players, policy};

pub(crate) const CHECKS: &[Check<DominationsInputs>] = &[
    Check::new("DOM-pct", Exact(|inputs| percent(inputs, by_ratio))),
    Check::new("DOM-sandbag", Exact(sandbag)),
    Check::new("DOM-var", Exact(variance)),
];

const WORLDS: usize = 40;
const WARS: usize = 1_000;
/// The strength of one war, in points, by which the second truth has odds of e: near the wars of a middling alliance.
const POINTS: f64 = 100.0;

/// The library's factors as predictors: a gap in percent and one in points.
struct Predictors {
    percent: Factor,
    points: Factor,
}

impl Predictors {
    /// Both without an end of their scale in sight, so that neither calls two gaps alike.
    fn of(inputs: &DominationsInputs) -> Result<Self> {
        let document = &inputs.policy;
        let wide = |what: &str, range: &str, to: &str| {
            let wide = document.replacen(range, to, 1);
            anyhow::ensure!(wide != *document, "the policy's {what} has no `{range}`");
            Factor::of(&wide, what)
        };
        Ok(Self {
            percent: wide("strength", "worst = 0.2", "worst = 1.0")?,
            points: wide("glory", "worst = 4000", "worst = 10000")?,
        })
    }

    /// From 0 to 1, higher where the first alliance is ahead by more, in this factor's eyes.
    fn predict(factor: &Factor, a: f64, b: f64) -> Result<f64> {
        let mut two = bases(&[a, b]);
        (two[0].glory, two[1].glory) = (Some(a), Some(b));
        let gap = 1.0 - factor.of_halves(&two)?;
        Ok(0.5 + 0.5 * gap.copysign(a - b))
    }
}

/// The areas under the curve of both, in one world of wars.
fn areas(predictors: &Predictors, war: fn(f64, f64) -> f64, rng: &mut ChaCha8Rng) -> Result<(f64, f64)> {
    let (mut shares, mut points, mut won) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..WARS {
        // Strengths over a factor of twenty, opponents within a half of each other.
        let a = 100.0 * rng.random_range(0.0_f64..20.0_f64.ln()).exp();
        let b = a * rng.random_range(-0.4_f64..0.4).exp();
        shares.push(Predictors::predict(&predictors.percent, a, b)?);
        points.push(Predictors::predict(&predictors.points, a, b)?);
        won.push(rng.random::<f64>() < war(a, b));
    }
    Ok((auc(&shares, &won)?, auc(&points, &won)?))
}

/// The first alliance's chance to win between two of these strengths.
fn by_ratio(a: f64, b: f64) -> f64 {
    win_probability_by_ratio(a, b, WINS_BY_RATIO)
}

/// What percentage gains over points, in worlds in which ratios decide and in worlds in which points do.
pub(crate) fn percent(inputs: &DominationsInputs, war: fn(f64, f64) -> f64) -> Result<Finding> {
    let predictors = Predictors::of(inputs)?;
    let mut found = Finding::new().samples(2 * WORLDS, "worlds of 1,000 wars");
    let by_points = |a: f64, b: f64| 1.0 / (1.0 + (-(a - b) / POINTS).exp());
    let truths = [("ratios", war, 0), ("points", by_points, 1)];
    let mut tests = Vec::new();
    for (truth, war, stream) in truths {
        let mut rng = check_stream(inputs.seed, 40, stream);
        let worlds = (0..WORLDS).map(|_| areas(&predictors, war, &mut rng));
        let worlds = worlds.collect::<Result<Vec<_>>>()?;
        let gains = paired_test(worlds.iter().map(|(share, point)| share - point));
        let mean_of = |of: fn(&(f64, f64)) -> f64| mean_and_error(&worlds.iter().map(of).collect::<Vec<_>>());
        found = found
            .estimate(
                format!("where {truth} decide, area under the curve by percentage"),
                mean_of(|one| one.0),
                4,
            )
            .estimate("by points", mean_of(|one| one.1), 4)
            .estimate("gain", gains, 4);
        tests.push(gains);
    }
    let clear = tests[1].t < -4.0;
    Ok(found
        .require_above(tests[0], 4.0, "percentage predicts better where ratios decide")
        .leaves_open(
            clear,
            "where differences in points decide, points predict better (t < -4)",
        ))
}

/// The growth of strength from age to age; ours.
const AGE: f64 = 1.35;
/// Ages counted from the Stone Age, which is 0.
const MEDIEVAL: i32 = 4;
const ENLIGHTENMENT: i32 = 6;
const COLD_WAR: i32 = 10;

fn bases(ratings: &[f64]) -> Vec<Player> {
    let mut players = players(ratings.len());
    for (player, rating) in players.iter_mut().zip(ratings) {
        player.offence = Some(*rating);
        player.defence = Some(*rating);
        player.glory = Some(12_000.0);
    }
    players
}

pub(crate) fn sandbag(inputs: &DominationsInputs) -> Result<Finding> {
    let document = &inputs.policy;
    let (factor, policy) = (Factor::of(document, "strength")?, policy(document)?);
    let age = |number: i32| 100.0 * AGE.powi(number);
    let (late, early) = inputs.sandbaggers;
    let sandbaggers = [vec![age(COLD_WAR); late], vec![age(MEDIEVAL); early]].concat();
    // One of the Cold War, the others such that the means are equal.
    let (top, others) = HONEST;
    let rest = (sandbaggers.iter().sum::<f64>() - top as f64 * age(COLD_WAR)) / others as f64;
    let honest = [vec![age(COLD_WAR); top], vec![rest; others]].concat();
    let ask = |first: &[f64], second: &[f64]| -> Result<(f64, Option<f64>, Vec<&'static str>)> {
        let all = bases(&[first, second].concat());
        let strength = factor.of_halves(&all)?;
        let pool = Pool::new(all)?;
        let places: Vec<usize> = (0..pool.len()).collect();
        let (a, b) = places.split_at(first.len());
        let teams = [a, b];
        let candidate = TeamMatch::new(&pool, &teams)?;
        let why = policy.explain(&candidate);
        let by = why.forbidden.iter().map(|one| one.by).collect();
        Ok((strength, policy.quality(&candidate), by))
    };
    let (looks, quality, by) = ask(&sandbaggers, &honest)?;
    let (_, alike, _) = ask(&sandbaggers, &sandbaggers)?;
    Ok(Finding::new()
        .number("quality by strength", looks, 3)
        .number("spread of the sandbaggers", log_spread(&sandbaggers), 3)
        .number("of the others", log_spread(&honest), 3)
        .text("refused by", by.join(", "))
        .require(rest >= age(ENLIGHTENMENT), "all others Enlightenment or later")
        .require(looks > 0.99, "by strength it is a good match")
        .require(quality.is_none() && by == ["variance"], "the spread refuses it")
        .require(alike.is_some(), "two alliances of sandbaggers may meet")
        .note("what an age is worth is not printed: 35 % from one to the next"))
}

/// The window of the policy, in standard deviations of the logarithm.
const WINDOW: f64 = 0.3;

/// The standard deviation of ln(rating), by pairs of members: half of the mean square of all differences.
fn spread(ratings: &[f64]) -> f64 {
    let pairs = ratings
        .iter()
        .flat_map(|a| ratings.iter().map(move |b| (a / b).ln().powi(2)));
    let pairs: Vec<f64> = pairs.collect();
    (0.5 * mean(&pairs)).sqrt()
}

fn variance(inputs: &DominationsInputs) -> Result<Finding> {
    let document = &inputs.policy;
    let factor = Factor::of(document, "variance")?;
    let mut rng = check_stream(inputs.seed, 41, 0);
    let (mut off, mut scaled_off, mut heard) = (0.0, 0.0, 0_u64);
    for _ in 0..200 {
        let (common, wide) = (rng.random_range(0.0..0.5), rng.random_range(0.0..0.1));
        let mut rating = |width: f64| 500.0 * (width * rng.random_range(-1.0..1.0_f64)).exp();
        let mut all: Vec<f64> = (0..10).map(|_| rating(common)).collect();
        all.extend((0..10).map(|_| rating(common + wide)));
        let quality = factor.of_halves(&bases(&all))?;
        let gap = (spread(&all[..10]) - spread(&all[10..])).abs();
        deviate(&mut off, quality, (1.0 - gap / WINDOW).max(0.0));
        // Three times as strong, spread alike: the other window does not see it.
        let stronger: Vec<f64> = all[10..].iter().map(|rating| 3.0 * rating).collect();
        let scaled = factor.of_halves(&bases(&[&all[..10], &stronger].concat()))?;
        deviate(&mut scaled_off, scaled, quality);
    }
    let even = [1_000.0; 20];
    for member in 0..20 {
        let mut one = even;
        one[member] *= 1.5;
        heard += u64::from(factor.of_halves(&bases(&one))? < factor.of_halves(&bases(&even))?);
    }
    let strength = Factor::of(document, "strength")?;
    Ok(Finding::new()
        .number("off the gap between the spreads by", off, 3)
        .count("members of 20 who count", heard)
        .require(off < 1e-9, "the spread over all members decides")
        .require(heard == 20, "each member counts")
        .require(scaled_off < 1e-9, "whatever the level")
        .require(strength.weight > 0.0, "it is a second window beside the ratings"))
}
