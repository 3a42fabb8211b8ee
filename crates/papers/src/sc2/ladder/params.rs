//! What a generated ladder is like.

use matchwright_mmr_forensics::{ForensicsError, LadderSeason, LadderSeasonParams, MovingAverage};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::random::Purpose;
use matchwright_sim::random::stream;

/// Where the skills of active players end up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Levels {
    /// Seven of ten close to where the next league starts, as the source observes of active players; the others
    /// anywhere from where they entered to there.
    Hovering,
    /// Anywhere from a hundred points below where they entered to where the next league starts: nobody's method
    /// expects that.
    Spread,
}

/// A ladder to generate, unchecked until [`ladder_world`](super::ladder_world).
///
/// The source does not say how its players play; all numbers here are choices of ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LadderWorldParams {
    /// Divisions, 1 to 10,000. Default 60.
    pub divisions: u32,
    /// Players of a division: from `least_members` to this, at most 1,000. Default 100.
    pub members: u32,
    /// At least 1. Default 40.
    pub least_members: u32,
    /// The share of players who hardly play, in \[0, 1\]. Default 0.2.
    pub inactive: f64,
    /// That share in divisions for them. Default 0.75.
    pub inactive_in_rank_i: f64,
    /// The most hours after its time that a division's snapshot is taken, 0 to 100. Default 10.
    pub late_hours: f64,
    /// Days that the season has lasted at the later snapshot, 30 to 1,000. Default 207.6: 2,669 points.
    pub days: f64,
    /// Days between the two snapshots, 1 to 20. Default 7.
    pub days_between: f64,
    /// Points by which a favourite at 10 to 1 is ahead, above 0. Default 400.
    pub scale: f64,
    /// The most points that one game moves, above 0. Default 24.
    pub k: f64,
    /// Which average promotes.
    pub average: MovingAverage,
    /// Games that a week of absence costs before promotion counts again, in the lowest league, 0 to 100. Default 2.
    pub debt: f64,
    /// By how much more in each league above it. Default 1.
    pub debt_by_league: f64,
    /// Where skills end up.
    pub levels: Levels,
    /// The share of players who let bonus points expire, up to 200 of them. Default 0.
    pub expiring: f64,
    /// The share of promoted players who hand in their history, in \[0, 1\]; of the others a tenth of it. Default
    /// 0.2.
    pub hand_in: f64,
    /// By how much each magic number may differ from the printed one, points, 0 to 50. Default 10.
    pub jitter: f64,
}

impl Default for LadderWorldParams {
    fn default() -> Self {
        Self {
            divisions: 60,
            members: 100,
            least_members: 40,
            inactive: 0.2,
            inactive_in_rank_i: 0.75,
            late_hours: 10.0,
            days: 207.6,
            days_between: 7.0,
            scale: 400.0,
            k: 24.0,
            average: MovingAverage::Simple { games: 10 },
            debt: 2.0,
            debt_by_league: 1.0,
            levels: Levels::Hovering,
            expiring: 0.0,
            hand_in: 0.2,
            jitter: 10.0,
        }
    }
}

/// Why a ladder could not be generated.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum LadderWorldError {
    /// A setting out of range.
    #[error("`{name}` is {value}: give {range}")]
    Setting {
        /// Which.
        name: &'static str,
        /// What it was.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// The season.
    #[error(transparent)]
    Season(#[from] ForensicsError),
}

impl LadderWorldParams {
    /// A ladder on which the assumptions of those who look at it do not hold: skills anywhere, larger steps, expired
    /// bonus points.
    #[must_use]
    pub fn broken() -> Self {
        Self {
            levels: Levels::Spread,
            k: 36.0,
            expiring: 0.15,
            ..Self::default()
        }
    }

    pub(crate) fn check(&self) -> Result<(), LadderWorldError> {
        let setting = |name, value: f64, ok: bool, range| {
            if ok {
                Ok(())
            } else {
                Err(LadderWorldError::Setting { name, value, range })
            }
        };
        let count = |name, value: u32, most: u32, range| {
            setting(name, f64::from(value), (1..=most).contains(&value), range)
        };
        let inside = |name, value: f64, low: f64, high: f64, range| {
            setting(name, value, (low..=high).contains(&value), range)
        };
        count("divisions", self.divisions, 10_000, "from 1 to 10000")?;
        count("members", self.members, 1_000, "from 1 to 1000")?;
        count(
            "least_members",
            self.least_members,
            self.members,
            "from 1 to `members`",
        )?;
        inside("inactive", self.inactive, 0.0, 1.0, "a share from 0 to 1")?;
        inside(
            "inactive_in_rank_i",
            self.inactive_in_rank_i,
            0.0,
            1.0,
            "a share from 0 to 1",
        )?;
        inside("late_hours", self.late_hours, 0.0, 100.0, "hours from 0 to 100")?;
        inside("days", self.days, 30.0, 1e3, "days from 30 to 1000")?;
        inside("days_between", self.days_between, 1.0, 20.0, "days from 1 to 20")?;
        inside("scale", self.scale, 1.0, 1e5, "points from 1 to 1e5")?;
        inside("k", self.k, 0.1, 1e3, "points from 0.1 to 1000")?;
        inside("debt", self.debt, 0.0, 100.0, "games from 0 to 100")?;
        inside(
            "debt_by_league",
            self.debt_by_league,
            0.0,
            100.0,
            "games from 0 to 100",
        )?;
        inside("expiring", self.expiring, 0.0, 1.0, "a share from 0 to 1")?;
        inside("hand_in", self.hand_in, 0.0, 1.0, "a share from 0 to 1")?;
        inside("jitter", self.jitter, 0.0, 50.0, "points from 0 to 50")
    }

    /// A season around the printed one: other magic numbers, other steps between tiers.
    pub(crate) fn season(&self, seed: u64) -> Result<LadderSeason, LadderWorldError> {
        let mut rng = stream(seed, Purpose::LadderSeason, 0, 0);
        let mut params = LadderSeasonParams {
            name: "generated".to_owned(),
            ..LadderSeasonParams::default()
        };
        let mut conversion = params.leagues.first().map_or(0.0, |league| league.conversion);
        for league in &mut params.leagues {
            league.conversion = conversion;
            if let Some(magic) = &mut league.magic {
                *magic += self.jitter * rng.random_range(-1.0..=1.0);
                conversion += *magic;
            }
            let step = 1.0 + 0.04 * self.jitter / 10.0 * rng.random_range(-1.0..=1.0);
            for tier in &mut league.tiers {
                tier.offset = tier.offset.map(|offset| offset * step);
            }
        }
        Ok(params.build()?)
    }
}
