//! A world to simulate, from its document: a file, or one that the program carries.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use itertools::Itertools;
use matchwright_import::TicketOptions;
use matchwright_sim::simulate::{ClaimParams, Scenario, ScenarioParams};

use super::document::{Document, at_key, of_named};
use super::policy::{ImportedQueue, Named, carried, import_queue, known};
use super::source::Source;
use super::tickets::{ImportedTickets, import_tickets};
use crate::failure::{Failure, shown};
use crate::plan;

/// A checked world with its document, its policies, and the log that it names.
pub(crate) struct ImportedScenario {
    pub(crate) scenario: Scenario,
    /// In the order of the command line, else of the document.
    pub(crate) queues: Vec<ImportedQueue>,
    /// The document of the objective that it names.
    pub(crate) objective: Option<Named>,
    pub(crate) log: Option<ImportedTickets>,
    pub(crate) source: Source,
}

/// Reads a world and its policies: those of the command line, else those that it names; at least one.
pub(crate) fn import_scenario(path: &Path, policies: &[PathBuf]) -> Result<ImportedScenario, Failure> {
    let world = Named::by_option(("scenario", "scenarios/"), "SCENARIO", path)?;
    let document: Document<ScenarioParams> = world.read()?;
    let named = |(key, name): (&str, &str)| {
        let found = beside(&world, name);
        found.map_err(|what| {
            at_key(
                &document.source,
                format!("`{key}` names `{}`: {what}", shown(name)),
            )
        })
    };
    let (option, files): (_, Vec<Named>) = if policies.is_empty() {
        let names = document
            .value
            .policies
            .iter()
            .map(|name| ("policies", name.as_str()));
        ("the policy", names.map(named).collect::<Result<_, _>>()?)
    } else {
        let files = policies.iter().map(|path| Named::policy("--policy", path));
        ("--policy", files.collect::<Result<_, _>>()?)
    };
    if files.is_empty() {
        let what = "it names no `policies`: add them, or give --policy";
        return Err(document.source.name.in_line(1, what));
    }
    let queue = |file: &Named| {
        let read = import_queue(file);
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
    let params = &document.value;
    let objective = params.objective.as_deref().map(|name| named(("objective", name)));
    let objective = objective.transpose()?;
    let log = params.arrivals.log.as_deref();
    let log = log.map(|name| named(("arrivals.log", name))).transpose()?;
    let log = log
        .map(|file| match file {
            Named::File(path) => import_tickets(&path, &TicketOptions::default()),
            Named::Carried(_) => Err(Failure::Usage("it is a policy, and no log".to_owned())),
        })
        .transpose()
        .map_err(|failure| of_named(&document.source, "arrivals.log", failure))?;
    let checked = document.check(|params| {
        let mut scenario = params.build()?;
        if let Some(imported) = &log {
            scenario = scenario.with_log(Arc::new(imported.log.clone()));
        }
        if let Some((any, each)) = plan::steps() {
            scenario = scenario.with_most_wakeups(any, each);
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

const ELSEWHERE: &str =
    "a scenario reads files below its own folder alone: copy it there, or name it on the command line";

/// The file that a world names, below its own folder, or else the policy that the program carries. A world from
/// somewhere else reads nothing else of its reader's.
fn beside(world: &Named, name: &str) -> Result<Named, String> {
    let carried = || match carried("policies/", name) {
        Some(example) => Ok(Named::Carried(example)),
        None if Path::new(name).exists() => Err(ELSEWHERE.to_owned()),
        None => Err(format!(
            "neither a file beside the scenario nor a policy of the program{}",
            known("policies/", name)
        )),
    };
    let Named::File(world) = world else {
        return carried();
    };
    let folder = match world.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let near = folder.join(name);
    if !near.exists() {
        return carried();
    }
    let inside = fs::canonicalize(folder)
        .and_then(|folder| Ok(fs::canonicalize(&near)?.starts_with(folder)))
        .map_err(|error| error.to_string())?;
    if !inside {
        return Err(ELSEWHERE.to_owned());
    }
    if !near.is_file() {
        return Err("it is no regular file".to_owned());
    }
    Ok(Named::File(near))
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
