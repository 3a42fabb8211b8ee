//! [`PolicyDocument`]: the TOML or JSON document that holds a policy.

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny};

use super::params::ScoringPolicyParams;
use super::strict;

/// A policy document (TOML, JSON or what else serde reads): one section for each thing that a policy decides, each of
/// which may be left out.
///
/// This crate knows `[scoring]`. The sections `[queue]`, when to match, and `[objective]`, what matches and waits cost,
/// belong to another crate: they are accepted and read as `Q` and `O`, by default [`Unread`]. Any other key is refused,
/// with the one that was probably meant.
///
/// ```
/// use matchwright_scoring::PolicyDocument;
///
/// let document: PolicyDocument = toml::from_str(
///     "[scoring.factors.team_skill]
///      weight = 3
///      difference = { shape = 'ramp', best = 0, worst = 5000 }
///      [scoring.factors.premades]",
/// )?;
/// let policy = document.scoring.unwrap_or_default().build()?;
/// assert_eq!(policy.factors().len(), 2);
///
/// let error = toml::from_str::<PolicyDocument>("[scoring.factors.team_skil]").unwrap_err();
/// assert!(error.to_string().contains("unknown key `team_skil`: did you mean `team_skill`?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct PolicyDocument<Q = Unread, O = Unread> {
    /// What the policy is called.
    pub name: Option<String>,
    /// Which version of it this is.
    pub version: Option<String>,
    /// For ratings of which scale its numbers are: points for odds of ten to one, above 0. Default: not said.
    pub points_for_ten_to_one: Option<f64>,
    /// How matches are scored.
    pub scoring: Option<ScoringPolicyParams>,
    /// When they are made.
    pub queue: Option<Q>,
    /// What they cost, for comparisons.
    pub objective: Option<O>,
}

#[derive(serde::Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct Sections<Q, O> {
    name: Option<String>,
    version: Option<String>,
    #[serde(default, deserialize_with = "points")]
    points_for_ten_to_one: Option<f64>,
    #[serde(default, deserialize_with = "strict::some")]
    scoring: Option<ScoringPolicyParams>,
    #[serde(default = "Option::default")]
    queue: Option<Q>,
    #[serde(default = "Option::default")]
    objective: Option<O>,
}

impl<'de, Q: Deserialize<'de>, O: Deserialize<'de>> Deserialize<'de> for PolicyDocument<Q, O> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Sections::deserialize(strict::Strict::new(deserializer, &mut []))?;
        Ok(Self {
            name: read.name,
            version: read.version,
            points_for_ten_to_one: read.points_for_ten_to_one,
            scoring: read.scoring,
            queue: read.queue,
            objective: read.objective,
        })
    }
}

fn points<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let points = f64::deserialize(deserializer)?;
    if points > 0.0 && points.is_finite() {
        return Ok(Some(points));
    }
    Err(D::Error::custom(format!(
        "`points_for_ten_to_one` is {points}: give a finite number above 0"
    )))
}

/// A section that was there and was not looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unread;

impl<'de> Deserialize<'de> for Unread {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}
