//! [`Griefers`] play among themselves.

use super::rule_terms;
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// Rule: a match has griefers only, or none.
///
/// "The Awesomenauts matchmaking algorithm" asks among its first questions whether griefers should play each
/// other, away from everybody else. A party with a griefer in it waits with the griefers: give each of its
/// members the mark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Griefers {}

impl Griefers {
    fn breach(candidate: &TeamMatch<'_>) -> Option<usize> {
        let griefer = |player: &usize| candidate.pool().is_griefer(*player);
        let clean = candidate.players().any(|player| !griefer(&player));
        candidate.players().find(griefer).filter(|_| clean)
    }
}

impl MatchScorer<TeamMatch<'_>> for Griefers {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        Self::breach(candidate).is_none().then_some(1.0)
    }
}

impl TeamFactor for Griefers {
    fn name(&self) -> &'static str {
        "griefers"
    }

    fn looks_at(&self) -> Vec<PlayerField> {
        vec![PlayerField::Griefer]
    }

    fn why_forbidden(&self, candidate: &TeamMatch<'_>) -> Option<String> {
        let griefer = candidate.name(Self::breach(candidate)?);
        Some(format!(
            "`{griefer}` plays with griefers only, and others are in the match"
        ))
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        Some(rule_terms(players, |a, b, _| {
            pool.is_griefer(a) != pool.is_griefer(b)
        }))
    }
}
