//! [`ScoringPolicy`]: weighted factors, rules, floors and a threshold as one scorer.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::decomposition::{PolicyDecomposition, PolicyTerm};
use super::error::PolicyError;
use super::explanation::{Explanation, FactorScore, Forbidden};
use crate::error::{self, QualityError};
use crate::mean::PowerMean;
use crate::scorer::MatchScorer;
use crate::team::{PlayerField, Pool, PoolError, TeamFactor, TeamMatch};
use crate::total::Total;

/// One factor of a [`ScoringPolicy`], with its say.
#[derive(Debug, Clone)]
pub struct WeightedFactor {
    /// The factor.
    pub factor: Arc<dyn TeamFactor>,
    /// Its weight, 0 or more; with 0 it has no say in the quality, but may forbid.
    pub weight: f64,
    /// The quality below which the factor forbids the match, in \[0, 1\].
    pub floor: Option<f64>,
}

impl WeightedFactor {
    /// A factor with a weight and without a floor.
    pub fn new(weight: f64, factor: impl TeamFactor + 'static) -> Self {
        Self {
            factor: Arc::new(factor),
            weight,
            floor: None,
        }
    }
}

/// A scorer of team matches: factors with weights, rules, a threshold.
///
/// ```text
/// quality = M(share_k, value_k)       share = weight / sum of weights
/// M: a power mean, by default the weighted average
/// ```
///
/// Forbidden is a match that a rule or a factor forbids, of which a factor is below its floor (a veto), or whose
/// quality is below the threshold. Made from a document by
/// [`ScoringPolicyParams::build`](crate::ScoringPolicyParams::build), or from any factors, also from your own:
///
/// ```
/// use matchwright_scoring::{
///     MatchScorer, Player, Pool, Premades, ScoringPolicy, TeamMatch, TeamSkill, WeightedFactor,
/// };
///
/// let policy = ScoringPolicy::new(vec![
///     WeightedFactor::new(3.0, TeamSkill::default()),
///     WeightedFactor::new(1.0, Premades::default()),
/// ])?;
/// let player = |(id, skill): (&str, f64)| Player { skill: Some(skill), ..Player::new(id) };
/// let mut players: Vec<Player> = [("a", 9000.0), ("b", 5000.0), ("c", 8000.0), ("d", 1000.0)].map(player).into();
/// players[0].party = Some("x".to_owned());
/// players[1].party = Some("x".to_owned());
/// let pool = Pool::new(players)?;
/// let teams: [&[usize]; 2] = [&[0, 1], &[2, 3]];
/// let candidate = TeamMatch::new(&pool, &teams)?;
/// assert_eq!(policy.quality(&candidate), Some(0.5625));
/// let why = policy.explain(&candidate);
/// assert_eq!((why.factors[0].value, why.factors[0].share), (Some(0.75), 0.75));
/// assert_eq!((why.factors[1].name, why.factors[1].value), ("premades", Some(0.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ScoringPolicy {
    factors: Vec<WeightedFactor>,
    rules: Vec<Arc<dyn TeamFactor>>,
    sum: f64,
    combine: PowerMean,
    total: Total,
    threshold: f64,
}

impl ScoringPolicy {
    /// The weighted average of `factors`, without rules and threshold.
    ///
    /// # Errors
    /// [`PolicyError`] names the key of what is wrong: a setting out of its range, a weight that is negative or no
    /// number, no weight at all, a floor outside \[0, 1\], a name that is there twice.
    pub fn new(factors: Vec<WeightedFactor>) -> Result<Self, PolicyError> {
        let key = |factor: &WeightedFactor| format!("scoring.factors.{}", factor.factor.name());
        for (place, factor) in factors.iter().enumerate() {
            check_settings(factor.factor.as_ref(), || key(factor))?;
            if !(0.0..=f64::MAX).contains(&factor.weight) {
                return Err(PolicyError::Weight {
                    key: format!("{}.weight", key(factor)),
                    value: factor.weight,
                });
            }
            if let Some(floor) = factor.floor {
                check_quality(floor, || format!("{}.floor", key(factor)))?;
            }
            if factors[..place]
                .iter()
                .any(|other| other.factor.name() == factor.factor.name())
            {
                return Err(PolicyError::SameName { key: key(factor) });
            }
        }
        // A sum of nothing is -0.
        let sum = factors.iter().map(|factor| factor.weight).sum::<f64>() + 0.0;
        if !(f64::MIN_POSITIVE..=f64::MAX).contains(&sum) {
            return Err(PolicyError::NoWeight {
                key: "scoring.factors".to_owned(),
                sum,
            });
        }
        Ok(Self {
            factors,
            rules: Vec::new(),
            sum,
            combine: PowerMean::AVERAGE,
            total: Total::AVERAGE,
            threshold: 0.0,
        })
    }

