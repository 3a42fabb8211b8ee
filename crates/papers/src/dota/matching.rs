//! The queue of "Dota 2: Matchmaking": its criteria on the matches that it makes, what a threshold costs, and one account.

use std::sync::Arc;

use anyhow::{Context, Result};
use matchwright_rating::{
    CalibrationParams, DotaAccount, DotaMmrParams, GaussianRating, MatchKind, MmrTrack, QueuedAs, Shown,
    Viewer,
};
use matchwright_scoring::{Player, Pool};
use matchwright_sim::progress::Progress;
use matchwright_sim::simulate::{Figure, Measured};
use matchwright_sim::statistics::{Estimate, MeanTest};
use serde::Serialize;

use super::claims::inputs::DotaInputs;
use super::claims::worlds::{DOTA, RANDOM};
use super::reproduction::Newcomer;
use crate::check::matches::{Factor, policy};
use crate::check::simulated::WorldSize;
use crate::check::simulated::figure;
use crate::dota::printed::{MATCH, PrintedPlayer};
use crate::scene::Scene;

/// What the queue does.
#[derive(Serialize)]
pub(crate) struct Matching {
    pub(crate) criteria: Vec<Criterion>,
    pub(crate) thresholds: Vec<Threshold>,
    pub(crate) account: Vec<AfterGames>,
    pub(crate) scene: Scene,
}

/// One of the seven criteria: its quality in \[0, 1\].
#[derive(Serialize)]
pub(crate) struct Criterion {
    pub(crate) name: String,
    /// Its share of all weights.
    pub(crate) share: f64,
    /// Of the published match, where what it looks at is printed.
    pub(crate) published: Option<f64>,
    /// Mean over the matches of the policy, and of random matches in the same worlds.
    pub(crate) policy: Option<Estimate>,
    pub(crate) random: Option<Estimate>,
}

/// The policy with another threshold.
#[derive(Serialize)]
pub(crate) struct Threshold {
    pub(crate) quality: f64,
    /// Area under the gold lead: its mean, and what nine in ten matches do not exceed.
    pub(crate) area: Estimate,
    pub(crate) area_90: Estimate,
    /// Seconds: the mean, and within which nine in ten had a match.
    pub(crate) wait: Estimate,
    pub(crate) wait_90: Option<Estimate>,
}

/// An account after some ranked games alone.
#[derive(Serialize)]
pub(crate) struct AfterGames {
    pub(crate) games: usize,
    pub(crate) mmr: f64,
    pub(crate) uncertainty: f64,
    /// What the player, a friend and others see of it.
    pub(crate) seen: [String; 3],
    /// What the player sees of the ranked rating of parties, which these games leave as it is.
    pub(crate) in_parties: String,
}

/// Thresholds that are tried, rising.
const THRESHOLDS: [f64; 5] = [0.3, 0.5, 0.6, 0.7, 0.8];
/// The criteria that look at nothing but skills and parties, which the published match has.
const PUBLISHED: [&str; 4] = [
    "win_probability",
    "skill_spread",
    "best_against_best",
    "party_count",
];

/// The inputs of the checks, with worlds of this size.
pub(crate) fn inputs(size: WorldSize, seed: u64, progress: Arc<dyn Progress>) -> Result<DotaInputs> {
    let mut inputs = DotaInputs::new(seed, progress);
    inputs.worlds = inputs.worlds.sized(size)?;
    inputs.thresholds = THRESHOLDS.to_vec();
    let few = u32::try_from(size.worlds).unwrap_or(u32::MAX);
    inputs.win_rates.worlds = inputs.win_rates.worlds.min(few);
    Ok(inputs)
}

/// Runs the worlds, which the statements of the page read too.
pub(crate) fn run(inputs: &DotaInputs, newcomer: &Newcomer) -> Result<Matching> {
    let report = inputs.worlds_run()?;
    Ok(Matching {
        criteria: criteria(inputs)?,
        thresholds: thresholds(inputs)?,
        account: account(newcomer)?,
        scene: Scene::of(&inputs.worlds_config()?, report)?,
    })
}

