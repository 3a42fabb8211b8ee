//! [`SkillSpread`]: the skill difference of the best and the worst player of a match.

use super::aggregate::Aggregate;
use crate::curve::Curve;
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// quality = spread(greatest - least skill of the match's parties).
///
/// "Dota 2: Matchmaking", second criterion: the gap between best and worst player, related to balance but not
/// the same; a party counts as one player ([`Aggregate::spread`]).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct SkillSpread {
    /// What stands for a party. Default: its mean.
    pub party: Aggregate,
    /// From the spread, in points, to the quality. Default: linear from 1 at 0 to 0 at 1500.
    pub spread: Curve,
}

impl Default for SkillSpread {
    fn default() -> Self {
        Self {
            party: Aggregate::Mean,
            spread: Curve::ramp(0.0, 1500.0, 1.0),
        }
    }
}

impl MatchScorer<TeamMatch<'_>> for SkillSpread {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let spread = self
            .party
            .spread(candidate, |player| candidate.pool().skill(player));
        Some(self.spread.quality(spread))
    }
}

impl TeamFactor for SkillSpread {
    fn name(&self) -> &'static str {
        "skill_spread"
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        let party = (self.party != Aggregate::Members).then_some(PlayerField::Party);
        std::iter::once(PlayerField::Skill).chain(party).collect()
    }

    fn required_fields(&self) -> &'static [PlayerField] {
        &[PlayerField::Skill]
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        let skill = |player| pool.skill(player);
        Some(self.party.spread_terms(pool, players, &self.spread, skill))
    }
}
