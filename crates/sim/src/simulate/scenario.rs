//! [`ScenarioParams`]: a world to simulate, as a document has it, and [`Scenario`], one that was checked.

use std::collections::BTreeMap;

use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::rate::{RateError, SystemChoice, SystemParams};

/// More players take more memory than most machines have.
const MOST_PLAYERS: u32 = 100_000_000;
const MOST_REGIONS: usize = 1000;

/// A world to simulate, unchecked until [`build`](Self::build).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScenarioParams {
    /// What it is called.
    pub name: String,
    /// How long it lasts, hours. Default 24.
    pub hours: f64,
    /// So many hours at the beginning are left out of all measures. Default 0.
    pub warm_up_hours: f64,
    /// When parties come.
    pub arrivals: ArrivalParams,
    /// Who comes.
    pub people: PeopleParams,
    /// Where from; none for one place without pings.
    pub regions: Vec<RegionParams>,
    /// How long a party waits before it gives up. Default: it never does.
    pub patience: Option<Patience>,
    /// How proposals are answered.
    pub acceptance: AcceptanceParams,
    /// What matches are like.
    pub play: PlayParams,
    /// What happens after a match. Of use where players are the same from match to match.
    pub again: AgainParams,
    /// What the matchmaker knows of skills.
    pub rating: RatingParams,
}

impl Default for ScenarioParams {
    fn default() -> Self {
        Self {
            name: String::new(),
            hours: 24.0,
            warm_up_hours: 0.0,
            arrivals: ArrivalParams::default(),
            people: PeopleParams::default(),
            regions: Vec::new(),
            patience: None,
            acceptance: AcceptanceParams::default(),
            play: PlayParams::default(),
            again: AgainParams::default(),
            rating: RatingParams::default(),
        }
    }
}

/// When parties come: a Poisson process whose rate changes with the hour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ArrivalParams {
    /// Parties a second, all regions together, over a whole day. Default 1. One whose players are busy stays away.
    pub per_second: f64,
    /// How busy each local hour is, 24 numbers of any scale. Default: all alike.
    pub by_hour: Vec<f64>,
}

impl Default for ArrivalParams {
    fn default() -> Self {
        Self {
            per_second: 1.0,
            by_hour: Vec::new(),
        }
    }
}

/// Who comes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PeopleParams {
    /// How many there are. Default none: every party is new, and comes once.
    pub players: Option<u32>,
    /// Shares of parties of one, two and more, of any scale. Default: all come alone.
    pub parties: Vec<f64>,
    /// Mean of true skill, points. Default 1500.
    pub skill_mean: f64,
    /// Its standard deviation. Default 300.
    pub skill_deviation: f64,
}

impl Default for PeopleParams {
    fn default() -> Self {
        Self {
            players: None,
            parties: vec![1.0],
            skill_mean: 1500.0,
            skill_deviation: 300.0,
        }
    }
}

/// Where players come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionParams {
    /// Its name.
    pub name: String,
    /// Share of the parties, of any scale. Default 1.
    #[serde(default = "one")]
    pub share: f64,
    /// Local time less that of the arrivals' clock, hours. Default 0.
    #[serde(default)]
    pub offset_hours: f64,
    /// Ping of its players to each region where they would play, milliseconds; none for any region.
    #[serde(default)]
    pub pings: BTreeMap<String, f64>,
}

const fn one() -> f64 {
    1.0
}

/// How long a party waits before it gives up, in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Patience {
    /// Without memory, with this mean.
    Exponential(f64),
    /// exp(-(t / scale)^shape) wait longer than t.
    Weibull {
        /// Below 1 most leave early, above 1 most leave late.
        shape: f64,
        /// 63 % have left by then.
        scale: f64,
    },
    /// Seconds and the share that has left by then, both rising: straight lines between them, nobody beyond the last who
    /// has not left.
    Table(Vec<(f64, f64)>),
}

