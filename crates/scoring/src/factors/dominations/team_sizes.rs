//! [`TeamSizes`]: the sizes that teams may have.

use crate::error::{ScoringError, within};
use crate::scorer::MatchScorer;
use crate::team::{Decomposition, Pool, TeamFactor, TeamMatch};

/// Rule: every team has one of the allowed sizes, and all have the same if `even`.
///
/// "World War Matchmaking", section on sparse queues: seven queues became those of 10, 20, 30 and 50 on a side.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct TeamSizes {
    /// The sizes there are, one or more, each above 0. Default 10, 20, 30 and 50.
    pub allowed: Vec<usize>,
    /// Whether all teams of a match must be of one size. Default true.
    pub even: bool,
}

impl Default for TeamSizes {
    fn default() -> Self {
        Self {
            allowed: vec![10, 20, 30, 50],
            even: true,
        }
    }
}

impl MatchScorer<TeamMatch<'_>> for TeamSizes {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let mut sizes = candidate.teams().iter().map(|team| team.len());
        let first = candidate.teams()[0].len();
        let fits = |size: usize| self.allowed.contains(&size) && (size == first || !self.even);
        sizes.all(fits).then_some(1.0)
    }
}

impl TeamFactor for TeamSizes {
    fn name(&self) -> &'static str {
        "team_sizes"
    }

    fn check(&self) -> Result<(), ScoringError> {
        let least = self.allowed.iter().min().copied().unwrap_or(0);
        within("allowed", least as f64, 1.0..=f64::MAX)?;
        Ok(())
    }

    fn why_forbidden(&self, candidate: &TeamMatch<'_>) -> Option<String> {
        self.quality(candidate).is_none().then(|| {
            let sizes: Vec<String> = candidate
                .teams()
                .iter()
                .map(|team| team.len().to_string())
                .collect();
            let allowed: Vec<String> = self.allowed.iter().map(ToString::to_string).collect();
            let even = if self.even { ", all teams of one size" } else { "" };
            format!(
                "teams of {}; allowed are {}{even}",
                sizes.join(" and "),
                allowed.join(", ")
            )
        })
    }

    fn decomposition(&self, _: &Pool, players: &[usize], team_size: usize) -> Option<Decomposition> {
        let forbidden = vec![!self.allowed.contains(&team_size); players.len() * players.len()];
        Some(Decomposition::PairRule {
            together_forbidden: vec![false; forbidden.len()],
            against_forbidden: forbidden,
        })
    }
}
