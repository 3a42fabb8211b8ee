//! [`size`]: how many players a wait and a quality need.

use serde::Serialize;

use super::measures::Figure;
use super::worlds::{Averaged, Worlds, WorldsError, average};
use crate::progress::Progress;

/// A bound that a figure's mean over the worlds must keep.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Target {
    /// Which figure.
    pub figure: Figure,
    /// At most this, or at least this of a figure of which more is better.
    pub bound: f64,
}

impl Target {
    /// Whether a mean keeps it; one that is open, or that is none, does not.
    #[must_use]
    pub fn is_kept_by(&self, mean: &Averaged) -> bool {
        mean.value().is_some_and(|value| match self.figure.better() {
            1 => value >= self.bound,
            _ => value <= self.bound,
        })
    }

    /// These bounds and, if none of them is on the tickets without a match, that these are no more than `today`: a shorter wait
    /// of fewer tickets is not what is asked.
    ///
    /// # Errors
    /// [`WorldsError::NoTickets`] if that is not known and needed.
    pub fn with_lost_kept(targets: &[Self], today: Option<f64>) -> Result<Vec<Self>, WorldsError> {
        let mut all = targets.to_vec();
        if targets.iter().all(|target| target.figure != Figure::Lost) {
            all.push(Self {
                figure: Figure::Lost,
                bound: today.ok_or(WorldsError::NoTickets)?,
            });
        }
        Ok(all)
    }
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
    /// The mean of each target's figure; none where a world has none, or where it is open.
    pub found: Vec<Option<f64>>,
    /// Why it is open, where it is.
    pub open: Vec<Option<String>>,
    /// Whether all targets are kept.
    pub is_enough: bool,
    /// Why no world can be of that size, if none can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_world: Option<String>,
}

/// How large a population was found to be enough.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sized {
    /// What had to be kept: what was asked for, and `lost_today`.
    pub targets: Vec<Target>,
    /// The share of tickets without a match, in percent, in the scenario as it is; it had to be kept unless a target said
    /// otherwise.
    pub lost_today: Option<f64>,
    /// All sizes that were tried, in that order.
    pub tried: Vec<SizeTried>,
    /// The least factor that was enough; `None` if none was.
    pub enough: Option<f64>,
}

/// No smaller factor is tried.
const LEAST: f64 = 1.0 / 256.0;

/// How sizes are looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeSearch {
    /// Worlds of each size.
    pub worlds: u64,
    /// No larger factor is tried. The work is about twice that of the largest.
    pub most: f64,
    /// The search ends when the answer is known to such a share.
    pub precision: f64,
    /// Threads, 0 for as many as there are cores.
    pub threads: usize,
}

/// The least population, as a factor of the scenario's, that keeps all targets on the mean of `search.worlds` worlds: doubled or
/// halved from 1 on until the answer is enclosed, then halved on the scale of logarithms until it is within `precision`
/// (0.1: a tenth). The same worlds for all sizes; with more players waits fall, which the halving takes for granted.
///
/// Unless a target is on it, the share of tickets without a match must be no more than that of the scenario as it is.
///
/// # Errors
/// [`WorldsError`]; a size that makes no world is not enough.
pub fn size(
    worlds: &Worlds<'_>,
    targets: &[Target],
    search: &SizeSearch,
    progress: &dyn Progress,
) -> Result<Sized, WorldsError> {
    let mut sizes = Sizes {
        worlds,
        targets: targets.to_vec(),
        lost_today: None,
        search,
        progress,
        tried: Vec::new(),
    };
    let (mut low, mut high) = (1.0, 1.0);
    if sizes.is_enough(1.0)? {
        while low > LEAST {
            low /= 2.0;
            if !sizes.is_enough(low)? {
                break;
            }
            high = low;
        }
    } else {
        while high < search.most {
            high = (2.0 * high).min(search.most);
            if sizes.is_enough(high)? {
                break;
            }
            low = high;
        }
    }
    while low < high && high / low > 1.0 + search.precision.max(0.001) {
        let middle = f64::sqrt(low * high);
        if sizes.is_enough(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    let enough = sizes
        .tried
        .iter()
        .filter(|one| one.is_enough)
        .map(|one| one.factor);
    let enough = enough.min_by(f64::total_cmp);
    Ok(Sized {
        targets: sizes.targets,
        lost_today: sizes.lost_today,
        tried: sizes.tried,
        enough,
    })
}

/// The sizes that were tried so far.
struct Sizes<'a> {
    worlds: &'a Worlds<'a>,
    targets: Vec<Target>,
    lost_today: Option<f64>,
    search: &'a SizeSearch,
    progress: &'a dyn Progress,
    tried: Vec<SizeTried>,
}

impl Sizes<'_> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of players"
    )]
    fn is_enough(&mut self, factor: f64) -> Result<bool, WorldsError> {
        let params = self.worlds.scenario.params();
        let players = params
            .people
            .players
            .map(|players| (f64::from(players) * factor).round() as u32);
        let scaled = self.worlds.scenario.changed(|params| {
            params.arrivals.factor *= factor;
            params.people.players = players;
        });
        let (found, no_world) = match scaled {
            Ok(scenario) => {
                let worlds = Worlds {
                    scenario: &scenario,
                    policies: &self.worlds.policies[..1.min(self.worlds.policies.len())],
                    ..*self.worlds
                };
                let found = worlds.run(0..self.search.worlds, self.search.threads, self.progress)?;
                (found, None)
            }
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        if self.tried.is_empty() {
            self.lost_today = average(&found, 0, Figure::Lost).value();
            self.targets = Target::with_lost_kept(&self.targets, self.lost_today)?;
        }
        let means = self
            .targets
            .iter()
            .map(|target| average(&found, 0, target.figure));
        let means: Vec<Averaged> = means.collect();
        let is_enough = self
            .targets
            .iter()
            .zip(&means)
            .all(|(target, mean)| target.is_kept_by(mean));
        self.tried.push(SizeTried {
            factor,
            per_second: params.arrivals.per_second * params.arrivals.factor * factor,
            players,
            found: means.iter().map(Averaged::value).collect(),
            open: means.into_iter().map(|mean| mean.open).collect(),
            is_enough,
            no_world,
        });
        Ok(is_enough)
    }
}
