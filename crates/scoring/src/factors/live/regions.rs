//! [`Regions`]: players of different regions do not meet.

use super::rule_terms;
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// Rule: all players of a match have the same home region; who gives none may play anywhere.
///
/// EOMM, section 3.4, leaves out the edges between regions; so does this for teams. Two of one party are spared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Regions {}

impl Regions {
    fn broken(pool: &Pool, a: usize, b: usize) -> bool {
        let home = |player: usize| pool[player].region.as_deref();
        let apart = home(a).zip(home(b)).is_some_and(|(a, b)| a != b);
        apart && !pool.same_party(a, b)
    }

    fn breach(candidate: &TeamMatch<'_>) -> Option<(usize, usize, bool)> {
        candidate.find_pair(|a, b, _| Self::broken(candidate.pool(), a, b))
    }
}

impl MatchScorer<TeamMatch<'_>> for Regions {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        Self::breach(candidate).is_none().then_some(1.0)
    }
}

impl TeamFactor for Regions {
    fn name(&self) -> &'static str {
        "regions"
    }

    fn required_fields(&self) -> &'static [PlayerField] {
        &[PlayerField::Region]
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        vec![PlayerField::Region, PlayerField::Party]
    }

    fn why_forbidden(&self, candidate: &TeamMatch<'_>) -> Option<String> {
        let (a, b, _) = Self::breach(candidate)?;
        Some(format!(
            "`{}` and `{}` are of different regions",
            candidate.name(a),
            candidate.name(b)
        ))
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        Some(rule_terms(players, |a, b, _| Self::broken(pool, a, b)))
    }
}
