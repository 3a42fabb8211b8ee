//! Factors 1 and 2, of skill: AWN-F1, F2, F2-carry, cap, reader.

use super::inputs::AwesomenautsInputs;
use crate::awesomenauts::printed::{DIFFERENCE_CAP, PAIRS, PERFECT_PING, SKILL_CAP, TOP_SKILL};
use crate::check::prelude::*;
use itertools::Itertools;
use matchwright_scoring::{Curve, CurveParams, MatchScorer, PlayerSkill, Pool, TeamMatch};

use crate::check::matches::{Factor, lobbies, mean, players, settings, skilled};

pub(crate) const CHECKS: &[Check<AwesomenautsInputs>] = &[
    Check::new("AWN-F1", Exact(teams)),
    Check::new("AWN-F2", Exact(pairs)),
    Check::new("AWN-F2-carry", Exact(carry)),
    Check::new("AWN-cap", Exact(caps)),
    Check::new("AWN-reader", Exact(reader)),
];

/// Lobbies of six, of skills up to beyond the cap.
fn sixes(seed: u64) -> Vec<Vec<f64>> {
    lobbies(seed, 6, 0.0..21_000.0)
}

fn capped(skills: &[f64]) -> Vec<f64> {
    skills.iter().map(|skill| skill.min(SKILL_CAP)).collect()
}

fn teams(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let factor = Factor::of(&inputs.policy, "team_skill")?;
    let written = settings(&inputs.policy)?.factors.team_skill;
    let curve = written.context("no team_skill")?.settings.difference;
    let off = factor.deviation(&sixes(inputs.seed), |skills| {
        let capped = capped(skills);
        curve.quality((mean(&capped[..3]) - mean(&capped[3..])).abs())
    })?;
    let worked = |gap: f64| {
        let first = [3_000.0, 5_000.0, 7_000.0 + 3.0 * gap];
        factor.of_halves(&skilled(&[first, [2_000.0, 5_000.0, 8_000.0]].concat()))
    };
    let (even, apart, further) = (worked(0.0)?, worked(1_000.0)?, worked(2_000.0)?);
    Ok(Finding::new()
        .number("means alike", even, 3)
        .number("1,000 apart", apart, 3)
        .number("2,000 apart", further, 3)
        .number("off the gap of the means by", off, 3)
        .require(off < 1e-12, "the gap of the means is all that counts")
        .require(even == 1.0, "alike is perfect")
        .require(apart < even && further < apart, "the larger the gap, the worse"))
}

/// All ways to split six into threes, the first player in the first team.
fn splits() -> Vec<[Vec<usize>; 2]> {
    let split = |[a, b]: [usize; 2]| {
        let first = vec![0, a, b];
        let second = (0..6).filter(|player| !first.contains(player)).collect();
        [first, second]
    };
    (1..6).array_combinations().map(split).collect()
}

fn pairs(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let factor = Factor::of(&inputs.policy, "player_skill")?;
    let written = settings(&inputs.policy)?.factors.player_skill;
    let curve = written.context("no player_skill")?.settings.difference;
    let (mut off, mut count) = (0.0, 0);
    for skills in sixes(inputs.seed).iter().take(50) {
        let pairs = capped(skills).into_iter().array_combinations();
        let each: Vec<f64> = pairs
            .map(|[a, b]: [f64; 2]| curve.quality((a - b).abs()))
            .collect();
        count = each.len();
        let pool = Pool::new(skilled(skills))?;
        for [first, second] in splits() {
            let quality = factor.of_teams(&pool, [&first, &second])?;
            deviate(&mut off, quality, mean(&each));
        }
    }
    Ok(Finding::new()
        .count("pairs", count as u64)
        .number("off their mean, over all splits, by", off, 3)
        .require(count == PAIRS, "six players are 15 pairs")
        .require(off < 1e-12, "their mean, whatever the teams"))
}

fn carry(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let document = &inputs.policy;
    let teams = Factor::of(document, "team_skill")?;
    let all = Factor::of(document, "player_skill")?;
    let (professional, beginner) = (15_000.0, 1_000.0);
    let side = [professional, professional, beginner];
    let lobby = skilled(&[side, side].concat());
    let like = skilled(&[professional; 6]);
    let (even, poor) = (teams.of_halves(&lobby)?, all.of_halves(&lobby)?);
    let good = all.of_halves(&like)?;
    Ok(Finding::new()
        .number("as teams", even, 3)
        .number("as players", poor, 3)
        .number("six alike, as players", good, 3)
        .require(even == 1.0, "the teams are even")
        .require(good == 1.0, "six alike are perfect")
        // Eight of the 15 pairs are as unlike as can be.
        .require(poor < 0.5, "the players are not alike"))
}

pub(crate) fn caps(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let document = &inputs.policy;
    let ping = Factor::of(document, "enemy_ping")?;
    let mut found = Finding::new();
    for name in ["team_skill", "player_skill"] {
        let factor = Factor::of(document, name)?;
        let duel = |a: f64, b: f64| factor.of_halves(&skilled(&[a, b]));
        let (near, far) = DIFFERENCE_CAP;
        let (alike, top) = (duel(SKILL_CAP, SKILL_CAP)?, duel(SKILL_CAP, TOP_SKILL)?);
        let (at, beyond) = (duel(0.0, near)?, duel(0.0, far)?);
        found = found
            .number(format!("{name}: 18,000 against 20,000"), top, 3)
            .number("12,000 apart", beyond, 3)
            .require(alike == 1.0 && top == alike, "above 18,000 all are alike")
            .require(duel(SKILL_CAP - 500.0, SKILL_CAP)? < 1.0, "below they are not")
            .require(at == beyond, "12,000 apart is no worse than 10,000")
            .require(duel(0.0, near - 500.0)? > at, "9,500 is better");
    }
    let at = |milliseconds: f64| {
        let mut two = players(2);
        two[0].ping_to.insert("p1".to_owned(), milliseconds);
        ping.of_halves(&two)
    };
    let (least, most) = (at(1.0)?, at(PERFECT_PING)?);
    let power = |power: f64| falling(1.0, power).map(|curve| curve.quality(0.36));
    Ok(found
        .number("50 ms", most, 3)
        .number("60 ms", at(PERFECT_PING + 10.0)?, 3)
        .require(least == 1.0 && most == 1.0, "pings up to 50 ms are perfect")
        .require(at(PERFECT_PING + 1.0)? < 1.0, "51 ms is not")
        .require((power(2.0)? - 0.4096).abs() < 1e-12, "scores can be squared")
        .require((power(0.5)? - 0.8).abs() < 1e-12, "and their roots taken"))
}

