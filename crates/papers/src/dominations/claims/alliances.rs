//! Alliances against alliances: DOM-pct, sandbag, var. The figures of the policy are those of
//! `examples/policies/dominations.toml`.

use crate::claims::prelude::*;
use crate::dominations::printed::HONEST;
use matchwright_churn::auc;
use matchwright_scoring::{Player, Pool, TeamMatch, log_spread};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::claims::matches::{Factor, mean_and_error, players, policy, settings};

pub(crate) const CHECKS: &[Check] = &[
    Check::new("DOM-pct", Exact(percent)),
    Check::new("DOM-sandbag", Exact(sandbag)),
    Check::new("DOM-var", Exact(variance)),
];

const WORLDS: usize = 60;
const WARS: usize = 2_000;

/// The areas under the curve of the percentage and of the plain difference, in one world of wars.
fn areas(inputs: &Inputs, rng: &mut ChaCha8Rng) -> Result<(f64, f64)> {
    let (mut shares, mut points, mut won) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..WARS {
        // Strengths over a factor of twenty, opponents within a half of each other.
        let a = 100.0 * rng.random_range(0.0_f64..20.0_f64.ln()).exp();
        let b = a * rng.random_range(-0.4_f64..0.4).exp();
        // Ranks are all that counts: both go to probabilities by a rising curve.
        shares.push(0.5 + ((a - b) / f64::midpoint(a, b)).atan() / std::f64::consts::PI);
        points.push(0.5 + ((a - b) / 100.0).atan() / std::f64::consts::PI);
        won.push(rng.random::<f64>() < (inputs.dominations.war)(a, b));
    }
    Ok((auc(&shares, &won)?, auc(&points, &won)?))
}

fn percent(inputs: &Inputs) -> Result<Finding> {
    let mut rng = check_stream(inputs.seed, 40, 0);
    let (mut shares, mut points, mut gains) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..WORLDS {
        let (share, point) = areas(inputs, &mut rng)?;
        shares.push(share);
        points.push(point);
        gains.push(share - point);
    }
    let (gain, error) = mean_and_error(&gains);
    Ok(Finding::new()
        .count("wars", (WORLDS * WARS) as u64)
        .estimate("area under the curve, by percentage", mean_and_error(&shares), 4)
        .estimate("by points", mean_and_error(&points), 4)
        .estimate("gain", (gain, error), 4)
        .require(gain > 4.0 * error, "percentage predicts better")
        .note("where strength multiplies, as the 60 % of a 10 % lead has it: the developers' data are not printed"))
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

fn sandbag(inputs: &Inputs) -> Result<Finding> {
    let document = &inputs.dominations.policy;
    let (factor, policy) = (Factor::of(inputs, document, "strength")?, policy(document)?);
    let age = |number: i32| 100.0 * AGE.powi(number);
    let (late, early) = inputs.dominations.sandbaggers;
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
        Ok((strength, (inputs.matches.score)(&policy, &candidate), by))
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

fn variance(inputs: &Inputs) -> Result<Finding> {
    let document = &inputs.dominations.policy;
    let factor = Factor::of(inputs, document, "variance")?;
    let written = settings(document)?.factors.variance;
    let curve = written.context("no variance")?.settings.difference;
    let mut rng = check_stream(inputs.seed, 41, 0);
    let (mut off, mut scaled_off, mut heard) = (0.0, 0.0, 0_u64);
    for _ in 0..200 {
        let (common, wide) = (rng.random_range(0.0..0.5), rng.random_range(0.0..0.1));
        let mut rating = |width: f64| 500.0 * (width * rng.random_range(-1.0..1.0_f64)).exp();
        let mut all: Vec<f64> = (0..10).map(|_| rating(common)).collect();
        all.extend((0..10).map(|_| rating(common + wide)));
        let quality = factor.of_halves(&bases(&all))?;
        let gap = (log_spread(&all[..10]) - log_spread(&all[10..])).abs();
        deviate(&mut off, quality, curve.quality(gap));
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
    let strength = Factor::of(inputs, document, "strength")?;
    Ok(Finding::new()
        .number("off the gap between the spreads by", off, 3)
        .count("members of 20 who count", heard)
        .require(off < 1e-9, "the spread over all members decides")
        .require(heard == 20, "each member counts")
        .require(scaled_off < 1e-9, "whatever the level")
        .require(strength.weight > 0.0, "it is a second window beside the ratings"))
}
