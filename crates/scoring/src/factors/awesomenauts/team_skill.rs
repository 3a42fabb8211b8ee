//! [`TeamSkill`]: teams of equal mean skill.

use super::{capped, check_cap};
use crate::curve::Curve;
use crate::error::ScoringError;
use crate::scorer::MatchScorer;
use crate::team::{BalanceCurve, Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// quality = difference(|mean capped skill of A - mean capped skill of B|).
///
/// "The Awesomenauts matchmaking algorithm", first factor: the mean skill of each team, and how far they are
/// apart. The cap comes from its section on limiting ranges, the difference of 10,000 beyond which nothing
/// matters from the author's last comment.
///
/// ```
/// use matchwright_scoring::{MatchScorer, Player, Pool, TeamMatch, TeamSkill};
///
/// let player = |(id, skill): (&str, f64)| Player { skill: Some(skill), ..Player::new(id) };
/// let pool = Pool::new([("a", 9000.0), ("b", 5000.0), ("c", 8000.0), ("d", 4000.0)].map(player).into())?;
/// let teams: [&[usize]; 2] = [&[0, 1], &[2, 3]];
/// assert_eq!(TeamSkill::default().quality(&TeamMatch::new(&pool, &teams)?), Some(0.9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct TeamSkill {
    /// Skills above count as this; a huge number, or `None`, caps nothing. Default 18000, which 0.3 % of
    /// Awesomenauts' players are above.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub skill_cap: Option<f64>,
    /// From the difference of the teams' mean skills to the quality. Default: linear from 1 at 0 to 0 at 10,000.
    pub difference: Curve,
}

impl Default for TeamSkill {
    fn default() -> Self {
        Self {
            skill_cap: Some(18_000.0),
            difference: Curve::ramp(0.0, 10_000.0, 1.0),
        }
    }
}

impl MatchScorer<TeamMatch<'_>> for TeamSkill {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let skill = |player| capped(candidate.pool(), player, self.skill_cap);
        Some(self.difference.quality(candidate.difference_of_means(skill)))
    }
}

impl TeamFactor for TeamSkill {
    fn name(&self) -> &'static str {
        "team_skill"
    }

    fn check(&self) -> Result<(), ScoringError> {
        check_cap(self.skill_cap)
    }

    fn required_fields(&self) -> &'static [PlayerField] {
        &[PlayerField::Skill]
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        let skills = players.iter().map(|&player| capped(pool, player, self.skill_cap));
        Some(Decomposition::Balance {
            level: skills.collect(),
            curve: BalanceCurve::Plain(self.difference.clone()),
        })
    }
}
