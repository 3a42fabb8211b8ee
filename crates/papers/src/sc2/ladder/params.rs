//! What a generated ladder is like.

use matchwright_mmr_forensics::{ForensicsError, LadderSeason, LadderSeasonParams, MovingAverage};
use rand::RngExt;
use serde::Serialize;

use crate::random::Purpose;
use crate::settings::{SettingError, within};
use matchwright_sim::random::stream;

/// Where the skills of active players end up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Levels {
    /// Seven of ten close to where the next league starts, as the source observes of active players; the others
    /// anywhere from where they entered to there.
    Hovering,
    /// Anywhere from a hundred points below where they entered to where the next league starts: nobody's method
    /// expects that.
    Spread,
}

/// The share of players who hardly play: in most divisions, and in divisions for them.
pub(crate) const INACTIVE: [f64; 2] = [0.2, 0.75];
/// Days that the season has lasted at the two snapshots, the later of which has a bonus pool of 2,669 points.
pub(crate) const DAYS: [f64; 2] = [207.6 - 7.0, 207.6];
/// Points by which a favourite at 10 to 1 is ahead.
pub(crate) const SCALE: f64 = 400.0;
/// By how much each magic number may differ from the printed one, points.
const JITTER: f64 = 10.0;

/// A ladder to generate, unchecked until [`ladder_world`](super::ladder_world).
///
/// The source does not say how its players play; all numbers here are choices of ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LadderWorldParams {
    /// Divisions, 1 to 10,000. Default 60.
    pub divisions: u32,
    /// Players of a division: from `least_members` to this, at most 1,000. Default 100.
    pub members: u32,
    /// At least 1. Default 40.
    pub least_members: u32,
    /// The most hours after its time that a division's snapshot is taken, 0 to 100. Default 10.
    pub late_hours: f64,
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
}

impl Default for LadderWorldParams {
    fn default() -> Self {
        Self {
            divisions: 60,
            members: 100,
            least_members: 40,
            late_hours: 10.0,
            k: 24.0,
            average: MovingAverage::Simple { games: 10 },
            debt: 2.0,
            debt_by_league: 1.0,
            levels: Levels::Hovering,
            expiring: 0.0,
            hand_in: 0.2,
        }
    }
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

    pub(crate) fn check(&self) -> Result<(), SettingError> {
        within("divisions", self.divisions, &(1..=10_000))?;
        within("members", self.members, &(1..=1_000))?;
        within("least_members", self.least_members, &(1..=self.members))?;
        within("late_hours", self.late_hours, &(0.0..=100.0))?;
        within("k", self.k, &(0.1..=1_000.0))?;
        within("debt", self.debt, &(0.0..=100.0))?;
        within("debt_by_league", self.debt_by_league, &(0.0..=100.0))?;
        within("expiring", self.expiring, &(0.0..=1.0))?;
        within("hand_in", self.hand_in, &(0.0..=1.0))
    }
}

/// A season around the printed one: other magic numbers, other steps between tiers.
pub(crate) fn season(seed: u64) -> Result<LadderSeason, ForensicsError> {
    let mut rng = stream(seed, Purpose::LadderSeason, 0, 0);
    let mut params = LadderSeasonParams {
        name: "generated".to_owned(),
        ..LadderSeasonParams::default()
    };
    let mut conversion = params.leagues.first().map_or(0.0, |league| league.conversion);
    for league in &mut params.leagues {
        league.conversion = conversion;
        if let Some(magic) = &mut league.magic {
            *magic += JITTER * rng.random_range(-1.0..=1.0);
            conversion += *magic;
        }
        let step = 1.0 + 0.04 * JITTER / 10.0 * rng.random_range(-1.0..=1.0);
        for tier in &mut league.tiers {
            tier.offset = tier.offset.map(|offset| offset * step);
        }
    }
    params.build()
}
