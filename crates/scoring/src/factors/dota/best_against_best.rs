//! [`BestAgainstBest`]: the skill difference of the teams' best players.

use crate::curve::Curve;
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, PlayerField, Pool, TeamFactor, TeamMatch, greatest};

/// quality = difference(|greatest skill of A - greatest skill of B|).
///
/// "Dota 2: Matchmaking", fourth criterion.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct BestAgainstBest {
    /// From the difference of the best players' skills to the quality. Default: linear from 1 at 0 to 0 at 1000.
    pub difference: Curve,
}

impl Default for BestAgainstBest {
    fn default() -> Self {
        Self {
            difference: Curve::ramp(0.0, 1000.0, 1.0),
        }
    }
}

impl MatchScorer<TeamMatch<'_>> for BestAgainstBest {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let best = |team: &[usize]| greatest(team.iter().map(|&player| candidate.pool().skill(player)));
        Some(self.difference.quality(candidate.difference(best)))
    }
}

impl TeamFactor for BestAgainstBest {
    fn name(&self) -> &'static str {
        "best_against_best"
    }

    fn required_fields(&self) -> &'static [PlayerField] {
        &[PlayerField::Skill]
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        Some(Decomposition::Greatest {
            level: players.iter().map(|&player| pool.skill(player)).collect(),
            curve: self.difference.clone(),
        })
    }
}
