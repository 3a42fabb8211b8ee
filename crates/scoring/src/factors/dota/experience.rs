//! [`Experience`]: the spread of the players' numbers of games.

use super::aggregate::Aggregate;
use crate::curve::Curve;
use crate::error::{ScoringError, within};
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// quality = spread(greatest - least experience of the match's parties), experience = log2(1 + games / unit).
///
/// "Dota 2: Matchmaking", third criterion, with [`experience_level`] as measure; a party counts as one player
/// ([`Aggregate::spread`], of its members' logarithms).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Experience {
    /// The games after which a newcomer's experience is 1, above 0. Default 40.
    pub unit: f64,
    /// What stands for a party. Default: its mean.
    pub party: Aggregate,
    /// From the spread of experience, in doublings, to the quality. Default: linear from 1 at 0 to 0 at 4.
    pub spread: Curve,
}

impl Default for Experience {
    fn default() -> Self {
        Self {
            unit: 40.0,
            party: Aggregate::Mean,
            spread: Curve::ramp(0.0, 4.0, 1.0),
        }
    }
}

/// How experienced somebody is who has played `games`: log2(1 + games / unit), in doublings.
///
/// "Dota 2: Matchmaking" calls it roughly logarithmic and gives one equality: from 40 to 120 games is as far as from
/// 120 to 280. With a unit of 40 these are 1, 2 and 3.
///
/// ```
/// use matchwright_scoring::experience_level;
///
/// assert_eq!([0.0, 40.0, 120.0, 280.0].map(|games| experience_level(games, 40.0)), [0.0, 1.0, 2.0, 3.0]);
/// ```
#[must_use]
pub fn experience_level(games: f64, unit: f64) -> f64 {
    (1.0 + games / unit).log2()
}

impl MatchScorer<TeamMatch<'_>> for Experience {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let level = |player| experience_level(candidate.pool().experience(player), self.unit);
        Some(self.spread.quality(self.party.spread(candidate, level)))
    }
}

impl TeamFactor for Experience {
    fn name(&self) -> &'static str {
        "experience"
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        let party = (self.party != Aggregate::Members).then_some(PlayerField::Party);
        std::iter::once(PlayerField::Experience).chain(party).collect()
    }

    fn check(&self) -> Result<(), ScoringError> {
        within("unit", self.unit, 1e-9..=1e12)?;
        Ok(())
    }

    fn required_fields(&self) -> &'static [PlayerField] {
        &[PlayerField::Experience]
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        let level = |player| experience_level(pool.experience(player), self.unit);
        Some(self.party.spread_terms(pool, players, &self.spread, level))
    }
}
