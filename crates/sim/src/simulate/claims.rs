//! [`ClaimParams`]: what a scenario's document says will come out, compared with what does.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::checks::{ScenarioError, require};
use super::measures::{Figure, Measured};
use super::worlds::{Difference, Other, World, difference};

/// A statement about a figure of a policy: less, or more, than that of another policy, of another group, or than a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClaimParams {
    /// The statement in words.
    pub says: String,
    /// The figure.
    pub figure: Figure,
    /// Only of this group, as measures name it, such as `region eu`: waits, mismatch and ping have groups.
    #[serde(default)]
    pub group: Option<String>,
    /// The policy's name. Default: the first.
    #[serde(default)]
    pub policy: Option<String>,
    /// Less or more.
    pub is: Direction,
    /// The policy that it is compared with. Default: the same.
    #[serde(default)]
    pub than: Option<String>,
    /// The group that it is compared with. Default: the same.
    #[serde(default)]
    pub than_group: Option<String>,
    /// The number that it is compared with, instead of another policy or group.
    #[serde(default)]
    pub than_value: Option<f64>,
}

/// Which way a difference is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Below.
    Less,
    /// Above.
    More,
}

/// What the worlds say of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimVerdict {
    /// The 95 % interval of the difference lies on the side that the claim says.
    Confirmed,
    /// It lies on the other side, or the figure, which counts no events, is the same in all of these worlds.
    NotConfirmed,
    /// It holds 0, or there is none: worlds that agree do not tell how much others would differ.
    Inconclusive,
    /// Fewer than two worlds have both values: a policy or a group of it is not there; or a value is open in a world, where
    /// fewer tickets than it is about had a match.
    NotMeasured,
}

impl ClaimVerdict {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::NotConfirmed => "not confirmed",
            Self::Inconclusive => "inconclusive",
            Self::NotMeasured => "not measured",
        }
    }
}

/// A claim with what the worlds say of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimResult {
    /// What is claimed.
    #[serde(flatten)]
    pub claim: ClaimParams,
    /// Worlds that have both values.
    pub worlds: usize,
    /// Whether a value is open in one of them.
    pub is_open: bool,
    /// The figure less what it is compared with, paired by these worlds; none if it is not measured.
    pub difference: Option<Difference>,
    /// What follows.
    pub verdict: ClaimVerdict,
}

impl ClaimParams {
    pub(super) fn check(&self) -> Result<(), ScenarioError> {
        let has_groups = self.figure.has_groups();
        for (key, group) in [
            ("claims.group", &self.group),
            ("claims.than_group", &self.than_group),
        ] {
            let group = group.as_deref().unwrap_or_default();
            let is_known = group.is_empty() || has_groups;
            let wanted =
                "nothing: only wait_mean, wait_50, wait_90, wait_99, mismatch and ping are known by group";
            require(is_known, key, group, wanted)?;
        }
        if let Some(value) = self.than_value {
            let wanted = "a number";
            require(value.is_finite(), "claims.than_value", value, wanted)?;
        }
        match (self.than.as_ref().or(self.than_group.as_ref()), self.than_value) {
            (None, None) => require(
                false,
                "claims.than",
                "missing",
                "it or `than_group` or `than_value`: what the figure is compared with",
            ),
            (Some(_), Some(value)) => require(
                false,
                "claims.than_value",
                value,
                "nothing, or neither `than` nor `than_group`: a figure is compared with one thing",
            ),
            _ => Ok(()),
        }
    }

    /// The keys by which the claim names policies, with the names.
    #[must_use]
    pub fn policies(&self) -> [(&'static str, Option<&str>); 2] {
        [
            ("claims.policy", self.policy.as_deref()),
            ("claims.than", self.than.as_deref()),
        ]
    }

    /// What worlds of these policies, in their order, say of it.
    #[must_use]
    pub fn judge(&self, policies: &[&str], worlds: &[World]) -> ClaimResult {
        let (mut differences, mut difference) = self.differences(policies, worlds).unwrap_or_default();
        // Worlds in which enough had a match are no fair sample of all.
        let worlds = differences.len();
        let is_open = differences.iter().any(|one| !one.is_finite());
        if is_open {
            (differences, difference) = (Vec::new(), None);
        }
        let verdict = difference.map_or(ClaimVerdict::NotMeasured, |found| {
            let claimed = match self.is {
                Direction::More => Ordering::Greater,
                Direction::Less => Ordering::Less,
            };
            let is_same = found.counts.is_none() && differences.iter().all(|one| *one == 0.0);
            match found.side() {
                Some(side) if side == claimed => ClaimVerdict::Confirmed,
                Some(_) => ClaimVerdict::NotConfirmed,
                None if is_same => ClaimVerdict::NotConfirmed,
                None => ClaimVerdict::Inconclusive,
            }
        });
        ClaimResult {
            claim: self.clone(),
            worlds,
            is_open,
            difference,
            verdict,
        }
    }

    /// The figure less what it is compared with, in each world that has both, and what these come to; `None` without such
    /// policies.
    fn differences(&self, policies: &[&str], worlds: &[World]) -> Option<(Vec<f64>, Option<Difference>)> {
        let place = |name: &Option<String>, default: usize| match name {
            None => Some(default),
            Some(name) => policies.iter().position(|policy| policy == name),
        };
        let ours = place(&self.policy, 0)?;
        let other = place(&self.than, ours)?;
        let group = self.group.as_deref();
        let other_group = self.than_group.as_deref().or(group);
        let value = |found: Option<&Measured>, group: Option<&str>| self.figure.of_group(found?, group);
        let less = |world: &World| match self.than_value {
            Some(value) => Some(value),
            None => value(world.policies.get(other), other_group),
        };
        let of_world = |world: &World| Some(value(world.policies.get(ours), group)? - less(world)?);
        let both = worlds.iter().filter_map(|world| Some((world, of_world(world)?)));
        let (worlds, differences): (Vec<&World>, Vec<f64>) = both.unzip();
        let other = self.than_value.map_or(Other::Policy(other), Other::Value);
        let found = difference(self.figure, &worlds, (ours, other), &differences);
        Some((differences, found))
    }
}
