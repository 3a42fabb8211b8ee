//! From factors to a match and from matches to a total: AWN-wavg, react, mega, swap5-10, sqrt.

use super::inputs::AwesomenautsInputs;
use crate::awesomenauts::printed::REFUSED_SWAP;
use crate::check::prelude::*;
use matchwright_scoring::{MatchScorer, PowerMean, ScoringPolicy, TeamMatch, Total};

use super::world::World;
use crate::check::matches::{Factor, mean, mean_and_error, policy};

pub(crate) const CHECKS: &[Check<AwesomenautsInputs>] = &[
    Check::new("AWN-wavg", Exact(weighted)),
    Check::new("AWN-react", Exact(reactions)),
    Check::new("AWN-mega", Exact(total)),
    Check::new("AWN-swap5-10", Exact(refused)),
    Check::new("AWN-sqrt", Exact(roots)),
];

/// What asks one factor after another: qualities of the random matches.
fn by_factor(inputs: &AwesomenautsInputs, policy: &ScoringPolicy, world: &World) -> Result<Vec<Vec<f64>>> {
    let document = &inputs.policy;
    let one = |name: &str| -> Result<Vec<f64>> {
        let factor = Factor::of(document, name)?;
        let ask = |[a, b]: &[Vec<usize>; 2]| factor.of_teams(&world.pool, [a, b]);
        world.matches.iter().map(ask).collect()
    };
    let names = policy.factors().iter().map(|each| each.factor.name());
    names.map(one).collect()
}

/// What the policy makes of them.
fn scores(policy: &ScoringPolicy, world: &World) -> Result<Vec<f64>> {
    let ask = |[a, b]: &[Vec<usize>; 2]| {
        let teams: [&[usize]; 2] = [a, b];
        let quality = policy.quality(&TeamMatch::new(&world.pool, &teams)?);
        Ok(quality.unwrap_or(f64::NAN))
    };
    world.matches.iter().map(ask).collect()
}

fn weighted(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let policy = policy(&inputs.policy)?;
    let world = World::new(inputs.seed, 500)?;
    let columns = by_factor(inputs, &policy, &world)?;
    let weights: Vec<f64> = policy.factors().iter().map(|one| one.weight).collect();
    let all: f64 = weights.iter().sum();
    let (mut off, mut inside) = (0.0, true);
    for (place, score) in scores(&policy, &world)?.into_iter().enumerate() {
        let parts = columns.iter().zip(&weights);
        let sum: f64 = parts.map(|(column, w)| w * column[place]).sum();
        deviate(&mut off, score, sum / all);
        inside &= columns.iter().all(|column| (0.0..=1.0).contains(&column[place]));
    }
    Ok(Finding::new()
        .count("factors", columns.len() as u64)
        .number("off the weighted mean by", off, 3)
        .require(columns.len() == 6, "six factors")
        .require(inside, "each from 0 to 100 %")
        .require(off < 1e-12, "the score is their weighted mean"))
}

fn reactions(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let policy = policy(&inputs.policy)?;
    let world = World::new(inputs.seed, 4_000)?;
    let columns = by_factor(inputs, &policy, &world)?;
    let squares: Vec<Vec<f64>> = columns
        .iter()
        .map(|column| {
            let centre = mean(column);
            column.iter().map(|value| (value - centre).powi(2)).collect()
        })
        .collect();
    let place = |name: &str| {
        let found = policy.factors().iter().position(|one| one.factor.name() == name);
        found.with_context(|| format!("the policy has no `{name}`"))
    };
    let groups = place("premades")?;
    let mut found = Finding::new().count("random matches", world.matches.len() as u64);
    for (one, squares) in policy.factors().iter().zip(&squares) {
        let name = format!("variance of {}", one.factor.name());
        found = found.estimate(name, mean_and_error(squares), 4);
    }
    let zero = |place: usize| {
        let count = columns[place].iter().filter(|value| **value <= 0.0).count();
        100.0 * count as f64 / columns[place].len() as f64
    };
    found = found.number("at 0 % for groups, % of matches", zero(groups), 2);
    for name in ["team_skill", "player_skill", "enemy_ping"] {
        let smooth = place(name)?;
        let paired = squares[groups].iter().zip(&squares[smooth]);
        let differences: Vec<f64> = paired.map(|(groups, smooth)| groups - smooth).collect();
        let (difference, error) = mean_and_error(&differences);
        found = found
            .require(difference > 4.0 * error, format!("groups vary more than {name}"))
            .require(zero(groups) > zero(smooth), format!("0 % more often than {name}"))
            .require(
                policy.factors()[groups].weight < policy.factors()[smooth].weight,
                format!("groups weigh less than {name}"),
            );
    }
    Ok(found)
}

fn total(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let policy = policy(&inputs.policy)?;
    let world = World::new(inputs.seed, 300)?;
    let scores = scores(&policy, &world)?;
    let mut off = 0.0;
    for round in scores.chunks(16) {
        let total = policy.total().of(round);
        deviate(&mut off, total, mean(round));
    }
    Ok(Finding::new()
        .number("off the mean over rounds of 16 matches by", off, 3)
        .require(off < 1e-12, "the total is the mean"))
}

fn refused(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let policy = policy(&inputs.policy)?;
    let (gain, loss) = REFUSED_SWAP;
    let (mut swaps, mut accepted) = (0_u64, 0_u64);
    for a in 0..=19 {
        for b in 2..=20 {
            let (a, b) = (0.05 * f64::from(a), 0.05 * f64::from(b));
            let before = policy.total().of(&[a, b]);
            let after = policy.total().of(&[(a + gain).min(1.0), b - loss]);
            swaps += 1;
            accepted += u64::from(after.partial_cmp(&before) != Some(std::cmp::Ordering::Less));
        }
    }
    Ok(Finding::new()
        .count("swaps of +5 % and -10 %", swaps)
        .count("not refused", accepted)
        .require(accepted == 0, "the total refuses all"))
}

fn roots(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let swap = inputs.favour;
    let gain = |exponent: f64| -> Result<f64> {
        let total = Total::from(PowerMean::new(exponent)?);
        let of = |values: &[f64]| total.of(values);
        Ok(of(&swap.after) - of(&swap.before))
    };
    let root = PowerMean::new(0.5)?;
    let sum = |values: [f64; 2]| -> Result<f64> {
        let mean = Total::from(root).of(&values);
        // The mean of two roots, squared, is what a power mean says.
        Ok(2.0 * root.element(mean).context("a root has elements")?)
    };
    let (before, after) = (sum(swap.before)?, sum(swap.after)?);
    // Where it turns, between accepting and refusing.
    let (mut accepts, mut refuses) = (-1.0, 0.5);
    for _ in 0..60 {
        let middle = f64::midpoint(accepts, refuses);
        if gain(middle)? > 0.0 {
            accepts = middle;
        } else {
            refuses = middle;
        }
    }
    let mut all = true;
    for exponent in [-1.0, -1.5, -2.0, -4.0, -20.0, f64::NEG_INFINITY] {
        all &= gain(exponent)? > 0.0;
    }
    Ok(Finding::new()
        .number("roots before", before, 4)
        .number("after", after, 4)
        .number("exponent at which it turns", accepts, 3)
        .require((before - 1.6558).abs() < 5e-5, "the roots sum to 1.6558")
        .require((after - 1.6360).abs() < 5e-5, "and to 1.6360 after the swap")
        .completes_page(gain(0.5)? < 0.0, "so the square root refuses")
        .require(gain(1.0)? < 0.0, "as the plain mean does")
        .require(all, "exponents of -1 and below accept"))
}