impl Patience {
    /// Seconds; none for who never gives up.
    pub(super) fn draw(&self, rng: &mut impl Rng) -> Option<f64> {
        match self {
            Self::Exponential(mean) => {
                let drawn: f64 = Exp1.sample(rng);
                Some(mean * drawn)
            }
            Self::Weibull { shape, scale } => {
                let drawn: f64 = Exp1.sample(rng);
                Some(scale * drawn.powf(1.0 / shape))
            }
            Self::Table(rows) => {
                let share: f64 = rng.random();
                let next = rows.partition_point(|row| row.1 < share);
                let (seconds, left) = *rows.get(next)?;
                let (before, left_before) = next.checked_sub(1).map_or((0.0, 0.0), |last| rows[last]);
                let part = (share - left_before) / (left - left_before);
                Some(before + part * (seconds - before))
            }
        }
    }

    fn check(&self) -> Result<(), ScenarioError> {
        match self {
            Self::Exponential(mean) => positive("patience.exponential", *mean),
            Self::Weibull { shape, scale } => {
                positive("patience.weibull.shape", *shape)?;
                positive("patience.weibull.scale", *scale)
            }
            Self::Table(rows) => {
                let is_rising = rows.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1);
                let is_share =
                    |row: &(f64, f64)| row.0 > 0.0 && row.0.is_finite() && row.1 > 0.0 && row.1 <= 1.0;
                if !rows.is_empty() && is_rising && rows.iter().all(is_share) {
                    return Ok(());
                }
                Err(ScenarioError::Key {
                    key: "patience.table",
                    value: format!("{rows:?}"),
                    wanted: "pairs of seconds above 0 and shares up to 1, both rising",
                })
            }
        }
    }
}

/// How proposals are answered, where the policy asks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AcceptanceParams {
    /// The chance that a player accepts. Default 1.
    pub chance: f64,
    /// The chance that a player who does not accept declines; the others let the time run out. Default 0.5.
    pub declines: f64,
    /// Mean seconds until an answer, exponential. Default 0: at once.
    pub mean_seconds: f64,
}

impl Default for AcceptanceParams {
    fn default() -> Self {
        Self {
            chance: 1.0,
            declines: 0.5,
            mean_seconds: 0.0,
        }
    }
}

/// What matches are like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlayParams {
    /// Median length, minutes. Default 15.
    pub median_minutes: f64,
    /// Standard deviation of the logarithm of the length. Default 0.3.
    pub sigma: f64,
    /// A lead in skill that makes odds of ten to one, points. Teams are as good as their mean. Default 400.
    pub points_for_ten_to_one: f64,
    /// How likely a draw is, in \[0, 1). Default 0.
    pub draw_rate: f64,
}

impl Default for PlayParams {
    fn default() -> Self {
        Self {
            median_minutes: 15.0,
            sigma: 0.3,
            points_for_ten_to_one: 400.0,
            draw_rate: 0.0,
        }
    }
}

/// What happens after a match, by how it ended: win, draw, loss.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AgainParams {
    /// The chance that a party queues again at once. Default 0.7 each.
    pub next_match: [f64; 3],
    /// Of those who do not, the share who never come again. Default 0 each.
    pub gone: [f64; 3],
    /// Mean seconds between a match and the next wait, exponential. Default 30.
    pub pause_seconds: f64,
}

impl Default for AgainParams {
    fn default() -> Self {
        Self {
            next_match: [0.7; 3],
            gone: [0.0; 3],
            pause_seconds: 30.0,
        }
    }
}

/// What the matchmaker knows of skills.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RatingParams {
    /// The system that learns from the matches. Default none: skill and a fixed error.
    pub system: Option<SystemChoice>,
    /// Its parameters.
    pub params: SystemParams,
    /// Without a system: standard deviation of rating less skill, points. Default 0.
    pub error_deviation: f64,
}

/// Why a document makes no world.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// A number out of range.
    #[error("`{key}` is {value}: give {wanted}")]
    Key {
        /// Where it stands.
        key: &'static str,
        /// What it is.
        value: String,
        /// What it may be.
        wanted: &'static str,
    },
    /// A rating system's parameter.
    #[error("`rating.params`: {0}")]
    Rating(#[from] RateError),
}

/// A world that can be simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    params: ScenarioParams,
}

impl Scenario {
    /// What it was made of; at least one region and 24 hours.
    #[must_use]
    pub const fn params(&self) -> &ScenarioParams {
        &self.params
    }
}

