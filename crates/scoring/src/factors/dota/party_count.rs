//! [`PartyCount`]: teams of equal numbers of parties.

use crate::curve::Curve;
use crate::scorer::MatchScorer;
use crate::team::{BalanceCurve, Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// quality = difference(|parties of A - parties of B|), solo players as parties of one.
///
/// "Dota 2: Matchmaking", fifth criterion; its example of what to avoid, five friends against five solo players,
/// differs by 4, which is the worst that teams of five can do.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct PartyCount {
    /// From the difference of the numbers of parties to the quality. Default: 1 at 0 down to 0 at 4, straight.
    pub difference: Curve,
}

impl Default for PartyCount {
    fn default() -> Self {
        Self {
            difference: Curve::ramp(0.0, 4.0, 1.0),
        }
    }
}

impl MatchScorer<TeamMatch<'_>> for PartyCount {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let parties = |team: &[usize]| candidate.count_parties(team) as f64;
        Some(self.difference.quality(candidate.difference(parties)))
    }
}

impl TeamFactor for PartyCount {
    fn name(&self) -> &'static str {
        "party_count"
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        vec![PlayerField::Party]
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], team_size: usize) -> Option<Decomposition> {
        // Each member of a party of s is 1 / s of it; the mean over a team becomes the sum.
        let share = |&player: &usize| team_size as f64 / pool.party_size(player) as f64;
        Some(Decomposition::Balance {
            level: players.iter().map(share).collect(),
            curve: BalanceCurve::Plain(self.difference.clone()),
        })
    }
}
