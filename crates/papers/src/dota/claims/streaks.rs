//! What a played match and a player's latest results are to the matchmaker: DOTA-balance, nostreak.

use super::inputs::DotaInputs;
use crate::check::prelude::*;
use matchwright_lobby::{Annealing, LobbySolver};
use matchwright_rating::{EloParams, EloRating, GameResult, RatingSystem, Score};
use matchwright_scoring::{
    ChurnByOutcome, LeadBalance, LeadError, MatchScorer, Player, Pool, ScoringPolicy, TeamMatch, lead_balance,
};
use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::check::matches::{players, policy};

pub(crate) const CHECKS: &[Check<DotaInputs>] = &[
    Check::new("DOTA-balance", Exact(|_| balance(lead_balance))),
    Check::new("DOTA-nostreak", Exact(streaks)),
];

/// A broken line, with the area by hand and when it was last level.
pub(crate) type ByHand<'a> = (&'a str, &'a [(f64, f64)], f64, f64);

/// Seconds, and gold that one side is ahead.
pub(crate) const LINES: [ByHand<'static>; 5] = [
    // A swing of ten thousand, then level at 41 minutes, and a lead of 800 in the last four.
    (
        "a swing of ten thousand",
        &[
            (0.0, 0.0),
            (1_200.0, 10_000.0),
            (2_460.0, 0.0),
            (2_580.0, -800.0),
            (2_700.0, -800.0),
        ],
        144_000.0,
        2_460.0,
    ),
    // 60 s to 1,500, and 2,640 s at it.
    (
        "a steady lead of 1,500",
        &[(0.0, 0.0), (60.0, 1_500.0), (2_700.0, 1_500.0)],
        4_005_000.0,
        0.0,
    ),
    // From 300 to -900 in 120 s: the last 90 s are a triangle.
    (
        "a lead that changes hands between samples",
        &[(0.0, 0.0), (600.0, 300.0), (720.0, -900.0)],
        40_500.0,
        630.0,
    ),
    ("never level", &[(60.0, 100.0), (120.0, 300.0)], 12_000.0, 60.0),
    (
        "level at the end",
        &[(0.0, 0.0), (900.0, 12_000.0), (1_800.0, 0.0)],
        0.0,
        1_800.0,
    ),
];

/// What measures how close a game was by its lead.
pub(crate) type Balance = fn(&[(f64, f64)]) -> Result<LeadBalance, LeadError>;

pub(crate) fn balance(balance_of: Balance) -> Result<Finding> {
    let (mut off, mut areas) = (0.0, Vec::new());
    let mut found = Finding::new();
    for (name, samples, area, level_at) in LINES {
        let LeadBalance {
            area: ours,
            level_at: level,
        } = balance_of(samples)?;
        deviate(&mut off, ours / 1_000.0, area / 1_000.0);
        deviate(&mut off, level, level_at);
        areas.push(ours);
        found = found.number(format!("{name}, thousands of gold x seconds"), ours / 1_000.0, 0);
    }
    Ok(found
        .number("off the areas by hand by", off, 3)
        .require(off < 1e-9, "areas and times as by hand")
        .require(
            areas[0] < 0.1 * areas[1],
            "the swing is the closer game, ten times",
        ))
}

/// Games of a history.
const GAMES: usize = 20;

/// A player's latest results, oldest first; true is a win.
type Results = Vec<bool>;

/// The rating after these results against opponents who are rated alike at the time: their order leaves no trace in it.
fn rated(results: &Results) -> Result<f64> {
    let elo = EloParams::default().build()?;
    let mut rating = elo.initial();
    for &won in results {
        let opponent = EloRating::new(rating.value())?;
        let score = if won { Score::WIN } else { Score::LOSS };
        rating = elo.update(&rating, 1.0, &[GameResult::new(opponent, score)]);
    }
    Ok(rating.value())
}

/// What a model by the last three outcomes makes of these results: after losses in a row players leave.
fn churn(results: &Results) -> Result<ChurnByOutcome> {
    let after = |won: bool| {
        let last = results.iter().rev().take(2).chain([&won]);
        let losses = last.filter(|won| !**won).count();
        0.03 + 0.12 * losses as f64
    };
    Ok(ChurnByOutcome::new(after(true), after(false), after(false))?)
}

/// Players of random experience, waits and languages, a fifth of them in pairs, rated by their results.
fn pool_of(rng: &mut ChaCha8Rng, results: &[Results]) -> Result<Vec<Player>> {
    let mut all = players(results.len());
    for (place, (player, results)) in all.iter_mut().zip(results).enumerate() {
        player.skill = Some(2_000.0 + rated(results)? - 1_500.0 + f64::from(rng.random_range(0..500)));
        player.experience = Some(rng.random_range(20..1_000));
        player.wait_seconds = Some(f64::from(rng.random_range(0..300)));
        player.languages = vec![["en", "de"][rng.random_range(0..2)].to_owned()];
        player.party = (place % 10 < 2).then(|| format!("party {}", place / 10));
        player.churn = Some(churn(results)?);
    }
    Ok(all)
}

