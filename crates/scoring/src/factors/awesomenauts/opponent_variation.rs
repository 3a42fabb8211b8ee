//! [`OpponentVariation`]: not the same players as in the last match.

use crate::error::{ScoringError, within};
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, PairKinds, PairTable, PlayerField, Pool, TeamFactor, TeamMatch};

/// quality = mean over all pairs of players: 1 if they did not meet lately, `same_roles` if they did and meet
/// again as what they were, `swapped_roles` if their roles changed.
///
/// "The Awesomenauts matchmaking algorithm", fifth factor: who met in the last match scores less, a little
/// less so with swapped roles. Who met whom is what [`Player`](crate::Player) lists as recent opponents and
/// team mates, on either side; two who are listed as both count as having the same roles. The figures are
/// ours.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct OpponentVariation {
    /// The quality of two who meet in the same roles as before, in \[0, 1\]. Default 0.
    pub same_roles: f64,
    /// The quality of two who were opponents and are team mates now, or the other way, in \[0, 1\]. Default 0.25.
    pub swapped_roles: f64,
    /// Whether two of one party count as new to each other: they chose to play together. Default true.
    pub spare_parties: bool,
}

impl Default for OpponentVariation {
    fn default() -> Self {
        Self {
            same_roles: 0.0,
            swapped_roles: 0.25,
            spare_parties: true,
        }
    }
}

impl OpponentVariation {
    /// The quality of two players, who are team mates now (`together`) or opponents.
    #[must_use]
    pub fn pair(&self, pool: &Pool, a: usize, b: usize, together: bool) -> f64 {
        if self.spare_parties && pool.same_party(a, b) {
            return 1.0;
        }
        let (mates, opponents) = (pool.were_teammates(a, b), pool.were_opponents(a, b));
        let (same, swapped) = if together {
            (mates, opponents)
        } else {
            (opponents, mates)
        };
        if same {
            self.same_roles
        } else if swapped {
            self.swapped_roles
        } else {
            1.0
        }
    }
}

impl MatchScorer<TeamMatch<'_>> for OpponentVariation {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        Some(candidate.mean_over_pairs(PairKinds::ALL, |a, b, together| {
            self.pair(candidate.pool(), a, b, together)
        }))
    }
}

impl TeamFactor for OpponentVariation {
    fn name(&self) -> &'static str {
        "opponent_variation"
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        let party = self.spare_parties.then_some(PlayerField::Party);
        let recent = [PlayerField::RecentOpponents, PlayerField::RecentTeammates];
        recent.into_iter().chain(party).collect()
    }

    fn check(&self) -> Result<(), ScoringError> {
        within("same_roles", self.same_roles, 0.0..=1.0)?;
        within("swapped_roles", self.swapped_roles, 0.0..=1.0)?;
        Ok(())
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        let table = |together| PairTable::of(players, |a, b| self.pair(pool, a, b, together));
        Some(Decomposition::Pairs {
            together: Some(table(true)),
            against: Some(table(false)),
        })
    }
}
