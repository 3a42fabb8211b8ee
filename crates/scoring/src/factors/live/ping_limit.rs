//! [`PingLimit`]: no two opponents have a ping above a limit.

use super::rule_terms;
use crate::error::{ScoringError, within};
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, PlayerField, Pool, TeamFactor, TeamMatch};

/// Rule: no two opponents have a ping above `most`; a ping that nobody knows is allowed.
///
/// A ping is what [`Pool::ping`] says.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct PingLimit {
    /// The greatest ping of two opponents, in milliseconds; 0 or more. Default 400.
    pub most: f64,
}

impl Default for PingLimit {
    fn default() -> Self {
        Self { most: 400.0 }
    }
}

impl PingLimit {
    fn broken(self, pool: &Pool, a: usize, b: usize) -> bool {
        pool.ping(a, b) > self.most
    }

    fn breach(self, candidate: &TeamMatch<'_>) -> Option<(usize, usize, bool)> {
        candidate.find_pair(|a, b, together| !together && self.broken(candidate.pool(), a, b))
    }
}

impl MatchScorer<TeamMatch<'_>> for PingLimit {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        self.breach(candidate).is_none().then_some(1.0)
    }
}

impl TeamFactor for PingLimit {
    fn name(&self) -> &'static str {
        "ping_limit"
    }

    fn check(&self) -> Result<(), ScoringError> {
        within("most", self.most, 0.0..=1e9)?;
        Ok(())
    }

    fn required_fields(&self) -> &'static [PlayerField] {
        &[PlayerField::Pings]
    }

    fn why_forbidden(&self, candidate: &TeamMatch<'_>) -> Option<String> {
        let (a, b, _) = self.breach(candidate)?;
        let ping = candidate.pool().ping(a, b);
        let (a, b) = (candidate.name(a), candidate.name(b));
        Some(format!(
            "`{a}` and `{b}` have a ping of {ping:.0} ms, above {}",
            self.most
        ))
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], _: usize) -> Option<Decomposition> {
        Some(rule_terms(players, |a, b, together| {
            !together && self.broken(pool, a, b)
        }))
    }
}