    /// The same with rules: factors that forbid or have quality 1.
    ///
    /// # Errors
    /// [`PolicyError::Setting`] if a setting is out of its range, [`PolicyError::SameName`] if two have one name.
    pub fn with_rules(self, rules: Vec<Arc<dyn TeamFactor>>) -> Result<Self, PolicyError> {
        for (place, rule) in rules.iter().enumerate() {
            let key = || format!("scoring.rules.{}", rule.name());
            check_settings(rule.as_ref(), key)?;
            if rules[..place].iter().any(|other| other.name() == rule.name()) {
                return Err(PolicyError::SameName { key: key() });
            }
        }
        Ok(Self { rules, ..self })
    }

    /// The same with a quality below which no match is made; 0 allows all.
    ///
    /// # Errors
    /// [`PolicyError::Quality`] if it is not from 0 to 1.
    pub fn with_threshold(self, threshold: f64) -> Result<Self, PolicyError> {
        check_quality(threshold, || "scoring.threshold".to_owned())?;
        Ok(Self { threshold, ..self })
    }

    /// The same, with another mean over the factors.
    #[must_use]
    pub fn combined_by(self, combine: PowerMean) -> Self {
        Self { combine, ..self }
    }

    /// The same, with another total over the matches.
    #[must_use]
    pub fn with_total(self, total: impl Into<Total>) -> Self {
        let total = total.into();
        Self { total, ..self }
    }

    /// The factors, in the order of the document.
    #[must_use]
    pub fn factors(&self) -> &[WeightedFactor] {
        &self.factors
    }

    /// The rules, in the order of the document.
    #[must_use]
    pub fn rules(&self) -> &[Arc<dyn TeamFactor>] {
        &self.rules
    }

    /// The quality below which no match is made.
    #[must_use]
    pub const fn threshold(&self) -> f64 {
        self.threshold
    }

    /// How the factors combine.
    #[must_use]
    pub const fn combine(&self) -> PowerMean {
        self.combine
    }

    /// How the qualities of many matches make one total.
    #[must_use]
    pub const fn total(&self) -> Total {
        self.total
    }

    /// Refuses a pool in which a player lacks what a factor needs.
    ///
    /// # Errors
    /// [`PoolError::Missing`] names player, field and factor.
    pub fn check_pool(&self, pool: &Pool) -> Result<(), PoolError> {
        self.required_fields()
            .try_for_each(|(field, needed_by)| pool.check_field(field, needed_by))
    }

    /// What the factors and rules that have a say need to know of every player, with their names.
    pub fn required_fields(&self) -> impl Iterator<Item = (PlayerField, &'static str)> + '_ {
        self.heard().flat_map(|factor| {
            let name = factor.name();
            factor.required_fields().iter().map(move |&field| (field, name))
        })
    }

    /// Whether a factor or rule that has a say looks at a field of players.
    #[must_use]
    pub fn looks_at(&self, field: PlayerField) -> bool {
        let has = |seen: &PlayerField| match seen {
            PlayerField::Pings => matches!(field, PlayerField::RegionPings | PlayerField::PingTo),
            seen => *seen == field,
        };
        self.heard().any(|factor| factor.looks_at().iter().any(has))
    }

    /// The roles that every team must fill ([`TeamFactor::required_roles`]) and who requires them, the first of the factors
    /// and rules that require any.
    #[must_use]
    pub fn required_roles(&self) -> Option<(&'static str, &BTreeMap<String, usize>)> {
        // Also a factor without a say in the quality forbids.
        let factors = self.factors.iter().map(|one| &one.factor);
        let mut required = factors
            .chain(&self.rules)
            .filter_map(|factor| Some((factor.name(), factor.required_roles()?)));
        required.find(|required| !required.1.is_empty())
    }

    /// Seconds of waiting beyond which a longer wait changes no quality.
    #[must_use]
    pub fn settles_after(&self) -> f64 {
        self.heard()
            .map(|factor| factor.settles_after())
            .fold(0.0, f64::max)
    }

    /// The factors and rules that have a say.
    fn heard(&self) -> impl Iterator<Item = &Arc<dyn TeamFactor>> + '_ {
        let heard = self
            .factors
            .iter()
            .filter(|factor| factor.weight > 0.0 || factor.floor.is_some());
        heard.map(|factor| &factor.factor).chain(&self.rules)
    }

    /// What the factors' values combine to, in \[0, 1\].
    fn mean(&self, values: &[f64]) -> f64 {
        // Shares are formed first, so that huge weights cannot overflow.
        let shares = self.factors.iter().map(|factor| factor.weight / self.sum);
        self.combine.weighted(shares.zip(values.iter().copied()))
    }

