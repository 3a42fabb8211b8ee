//! [`RecentTeamMates`]: not the same team mates as in the last match.

use crate::error::{ScoringError, within};
use crate::factors::pair_terms;
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, PairKinds, PlayerField, Pool, TeamFactor, TeamMatch};

/// quality = mean over the pairs of team mates: `again` if they were so lately and are of no common party,
/// else 1.
///
/// For games where new company matters more than new opponents;
/// [`OpponentVariation`](crate::OpponentVariation) looks at both. 1 in matches without team mates.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct RecentTeamMates {
    /// The quality of two who are team mates again, in \[0, 1\]. Default 0.
    pub again: f64,
}

impl Default for RecentTeamMates {
    fn default() -> Self {
        Self { again: 0.0 }
    }
}

impl RecentTeamMates {
    /// The quality of two team mates.
    #[must_use]
    pub fn pair(&self, pool: &Pool, a: usize, b: usize) -> f64 {
        if pool.were_teammates(a, b) && !pool.same_party(a, b) {
            self.again
        } else {
            1.0
        }
    }
}

impl MatchScorer<TeamMatch<'_>> for RecentTeamMates {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        Some(candidate.mean_over_pairs(PairKinds::TOGETHER, |a, b, _| self.pair(candidate.pool(), a, b)))
    }
}

impl TeamFactor for RecentTeamMates {
    fn name(&self) -> &'static str {
        "recent_team_mates"
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        vec![PlayerField::RecentTeammates, PlayerField::Party]
    }

    fn check(&self) -> Result<(), ScoringError> {
        within("again", self.again, 0.0..=1.0)?;
        Ok(())
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        Some(pair_terms(PairKinds::TOGETHER, players, |a, b| {
            self.pair(pool, a, b)
        }))
    }
}
