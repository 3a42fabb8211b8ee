//! A world to simulate, from its document: a file, or one that the program carries.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use itertools::Itertools;
use matchwright_sim::simulate::{ClaimParams, Scenario, ScenarioParams};

use super::document::{Document, at_key, of_named};
use super::policy::{ImportedQueue, carried_or_file, import_queue};
use super::source::Source;
use super::tickets::{ImportedTickets, TicketReading, import_tickets};
use crate::failure::{Failure, shown};

/// A checked world with its document, its policies, and the log that it names.
pub(crate) struct ImportedScenario {
    pub(crate) scenario: Scenario,
    /// In the order of the command line, else of the document.
    pub(crate) queues: Vec<ImportedQueue>,
    /// The document of the objective that it names.
    pub(crate) objective: Option<PathBuf>,
    pub(crate) log: Option<ImportedTickets>,
    pub(crate) source: Source,
}

/// Reads a world and its policies: those of the command line, else those that it names; at least one.
pub(crate) fn import_scenario(path: &Path, policies: &[PathBuf]) -> Result<ImportedScenario, Failure> {
    let document: Document<ScenarioParams> = carried_or_file("scenario", "scenarios/", "SCENARIO", path)?;
    let beside = |name: &str| {
        let near = path.parent().unwrap_or(Path::new("")).join(name);
        if near.is_file() { near } else { PathBuf::from(name) }
    };
    let (option, files) = if policies.is_empty() {
        let named = document.value.policies.iter().map(|name| beside(name));
        ("the policy", named.collect())
    } else {
        ("--policy", policies.to_vec())
    };
    if files.is_empty() {
        let what = "it names no `policies`: add them, or give --policy";
        return Err(document.source.name.in_line(1, what));
    }
    let queue = |file: &PathBuf| {
        let read = import_queue(option, file);
        read.map_err(|failure| match policies {
            [] => of_named(&document.source, "policies", failure),
            _ => failure,
        })
    };
    let queues = files
        .iter()
        .map(queue)
        .collect::<Result<Vec<ImportedQueue>, Failure>>()?;
    check_names(option, &queues).map_err(|failure| match policies {
        [] => of_named(&document.source, "policies", failure),
        _ => failure,
    })?;
    if policies.is_empty() {
        let named = document.value.claims.iter().flat_map(ClaimParams::policies);
        let is_there = |name: &str| queues.iter().any(|queue| queue.loaded.label.name == name);
        if let Some((key, name)) = named
            .filter_map(|(key, name)| Some((key, name?)))
            .find(|(_, name)| !is_there(name))
        {
            let what = format!(
                "`{key}` is {}: give the name of one of the `policies`",
                shown(name)
            );
            return Err(at_key(&document.source, what));
        }
    }
    let objective = document.value.objective.as_deref().map(beside);
    let log = document.value.arrivals.log.as_deref().map(beside);
    let log = log
        .map(|file| import_tickets(&file, &TicketReading::default()))
        .transpose()
        .map_err(|failure| of_named(&document.source, "arrivals.log", failure))?;
    let checked = document.check(|params| {
        let mut scenario = params.build()?;
        if let Some(imported) = &log {
            scenario = scenario.with_log(Arc::new(imported.log.clone()));
        }
        let all = queues.iter().map(|queue| scenario.check_policy(&queue.loaded));
        all.collect::<Result<(), _>>()?;
        Ok::<_, matchwright_sim::simulate::ScenarioError>(scenario)
    })?;
    Ok(ImportedScenario {
        scenario: checked.value,
        queues,
        objective,
        log,
        source: checked.source,
    })
}

/// Policies of one name cannot be told apart.
fn check_names(option: &str, queues: &[ImportedQueue]) -> Result<(), Failure> {
    let names = queues.iter().map(|queue| &queue.loaded.label.name);
    match names.duplicates().next() {
        None => Ok(()),
        Some(name) => Err(Failure::Usage(format!(
            "{option}: two policies are called `{}`; drop one, or give one another `name`",
            shown(name)
        ))),
    }
}