/// The same results in another order, and other faces in the latest games.
fn others(rng: &mut ChaCha8Rng, results: &[Results], all: &[Player]) -> Result<Vec<Player>> {
    let mut all = all.to_vec();
    for (player, results) in all.iter_mut().zip(results) {
        let mut other = results.clone();
        // A streak at the end, of wins or of losses.
        other.sort_unstable();
        if rng.random_bool(0.5) {
            other.reverse();
        }
        let (before, after) = (rated(results)?, rated(&other)?);
        anyhow::ensure!(
            before == after,
            "the order of results changed a rating: {before} and {after}"
        );
        player.churn = Some(churn(&other)?);
        let mut met: Vec<String> = players(results.len()).into_iter().map(|one| one.id).collect();
        met.retain(|id| *id != player.id);
        met.sort_by_cached_key(|_| rng.random::<u64>());
        player.recent_opponents = met[..5].to_vec();
        player.recent_teammates = met[5..9].to_vec();
    }
    Ok(all)
}

/// Matches that score otherwise for other streaks, and pools whose line-ups are others.
fn changes(inputs: &DotaInputs, policy: &ScoringPolicy, number: u64) -> Result<(u64, bool)> {
    let mut rng = check_stream(inputs.seed, 60, number);
    let histories: Vec<Results> = (0..PLAYERS)
        .map(|_| (0..GAMES).map(|_| rng.random_bool(0.5)).collect())
        .collect();
    let before = pool_of(&mut rng, &histories)?;
    let after = others(&mut rng, &histories, &before)?;
    let [before, after] = [Pool::new(before)?, Pool::new(after)?];
    let mut order: Vec<usize> = (0..PLAYERS).collect();
    let mut scored = 0;
    for _ in 0..MATCHES {
        order.sort_by_cached_key(|_| rng.random::<u64>());
        let teams: [&[usize]; 2] = [&order[..5], &order[5..10]];
        let ask = |pool: &Pool| -> Result<Option<u64>> {
            let quality = policy.quality(&TeamMatch::new(pool, &teams)?);
            Ok(quality.map(f64::to_bits))
        };
        scored += u64::from(ask(&before)? != ask(&after)?);
    }
    let lineups = |pool: &Pool| -> Result<String> {
        let search = Annealing::new(number + 1).with_moves(8_000);
        let found = search.solve(&lobby_pool(pool, [5, 5])?, &LobbyScoring { pool, policy })?;
        Ok(serde_json::to_string(&found)?)
    };
    Ok((scored, lineups(&before)? != lineups(&after)?))
}

const PLAYERS: usize = 40;
const POOLS: u64 = 4;
const MATCHES: usize = 200;

/// Over all pools.
fn all_changes(inputs: &DotaInputs, policy: &ScoringPolicy) -> Result<(u64, u64)> {
    let mut sums = (0, 0);
    for number in 0..POOLS {
        let (scored, lineups) = changes(inputs, policy, number)?;
        sums = (sums.0 + scored, sums.1 + u64::from(lineups));
    }
    Ok(sums)
}

fn streaks(inputs: &DotaInputs) -> Result<Finding> {
    let (scored, lineups) = all_changes(inputs, &policy(&inputs.policy)?)?;
    // The same pools under a policy that does look: they are really different.
    let looks = format!("{}\n[scoring.factors.team_churn]\nweight = 3\n", inputs.policy);
    let (seen, otherwise) = match policy(&looks) {
        Ok(policy) => all_changes(inputs, &policy)?,
        // The policy has the factor already.
        Err(_) => (scored, lineups),
    };
    let matches = POOLS * MATCHES as u64;
    Ok(Finding::new()
        .samples(POOLS, "pools of 40 players, 200 random matches in each")
        .count("matches that score otherwise after other streaks", scored)
        .count("pools with other line-ups", lineups)
        .count(
            "with a factor of churn by the last results: matches that score otherwise",
            seen,
        )
        .count("pools with other line-ups then", otherwise)
        .require(
            scored == 0,
            "no quality changes with the order of results, to the bit",
        )
        .require(lineups == 0, "nor do the line-ups, byte by byte")
        .require(
            seen > matches / 2,
            "a policy that looks at streaks scores otherwise",
        )
        .require(otherwise == POOLS, "and makes other line-ups"))
}
