//! What the paper leaves to others: EOMM-ext.

use super::inputs::EommInputs;
use crate::check::prelude::*;
use std::sync::Arc;

use matchwright_lobby::{Annealing, ExhaustiveSplit, Group, LobbyPool, LobbySolver, TeamSplit, TeamSplitter};
use matchwright_scoring::{
    Blocks, ChurnByOutcome, Friends, MatchScorer, OutcomeChances, Player, Pool, Regions, ScoringPolicy,
    TeamChurn, TeamFactor, TeamMatch, WeightedFactor, win_probability,
};

use matchwright_solver::{ExactPairing, PairingSolver};

use super::missing_edges::missing_edges;
use crate::check::matches::{players, skilled};

pub(crate) const CHECKS: &[Check<EommInputs>] = &[Check::new(
    "EOMM-ext",
    Exact(|inputs| whole(inputs, &ExactPairing::minimum())),
)];

/// Teams, and single players whom this solver pairs.
pub(crate) fn whole(inputs: &EommInputs, solver: &dyn PairingSolver) -> Result<Finding> {
    Ok(extensions(inputs)?.and(missing_edges(inputs, churn(), solver)?))
}

/// Four players whose churn and skill differ.
fn four() -> Result<Vec<Player>> {
    let mut four = skilled(&[1_700.0, 1_500.0, 1_480.0, 1_300.0]);
    let churn = [(0.1, 0.2, 0.6), (0.3, 0.3, 0.4), (0.2, 0.3, 0.3), (0.1, 0.1, 0.2)];
    for (player, (win, draw, loss)) in four.iter_mut().zip(churn) {
        player.churn = Some(ChurnByOutcome::new(win, draw, loss)?);
    }
    Ok(four)
}

const DRAW: f64 = 0.2;
const SCALE: f64 = 400.0;

fn by_sum(pool: &Pool, own: &[usize], other: &[usize]) -> Result<OutcomeChances> {
    let sum = |team: &[usize]| team.iter().map(|&player| pool.skill(player)).sum::<f64>();
    let win = (1.0 - DRAW) * win_probability(sum(own) - sum(other), SCALE);
    Ok(OutcomeChances::new(win, DRAW, 1.0 - DRAW - win)?)
}

/// The share of an evening that the players spend on it: our own objective in the place of churn.
#[derive(Debug)]
struct PlayTime;

impl MatchScorer<TeamMatch<'_>> for PlayTime {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let [first, second] = candidate.teams() else {
            return None;
        };
        // Those who win more often than not go on for long, close games are the longest.
        let chances = by_sum(candidate.pool(), first, second).ok()?;
        let close = 1.0 - (chances.win() - chances.loss()).abs();
        Some(0.2 + 0.8 * close)
    }
}

impl TeamFactor for PlayTime {
    fn name(&self) -> &'static str {
        "play_time"
    }
}

/// What a policy makes of two teams of the pool.
fn objective<'a>(
    pool: &'a Pool,
    policy: &'a ScoringPolicy,
) -> impl Fn(&[usize], &[usize]) -> Option<f64> + Sync + 'a {
    move |a, b| policy.quality(&TeamMatch::new(pool, &[a, b]).ok()?)
}

/// The split of four that the splitter makes under a policy.
fn split(pool: &Pool, policy: &ScoringPolicy) -> Result<Option<TeamSplit>> {
    let four = Group::equal([0, 1, 2, 3], 2)?;
    let found = ExhaustiveSplit.split(&four, &objective(pool, policy));
    Ok(found.ok())
}

/// The factor of churn with the chances of summed skills.
const fn churn() -> TeamChurn {
    TeamChurn {
        scale: SCALE,
        draw: DRAW,
        sum: true,
    }
}

