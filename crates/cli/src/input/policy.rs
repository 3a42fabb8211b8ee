//! The policy of a matchmaker or of a queue, from its document: a file, or one that the program carries.

use std::path::{Path, PathBuf};

use matchwright_queue::Objective;
use matchwright_scoring::{PolicyDocument, ScoringPolicy, ScoringPolicyParams, WinProbability};
use matchwright_sim::policy::{
    DocumentError, LoadedPolicy, PolicyDocument as QueueDocument, RatingScale, load,
};
use serde::de::DeserializeOwned;

use super::document::{Document, at_key};
use super::source::Source;
use crate::bundled::{Bundled, EXAMPLES};
use crate::failure::{Failure, ShownPath, shown, suggestion};
use crate::plan;

/// A checked policy with its document.
pub(crate) struct ImportedPolicy {
    pub(crate) scoring: ScoringPolicy,
    pub(crate) source: Source,
    /// What says how likely each team wins; none if the policy does not say what a difference of skills is worth.
    pub(crate) win: Option<WinProbability>,
    /// For ratings of which scale it is.
    pub(crate) scale: Option<RatingScale>,
}

/// A policy of a queue that is ready to decide, with its document.
pub(crate) struct ImportedQueue {
    pub(crate) loaded: LoadedPolicy,
    pub(crate) document: QueueDocument,
    /// Whether the document says what matches and waits cost.
    pub(crate) has_objective: bool,
    pub(crate) source: Source,
}

/// An objective, with the scoring of its document.
pub(crate) struct ImportedObjective {
    pub(crate) objective: Objective,
    pub(crate) scoring: Option<ScoringPolicy>,
    pub(crate) document: QueueDocument,
    pub(crate) source: Source,
}

/// A document that an option or another document names: a file, or one that the program carries.
#[derive(Clone)]
pub(crate) enum Named {
    File(PathBuf),
    Carried(&'static Bundled),
}

impl Named {
    /// The policy document of that path or name.
    pub(crate) fn policy(option: &str, path: &Path) -> Result<Self, Failure> {
        Self::by_option(("policy", "policies/"), option, path)
    }

    /// The document of that path, or of that name among those in a folder of the program's.
    pub(super) fn by_option(
        (kind, folder): (&str, &str),
        option: &str,
        path: &Path,
    ) -> Result<Self, Failure> {
        let name = path.to_str().filter(|_| !path.exists() || path.is_dir());
        match name.and_then(|name| carried(folder, name)) {
            Some(example) => Ok(Self::Carried(example)),
            None if path.extension().is_none() && path.as_os_str() != "-" && !path.exists() => {
                Err(unknown((kind, folder), option, path))
            }
            None => Ok(Self::File(path.to_owned())),
        }
    }

    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<Document<T>, Failure> {
        match self {
            Self::File(path) => Document::read(path),
            Self::Carried(example) => Document::carried(example),
        }
    }

    /// As messages name it.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::File(path) => path.shown(),
            Self::Carried(example) => {
                let short = Path::new(example.name).file_stem();
                short.unwrap_or_default().to_string_lossy().into_owned()
            }
        }
    }
}

/// Reads and checks all sections of a policy document.
pub(crate) fn import_queue(named: &Named) -> Result<ImportedQueue, Failure> {
    queue_of(named.read()?)
}

/// A document as a policy that is ready to decide.
pub(super) fn queue_of(document: Document<QueueDocument>) -> Result<ImportedQueue, Failure> {
    let exchanges = document
        .value
        .queue
        .as_ref()
        .and_then(|queue| queue.exchanges)
        .unwrap_or(0);
    plan::check(exchanges as f64, plan::EXCHANGES as f64, || {
        format!("`queue.exchanges` is {}", plan::counted(exchanges as f64))
    })
    .map_err(|failure| at_key(&document.source, failure))?;
    let has_objective = document.value.objective.is_some();
    let parsed = document.value.clone();
    let loaded = document.check(load)?;
    Ok(ImportedQueue {
        loaded: loaded.value,
        document: parsed,
        has_objective,
        source: loaded.source,
    })
}

/// The policy of a document that a journal records: JSON if it begins with a brace, else TOML.
pub(crate) fn recorded_queue(document: &str) -> Result<LoadedPolicy, String> {
    let parsed: QueueDocument = if document.trim_start().starts_with('{') {
        serde_json::from_str(document).map_err(|error| error.to_string())?
    } else {
        toml::from_str(document).map_err(|error| error.message().to_owned())?
    };
    load(parsed).map_err(|error| error.to_string())
}

/// Reads and checks `[objective]` and, if there is one, `[scoring]` of a policy document.
pub(crate) fn import_objective(named: &Named) -> Result<ImportedObjective, Failure> {
    let document: Document<QueueDocument> = named.read()?;
    let Some(objective) = document.value.objective.clone() else {
        let what = "there is no section `objective`, which says what matches and waits cost";
        return Err(document.source.name.in_line(1, what));
    };
    let parsed = document.value.clone();
    let checked = document.check(|document| {
        let objective = objective.build().map_err(DocumentError::from)?;
        let scoring = document.scoring.map(ScoringPolicyParams::build).transpose()?;
        Ok::<_, DocumentError>((objective, scoring))
    })?;
    let (objective, scoring) = checked.value;
    Ok(ImportedObjective {
        objective,
        scoring,
        document: parsed,
        source: checked.source,
    })
}

/// Reads and checks the section `[scoring]` of a policy document.
pub(crate) fn import_policy(path: &Path) -> Result<ImportedPolicy, Failure> {
    let document: Document<PolicyDocument> = Named::policy("--policy", path)?.read()?;
    let Some(scoring) = &document.value.scoring else {
        let what = "there is no section `scoring`, which says what a good match is: add one with its factors";
        return Err(document.source.name.in_line(1, what));
    };
    let win = scoring.factors.win_probability.clone();
    let scale = RatingScale::of(document.value.points_for_ten_to_one, Some(scoring), None, None);
    let checked = document.check(|document| document.scoring.unwrap_or_default().build())?;
    Ok(ImportedPolicy {
        scoring: checked.value,
        source: checked.source,
        win: win.map(|win| win.settings),
        scale,
    })
}

/// What is wrong with a name that is neither a file nor one of the documents of the program.
fn unknown((kind, folder): (&str, &str), option: &str, path: &Path) -> Failure {
    let name = path.to_string_lossy();
    Failure::Usage(format!(
        "{option} {}: neither a file nor a {kind} of the program{}; a file ends in .toml or .json",
        shown(&name),
        known(folder, &name)
    ))
}

/// The documents of the program in a folder, and the one that is meant, where a name is close to one.
pub(super) fn known(folder: &str, name: &str) -> String {
    let known = EXAMPLES
        .iter()
        .filter_map(|example| example.name.strip_prefix(folder)?.strip_suffix(".toml"));
    let known: Vec<&str> = known.collect();
    let hint = suggestion(name, known.iter().copied());
    format!("{hint} There are {}", known.join(", "))
}

/// The document that the program carries under this name or path: `even`, or `examples/policies/even.toml`.
pub(super) fn carried(folder: &str, name: &str) -> Option<&'static Bundled> {
    let name = name.strip_prefix("examples/").unwrap_or(name);
    let document = |example: &&Bundled| {
        let short = example.name.strip_prefix(folder);
        short.is_some_and(|short| name == example.name || Some(name) == short.strip_suffix(".toml"))
    };
    EXAMPLES.iter().find(document)
}