/// A curve that falls from 1 at 0 to 0 at `worst`.
fn falling(worst: f64, power: f64) -> Result<Curve> {
    let best = 0.0;
    Ok(CurveParams::Ramp { best, worst, power }.build()?)
}

/// Skills of six whose pairs differ by `gap` on average: evenly spaced (0), up to five alike and one far off (1).
fn shaped(shape: f64, gap: f64) -> Vec<f64> {
    let raw: Vec<f64> = (0..6)
        .map(|place| {
            let spaced = f64::from(place) / 5.0;
            (1.0 - shape) * spaced + shape * f64::from(u8::from(place == 5))
        })
        .collect();
    let pairs = raw.iter().array_combinations();
    let sum: f64 = pairs.map(|[a, b]: [&f64; 2]| (a - b).abs()).sum();
    raw.iter().map(|skill| skill * gap * PAIRS as f64 / sum).collect()
}

/// The least and the greatest score that six players with this mean gap can have among the shapes, in percent, under the
/// article's cap of skills: of players who are all below it, or of which some are `above`.
fn range((worst, power, above): (f64, f64, bool), gap: f64) -> Result<(f64, f64)> {
    let factor = PlayerSkill {
        skill_cap: Some(SKILL_CAP),
        difference: falling(worst, power)?,
    };
    let mut qualities = Vec::new();
    for step in 0..=20 {
        let shape = shaped(f64::from(step) / 20.0, gap);
        let most = ends(&shape).1;
        // A gap beyond the cap of gaps would bend a straight line.
        if most > worst {
            continue;
        }
        // How far the best player is above the cap, from not at all to the skills of the very top.
        let beyond = if above { TOP_SKILL - SKILL_CAP } else { 0.0 };
        for part in 0..=20 {
            let best = SKILL_CAP + beyond * f64::from(part) / 20.0;
            let skills: Vec<f64> = shape.iter().map(|skill| skill + best - most).collect();
            let pool = Pool::new(skilled(&skills))?;
            let teams: [&[usize]; 2] = [&[0, 1, 2], &[3, 4, 5]];
            let quality = factor.quality(&TeamMatch::new(&pool, &teams)?);
            qualities.push(quality.unwrap_or(f64::NAN));
            if !above {
                break;
            }
        }
    }
    Ok(ends(&qualities))
}

/// The caps of gaps, by hundreds, with which this power for each pair explains both scores to the rounding of the print.
fn explaining(inputs: &AwesomenautsInputs, power: f64, above: bool) -> Result<Vec<f64>> {
    let mut caps = Vec::new();
    for hundreds in 60..=200 {
        let worst = 100.0 * f64::from(hundreds);
        let mut both = true;
        for (gap, score) in inputs.reader {
            let (least, most) = range((worst, power, above), gap)?;
            both &= least < score + 0.005 && most >= score - 0.005;
        }
        if both {
            caps.push(worst);
        }
    }
    Ok(caps)
}

/// Adds the caps that explain both scores.
fn caps_in_words(found: Finding, name: String, caps: &[f64]) -> Finding {
    let words = match (caps.first(), caps.last()) {
        (Some(first), Some(last)) => format!("with caps of gaps from {first} to {last}"),
        _ => "with no cap".to_owned(),
    };
    found.text(name, words)
}

fn reader(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let [(wide, high), (narrow, low)] = inputs.reader;
    // A line through the mean gap: of no cap does the wider one score as much.
    let mut lines = 0;
    for hundreds in 20..=1_000 {
        let line = falling(100.0 * f64::from(hundreds), 1.0)?;
        let fits = |gap: f64, score: f64| (line.quality(gap) - score).abs() <= 0.005;
        lines += u64::from(fits(wide, high) && fits(narrow, low));
    }
    let straight = explaining(inputs, 1.0, false)?;
    let capped = explaining(inputs, 1.0, true)?;
    let mut found = Finding::new()
        .count("lines through the mean gap that fit both", lines)
        .count(
            "straight lines for each pair, all players below 18,000",
            straight.len() as u64,
        )
        .require(wide > narrow && high > low, "the wider match scores better")
        .require(
            lines == 0 && straight.is_empty(),
            "no straight line gives both, all below the cap",
        )
        .require(
            !capped.is_empty(),
            "one does with a player above the cap of 18,000",
        );
    found = caps_in_words(found, "straight lines, some above 18,000".to_owned(), &capped);
    for &power in &inputs.reader_powers {
        let caps = explaining(inputs, power, false)?;
        found = caps_in_words(found, format!("power {power} for each pair, all below"), &caps)
            .require(!caps.is_empty(), format!("power {power} gives both scores"));
    }
    Ok(found
        .note("which skills the reader's players had is not printed: shapes from even steps to one far off"))
}
