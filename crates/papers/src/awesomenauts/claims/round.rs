//! Splits and unmatched players: AWN-split10, leftover.

use super::inputs::AwesomenautsInputs;
use crate::check::prelude::*;
use std::collections::BTreeSet;
use std::sync::Mutex;

use crate::awesomenauts::printed::SPLITS;
use matchwright_lobby::{Annealing, ExhaustiveSplit, Group, Lineups, LobbyPool, LobbySolver, TeamSplitter};

pub(crate) const CHECKS: &[Check<AwesomenautsInputs>] = &[
    Check::new("AWN-split10", Exact(|_| ten(&ExhaustiveSplit))),
    Check::new("AWN-leftover", Exact(carried)),
];

pub(crate) fn ten(splitter: &dyn TeamSplitter) -> Result<Finding> {
    let skills: [f64; 6] = [7_300.0, 4_100.0, 9_900.0, 5_200.0, 6_800.0, 3_700.0];
    let sum = |team: &[usize]| team.iter().map(|&player| skills[player]).sum::<f64>();
    let worth = |a: &[usize], b: &[usize]| 1.0 - (sum(a) - sum(b)).abs() / 60_000.0;
    // A split is known by the team of player 0.
    let tried: Mutex<BTreeSet<Vec<usize>>> = Mutex::new(BTreeSet::new());
    let best = Mutex::new(f64::NEG_INFINITY);
    let objective = |a: &[usize], b: &[usize]| {
        let mut first = if a.contains(&0) { a } else { b }.to_vec();
        first.sort_unstable();
        if let (Ok(mut tried), Ok(mut best)) = (tried.lock(), best.lock()) {
            tried.insert(first);
            *best = best.max(worth(a, b));
        }
        Some(worth(a, b))
    };
    let group = Group::equal([0, 1, 2, 3, 4, 5], 2)?;
    let split = splitter.split(&group, &objective)?;
    let (tried, best) = (tried.into_inner()?, best.into_inner()?);
    let gap = 60_000.0 * (1.0 - split.quality);
    Ok(Finding::new()
        .count("splits tried", tried.len() as u64)
        .number("best gap between the teams' sums", gap, 0)
        .require(tried.len() == SPLITS, "C(6, 3) / 2 = 10 splits")
        .require(tried.iter().all(|team| team.len() == 3), "of three and three")
        .require(split.quality == best, "the best of them is taken"))
}

/// Players of a round; the last four are far above all others, and fit each other alone.
const ROUND: usize = 100;
const STRANGERS: usize = 4;

fn round(seed: u64, carried_penalty: f64) -> Result<Lineups> {
    let skill = |player: usize| {
        if player < ROUND - STRANGERS {
            10.0 * player as f64
        } else {
            20_000.0
        }
    };
    let quality = |a: &[usize], b: &[usize]| {
        let all = || a.iter().chain(b).map(|&player| skill(player));
        let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        Some((1.0 - (most - least) / 2_000.0).max(0.0))
    };
    let mut penalties = vec![1.0; ROUND];
    for penalty in &mut penalties[ROUND - STRANGERS..] {
        *penalty = carried_penalty;
    }
    let pool = LobbyPool::new(ROUND, [3, 3])?.with_unmatched_penalties(&penalties)?;
    Ok(Annealing::new(seed).with_moves(600_000).solve(&pool, &quality)?)
}

fn carried(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let first = round(inputs.seed, 1.0)?;
    let next = round(inputs.seed, inputs.carried_penalty)?;
    let again = round(inputs.seed.wrapping_add(1), 1.0)?;
    let strangers = |lineups: &Lineups| {
        let out = lineups.unmatched.iter();
        out.filter(|player| **player >= ROUND - STRANGERS).count()
    };
    Ok(Finding::new()
        .count("of 100 unmatched", first.unmatched.len() as u64)
        .count("of those, who fit badly", strangers(&first) as u64)
        .count("unmatched in the next round", next.unmatched.len() as u64)
        .count("of those, for the second time", strangers(&next) as u64)
        .require(first.unmatched.len() == ROUND % 6, "all but the remainder play")
        .require(strangers(&first) == STRANGERS, "at first those who fit worst")
        .require(next.unmatched.len() == ROUND % 6, "as few in the next round")
        .require(strangers(&next) == 0, "nobody who was unmatched before")
        .require(
            inputs.carried_penalty > 1.0 && strangers(&again) == STRANGERS,
            "without a rule the same players stay unmatched round after round",
        )
        .note("leaving a player out a second time costs two perfect matches instead of one")
        .ours())
}
