//! [`Glory`]: teams of equal mean glory.

use crate::curve::Curve;
use crate::scorer::MatchScorer;
use crate::team::{BalanceCurve, Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// quality = difference(|mean glory of A - mean glory of B|).
///
/// "World War Matchmaking", section on the leader board: glory takes part in matching, and alliances far
/// apart in it should rarely meet. Where glory belongs to an alliance, all its members carry the same. The
/// figure is ours; the spotlight expects the top hundred between 15,000 and 17,500 and the middle at 12,000.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Glory {
    /// From the difference of the teams' mean glory to the quality. Default: linear from 1 at 0 to 0 at 4000.
    pub difference: Curve,
}

impl Default for Glory {
    fn default() -> Self {
        Self {
            difference: Curve::ramp(0.0, 4000.0, 1.0),
        }
    }
}

impl MatchScorer<TeamMatch<'_>> for Glory {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let difference = candidate.difference_of_means(|player| candidate.pool().glory(player));
        Some(self.difference.quality(difference))
    }
}

impl TeamFactor for Glory {
    fn name(&self) -> &'static str {
        "glory"
    }

    fn required_fields(&self) -> &'static [PlayerField] {
        &[PlayerField::Glory]
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        Some(Decomposition::Balance {
            level: players.iter().map(|&player| pool.glory(player)).collect(),
            curve: BalanceCurve::Plain(self.difference.clone()),
        })
    }
}
