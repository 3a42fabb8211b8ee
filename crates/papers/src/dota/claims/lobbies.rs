//! What makes a good match: DOTA-C1 to C6, score, logexp. The figures of the policy are those of
//! `examples/policies/dota.toml`.

use super::inputs::DotaInputs;
use crate::check::prelude::*;
use matchwright_scoring::{MatchScorer, Player, Pool, TeamMatch, experience_level, win_probability};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::check::matches::{Factor, join, lobbies, mean, players, policy, settings, skilled};

pub(crate) const CHECKS: &[Check<DotaInputs>] = &[
    Check::new("DOTA-C1", Exact(even)),
    Check::new("DOTA-C2", Exact(spread)),
    Check::new("DOTA-C3", Exact(experience)),
    Check::new("DOTA-C4", Exact(best)),
    Check::new("DOTA-C5", Exact(parties)),
    Check::new("DOTA-C6", Exact(languages)),
    Check::new("DOTA-score", Exact(score)),
    Check::new("DOTA-logexp", Exact(steps)),
];

/// Lobbies of ten players who came alone.
fn singles(seed: u64) -> Vec<Vec<f64>> {
    lobbies(seed, 10, 2_000.0..3_200.0)
}

fn even(inputs: &DotaInputs) -> Result<Finding> {
    let document = &inputs.policy;
    let factor = Factor::of(document, "win_probability")?;
    let written = settings(document)?.factors.win_probability;
    let written = written.context("no win_probability")?.settings;
    let off = factor.deviation(&singles(inputs.seed), |skills| {
        let lead = mean(&skills[..5]) - mean(&skills[5..]);
        let win = win_probability(lead.abs(), written.scale);
        written.lead.quality(win - 0.5)
    })?;
    let side = [3_000.0, 2_700.0, 2_500.0, 2_400.0, 2_100.0];
    let worked = |lead: f64| {
        let mut skills = [side, side].concat();
        skills[0] += 5.0 * lead;
        factor.of_halves(&skilled(&skills))
    };
    let (fair, apart, further) = (worked(0.0)?, worked(50.0)?, worked(200.0)?);
    let even = win_probability(0.0, written.scale);
    Ok(Finding::new()
        .number("chance at a lead of 0", even, 2)
        .number("quality there", fair, 3)
        .number("at a lead of 50 points in the mean", apart, 3)
        .number("of 200", further, 3)
        .number("off the chance's distance from 1/2 by", off, 3)
        .require(fair == 1.0 && even == 0.5, "half and half is perfect")
        .require(apart < fair && further < apart, "the farther from it, the worse")
        .require(off < 1e-9, "the distance is all that counts"))
}

fn spread(inputs: &DotaInputs) -> Result<Finding> {
    let document = &inputs.policy;
    let factor = Factor::of(document, "skill_spread")?;
    let balance = Factor::of(document, "win_probability")?;
    let written = settings(document)?.factors.skill_spread;
    let curve = written.context("no skill_spread")?.settings.spread;
    let off = factor.deviation(&singles(inputs.seed), |skills| {
        let (least, most) = ends(skills);
        curve.quality(most - least)
    })?;
    let lobby = skilled(&[3_000.0, 2_000.0, 3_000.0, 2_000.0]);
    let (fair, wide) = (balance.of_halves(&lobby)?, factor.of_halves(&lobby)?);
    Ok(Finding::new()
        .number("3000 and 2000 on each side: even", fair, 3)
        .number("and of spread", wide, 3)
        .number("off the gap from best to weakest by", off, 3)
        .require(off < 1e-12, "the gap from best to weakest is all that counts")
        .require(fair == 1.0 && wide < 0.5, "even teams may be spread wide"))
}

fn played(games: &[u64]) -> Vec<Player> {
    let mut players = players(games.len());
    for (player, games) in players.iter_mut().zip(games) {
        player.experience = Some(*games);
    }
    players
}

fn experience(inputs: &DotaInputs) -> Result<Finding> {
    let factor = Factor::of(&inputs.policy, "experience")?;
    let of = |games: [u64; 4]| factor.of_halves(&played(&games));
    let (like, unlike) = (of([200, 200, 200, 200])?, of([200, 200, 200, 400])?);
    let worst = of([10, 200, 200, 2_000])?;
    // Who is on which side changes nothing, nor who lies between.
    let sides = [of([10, 2_000, 200, 200])?, of([10, 300, 100, 2_000])?];
    Ok(Finding::new()
        .number("200 games each", like, 3)
        .number("one with 400", unlike, 3)
        .number("from 10 to 2000", worst, 3)
        .require(like == 1.0, "alike is perfect")
        .require(unlike < like && worst < unlike, "the farther apart, the worse")
        .require(sides == [worst; 2], "least and most experienced alone count"))
}

fn best(inputs: &DotaInputs) -> Result<Finding> {
    let document = &inputs.policy;
    let factor = Factor::of(document, "best_against_best")?;
    let written = settings(document)?.factors.best_against_best;
    let curve = written.context("no best_against_best")?.settings.difference;
    let off = factor.deviation(&singles(inputs.seed), |skills| {
        let gap = ends(&skills[..5]).1 - ends(&skills[5..]).1;
        curve.quality(gap.abs())
    })?;
    let of = |skills: [f64; 4]| factor.of_halves(&skilled(&skills));
    let close = of([3_000.0, 1_000.0, 3_000.0, 2_900.0])?;
    let apart = of([3_000.0, 2_000.0, 2_500.0, 2_500.0])?;
    Ok(Finding::new()
        .number("both best 3000", close, 3)
        .number("3000 against 2500 with equal means", apart, 3)
        .number("off the gap between the best by", off, 3)
        .require(off < 1e-12, "the gap between the best is all that counts")
        .require(close == 1.0 && apart < 1.0, "close is better"))
}