impl ScenarioParams {
    /// Checks everything.
    ///
    /// # Errors
    /// [`ScenarioError`] names the key.
    pub fn build(mut self) -> Result<Scenario, ScenarioError> {
        positive("hours", self.hours)?;
        require(self.hours <= 1e6, "hours", self.hours, "at most a million")?;
        let warm_up = self.warm_up_hours;
        let is_part = warm_up >= 0.0 && warm_up < self.hours;
        require(is_part, "warm_up_hours", warm_up, "0 or more, less than `hours`")?;
        positive("arrivals.per_second", self.arrivals.per_second)?;
        if self.arrivals.by_hour.is_empty() {
            self.arrivals.by_hour = vec![1.0; 24];
        }
        let hours = &self.arrivals.by_hour;
        require(hours.len() == 24, "arrivals.by_hour", hours.len(), "24 numbers")?;
        weights("arrivals.by_hour", hours)?;
        self.check_people()?;
        if let Some(patience) = &self.patience {
            patience.check()?;
        }
        let AcceptanceParams {
            chance,
            declines,
            mean_seconds,
        } = self.acceptance;
        share("acceptance.chance", chance)?;
        share("acceptance.declines", declines)?;
        not_negative("acceptance.mean_seconds", mean_seconds)?;
        let play = self.play;
        positive("play.median_minutes", play.median_minutes)?;
        not_negative("play.sigma", play.sigma)?;
        positive("play.points_for_ten_to_one", play.points_for_ten_to_one)?;
        let is_rate = play.draw_rate >= 0.0 && play.draw_rate < 1.0;
        require(is_rate, "play.draw_rate", play.draw_rate, "0 or more, below 1")?;
        for chance in self.again.next_match {
            share("again.next_match", chance)?;
        }
        for chance in self.again.gone {
            share("again.gone", chance)?;
        }
        not_negative("again.pause_seconds", self.again.pause_seconds)?;
        not_negative("rating.error_deviation", self.rating.error_deviation)?;
        if let Some(system) = self.rating.system {
            self.rating.params.check(system)?;
        }
        Ok(Scenario { params: self })
    }

    fn check_people(&mut self) -> Result<(), ScenarioError> {
        let people = &self.people;
        if let Some(players) = people.players {
            let is_some = (2..=MOST_PLAYERS).contains(&players);
            require(is_some, "people.players", players, "two to a hundred million")?;
        }
        weights("people.parties", &people.parties)?;
        let is_some = people.skill_mean.abs() <= 1e6;
        require(
            is_some,
            "people.skill_mean",
            people.skill_mean,
            "a number up to a million",
        )?;
        not_negative("people.skill_deviation", people.skill_deviation)?;
        if self.regions.is_empty() {
            self.regions.push(RegionParams {
                name: String::new(),
                share: 1.0,
                offset_hours: 0.0,
                pings: BTreeMap::new(),
            });
        }
        let count = self.regions.len();
        require(count <= MOST_REGIONS, "regions", count, "a thousand at most")?;
        let shares: Vec<f64> = self.regions.iter().map(|region| region.share).collect();
        weights("regions.share", &shares)?;
        for region in &self.regions {
            let offset = region.offset_hours;
            require(offset.abs() <= 24.0, "regions.offset_hours", offset, "-24 to 24")?;
            for &ping in region.pings.values() {
                not_negative("regions.pings", ping)?;
            }
        }
        Ok(())
    }
}

fn require(
    is_so: bool,
    key: &'static str,
    value: impl std::fmt::Display,
    wanted: &'static str,
) -> Result<(), ScenarioError> {
    if is_so {
        return Ok(());
    }
    let value = value.to_string();
    Err(ScenarioError::Key { key, value, wanted })
}

fn positive(key: &'static str, value: f64) -> Result<(), ScenarioError> {
    require(value > 0.0 && value <= 1e12, key, value, "a number above 0")
}

fn not_negative(key: &'static str, value: f64) -> Result<(), ScenarioError> {
    require((0.0..=1e12).contains(&value), key, value, "a number, 0 or more")
}

fn share(key: &'static str, value: f64) -> Result<(), ScenarioError> {
    require((0.0..=1.0).contains(&value), key, value, "a number from 0 to 1")
}

/// Numbers of 0 or more, not all 0.
fn weights(key: &'static str, values: &[f64]) -> Result<(), ScenarioError> {
    for &value in values {
        not_negative(key, value)?;
    }
    let sum: f64 = values.iter().sum();
    require(sum > 0.0, key, sum, "numbers of 0 or more, not all 0")
}
