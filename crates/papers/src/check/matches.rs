//! What the checks of team matches share: players and factors.

use std::ops::Range;
use std::sync::Arc;

use anyhow::{Context, Result};
use matchwright_scoring::{
    MatchScorer, Player, PolicyDocument, Pool, ScoringPolicy, ScoringPolicyParams, TeamFactor, TeamMatch,
};

use crate::random::check_stream;
use rand::RngExt;

use super::numbers::deviate;

/// The section `[scoring]` of a document.
pub(crate) fn settings(document: &str) -> Result<ScoringPolicyParams> {
    let scoring = toml::from_str::<PolicyDocument>(document)?.scoring;
    scoring.context("a policy without the section `scoring`")
}

/// The policy that a document describes.
pub(crate) fn policy(document: &str) -> Result<ScoringPolicy> {
    Ok(settings(document)?.build()?)
}

/// One factor of a document's policy.
pub(crate) struct Factor {
    pub(crate) weight: f64,
    /// Its weight as a share of all.
    pub(crate) share: f64,
    asked: Arc<dyn TeamFactor>,
}

impl Factor {
    /// The factor of this name.
    pub(crate) fn of(document: &str, name: &str) -> Result<Self> {
        let policy = policy(document)?;
        let all: f64 = policy.factors().iter().map(|one| one.weight).sum();
        let one = policy.factors().iter().find(|one| one.factor.name() == name);
        let one = one.with_context(|| format!("the policy has no factor `{name}`"))?;
        Ok(Self {
            weight: one.weight,
            share: one.weight / all,
            asked: Arc::clone(&one.factor),
        })
    }

    /// The quality of these teams; NaN if they are forbidden.
    pub(crate) fn of_teams(&self, pool: &Pool, teams: [&[usize]; 2]) -> Result<f64> {
        let quality = self.asked.quality(&TeamMatch::new(pool, &teams)?);
        Ok(quality.unwrap_or(f64::NAN))
    }

    /// How far at most the quality of lobbies of these skills is from a formula.
    pub(crate) fn deviation(&self, lobbies: &[Vec<f64>], formula: impl Fn(&[f64]) -> f64) -> Result<f64> {
        let mut off = 0.0;
        for skills in lobbies {
            deviate(&mut off, self.of_halves(&skilled(skills))?, formula(skills));
        }
        Ok(off)
    }

    /// The quality of the first half of the players against the second.
    pub(crate) fn of_halves(&self, players: &[Player]) -> Result<f64> {
        let places: Vec<usize> = (0..players.len()).collect();
        let (first, second) = places.split_at(players.len() / 2);
        self.of_teams(&Pool::new(players.to_vec())?, [first, second])
    }
}

/// 300 lobbies of this many players with skills of this range.
pub(crate) fn lobbies(seed: u64, players: usize, skills: Range<f64>) -> Vec<Vec<f64>> {
    let mut rng = check_stream(seed, 46, 0);
    let mut one = |_| (0..players).map(|_| rng.random_range(skills.clone())).collect();
    (0..300).map(&mut one).collect()
}

/// Players `p0`, `p1`, ...
pub(crate) fn players(count: usize) -> Vec<Player> {
    (0..count).map(|place| Player::new(format!("p{place}"))).collect()
}

/// Players of these skills.
pub(crate) fn skilled(skills: &[f64]) -> Vec<Player> {
    let mut players = players(skills.len());
    for (player, skill) in players.iter_mut().zip(skills) {
        player.skill = Some(*skill);
    }
    players
}

/// Puts the players into parties of these sizes, one after another; 1 is a single player.
pub(crate) fn join(players: &mut [Player], sizes: &[usize]) {
    let mut next = 0;
    for &size in sizes {
        for player in players.iter_mut().skip(next).take(size) {
            player.party = (size > 1).then(|| format!("party of p{next}"));
        }
        next += size;
    }
}

/// The mean; NaN of nothing.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The mean, and its standard error.
pub(crate) fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let (centre, n) = (mean(values), values.len() as f64);
    let squares: f64 = values.iter().map(|value| (value - centre).powi(2)).sum();
    (centre, (squares / (n - 1.0) / n).sqrt())
}
