//! Factors 4 and 6, of connections: AWN-F4, F6, noteamping, nonlinear.

use super::inputs::AwesomenautsInputs;
use crate::awesomenauts::printed::{ENEMY_PAIRS, PING_STEPS};
use crate::check::prelude::*;
use matchwright_scoring::{MatchScorer, Player, Pool};
use rand::RngExt;

use crate::check::matches::{Factor, mean, players, policy, settings};

pub(crate) const CHECKS: &[Check<AwesomenautsInputs>] = &[
    Check::new("AWN-F4", Exact(enemies)),
    Check::new("AWN-F6", Exact(hosts)),
    Check::new("AWN-noteamping", Exact(|inputs| mates(inputs, opponents))),
    Check::new("AWN-nonlinear", Exact(steps)),
];

/// Six players with a ping for each pair, computed by `ping(a, b)`, a < b.
fn connected(mut ping: impl FnMut(usize, usize) -> f64) -> Vec<Player> {
    let mut six = players(6);
    for (a, player) in six.iter_mut().enumerate() {
        for b in a + 1..6 {
            player.ping_to.insert(format!("p{b}"), ping(a, b));
        }
    }
    six
}

fn opponents(a: usize, b: usize) -> bool {
    (a < 3) != (b < 3)
}

fn enemies(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let factor = Factor::of(&inputs.policy, "enemy_ping")?;
    let written = settings(&inputs.policy)?.factors.enemy_ping;
    let curve = written.context("no enemy_ping")?.settings.ping;
    let mut rng = check_stream(inputs.seed, 42, 0);
    let mut off = 0.0;
    for _ in 0..200 {
        let mut each = Vec::new();
        let six = connected(|a, b| {
            let ping = rng.random_range(5.0..400.0);
            if opponents(a, b) {
                each.push(curve.quality(ping));
            }
            ping
        });
        deviate(&mut off, factor.of_halves(&six)?, mean(&each));
    }
    // How many pairs have a say: each in turn gets a bad ping.
    let even = factor.of_halves(&connected(|_, _| 100.0))?;
    let mut counted = 0;
    for a in 0..6 {
        for b in a + 1..6 {
            let one = connected(|x, y| if (x, y) == (a, b) { 300.0 } else { 100.0 });
            counted += usize::from(factor.of_halves(&one)? < even);
        }
    }
    Ok(Finding::new()
        .count("pairs that count", counted as u64)
        .number("off the mean over enemies by", off, 3)
        .require(counted == ENEMY_PAIRS, "the nine pairs of enemies")
        .require(off < 1e-12, "their mean"))
}

pub(crate) fn mates(inputs: &AwesomenautsInputs, are_opponents: fn(usize, usize) -> bool) -> Result<Finding> {
    let factor = Factor::of(&inputs.policy, "enemy_ping")?;
    let mut rng = check_stream(inputs.seed, 43, 0);
    let mut changes = 0_u64;
    for _ in 0..200 {
        let pings: Vec<f64> = (0..36).map(|_| rng.random_range(5.0..400.0)).collect();
        let before = factor.of_halves(&connected(|a, b| pings[6 * a + b]))?;
        let after = factor.of_halves(&connected(|a, b| {
            if are_opponents(a, b) {
                pings[6 * a + b]
            } else {
                rng.random_range(5.0..900.0)
            }
        }))?;
        changes += u64::from(before.to_bits() != after.to_bits());
    }
    Ok(Finding::new()
        .count("lobbies with other pings between team mates", 200)
        .count("of which score differently", changes)
        .require(changes == 0, "pings between team mates change nothing"))
}

fn steps(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let factor = Factor::of(&inputs.policy, "enemy_ping")?;
    let at = |ping: f64| factor.of_halves(&connected(|_, _| ping));
    let mut gains = Vec::new();
    let mut found = Finding::new();
    for (from, to) in PING_STEPS {
        let gain = at(to)? - at(from)?;
        gains.push(gain);
        found = found.number(format!("from {from} to {to} ms"), gain, 4);
    }
    Ok(found
        .require(gains.iter().all(|gain| *gain > 0.0), "both are a gain")
        .require(gains[0] > gains[1] + 1e-9, "the first the greater one"))
}

pub(crate) fn hosts(inputs: &AwesomenautsInputs) -> Result<Finding> {
    let document = &inputs.policy;
    let factor = Factor::of(document, "hosts")?;
    let with = |able: usize| {
        let mut six = players(6);
        for (place, player) in six.iter_mut().enumerate() {
            player.can_host = Some(place < able);
        }
        six
    };
    let of = |able| factor.of_halves(&with(able));
    let (none, one, two, all) = (of(0)?, of(1)?, of(2)?, of(6)?);
    // The only one who may be host does not reach one of the enemies.
    let mut cut = with(1);
    cut[0].connects_to = Some((1..5).map(|other| format!("p{other}")).collect());
    let cut = factor.of_halves(&cut)?;
    // Games with servers leave the factor out.
    let mut served = settings(document)?;
    served.factors.hosts = None;
    let served = served.build()?;
    let asked = |able| -> Result<Option<f64>> {
        let mut six = with(able);
        for player in &mut six {
            player.skill = Some(5_000.0);
            player.pings.insert("eu".to_owned(), 20.0);
        }
        let pool = Pool::new(six)?;
        let teams: [&[usize]; 2] = [&[0, 1, 2], &[3, 4, 5]];
        let candidate = matchwright_scoring::TeamMatch::new(&pool, &teams)?;
        Ok(served.quality(&candidate))
    };
    Ok(Finding::new()
        .number("nobody can be host", none, 2)
        .number("one", one, 2)
        .number("two", two, 2)
        .number("one, who does not reach everybody", cut, 2)
        .require(none < one && one < two, "one is needed, a second preferred")
        .require(two == 1.0 && all == 1.0, "two are enough")
        .require(cut == none, "a host must reach everybody")
        .require(
            policy(document)?.factors().len() == served.factors().len() + 1 && asked(0)? == asked(6)?,
            "switched off it has no say",
        ))
}
