//! [`Wait`]: the players' waiting times, and what waiting costs.

use crate::curve::Curve;
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// Seconds of waiting that cost as much as a worthless match in place of a perfect one.
const SECONDS_FOR_A_MATCH: f64 = 300.0;

/// What it costs that one player has waited this long, in qualities of a match.
///
/// ```text
/// cost = seconds / 300
/// ```
///
/// From 0 on, without an upper limit; below 0 seconds, and for NaN, it is 0. The one exchange rate between waiting and
/// quality: the default of [`Wait`] and the price of leaving a player out of the lobbies of a round are made of it. Five
/// minutes for a match is a choice of ours.
///
/// ```
/// use matchwright_scoring::waiting_cost;
///
/// assert_eq!([0.0, 60.0, 600.0].map(waiting_cost), [0.0, 0.2, 2.0]);
/// ```
#[must_use]
pub fn waiting_cost(seconds: f64) -> f64 {
    (seconds / SECONDS_FOR_A_MATCH).max(0.0)
}

/// quality = mean of seconds(wait) over the players: the longer they have waited, the better it is that they
/// play.
///
/// "Dota 2: Matchmaking", seventh criterion: waits should not be long. Under a threshold of quality it lets
/// people who waited long into matches that newcomers would not be given; among many players it serves the
/// former first.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Wait {
    /// From the seconds that a player has waited to the worth of a match for it. Default: the [`waiting_cost`], up to
    /// 1, so linear from 0 at 0 to 1 at 300.
    pub seconds: Curve,
}

impl Default for Wait {
    fn default() -> Self {
        Self {
            seconds: Curve::ramp(SECONDS_FOR_A_MATCH, 0.0, 1.0),
        }
    }
}

impl MatchScorer<TeamMatch<'_>> for Wait {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let worth = |player| self.seconds.quality(candidate.pool().wait_seconds(player));
        let count = candidate.players().count() as f64;
        Some((candidate.players().map(worth).sum::<f64>() / count).clamp(0.0, 1.0))
    }
}

impl TeamFactor for Wait {
    fn name(&self) -> &'static str {
        "wait"
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        vec![PlayerField::WaitSeconds]
    }

    fn settles_after(&self) -> f64 {
        self.seconds.last()
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        let worth = |&player: &usize| self.seconds.quality(pool.wait_seconds(player));
        Some(Decomposition::Players {
            quality: players.iter().map(worth).collect(),
        })
    }
}
