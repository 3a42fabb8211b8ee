//! What the design spotlight says of wars and ratings beside ours.

use std::sync::Arc;

use super::claims::inputs::DominationsInputs;
use super::matching::{self, Matching};
use crate::dominations::printed::{CENTRE, TOP_AFTER};
use crate::dominations::{
    InflationConfig, InflationRow, NewcomerReport, NewcomersConfig, run_inflation, run_newcomers,
};
use anyhow::Result;
use matchwright_rating::{BaseOddsParams, BaseRating, DomMmrParams, DomRating, SeasonPull, SeasonPullParams};
use matchwright_sim::progress::Progress;
use serde::Serialize;

use crate::check::simulated::WorldSize;

/// Everything that was reproduced.
#[derive(Serialize)]
pub struct DominationsReproduction {
    pub(crate) base_odds: BaseOddsParams,
    pub(crate) bases: Vec<Lead>,
    pub(crate) dom: DomMmrParams,
    pub(crate) k_by_wars: Vec<(u32, f64)>,
    pub(crate) k_by_streak: Vec<(i32, f64)>,
    pub(crate) k_by_glory: Vec<(f64, f64)>,
    pub(crate) pulls: Vec<Pull>,
    pub(crate) newcomers: NewcomerReport,
    pub(crate) inflation: Vec<InflationRow>,
    pub(crate) matching: Matching,
    /// What the statements of the page look at.
    #[serde(skip)]
    pub(crate) inputs: DominationsInputs,
}

/// A defence that is higher by a share.
#[derive(Serialize)]
pub(crate) struct Lead {
    pub(crate) share: f64,
    pub(crate) win: f64,
    /// The other side's chance by the same curve.
    pub(crate) reverse: f64,
    /// What both chances would sum to, if the percentage were (A - B)/B.
    pub(crate) naive_sum: f64,
    pub(crate) good: bool,
}

/// One season's pull.
#[derive(Serialize)]
pub(crate) struct Pull {
    pub(crate) name: String,
    pub(crate) params: SeasonPullParams,
    /// The range of a top hundred that lands in the printed one.
    pub(crate) top_before: (f64, f64),
    pub(crate) top_after: (f64, f64),
    /// Glory before and after.
    pub(crate) curve: Vec<(f64, f64)>,
}

/// What decides [`reproduce`], apart from the seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DominationsSettings {
    /// New alliances.
    pub newcomers: NewcomersConfig,
    /// The closed world.
    pub inflation: InflationConfig,
    /// Worlds of the war queue.
    pub worlds: WorldSize,
}

/// Reproduces the document, on as many threads as there are cores, which never changes the result.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn reproduce(
    settings: &DominationsSettings,
    seed: u64,
    progress: Arc<dyn Progress>,
) -> Result<DominationsReproduction> {
    let inputs = matching::inputs(settings.worlds, seed, progress)?;
    let dom = DomMmrParams::default();
    let system = dom.build()?;
    let k = |glory, wars, streak| -> Result<f64> { Ok(system.k(&DomRating::new(glory, wars, streak)?)) };
    let glories = (0..=14).map(|step| 11_000.0 + 500.0 * f64::from(step));
    let by_wars = (0..=15).map(|wars| Ok((wars, k(CENTRE, wars, 0)?)));
    let by_streak = (-8..=8).map(|streak| Ok((streak, k(CENTRE, 300, streak)?)));
    let by_glory = glories.map(|glory| Ok((glory, k(glory, 300, 0)?)));
    Ok(DominationsReproduction {
        base_odds: BaseOddsParams::default(),
        bases: leads()?,
        dom,
        k_by_wars: by_wars.collect::<Result<_>>()?,
        k_by_streak: by_streak.collect::<Result<_>>()?,
        k_by_glory: by_glory.collect::<Result<_>>()?,
        pulls: pulls()?,
        newcomers: run_newcomers(&settings.newcomers, seed)?,
        inflation: run_inflation(&settings.inflation, seed)?,
        matching: matching::run(&inputs, settings.worlds)?,
        inputs: inputs.quiet(),
    })
}

fn leads() -> Result<Vec<Lead>> {
    let params = BaseOddsParams::default();
    let odds = params.build()?;
    let even = BaseRating::new(1_000.0, 1_000.0)?;
    // (A - B)/B, calibrated at the printed point as well.
    let slope = 10.0 * 1.5_f64.ln();
    let naive = |delta: f64| 1.0 / (1.0 + (-slope * delta).exp());
    let lead = |share: f64| {
        let base = BaseRating::new(1_000.0, 1_000.0 * (1.0 + share))?;
        Ok(Lead {
            share,
            win: odds.win_probability(&base, &even),
            reverse: odds.win_probability(&even, &base),
            naive_sum: naive(share) + naive(-share / (1.0 + share)),
            good: odds.is_good_match(&base, &even),
        })
    };
    let shares = [0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5];
    shares.into_iter().map(lead).collect()
}

/// The default pull, and those for two other top hundreds: the document does not say what they had before.
fn pulls() -> Result<Vec<Pull>> {
    let (low, high) = TOP_AFTER;
    let default = SeasonPullParams::default().build()?;
    let mut pulls = vec![pull("by default".to_owned(), &default, (16_000.0, 22_000.0))];
    for (from, until) in [(16_000.0, 20_000.0), (18_000.0, 23_000.0)] {
        let fitted = SeasonPull::calibrated(CENTRE, from..=until, low..=high)?;
        pulls.push(pull(format!("for {from} to {until}"), &fitted, (from, until)));
    }
    Ok(pulls)
}

fn pull(name: String, pull: &SeasonPull, top: (f64, f64)) -> Pull {
    let glories = (0..=24).map(|step| 1_000.0 * f64::from(step));
    Pull {
        name,
        params: *pull.params(),
        top_before: top,
        top_after: (pull.pull(top.0), pull.pull(top.1)),
        curve: glories.map(|glory| (glory, pull.pull(glory))).collect(),
    }
}
