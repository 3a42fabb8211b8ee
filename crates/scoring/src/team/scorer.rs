//! [`TeamScorer`]: what a queue, a search and a judge ask of a scorer of team matches beyond its quality.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use super::candidate::TeamMatch;
use super::error::PoolError;
use super::factor::TeamFactor;
use super::player::PlayerField;
use super::pool::Pool;
use crate::combine::WeightedSum;
use crate::policy::{Explanation, Forbidden, PolicyDecomposition, ScoringPolicy};
use crate::scorer::{MatchScorer, Projection};

/// A scorer of team matches by which policies of a queue decide and judges compare.
///
/// Every method is provided: a scorer of yours becomes one by `impl TeamScorer for Mine {}`. Beside the fields that scoring knows,
/// it finds in [`Player::numbers`](super::Player::numbers) what else tickets tell of a player.
///
/// # Contract
/// That of [`MatchScorer`], and of [`TeamFactor`]: the order of teams and of players in a team changes nothing but rounding; what
/// [`decomposition`](Self::decomposition) returns gives the same quality. The feature `laws` holds an implementation against it.
///
/// ```
/// use matchwright_scoring::{MatchScorer, TeamMatch, TeamScorer};
///
/// /// Teams whose `form`, a number of one's own, is alike.
/// #[derive(Debug)]
/// struct Even;
///
/// impl MatchScorer<TeamMatch<'_>> for Even {
///     fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
///         let form = |&player: &usize| candidate.pool()[player].numbers.get("form").copied().unwrap_or(0.0);
///         let sum = |team: &&[usize]| team.iter().map(form).sum::<f64>();
///         let [one, other] = candidate.teams() else { return None };
///         Some(1.0 / (1.0 + (sum(one) - sum(other)).abs()))
///     }
/// }
///
/// impl TeamScorer for Even {}
/// ```
pub trait TeamScorer: for<'a> MatchScorer<TeamMatch<'a>> + Debug + Send + Sync {
    /// The fields without which it can say nothing of a player, each with the part of it that needs it. Default: none.
    fn required_fields(&self) -> Vec<(PlayerField, &'static str)> {
        Vec::new()
    }

    /// Whether it looks at a field of players. Default: at those that it needs.
    fn looks_at(&self, field: PlayerField) -> bool {
        self.required_fields().iter().any(|needed| needed.0 == field)
    }

    /// Refuses a pool in which a player lacks what it needs.
    ///
    /// # Errors
    /// [`PoolError::Missing`] names player, field and what needs it.
    fn check_pool(&self, pool: &Pool) -> Result<(), PoolError> {
        let mut fields = self.required_fields().into_iter();
        fields.try_for_each(|(field, needed_by)| pool.check_field(field, needed_by))
    }

    /// Seconds of waiting beyond which a longer wait changes no quality. Default: 0, infinite if it looks at waits.
    fn settles_after(&self) -> f64 {
        if self.looks_at(PlayerField::WaitSeconds) {
            f64::INFINITY
        } else {
            0.0
        }
    }

    /// The roles that every team must fill, and what requires them, as [`TeamFactor::required_roles`]. Default: none.
    fn required_roles(&self) -> Option<(&'static str, &BTreeMap<String, usize>)> {
        None
    }

    /// The quality below which no match is made. Default: 0.
    fn threshold(&self) -> f64 {
        0.0
    }

    /// The same without its threshold, for a judge of matches that were made; `None`: it has none. Default.
    fn without_threshold(&self) -> Option<Arc<dyn TeamScorer>> {
        None
    }

    /// What it is made of, for messages. Default: of nothing that has a name.
    fn factors(&self) -> Vec<&dyn TeamFactor> {
        Vec::new()
    }

