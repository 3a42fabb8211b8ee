//! A scenario with its policies and what judges them, ready to be simulated.

use std::path::PathBuf;

use matchwright_queue::PolicyLabel;
use matchwright_report::FileRecord;
use matchwright_sim::policy::PolicyDocument;
use matchwright_sim::replay::{Judge, OptimumError};
use matchwright_sim::simulate::{KnownSkill, Worlds};
use serde_json::json;

use super::effects::without_effect;
use crate::arguments::SceneOptions;
use crate::commands::judging::{cheap_lost, judge, mismatch_in_words, objective_in_words};
use crate::failure::{Failure, tell};
use crate::input::{ImportedScenario, Named, at_key, import_objective, import_scenario, of_named};
use crate::output::{Origin, Place, check_places};
use crate::parts::worlds::{PolicyName, WorldsFacts};
use crate::places::check_read;
use crate::plan;

/// A world, its policies, and what judges them.
pub(super) struct Scene {
    pub(super) imported: ImportedScenario,
    pub(super) judge: Judge,
    judged_by: String,
    /// The document of the objective, where it is one of its own.
    objective: Option<FileRecord>,
    seed: u64,
}

impl Scene {
    /// Reads and checks everything, before any work is done.
    pub(super) fn read(
        options: &SceneOptions,
        policies: &[PathBuf],
        place: Option<Place<'_>>,
    ) -> Result<Self, Failure> {
        let inputs = [&options.scenario].into_iter().chain(policies);
        check_places(inputs.chain(&options.objective), place)?;
        let imported = import_scenario(&options.scenario, policies)?;
        let notes = imported.log.iter().flat_map(|log| &log.notes);
        notes.for_each(|note| tell(note));
        let (named, from) = match (&options.objective, &imported.objective) {
            (Some(path), _) => (Some(Named::policy("--objective", path)?), "--objective"),
            (None, named) => (named.clone(), "the scenario's"),
        };
        let given = named.as_ref().map(import_objective).transpose();
        let given = given.map_err(|failure| match options.objective {
            None => of_named(&imported.source, "objective", failure),
            Some(_) => failure,
        })?;
        let from = format!("{from} {}", named.as_ref().map_or_else(String::new, Named::shown));
        check_read(place)?;
        let (judge, judged_by, scale) = judge(&from, &imported.queues[0], given.as_ref())?;
        let scenario = &imported.scenario;
        let checked = scenario
            .check_judge(&judge)
            .and_then(|()| scenario.check_objective_scale(scale.as_ref()));
        checked.map_err(|error| at_key(&imported.source, error))?;
        let cheap = cheap_lost(&judge, &judged_by, &imported.queues);
        for note in without_effect(&imported, &judge).into_iter().chain(cheap) {
            tell(&note);
        }
        Ok(Self {
            imported,
            judge,
            judged_by,
            objective: given.map(|given| given.source.facts),
            seed: options.random.seed,
        })
    }

    /// Refuses this many worlds under one policy each, `times` times as large as the scenario's, where that is more than
    /// anybody waits for; as many run at once as there are threads.
    pub(super) fn check_plan(&self, worlds: f64, times: f64, threads: usize) -> Result<(), Failure> {
        let (one, name) = (self.imported.scenario.plan(), &self.imported.source.name);
        let tickets = worlds * (times * one.tickets).max(plan::LEAST_OF_A_WORLD);
        plan::check(tickets, plan::TICKETS, || {
            let tickets = plan::counted(tickets);
            let of = match plan::counted(worlds).as_str() {
                "1" => "a world".to_owned(),
                worlds => format!("{worlds} worlds"),
            };
            format!("{name} asks for up to {tickets} tickets in {of} under a policy")
        })?;
        let bytes = times * one.bytes * worlds.min(threads as f64);
        plan::check(bytes, plan::PLAYERS, || {
            let bytes = plan::counted(bytes);
            format!("the players of {name} take up to {bytes} bytes of memory")
        })
    }

    /// The documents of the first policies.
    pub(super) fn documents(&self, count: usize) -> Vec<PolicyDocument> {
        let queues = self.imported.queues.iter().take(count);
        queues.map(|queue| queue.document.clone()).collect()
    }

    pub(super) fn worlds<'a>(&'a self, policies: &'a [PolicyDocument]) -> Worlds<'a> {
        Worlds {
            scenario: &self.imported.scenario,
            policies,
            judge: &self.judge,
            seed: self.seed,
            hindsight: false,
        }
    }

    /// What is to be said of this many of the policies on this many worlds.
    pub(super) fn facts(&self, policies: usize, worlds: u32) -> WorldsFacts {
        let params = self.imported.scenario.params();
        let objective = self.judge.objective().params();
        let queues = self.imported.queues.iter().take(policies);
        let name = |label: &PolicyLabel| PolicyName {
            name: label.name.clone(),
            version: label.version.clone(),
        };
        WorldsFacts {
            scenario: params.name.clone(),
            about: params.about.clone(),
            hours: params.hours,
            warm_up_hours: params.warm_up_hours,
            worlds,
            judged_by: self.judged_by.clone(),
            objective: objective_in_words(objective),
            mismatch_is: format!(
                "{}; the `skill` of a ticket is its rating",
                mismatch_in_words(objective)
            ),
            rating_is: rating_in_words(&params.rating),
            policies: queues.map(|queue| name(&queue.loaded.label)).collect(),
            claims: params.claims.clone(),
            no_hindsight: None,
        }
    }

    /// Why hindsight, if it is asked for, has no answer.
    pub(super) fn no_hindsight(&self, is_asked: bool) -> Option<String> {
        let is_missing = is_asked && self.judge.objective().lost().is_none();
        is_missing.then(|| format!("No hindsight and no regret: {}.", OptimumError::NoLost))
    }

    pub(super) fn origin(&self, command: String, worlds: u32) -> Result<Origin, Failure> {
        let params = self.imported.scenario.params();
        let mut origin = Origin::new(command, &json!({ "worlds": worlds, "scenario": params }))?;
        origin.seed = Some(self.seed);
        origin.inputs = vec![self.imported.source.facts.clone()];
        let policies = self.imported.queues.iter().map(|queue| &queue.source.facts);
        let log = self.imported.log.iter().map(|log| &log.facts);
        origin
            .inputs
            .extend(policies.chain(log).chain(&self.objective).cloned());
        Ok(origin)
    }
}

/// What the ratings of a world are, where no system learns them.
fn rating_in_words(rating: &KnownSkill) -> Option<String> {
    let error = rating.error_deviation;
    rating.system.is_none().then(|| {
        if error > 0.0 {
            format!(
                "No system learns ratings: a rating is the true skill and an error of {error} points that stays, and forecasts \
                 and errors of ratings are of that"
            )
        } else {
            "No system learns ratings: a rating is the true skill, so that forecasts are the true chances and ratings have no \
             error"
                .to_owned()
        }
    })
}
