//! [`TeamFactor`]: what a policy asks of a factor beyond its quality.

use std::collections::BTreeMap;
use std::fmt::Debug;

use super::candidate::TeamMatch;
use super::decomposition::Decomposition;
use super::player::PlayerField;
use super::pool::Pool;
use crate::error::ScoringError;
use crate::scorer::MatchScorer;

/// A scorer of team matches that a [`ScoringPolicy`](crate::ScoringPolicy) can hold.
///
/// A rule is a factor whose quality is 1 or `None`.
///
/// # Contract
/// That of [`MatchScorer`], and: the order of the teams and of the players in a team changes nothing but rounding
/// (the feature `laws` checks it); what [`decomposition`](Self::decomposition) returns gives the same quality to 1e-12.
///
/// ```
/// use matchwright_scoring::{MatchScorer, TeamFactor, TeamMatch};
///
/// /// At least one player of every team has played before.
/// #[derive(Debug)]
/// struct Guide;
///
/// impl MatchScorer<TeamMatch<'_>> for Guide {
///     fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
///         let guided = |team: &&[usize]| team.iter().any(|&player| candidate.pool().experience(player) > 0.0);
///         candidate.teams().iter().all(guided).then_some(1.0)
///     }
/// }
///
/// impl TeamFactor for Guide {
///     fn name(&self) -> &'static str {
///         "guide"
///     }
/// }
/// ```
pub trait TeamFactor: for<'a> MatchScorer<TeamMatch<'a>> + Debug + Send + Sync {
    /// Its key in a policy document.
    fn name(&self) -> &'static str;

    /// Whether its settings lie in their ranges. A policy asks when it is made. Default: yes.
    ///
    /// # Errors
    /// [`ScoringError`] names the setting that does not.
    fn check(&self) -> Result<(), ScoringError> {
        Ok(())
    }

    /// The fields without which it can say nothing of a player. Default: none.
    fn required_fields(&self) -> &'static [PlayerField] {
        &[]
    }

    /// The fields of players that it looks at, needed or not. Default: those that it needs.
    fn looks_at(&self) -> Vec<PlayerField> {
        self.required_fields().to_vec()
    }

    /// The roles that every team must fill, each as often as it says, without which it forbids a match; every place by
    /// another member, who [can fill it](Pool::can_fill). For whoever chooses players for a match. Default: none.
    fn required_roles(&self) -> Option<&BTreeMap<String, usize>> {
        None
    }

    /// Seconds of waiting beyond which a longer wait changes nothing. Default: 0, infinite if it looks at waits.
    fn settles_after(&self) -> f64 {
        if self.looks_at().contains(&PlayerField::WaitSeconds) {
            f64::INFINITY
        } else {
            0.0
        }
    }

    /// Why it forbids `candidate`, naming who is concerned; `None` if it does not, or has nothing to add.
    fn why_forbidden(&self, candidate: &TeamMatch<'_>) -> Option<String> {
        let _ = candidate;
        None
    }

    /// What it computes from numbers of single players and of pairs, over matches of two teams of `team_size` of the
    /// listed `players`; `None` if it needs more. For solvers: sums in the first place ([`Decomposition::is_sum`]).
    ///
    /// Exact to 1e-12 for every such match in which no party is split: all of a party's members play, on one team.
    fn decomposition(&self, pool: &Pool, players: &[usize], team_size: usize) -> Option<Decomposition> {
        let _ = (pool, players, team_size);
        None
    }
}

// Object safety is part of the interface: this stops compiling if a change loses it.
const _: Option<&dyn TeamFactor> = None;
