//! [`Friends`] do not play against each other.

use super::rule_terms;
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// Rule: two of whom one lists the other as a friend are never opponents.
///
/// EOMM, section 3.4, leaves out the edges between friends; so does this for teams, where friends may be team
/// mates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Friends {}

impl Friends {
    fn breach(candidate: &TeamMatch<'_>) -> Option<(usize, usize, bool)> {
        candidate.find_pair(|a, b, together| !together && candidate.pool().friends(a, b))
    }
}

impl MatchScorer<TeamMatch<'_>> for Friends {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        Self::breach(candidate).is_none().then_some(1.0)
    }
}

impl TeamFactor for Friends {
    fn name(&self) -> &'static str {
        "friends"
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        vec![PlayerField::Friends]
    }

    fn why_forbidden(&self, candidate: &TeamMatch<'_>) -> Option<String> {
        let (a, b, _) = Self::breach(candidate)?;
        Some(format!(
            "`{}` and `{}` are friends, on opposite teams",
            candidate.name(a),
            candidate.name(b)
        ))
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        Some(rule_terms(players, |a, b, together| {
            !together && pool.friends(a, b)
        }))
    }
}
