//! [`Blocks`]: players who block each other do not meet.

use super::rule_terms;
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// Rule: nobody meets a player whom one of the two blocks.
///
/// A block counts both ways. Two of one party are spared: they chose to play together.
///
/// EOMM, section 3.4, has black lists as edges that are missing from the graph; so is this one for teams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Blocks {
    /// Whether a block keeps two from being team mates. Default true.
    pub team_mates: bool,
    /// Whether a block keeps two from being opponents. Default true.
    pub opponents: bool,
}

impl Default for Blocks {
    fn default() -> Self {
        Self {
            team_mates: true,
            opponents: true,
        }
    }
}

impl Blocks {
    fn broken(self, pool: &Pool, a: usize, b: usize, together: bool) -> bool {
        let counts = if together { self.team_mates } else { self.opponents };
        counts && !pool.same_party(a, b) && pool.blocked(a, b)
    }

    fn breach(self, candidate: &TeamMatch<'_>) -> Option<(usize, usize, bool)> {
        candidate.find_pair(|a, b, together| self.broken(candidate.pool(), a, b, together))
    }
}

impl MatchScorer<TeamMatch<'_>> for Blocks {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        self.breach(candidate).is_none().then_some(1.0)
    }
}

impl TeamFactor for Blocks {
    fn name(&self) -> &'static str {
        "blocks"
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        vec![PlayerField::Blocks, PlayerField::Party]
    }

    fn why_forbidden(&self, candidate: &TeamMatch<'_>) -> Option<String> {
        let (a, b, together) = self.breach(candidate)?;
        let places = if together { "one team" } else { "opposite teams" };
        let (a, b) = (candidate.name(a), candidate.name(b));
        Some(format!("`{a}` and `{b}`, on {places}, do not want to meet"))
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        Some(rule_terms(players, |a, b, together| {
            self.broken(pool, a, b, together)
        }))
    }
}
