//! The players themselves: AWN-top, beginners.

use super::inputs::AwesomenautsInputs;
use crate::awesomenauts::printed::SKILL_CAP;
use crate::check::matches::{Factor, mean, skilled};
use crate::check::prelude::*;
use crate::random::Purpose;
use itertools::Itertools;
use matchwright_sim::population::{LobbyWorldParams, lobby_players};
use matchwright_sim::random::derived_seed;
use matchwright_sim::statistics::{Estimate, paired_test};
use rand::RngExt;

pub(crate) const CHECKS: &[Check<AwesomenautsInputs>] = &[
    Check::new("AWN-top", Exact(above_the_cap)),
    Check::new("AWN-beginners", Exact(beginners)),
];

/// The skills of so many pools of waiting players, pool by pool: one large pool would cost the square of its size.
fn skills(pools: u64, seed: u64) -> Result<Vec<Vec<f64>>> {
    let pool = |number| -> Result<Vec<f64>> {
        let seed = derived_seed(seed, Purpose::Checks, 91, number);
        let players = lobby_players(&LobbyWorldParams::default(), seed)?;
        Ok(players.iter().filter_map(|player| player.skill).collect())
    };
    (0..pools).map(pool).collect()
}

/// How many generated players are above the cap of skills, beside the printed share.
fn above_the_cap(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let all = skills(1_000, inputs.seed)?.concat();
    let players = all.len() as f64;
    let above = all.iter().filter(|skill| **skill > SKILL_CAP).count() as f64 / players;
    let error = (above * (1.0 - above) / players).sqrt();
    Ok(Finding::new()
        .samples(all.len(), "players")
        .estimate("above 18,000, %", Estimate::from((above, error)).times(100.0), 2)
        .number("printed", 100.0 * inputs.above_cap, 2)
        .leaves_open(
            (above - inputs.above_cap).abs() > 4.0 * error,
            "generated players are others than that game's",
        ))
}

/// A beginner is taken for an average player. Sixes in the order of the skill that is known, each with its most even
/// split; how even they are by true skill, with a beginner among them and without.
fn beginners(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let factor = Factor::of(&inputs.policy, "team_skill")?;
    let pools = skills(50, inputs.seed)?;
    let unknown = mean(&pools.concat());
    let mut pairs = Vec::new();
    for (pool, skills) in (0..).zip(&pools) {
        let mut rng = check_stream(inputs.seed, 90, pool);
        // Known skill, true skill, and whether a beginner's.
        let mut players: Vec<(f64, f64, bool)> = Vec::new();
        for &skill in skills {
            let is_new = rng.random::<f64>() < inputs.beginners;
            players.push((if is_new { unknown } else { skill }, skill, is_new));
        }
        players.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut even = [Vec::new(), Vec::new()];
        for six in players.chunks_exact(6) {
            let gap = |teams: &Vec<(f64, f64, bool)>| {
                let [first, second] =
                    [0..3, 3..6].map(|team| teams[team].iter().map(|one| one.0).sum::<f64>());
                (first - second).abs()
            };
            let teams = six.iter().copied().permutations(6);
            let best = teams.min_by(|one, other| gap(one).total_cmp(&gap(other)));
            let truth: Vec<f64> = best.context("six players")?.iter().map(|one| one.1).collect();
            let has_new = six.iter().any(|one| one.2);
            even[usize::from(has_new)].push(factor.of_halves(&skilled(&truth))?);
        }
        if even.iter().all(|of| !of.is_empty()) {
            pairs.push([mean(&even[0]), mean(&even[1])]);
        }
    }
    let worse = paired_test(pairs.iter().map(|[without, with]| without - with));
    Ok(Finding::new()
        .samples(pairs.len(), "pools")
        .number(
            "evenness of teams without a beginner",
            mean(&pairs.iter().map(|of| of[0]).collect::<Vec<_>>()),
            3,
        )
        .estimate("with one less by", worse, 3)
        .require_enough(pairs.len() > 10, "more than ten pools with matches of both kinds")
        .require_above(worse, 4.0, "matches with a beginner are less even by true skill"))
}
