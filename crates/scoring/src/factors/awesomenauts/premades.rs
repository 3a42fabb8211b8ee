//! [`Premades`]: teams with equal shares of players in parties.

use crate::curve::Curve;
use crate::scorer::MatchScorer;
use crate::team::{BalanceCurve, Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// quality = difference(|b(A) - b(B)|), b(team) = (players - parties) / (players - 1), solo players as
/// parties of one.
///
/// "The Awesomenauts matchmaking algorithm", third factor: 100 % if both teams have the same structure, 60 %
/// for three friends against two and one, 0 % for three friends against three strangers. A party of s makes
/// s - 1 bonds; b is the share of all bonds that a team could have (0 in a team of one), which carries the
/// three figures over to teams of any size. Structures that differ with the same number of bonds (3 + 1
/// against 2 + 2) count as the same.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Premades {
    /// From the difference of the teams' shares of bonds, in \[0, 1\], to the quality. Default: the points (0,
    /// 1), (0.5, 0.6) and (1, 0).
    pub difference: Curve,
}

impl Default for Premades {
    fn default() -> Self {
        Self {
            difference: Curve::points(vec![(0.0, 1.0), (0.5, 0.6), (1.0, 0.0)]),
        }
    }
}

impl Premades {
    /// The share of the bonds that `team` has of those it could have, in \[0, 1\].
    #[must_use]
    pub fn bonds(candidate: &TeamMatch<'_>, team: &[usize]) -> f64 {
        let bonds = team.len() - candidate.count_parties(team);
        bonds as f64 / (team.len().max(2) - 1) as f64
    }
}

impl MatchScorer<TeamMatch<'_>> for Premades {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let bonds = |team: &[usize]| Self::bonds(candidate, team);
        Some(self.difference.quality(candidate.difference(bonds)))
    }
}

impl TeamFactor for Premades {
    fn name(&self) -> &'static str {
        "premades"
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        vec![PlayerField::Party]
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], team_size: usize) -> Option<Decomposition> {
        // A member of a party of s brings (s - 1) / s bonds; the mean over a team becomes the sum, and the share.
        let share = team_size as f64 / (team_size.max(2) - 1) as f64;
        let level = players.iter().map(|&player| {
            let size = pool.party_size(player) as f64;
            share * (size - 1.0) / size
        });
        Some(Decomposition::Balance {
            level: level.collect(),
            curve: BalanceCurve::Plain(self.difference.clone()),
        })
    }
}
