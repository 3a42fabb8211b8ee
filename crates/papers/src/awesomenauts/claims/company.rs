//! Factors 3 and 5, premades and roles: AWN-F3, F5.

use super::inputs::AwesomenautsInputs;
use crate::check::prelude::*;
use itertools::Itertools;
use matchwright_scoring::{Player, Pool};

use crate::check::matches::{Factor, join, players, policy};

pub(crate) const CHECKS: &[Check<AwesomenautsInputs>] = &[
    Check::new("AWN-F3", Exact(premades)),
    Check::new("AWN-F5", Exact(variation)),
];

pub(crate) fn premades(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let factor = Factor::of(&inputs.policy, "premades")?;
    let mut found = Finding::new();
    for printed in &inputs.premades {
        let sizes = [printed.first, printed.second].concat();
        let mut six = players(6);
        join(&mut six, &sizes);
        let mut reversed = six.clone();
        reversed.rotate_left(3);
        let (quality, back) = (factor.of_halves(&six)?, factor.of_halves(&reversed)?);
        let of = |sizes: &[usize]| sizes.iter().join("+");
        let name = format!("{} against {}, %", of(printed.first), of(printed.second));
        found = found
            .number(name, 100.0 * quality, 0)
            .require((quality - printed.quality).abs() < 1e-12, "as printed")
            .require(quality == back, "from either side");
    }
    Ok(found.require(inputs.premades.len() == 3, "three cases are printed"))
}

/// Two players who met, as opponents or as team mates, among four.
fn met(as_opponents: bool) -> Vec<Player> {
    let mut four = players(4);
    let list = if as_opponents {
        &mut four[0].recent_opponents
    } else {
        &mut four[0].recent_teammates
    };
    list.push("p1".to_owned());
    four
}

pub(crate) fn variation(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let document = &inputs.policy;
    let factor = Factor::of(document, "opponent_variation")?;
    let (together, against): ([&[usize]; 2], [&[usize]; 2]) = ([&[0, 1], &[2, 3]], [&[0, 2], &[1, 3]]);
    let new = factor.of_teams(&Pool::new(players(4))?, together)?;
    let (rivals, mates) = (Pool::new(met(true))?, Pool::new(met(false))?);
    let of = |pool, teams| factor.of_teams(pool, teams);
    let same = [of(&rivals, against)?, of(&mates, together)?];
    let swapped = [of(&rivals, together)?, of(&mates, against)?];
    let policy = policy(document)?;
    let lightest = policy.factors().iter().all(|one| factor.weight <= one.weight);
    Ok(Finding::new()
        .number("four of whom two met, as the same again", same[0], 3)
        .number("in other roles", swapped[0], 3)
        .number("strangers", new, 3)
        .number("share of the weights", factor.share, 3)
        .require(new == 1.0, "strangers are perfect")
        .require(
            same[0] < swapped[0] && swapped[0] < new,
            "meeting again costs, a little less in other roles",
        )
        .require(same[0] == same[1] && swapped[0] == swapped[1], "either way")
        .require(lightest && factor.share < 0.05, "it weighs least, below 5 %"))
}