fn parties(inputs: &DotaInputs) -> Result<Finding> {
    let factor = Factor::of(&inputs.policy, "party_count")?;
    let of = |sizes: &[usize]| {
        let mut ten = players(10);
        join(&mut ten, sizes);
        factor.of_halves(&ten)
    };
    let (like, one) = (of(&[3, 2, 2, 3])?, of(&[3, 2, 2, 2, 1])?);
    let worst = of(&[5, 1, 1, 1, 1, 1])?;
    Ok(Finding::new()
        .number("3 and 2 on both sides", like, 3)
        .number("3 and 2 against 2, 2 and 1", one, 3)
        .number("five friends against five who came alone", worst, 3)
        .require(like == 1.0, "as many is perfect")
        .require(one < like && worst < one, "the more they differ, the worse")
        .require(worst == 0.0, "five against one is as bad as can be"))
}

fn languages(inputs: &DotaInputs) -> Result<Finding> {
    let factor = Factor::of(&inputs.policy, "languages")?;
    let of = |spoken: [&str; 4]| {
        let mut four = players(4);
        for (player, language) in four.iter_mut().zip(spoken) {
            player.languages.push(language.to_owned());
        }
        factor.of_halves(&four)
    };
    let common = of(["en", "en", "en", "en"])?;
    let (by_team, mixed) = (of(["en", "en", "de", "de"])?, of(["en", "de", "en", "de"])?);
    Ok(Finding::new()
        .number("one language", common, 3)
        .number("one a team", by_team, 3)
        .number("two in each team", mixed, 3)
        .require(common == 1.0, "a common language is perfect")
        .require(by_team < common, "none across the match costs")
        .require(mixed < by_team, "none within the teams costs too")
        .require(by_team - mixed > common - by_team, "and costs more"))
}

/// A lobby of ten with everything that the criteria look at.
fn whole(rng: &mut ChaCha8Rng) -> Result<Pool> {
    let mut ten = players(10);
    let (centre, width) = (rng.random_range(1_500.0..3_500.0), rng.random_range(10.0..900.0));
    for player in &mut ten {
        player.skill = Some(centre + rng.random_range(-width..width));
        player.experience = Some(rng.random_range(100..1_000));
        player.wait_seconds = Some(rng.random_range(0.0..400.0));
        let language = if rng.random_bool(0.8) { "en" } else { "ru" };
        player.languages.push(language.to_owned());
    }
    join(&mut ten, &[2, 1, 1, 1, 3, 1, 1]);
    Ok(Pool::new(ten)?)
}

pub(crate) fn score(inputs: &DotaInputs) -> Result<Finding> {
    let document = &inputs.policy;
    let policy = policy(document)?;
    let names: Vec<&str> = policy.factors().iter().map(|one| one.factor.name()).collect();
    let factor = |name: &&str| Factor::of(document, name);
    let factors: Vec<Factor> = names.iter().map(factor).collect::<Result<_>>()?;
    let teams: [&[usize]; 2] = [&[0, 1, 2, 3, 4], &[5, 6, 7, 8, 9]];
    let mut rng = check_stream(inputs.seed, 45, 0);
    let (mut off, mut formed, mut refused, mut wrong) = (0.0, 0_u64, 0_u64, 0_u64);
    for _ in 0..500 {
        let pool = whole(&mut rng)?;
        let mut sum = 0.0;
        for factor in &factors {
            sum += factor.share * factor.of_teams(&pool, teams)?;
        }
        let made = policy.quality(&TeamMatch::new(&pool, &teams)?);
        deviate(&mut off, made.unwrap_or(sum), sum);
        formed += u64::from(made.is_some());
        refused += u64::from(made.is_none());
        let near = (sum - policy.threshold()).abs() < 1e-9;
        wrong += u64::from(!near && made.is_some() != (sum > policy.threshold()));
    }
    Ok(Finding::new()
        .count("criteria", names.len() as u64)
        .number("threshold", policy.threshold(), 2)
        .count("lobbies that start", formed)
        .count("that do not", refused)
        .number("off the weighted mean by", off, 3)
        .require(names.len() == 7, "seven criteria")
        .require(off < 1e-12, "the score is their weighted mean")
        .require(wrong == 0, "matches start above the threshold alone")
        .require(formed > 0 && refused > 0, "both were seen"))
}

fn steps(inputs: &DotaInputs) -> Result<Finding> {
    let document = &inputs.policy;
    let factor = Factor::of(document, "experience")?;
    let unit = settings(document)?.factors.experience.context("no experience")?;
    let games = inputs.experience;
    let levels = games.map(|games| experience_level(games as f64, unit.settings.unit));
    let duel = |a: u64, b: u64| factor.of_halves(&played(&[a, b]));
    let (first, second) = (duel(games[0], games[1])?, duel(games[1], games[2])?);
    let mut found = Finding::new();
    for (games, level) in games.iter().zip(levels) {
        found = found.number(format!("{games} games"), level, 3);
    }
    let mut off = 0.0;
    for (level, whole) in levels.into_iter().zip([1.0, 2.0, 3.0]) {
        deviate(&mut off, level, whole);
    }
    Ok(found
        .number("a match across either step", first, 3)
        .require(off < 1e-12, "1, 2 and 3")
        .require(first < 1.0 && (first - second).abs() < 1e-12, "both score alike"))
}
