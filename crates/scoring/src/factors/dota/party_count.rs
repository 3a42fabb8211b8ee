//! [`PartyCount`]: both teams made of the same number of parties.

use crate::curve::Curve;
use crate::scorer::MatchScorer;
use crate::team::{BalanceCurve, Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// quality = the curve `difference` at |parties of A - parties of B|, where a solo player is a party of one.
///
/// "Dota 2: Matchmaking", fifth criterion; its example of what to avoid, five friends against five solo players,
/// differs by 4, which is the worst that teams of five can do.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct PartyCount {
    /// From the difference of the numbers of parties to the quality. Default: linear from 1 at 0 to 0 at 4.
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
        // `Balance` compares means of teams: with team_size / s for each member of a party of s a team's mean is its number of parties.
        let share = |&player: &usize| team_size as f64 / pool.party_size(player) as f64;
        Some(Decomposition::Balance {
            level: players.iter().map(share).collect(),
            curve: BalanceCurve::Plain(self.difference.clone()),
        })
    }
}
