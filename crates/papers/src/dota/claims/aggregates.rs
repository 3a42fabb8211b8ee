//! Parties in the criteria, and in the printed match: DOTA-partyagg, bracket.

use super::inputs::DotaInputs;
use crate::check::prelude::*;
use std::collections::BTreeMap;

use crate::dota::printed::{PrintedPlayer, SIDES};
use matchwright_scoring::{Player, Pool};

use crate::check::matches::{Factor, join, mean, players, settings, skilled};

pub(crate) const CHECKS: &[Check<DotaInputs>] = &[
    Check::new("DOTA-partyagg", Exact(aggregate)),
    Check::new("DOTA-bracket", Exact(bracket)),
];

/// Points by which parties' means may differ from the printed "around 2700".
const AROUND: f64 = 10.0;
/// Whole numbers as printed differ from the hidden ratings by up to half a point, before and after.
const HIDDEN: f64 = 1.0;

fn aggregate(inputs: &DotaInputs) -> Result<Finding> {
    let skill = Factor::of(&inputs.policy, "skill_spread")?;
    let experience = Factor::of(&inputs.policy, "experience")?;
    // A party from 2000 to 3000 against two who came alone and are both this good.
    let meets = |alone: f64| {
        let mut four = skilled(&[3_000.0, 2_000.0, alone, alone]);
        join(&mut four, &[2, 1, 1]);
        skill.of_halves(&four)
    };
    let (mut fits, mut most) = (f64::NAN, f64::NEG_INFINITY);
    for step in 0..=100 {
        let alone = 2_000.0 + 10.0 * f64::from(step);
        let quality = meets(alone)?;
        if quality > most {
            (fits, most) = (alone, quality);
        }
    }
    // In doublings of experience: 1 and 3 in the party, 2 alone.
    let meets_in = |games: u64| {
        let mut four = players(4);
        for (player, games) in four.iter_mut().zip([40, 280, games, games]) {
            player.experience = Some(games);
        }
        join(&mut four, &[2, 1, 1]);
        experience.of_halves(&four)
    };
    let (middle, beside) = (meets_in(120)?, [meets_in(40)?, meets_in(280)?]);
    let worse = beside.iter().all(|quality| *quality < 1.0);
    Ok(Finding::new()
        .number("who fits a party of 3000 and 2000 best", fits, 0)
        .number("quality there", most, 3)
        .number("who is as good as its best", meets(3_000.0)?, 3)
        .number(
            "who has played 120 games, in a match with a party of 40 and 280",
            middle,
            3,
        )
        .number("280 games", beside[1], 3)
        .require(fits == 2_500.0 && most == 1.0, "a single fits a party's mean")
        .require(middle == 1.0 && worse, "so by experience"))
}

/// The adjusted ratings of a side, from the printed ones.
fn adjusted(inputs: &DotaInputs, side: &[PrintedPlayer]) -> Result<Vec<f64>> {
    let written = settings(&inputs.policy)?.factors.win_probability;
    let factor = written.context("no win_probability")?.settings;
    let player = |(place, one): (usize, &PrintedPlayer)| Player {
        skill: Some(one.mmr),
        party: Some(one.party.to_string()),
        ..Player::new(format!("p{place}"))
    };
    let pool = Pool::new(side.iter().enumerate().map(player).collect())?;
    let mut ratings = vec![f64::NAN; side.len()];
    for members in pool.parties() {
        for (&member, rating) in members.iter().zip(factor.adjusted_skills(&pool, members)) {
            ratings[member] = rating;
        }
    }
    Ok(ratings)
}

fn bracket(inputs: &DotaInputs) -> Result<Finding> {
    let mut found = Finding::new();
    let (mut off, mut nested) = (0.0, 0_u64);
    for (name, side) in SIDES.iter().zip(&inputs.printed_match) {
        let ratings = adjusted(inputs, side)?;
        let mut groups: BTreeMap<char, Vec<f64>> = BTreeMap::new();
        for (one, &rating) in side.iter().zip(&ratings) {
            deviate(&mut off, rating, one.adjusted);
            groups.entry(one.party).or_default().push(rating);
        }
        let inside = |one: &Vec<f64>, other: &Vec<f64>| {
            let ((low, high), (least, most)) = (ends(one), ends(other));
            least < low && high < most
        };
        let width = |group: &Vec<f64>| ends(group).1 - ends(group).0;
        let (alone, parties): (Vec<_>, Vec<_>) = groups.iter().partition(|(_, group)| group.len() == 1);
        for (letter, party) in &parties {
            let near = (mean(party) - inputs.party_mean).abs() <= AROUND;
            found = found
                .number(format!("{name}: mean of party {letter}"), mean(party), 1)
                .require(near, "around 2700");
            for (_, other) in parties.iter().filter(|(_, other)| width(party) < width(other)) {
                nested += 1;
                found = found.require(inside(party, other), "the narrower party inside the wider");
            }
        }
        for (letter, one) in &alone {
            let within = parties.iter().any(|(_, party)| inside(one, party));
            found = found
                .number(format!("{letter}, alone"), one[0], 0)
                .require(within, "inside a party");
        }
        found = found.require(!alone.is_empty() && !parties.is_empty(), "both kinds are there");
    }
    Ok(found
        .number("off the printed adjusted ratings by", off, 2)
        .require(off <= HIDDEN, "as printed, but for hidden fractions")
        .require(nested == 1, "one party lies inside another"))
}