    /// The quality with all its reasons. Default: the quality alone.
    fn explain(&self, candidate: &TeamMatch<'_>) -> Explanation {
        let quality = self.quality(candidate);
        let forbidden = quality.is_none().then(|| Forbidden {
            by: "scorer",
            why: "it forbids this match".to_owned(),
        });
        Explanation {
            factors: Vec::new(),
            combined: quality,
            quality,
            forbidden: forbidden.into_iter().collect(),
        }
    }

    /// The quality over matches of two teams of `team_size` of the listed players, taken apart, so that searches are quick;
    /// `None` if it is not. Default.
    fn decomposition(&self, pool: &Pool, players: &[usize], team_size: usize) -> Option<PolicyDecomposition> {
        let _ = (pool, players, team_size);
        None
    }
}

impl TeamScorer for ScoringPolicy {
    fn required_fields(&self) -> Vec<(PlayerField, &'static str)> {
        self.required_fields().collect()
    }

    fn looks_at(&self, field: PlayerField) -> bool {
        self.looks_at(field)
    }

    fn settles_after(&self) -> f64 {
        self.settles_after()
    }

    fn required_roles(&self) -> Option<(&'static str, &BTreeMap<String, usize>)> {
        self.required_roles()
    }

    fn threshold(&self) -> f64 {
        self.threshold()
    }

    fn without_threshold(&self) -> Option<Arc<dyn TeamScorer>> {
        // Dropped: 0 is a threshold like any other.
        let without = self.clone().with_threshold(0.0).ok()?;
        Some(Arc::new(without))
    }

    fn factors(&self) -> Vec<&dyn TeamFactor> {
        let factors = self.factors().iter().map(|one| &one.factor);
        factors.chain(self.rules()).map(|factor| &**factor).collect()
    }

    fn explain(&self, candidate: &TeamMatch<'_>) -> Explanation {
        self.explain(candidate)
    }

    fn decomposition(&self, pool: &Pool, players: &[usize], team_size: usize) -> Option<PolicyDecomposition> {
        self.decomposition(pool, players, team_size)
    }
}

/// It may look at anything.
impl<S: Debug + Send + Sync, F: Send + Sync> TeamScorer for Projection<S, F>
where
    Self: for<'a> MatchScorer<TeamMatch<'a>>,
{
    fn looks_at(&self, _: PlayerField) -> bool {
        true
    }
}

/// Its parts may look at anything.
impl<S: for<'a> MatchScorer<TeamMatch<'a>> + Debug + Send + Sync> TeamScorer for WeightedSum<S> {
    fn looks_at(&self, _: PlayerField) -> bool {
        true
    }
}

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<S: TeamScorer + ?Sized> TeamScorer for $pointer {
            fn required_fields(&self) -> Vec<(PlayerField, &'static str)> {
                (**self).required_fields()
            }

            fn looks_at(&self, field: PlayerField) -> bool {
                (**self).looks_at(field)
            }

            fn check_pool(&self, pool: &Pool) -> Result<(), PoolError> {
                (**self).check_pool(pool)
            }

            fn settles_after(&self) -> f64 {
                (**self).settles_after()
            }

            fn required_roles(&self) -> Option<(&'static str, &BTreeMap<String, usize>)> {
                (**self).required_roles()
            }

            fn threshold(&self) -> f64 {
                (**self).threshold()
            }

            fn without_threshold(&self) -> Option<Arc<dyn TeamScorer>> {
                (**self).without_threshold()
            }

            fn factors(&self) -> Vec<&dyn TeamFactor> {
                (**self).factors()
            }

            fn explain(&self, candidate: &TeamMatch<'_>) -> Explanation {
                (**self).explain(candidate)
            }

            fn decomposition(&self, pool: &Pool, players: &[usize], team_size: usize) -> Option<PolicyDecomposition> {
                (**self).decomposition(pool, players, team_size)
            }
        }
    )+};
}

forward!(&S, Box<S>, Arc<S>);

// Object safety is part of the interface: this stops compiling if a change loses it.
const _: Option<&dyn TeamScorer> = None;