    /// The quality, where a factor or rule that gives a number outside \[0, 1\] is an error.
    ///
    /// # Errors
    /// [`QualityError`] names the factor or rule.
    pub fn checked_quality(&self, candidate: &TeamMatch<'_>) -> Result<Option<f64>, QualityError> {
        for rule in &self.rules {
            if checked(rule.as_ref(), candidate)?.is_none() {
                return Ok(None);
            }
        }
        let mut values = Vec::with_capacity(self.factors.len());
        for one in &self.factors {
            let value = checked(one.factor.as_ref(), candidate)?;
            let Some(value) = value.filter(|value| one.floor.is_none_or(|floor| *value >= floor)) else {
                return Ok(None);
            };
            values.push(value);
        }
        let quality = self.mean(&values);
        Ok((quality >= self.threshold).then_some(quality))
    }

    /// The score of a match with all its reasons.
    #[must_use]
    pub fn explain(&self, candidate: &TeamMatch<'_>) -> Explanation {
        let mut forbidden = Vec::new();
        let mut value_of = |factor: &dyn TeamFactor| {
            let value = checked(factor, candidate);
            match &value {
                Ok(Some(_)) => {}
                Ok(None) => forbidden.push(refusal(factor, candidate)),
                Err(error) => forbidden.push(Forbidden {
                    by: factor.name(),
                    why: error.to_string(),
                }),
            }
            value.ok().flatten()
        };
        for rule in &self.rules {
            value_of(rule.as_ref());
        }
        let scores = self.factors.iter().map(|one| FactorScore {
            name: one.factor.name(),
            value: value_of(one.factor.as_ref()),
            weight: one.weight,
            share: one.weight / self.sum,
            floor: one.floor,
        });
        let scores: Vec<FactorScore> = scores.collect();
        for score in &scores {
            match (score.value, score.floor) {
                (Some(value), Some(floor)) if value < floor => forbidden.push(Forbidden {
                    by: score.name,
                    why: format!("its quality is {value:.4}, below its floor of {floor}"),
                }),
                _ => {}
            }
        }
        let values: Option<Vec<f64>> = scores.iter().map(|score| score.value).collect();
        let combined = values.map(|values| self.mean(&values));
        if let Some(quality) = combined.filter(|quality| *quality < self.threshold) {
            forbidden.push(Forbidden {
                by: "threshold",
                why: format!(
                    "the quality is {quality:.4}, below the threshold of {}",
                    self.threshold
                ),
            });
        }
        Explanation {
            factors: scores,
            combined,
            quality: combined.filter(|_| forbidden.is_empty()),
            forbidden,
        }
    }

    /// The policy over matches of two teams of `team_size` of the listed players, taken apart; `None` if it does not
    /// add up: another mean than the weighted average, or a factor or rule without parts.
    ///
    /// Exact for matches in which no party is split (see [`TeamFactor::decomposition`]). Factors without weight and floor
    /// are left out, except those that may forbid by themselves, which only rules and hosts do. O(n^2) numbers
    /// for each factor of pairs.
    #[must_use]
    pub fn decomposition(
        &self,
        pool: &Pool,
        players: &[usize],
        team_size: usize,
    ) -> Option<PolicyDecomposition> {
        if !self.combine.is_average() {
            return None;
        }
        let part = |factor: &dyn TeamFactor, share: f64, floor: Option<f64>| {
            let decomposition = factor.decomposition(pool, players, team_size)?;
            Some(PolicyTerm {
                name: factor.name(),
                share,
                floor,
                decomposition,
            })
        };
        let factors = self
            .factors
            .iter()
            .map(|one| part(one.factor.as_ref(), one.weight / self.sum, one.floor));
        let rules = self.rules.iter().map(|rule| part(rule.as_ref(), 0.0, None));
        Some(PolicyDecomposition {
            terms: factors.chain(rules).collect::<Option<Vec<_>>>()?,
            threshold: self.threshold,
        })
    }
}

/// Forbids where [`checked_quality`](ScoringPolicy::checked_quality) has an error; [`explain`](ScoringPolicy::explain)
/// says so.
impl MatchScorer<TeamMatch<'_>> for ScoringPolicy {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        self.checked_quality(candidate).ok().flatten()
    }
}

fn checked(factor: &dyn TeamFactor, candidate: &TeamMatch<'_>) -> Result<Option<f64>, QualityError> {
    error::check_quality(factor.quality(candidate), || factor.name().to_owned())
}

fn refusal(factor: &dyn TeamFactor, candidate: &TeamMatch<'_>) -> Forbidden {
    let why = factor.why_forbidden(candidate);
    Forbidden {
        by: factor.name(),
        why: why.unwrap_or_else(|| "it forbids this match".to_owned()),
    }
}

fn check_settings(factor: &dyn TeamFactor, key: impl Fn() -> String) -> Result<(), PolicyError> {
    let checked = factor.check();
    checked.map_err(|source| PolicyError::Setting { key: key(), source })
}

fn check_quality(value: f64, key: impl Fn() -> String) -> Result<(), PolicyError> {
    if (0.0..=1.0).contains(&value) {
        Ok(())
    } else {
        Err(PolicyError::Quality { key: key(), value })
    }
}