/// How far the factor for teams is from the edges' expectation with summed skills.
fn summed() -> Result<f64> {
    let factor = churn();
    let pool = Pool::new(four()?)?;
    let teams: [&[usize]; 2] = [&[0, 3], &[1, 2]];
    let stay = factor.quality(&TeamMatch::new(&pool, &teams)?);
    let mut churn = 0.0;
    for (own, other) in [(teams[0], teams[1]), (teams[1], teams[0])] {
        let chances = by_sum(&pool, own, other)?;
        for &player in own {
            let after = pool.churn(player).context("everybody's churn is given")?;
            churn +=
                chances.win() * after.win() + chances.draw() * after.draw() + chances.loss() * after.loss();
        }
    }
    Ok((stay.unwrap_or(f64::NAN) - (1.0 - churn / 4.0)).abs())
}

/// Whether the lobbies of a solver never mix regions.
fn regions(inputs: &EommInputs, policy: &ScoringPolicy) -> Result<(usize, bool)> {
    let mut eight = four()?;
    eight.extend(four()?);
    for (place, (player, fresh)) in eight.iter_mut().zip(players(8)).enumerate() {
        player.id = fresh.id;
        player.region = Some(["eu", "us"][place % 2].to_owned());
    }
    let pool = Pool::new(eight)?;
    let search = Annealing::new(inputs.seed).with_moves(20_000);
    let found = search.solve(&LobbyPool::new(8, [2, 2])?, &objective(&pool, policy))?;
    let apart = found.lobbies.iter().all(|lobby| {
        lobby.players().all(|player| player % 2 == 0) || lobby.players().all(|player| player % 2 == 1)
    });
    Ok((found.lobbies.len(), apart))
}

fn extensions(inputs: &EommInputs) -> Result<Finding> {
    let off = summed()?;
    let stay = ScoringPolicy::new(vec![WeightedFactor::new(1.0, churn())])?;
    let ruled = stay.clone().with_rules(vec![
        Arc::new(Regions::default()),
        Arc::new(Friends::default()),
        Arc::new(Blocks::default()),
    ])?;
    let (lobbies, apart) = regions(inputs, &ruled)?;
    // 0 and 1 are friends; then 0 refuses to meet 3.
    let mut friends = four()?;
    friends[0].friends.push("p1".to_owned());
    let together = split(&Pool::new(friends)?, &ruled)?;
    let together = together.is_some_and(|split| split.teams.contains(&vec![0, 1]));
    let mut blocks = four()?;
    blocks[0].blocks.push("p3".to_owned());
    let blocked = split(&Pool::new(blocks)?, &ruled)?;
    // Another objective: the best of the three splits, for it and not for churn.
    let time = ScoringPolicy::new(vec![WeightedFactor::new(1.0, PlayTime)])?;
    let pool = Pool::new(four()?)?;
    let (longest, stays) = (split(&pool, &time)?, split(&pool, &stay)?);
    let mut most = f64::NEG_INFINITY;
    let all: [[&[usize]; 2]; 3] = [[&[0, 1], &[2, 3]], [&[0, 2], &[1, 3]], [&[0, 3], &[1, 2]]];
    for teams in &all {
        let quality = PlayTime.quality(&TeamMatch::new(&pool, teams)?);
        most = most.max(quality.unwrap_or(f64::NAN));
    }
    let longest_time = longest.as_ref().map_or(f64::NAN, |split| split.quality);
    let teams = |split: Option<TeamSplit>| split.map(|split| split.teams);
    let met = if blocked.is_none() { "none" } else { "made" };
    let another = teams(longest) != teams(stays);
    Ok(Finding::new()
        .number("teams by summed skill: off the expectation by", off, 3)
        .count("lobbies of two regions", lobbies as u64)
        .text("friends", if together { "on one team" } else { "opponents" })
        .text("a match with somebody who is blocked", met)
        .number("play time of its best split", longest_time, 3)
        .require(off < 1e-12, "churn with the chances of summed skills")
        .require(lobbies == 2 && apart, "no lobby across regions")
        .require(together, "friends are never opponents")
        .require(blocked.is_none(), "who is blocked is not met")
        .require(longest_time == most, "the objective can be play time")
        .require(another, "which wants another split than churn"))
}
