//! A part of a comparison of policies, and what it must hold before it is joined: it may come from anybody.

use matchwright_papers::eomm::study::{Shard, has_exact_counts};
use matchwright_sim::simulate::{ClaimParams, Measured, World};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::output::Origin;

/// Some worlds of a comparison.
#[derive(Serialize, Deserialize)]
pub(crate) struct WorldsPart {
    pub(crate) shard: Shard,
    pub(crate) facts: WorldsFacts,
    pub(crate) worlds: Vec<World>,
}

/// What all parts share.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct WorldsFacts {
    pub(crate) scenario: String,
    /// What the scenario is to show.
    pub(crate) about: String,
    pub(crate) hours: f64,
    /// Left out of all figures.
    pub(crate) warm_up_hours: f64,
    pub(crate) worlds: u32,
    /// Where the objective is from.
    pub(crate) judged_by: String,
    /// The objective in words.
    pub(crate) objective: String,
    /// What a mismatch is.
    pub(crate) mismatch_is: String,
    /// What the ratings are, where no system learns them: forecasts and errors of ratings then say nothing of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rating_is: Option<String>,
    pub(crate) policies: Vec<PolicyName>,
    /// What the scenario says of itself.
    pub(crate) claims: Vec<ClaimParams>,
    /// Why there is no hindsight, where it was asked for.
    #[serde(default)]
    pub(crate) no_hindsight: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct PolicyName {
    pub(crate) name: String,
    pub(crate) version: String,
}

/// Points of a curve of quantiles: 0, 1, ... 100 %.
const QUANTILES: usize = 101;

impl WorldsPart {
    /// What is wrong with a part of the run of another: its settings, its worlds, or what a world holds.
    pub(crate) fn fault(&self, first: &Self, origin: &Origin) -> Option<String> {
        let facts = |part: &Self| serde_json::to_value(&part.facts).ok();
        let planned = origin.configuration.get("worlds").and_then(Value::as_u64);
        let kinds = first
            .worlds
            .first()
            .map(|world| world.policies.iter().map(kind).collect());
        let kinds: Vec<Kind<'_>> = kinds.unwrap_or_default();
        if facts(self) != facts(first) {
            return Some("has other settings, policies or claims than the first part".to_owned());
        }
        if planned != Some(self.facts.worlds.into()) {
            return Some(format!(
                "is of {} worlds, where its command asks for another number",
                self.facts.worlds
            ));
        }
        fault_of_facts(&self.facts)
            .or_else(|| fault_of_numbers(self.shard, &self.facts, &self.worlds))
            .or_else(|| {
                self.worlds
                    .iter()
                    .find_map(|world| fault_of_world(world, &self.facts, &kinds))
            })
    }
}

fn fault_of_facts(facts: &WorldsFacts) -> Option<String> {
    let is_span = |hours: f64| hours.is_finite() && hours >= 0.0;
    if facts.worlds == 0 || facts.policies.is_empty() {
        return Some("has no worlds or no policies".to_owned());
    }
    (!is_span(facts.hours) || !is_span(facts.warm_up_hours))
        .then(|| "has hours that are no span of time".to_owned())
}

/// The worlds of a part are those of its share, once each and in order.
fn fault_of_numbers(shard: Shard, facts: &WorldsFacts, worlds: &[World]) -> Option<String> {
    let share = shard.share(0..facts.worlds);
    let is_share = worlds
        .iter()
        .map(|world| world.world)
        .eq(share.clone().map(u64::from));
    let strange = worlds
        .iter()
        .zip(share.clone())
        .find(|(world, number)| world.world != u64::from(*number));
    (!is_share).then(|| match strange {
        Some((world, number)) => format!("has world {} where world {number} belongs", world.world),
        None => format!("has {} worlds, where its share has {}", worlds.len(), share.len()),
    })
}

/// What is the same in all worlds of a policy: which factors judge, and whether there is hindsight.
type Kind<'a> = (Vec<&'a str>, bool);

fn kind(found: &Measured) -> Kind<'_> {
    let factors = found.factors.iter().map(|one| one.factor.as_str());
    (factors.collect(), found.regret.is_some())
}

fn fault_of_world(world: &World, facts: &WorldsFacts, kinds: &[Kind<'_>]) -> Option<String> {
    let number = world.world;
    if world.policies.len() != facts.policies.len() || world.policies.len() != kinds.len() {
        return Some(format!(
            "has {} policies in world {number}, where the run has {}",
            world.policies.len(),
            facts.policies.len()
        ));
    }
    let is_curve = |curve: &[f64]| curve.is_empty() || curve.len() == QUANTILES;
    let has_lengths = |found: &Measured| {
        found.wait_curve.len() <= QUANTILES
            && is_curve(&found.mismatch_curve)
            && is_curve(&found.balance_curve)
            && found.by_hour.len() == 24
            && found.forecast.bins.len() <= 10
    };
    // Without a match there is nothing to judge.
    let is_alike = |(found, known): (&Measured, &Kind<'_>)| {
        let (factors, regret) = kind(found);
        let is_known = factors == known.0 || found.matches == 0 || known.0.is_empty();
        is_known && regret == known.1
    };
    if !world.policies.iter().all(has_lengths) || !world.policies.iter().zip(kinds).all(is_alike) {
        return Some(format!("has other figures in world {number} than the run has"));
    }
    let counted = serde_json::to_value(world).is_ok_and(|value| has_exact_counts(&value));
    (!counted).then(|| format!("has a count beyond 2^53 in world {number}"))
}
