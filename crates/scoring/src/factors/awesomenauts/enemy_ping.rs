//! [`EnemyPing`]: ping between opponents.

use crate::curve::Curve;
use crate::factors::pair_terms;
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, PairKinds, PlayerField, Pool, TeamFactor, TeamMatch};

/// quality = mean of ping(round trip between i and j) over all pairs of opponents, nine in a match of three
/// against three.
///
/// "The Awesomenauts matchmaking algorithm", fourth factor. Team mates do not count: nobody dodges their
/// shots. The cap at 50 ms is the author's; 350 ms and the power are ours, chosen so that 110 to 100 ms gains
/// more than 210 to 200, as the article asks. A ping is what [`Pool::ping`] says; one that nobody knows is as
/// bad as can be.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct EnemyPing {
    /// From the ping of two opponents in milliseconds to their quality. Default: 1 up to 50, 0 from 350, power 2.
    pub ping: Curve,
}

impl Default for EnemyPing {
    fn default() -> Self {
        Self {
            ping: Curve::ramp(50.0, 350.0, 2.0),
        }
    }
}

impl EnemyPing {
    /// The quality of two opponents.
    #[must_use]
    pub fn pair(&self, pool: &Pool, a: usize, b: usize) -> f64 {
        self.ping.quality(pool.ping(a, b))
    }
}

impl MatchScorer<TeamMatch<'_>> for EnemyPing {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        Some(candidate.mean_over_pairs(PairKinds::AGAINST, |a, b, _| self.pair(candidate.pool(), a, b)))
    }
}

impl TeamFactor for EnemyPing {
    fn name(&self) -> &'static str {
        "enemy_ping"
    }

    fn required_fields(&self) -> &'static [PlayerField] {
        &[PlayerField::Pings]
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        Some(pair_terms(PairKinds::AGAINST, players, |a, b| {
            self.pair(pool, a, b)
        }))
    }
}
