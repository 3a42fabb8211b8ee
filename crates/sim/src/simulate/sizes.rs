//! [`size`]: how many players a wait and a quality need.

use serde::Serialize;

use super::measures::{Figure, Measured};
use super::scenario::{Scenario, ScenarioParams};
use super::worlds::{Worlds, WorldsError};
use crate::progress::Progress;
use crate::statistics::Summary;

/// A bound that a figure's mean over the worlds must keep.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Target {
    /// Which figure.
    pub figure: Figure,
    /// At most this, or at least this of a figure of which more is better.
    pub bound: f64,
}

/// One size that was tried.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SizeTried {
    /// Times as many arrivals and players as the scenario has.
    pub factor: f64,
    /// Parties a second, over a day.
    pub per_second: f64,
    /// Players, where they are the same from match to match.
    pub players: Option<u32>,
    /// The mean of each target's figure; none where a world has none.
    pub found: Vec<Option<f64>>,
    /// Whether all targets are kept.
    pub is_enough: bool,
}

/// How large a population was found to be enough.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sized {
    /// All sizes that were tried, in that order.
    pub tried: Vec<SizeTried>,
    /// The least factor that was enough; `None` if none was.
    pub enough: Option<f64>,
}

/// Sizes are looked for between these factors.
const FACTORS: [f64; 2] = [1.0 / 256.0, 256.0];

/// The least population, as a factor of the scenario's, that keeps all targets on the mean of so many worlds: doubled or
/// halved from 1 on until the answer is enclosed, then halved on the scale of logarithms until it is within `precision`
/// (0.1: a tenth). The same worlds for all sizes; with more players waits fall, which the halving takes for granted.
///
/// # Errors
/// [`WorldsError`]; a size that makes no world ends the search there.
pub fn size(
    worlds: &Worlds<'_>,
    targets: &[Target],
    count: u64,
    precision: f64,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Sized, WorldsError> {
    let mut tried: Vec<SizeTried> = Vec::new();
    let mut is_enough = |factor: f64| -> Result<bool, WorldsError> {
        let scenario = scaled(worlds.scenario, factor)?;
        let worlds = Worlds {
            scenario: &scenario,
            policies: &worlds.policies[..1.min(worlds.policies.len())],
            ..*worlds
        };
        let found = worlds.run(0..count, threads, progress)?;
        let mean = |target: &Target| {
            let of = |found: &Measured| target.figure.of(found);
            let values: Option<Vec<f64>> = found
                .iter()
                .map(|world| world.policies.first().and_then(of))
                .collect();
            values.map(|values| Summary::of(values).mean())
        };
        let found: Vec<Option<f64>> = targets.iter().map(mean).collect();
        let keeps = |(target, value): (&Target, &Option<f64>)| {
            value.is_some_and(|value| match target.figure.better() {
                1 => value >= target.bound,
                _ => value <= target.bound,
            })
        };
        let is_enough = targets.iter().zip(&found).all(keeps);
        let params = scenario.params();
        tried.push(SizeTried {
            factor,
            per_second: params.arrivals.per_second * params.arrivals.factor,
            players: params.people.players,
            found,
            is_enough,
        });
        Ok(is_enough)
    };
    let (mut low, mut high) = (1.0, 1.0);
    if is_enough(1.0)? {
        while low > FACTORS[0] {
            low /= 2.0;
            if !is_enough(low)? {
                break;
            }
            high = low;
        }
    } else {
        while high < FACTORS[1] {
            high *= 2.0;
            if is_enough(high)? {
                break;
            }
            low = high;
        }
    }
    while low < high && high / low > 1.0 + precision.max(0.001) {
        let middle = f64::sqrt(low * high);
        if is_enough(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    let enough = tried.iter().filter(|one| one.is_enough).map(|one| one.factor);
    let enough = enough.min_by(f64::total_cmp);
    Ok(Sized { tried, enough })
}

/// So many times as many arrivals, and players.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number of players"
)]
fn scaled(scenario: &Scenario, factor: f64) -> Result<Scenario, WorldsError> {
    let scale = |params: &mut ScenarioParams| {
        params.arrivals.factor *= factor;
        let players = &mut params.people.players;
        *players = players.map(|players| (f64::from(players) * factor).round() as u32);
    };
    Ok(scenario.changed(scale)?)
}
