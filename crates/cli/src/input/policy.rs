//! The policy of a matchmaker, from its document: a file, or one that the program carries.

use std::path::Path;

use matchwright_scoring::{PolicyDocument, ScoringPolicy, WinProbability};

use super::document::Document;
use super::source::Source;
use crate::bundled::{Bundled, EXAMPLES};
use crate::failure::{Failure, shown, suggestion};

/// A checked policy with its document.
pub(crate) struct ImportedPolicy {
    pub(crate) scoring: ScoringPolicy,
    pub(crate) source: Source,
    /// What says how likely each team wins; none if the policy does not say what a difference of skills is worth.
    pub(crate) win: Option<WinProbability>,
}

/// Reads and checks the section `[scoring]` of a policy document.
pub(crate) fn import_policy(path: &Path) -> Result<ImportedPolicy, Failure> {
    let document: Document<PolicyDocument> = match carried(path) {
        Some(example) => Document::carried(example)?,
        None if path.extension().is_none() && path.as_os_str() != "-" && !path.exists() => {
            return Err(unknown(path));
        }
        None => Document::read(path)?,
    };
    let Some(scoring) = &document.value.scoring else {
        let what = "there is no section `scoring`, which says what a good match is: add one with its factors";
        return Err(document.source.name.in_line(1, what));
    };
    let win = scoring.factors.win_probability.clone();
    let checked = document.check(|document| document.scoring.unwrap_or_default().build())?;
    Ok(ImportedPolicy {
        scoring: checked.value,
        source: checked.source,
        win: win.map(|win| win.settings),
    })
}

/// What is wrong with a name that is neither a file nor one of the policies of the program.
fn unknown(path: &Path) -> Failure {
    let name = path.to_string_lossy();
    let known = EXAMPLES
        .iter()
        .filter_map(|example| example.name.strip_prefix("policies/")?.strip_suffix(".toml"));
    let known: Vec<&str> = known.collect();
    let hint = suggestion(&name, known.iter().copied());
    Failure::Usage(format!(
        "--policy {}: neither a file nor a policy of the program{hint} There are {}; a file ends in .toml or .json",
        shown(&name),
        known.join(", ")
    ))
}

/// The policy that the program carries under this name or path, `even` or `examples/policies/even.toml`, unless there is
/// such a file.
fn carried(path: &Path) -> Option<&'static Bundled> {
    let name = path.to_str().filter(|_| !path.exists())?;
    let name = name.strip_prefix("examples/").unwrap_or(name);
    let policy = |example: &&Bundled| {
        let short = example.name.strip_prefix("policies/");
        short.is_some_and(|short| name == example.name || Some(name) == short.strip_suffix(".toml"))
    };
    EXAMPLES.iter().find(policy)
}