fn criteria(inputs: &DotaInputs) -> Result<Vec<Criterion>> {
    let report = inputs.worlds_run()?;
    let pool = published_match()?;
    let policy = policy(&inputs.policy)?;
    let of = |name: &'static str| -> Result<Criterion> {
        let factor = Factor::of(&inputs.policy, name)?;
        let mean_of = |found: &Measured| Some(found.factors.iter().find(|one| one.factor == name)?.mean);
        let sees = |place: usize| {
            let worlds = report.worlds.iter();
            worlds
                .filter_map(|world| world.policies.get(place))
                .all(|found| mean_of(found).is_some())
        };
        let mean = |place| {
            (name != "wait" && sees(place))
                .then(|| report.mean(place, mean_of).map(estimate))
                .transpose()
        };
        let is_published = PUBLISHED.contains(&name);
        let published = is_published.then(|| factor.of_teams(&pool, [&[0, 1, 2, 3, 4], &[5, 6, 7, 8, 9]]));
        Ok(Criterion {
            name: name.replace('_', " "),
            share: factor.share,
            published: published.transpose()?,
            policy: mean(DOTA)?,
            random: mean(RANDOM)?,
        })
    };
    policy.factors().iter().map(|one| of(one.factor.name())).collect()
}

/// Radiant, then Dire.
fn published_match() -> Result<Pool> {
    let player = |(place, one): (usize, &PrintedPlayer)| Player {
        skill: Some(one.mmr),
        party: Some(one.party.to_string()),
        ..Player::new(format!("p{place}"))
    };
    Ok(Pool::new(
        MATCH.iter().flatten().enumerate().map(player).collect(),
    )?)
}

fn estimate(test: MeanTest) -> Estimate {
    (test.difference, test.standard_error).into()
}

fn thresholds(inputs: &DotaInputs) -> Result<Vec<Threshold>> {
    let report = inputs.thresholds_run()?;
    let places = inputs.thresholds.iter().enumerate();
    let rows = places.map(|(place, &quality)| {
        let mean = |of| report.mean(place, figure(of)).map(estimate);
        let has_90 = report.worlds.iter().all(|world| {
            let found = world.policies.get(place).and_then(figure(Figure::Wait90));
            found.is_some()
        });
        Ok(Threshold {
            quality,
            area: mean(Figure::Balance)?,
            area_90: mean(Figure::Balance90)?,
            wait: mean(Figure::WaitMean)?,
            wait_90: has_90.then(|| mean(Figure::Wait90)).transpose()?,
        })
    });
    rows.collect()
}

/// The mean newcomer's account, game by game.
fn account(newcomer: &Newcomer) -> Result<Vec<AfterGames>> {
    let params = DotaMmrParams::default();
    let [alone, together] =
        [QueuedAs::Solo, QueuedAs::Party].map(|queue| MmrTrack::new(MatchKind::Ranked, queue));
    let start = GaussianRating::new(params.initial_mmr, params.initial_uncertainty)?;
    let mut account = CalibrationParams::default().build()?.open(start);
    let row = |account: &DotaAccount, games| AfterGames {
        games,
        mmr: account.rating(alone).rating(),
        uncertainty: account.rating(alone).deviation(),
        seen: [Viewer::Owner, Viewer::Friend, Viewer::Other]
            .map(|viewer| words(account.shown(alone, viewer))),
        in_parties: words(account.shown(together, Viewer::Owner)),
    };
    let mut rows = vec![row(&account, 0)];
    for (games, &mmr) in newcomer.uncertain.iter().enumerate().skip(1) {
        let deviation = newcomer
            .uncertainty
            .get(games)
            .context("a game without an uncertainty")?;
        account = account.after_game(alone, GaussianRating::new(mmr, *deviation)?);
        rows.push(row(&account, games));
    }
    Ok(rows)
}

fn words(shown: Shown) -> String {
    match shown {
        Shown::Mmr(mmr) => format!("{mmr:.0}"),
        Shown::Calibrating { games_left: 1 } => "being calibrated, 1 game more".to_owned(),
        Shown::Calibrating { games_left } => format!("being calibrated, {games_left} games more"),
        Shown::Hidden => "nothing".to_owned(),
    }
}
